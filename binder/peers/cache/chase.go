package main

import "math/rand/v2"

// chase is the processor time in ns to follow one pointer after the other through that much memory
// in random order: what a lookup pays that cannot know the next place before it has read
// this one. Each step touches another line of 64 bytes.
func chase(bytes int) float64 {
	const line = 8 // words
	lines := max(2, bytes/(8*line))
	next := make([]uint64, lines*line)
	order := rand.New(rand.NewPCG(1, 2)).Perm(lines)
	for i, at := range order {
		next[at*line] = uint64(order[(i+1)%lines] * line)
	}
	const steps = 2_000_000
	at := next[0]
	for range min(lines, steps) { // once around, or the first steps would page in
		at = next[at]
	}
	start := processorTime()
	for range steps {
		at = next[at]
	}
	took := processorTime() - start
	if at == 1 { // never: places are multiples of a line
		return 0
	}
	return float64(took) / steps
}
