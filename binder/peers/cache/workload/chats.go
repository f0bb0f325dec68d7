// Package workload makes the traces on which prefix caches are compared, and replays
// them. It is for the programs beside it, so that all of them see the same blocks in
// the same order. Its main type is Trace; a trace of n blocks takes 8n bytes and some
// ten nanoseconds per block to make. Chats is our own model of conversations that grow
// turn by turn; Mooncake is the published trace of FAST'25 where it is at hand.
package workload

import (
	"math/rand/v2"
	"slices"
)

// Trace is the blocks of one prompt after the other.
type Trace struct {
	Prompts  [][]uint64
	Blocks   int // of all prompts together
	Distinct int
}

// Chats is a trace of that many blocks or a few more. Each prompt is what its chat has
// said so far and one to seven new blocks; one in eight begins the chat anew, with one
// of eight system prompts of four blocks. Ids number the blocks by first appearance,
// or are 64 random bits.
func Chats(blocks, chats int, hashed bool) Trace {
	var t Trace
	r := rand.New(rand.NewPCG(5, 6))
	fresh := func() uint64 {
		t.Distinct++
		if hashed {
			return r.Uint64()
		}
		return uint64(t.Distinct - 1)
	}
	var system [8][]uint64
	for i := range system {
		for range 4 {
			system[i] = append(system[i], fresh())
		}
	}
	open := make([][]uint64, chats)
	for t.Blocks < blocks {
		i := r.IntN(chats)
		if len(open[i]) == 0 || r.IntN(8) == 0 {
			open[i] = slices.Clone(system[r.IntN(len(system))])
		}
		for range 1 + r.IntN(7) {
			open[i] = append(open[i], fresh())
		}
		t.Prompts = append(t.Prompts, slices.Clone(open[i]))
		t.Blocks += len(open[i])
	}
	return t
}
