package retrieve

import (
	"cmp"
	"slices"
)

// Hit is a document found. Lists of hits run best first: the higher the score,
// the better.
type Hit struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// found is a candidate: row is where its index keeps it, order when it was added.
type found struct {
	score float64
	order uint64
	row   int
}

// compare puts the better one first; of equals, the one added earlier.
func (f found) compare(g found) int {
	return cmp.Or(cmp.Compare(g.score, f.score), cmp.Compare(f.order, g.order))
}

// best keeps the k best candidates in a heap whose root is the worst of them.
type best struct {
	k    int
	heap []found
}

func (b *best) full() bool { return len(b.heap) == b.k }

// admits says whether f is among the k best so far.
func (b *best) admits(f found) bool {
	return !b.full() || f.compare(b.heap[0]) < 0
}

// add takes an f that admits accepted.
func (b *best) add(f found) {
	if !b.full() {
		b.heap = append(b.heap, f)
		for i := len(b.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if b.heap[i].compare(b.heap[up]) <= 0 {
				break
			}
			b.heap[i], b.heap[up] = b.heap[up], b.heap[i]
			i = up
		}
		return
	}
	b.heap[0] = f
	for i := 0; ; {
		worst := i
		for down := 2*i + 1; down <= 2*i+2 && down < len(b.heap); down++ {
			if b.heap[down].compare(b.heap[worst]) > 0 {
				worst = down
			}
		}
		if worst == i {
			return
		}
		b.heap[i], b.heap[worst] = b.heap[worst], b.heap[i]
		i = worst
	}
}

// hits lists what was kept, best first.
func (b *best) hits(id func(row int) string) []Hit {
	slices.SortFunc(b.heap, found.compare)
	out := make([]Hit, len(b.heap))
	for i, f := range b.heap {
		out[i] = Hit{ID: id(f.row), Score: f.score}
	}
	return out
}
