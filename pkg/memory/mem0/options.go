package mem0

import (
	"context"
	"errors"
	"fmt"

	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
)

// Options are how memories are made and found.
type Options struct {
	Embedder retrieve.Embedder
	Judge    Judge
	Account  *memory.Account

	// Dim is the dimension of the store; 0 is the embedder's.
	Dim int
	// Hybrid finds memories by their words too, with the ranks of both fused.
	Hybrid bool

	// Graph is mem0g: a value that another one replaces is marked invalid and
	// kept, and the names in facts are nodes.
	Graph bool
	// Hop adds what is known about the persons found.
	Hop bool
	// NodeLookup finds the person of a role that the question names, whatever
	// its embedding is like. It is part of looking through the graph, so it acts
	// with Hop only.
	NodeLookup bool
	// MixInvalid ranks invalid memories together with valid ones, in one list of
	// K: the lecture's first version, which fails.
	MixInvalid bool

	// Similar is how many memories a fact is held against, Recent how many
	// messages before the pair are read with it.
	Similar, Recent int
	// K memories are read for a question, and KHistory invalid ones if it asks
	// for the past.
	K, KHistory int

	// MemoryTokens is the length of a memory, ExtractTokens that of the
	// instructions for extraction, UpdateTokens those for a decision with the
	// fact in question. A decision's prompt has room for Similar memories,
	// whether there are as many or not: 500 + 10 x 20 = 700, as the lecture counts.
	MemoryTokens, ExtractTokens, UpdateTokens int
	// SummaryEvery pairs the summary of the dialogue is made anew; 0 is never,
	// and then the summary is part of the instructions, as in the lecture's
	// count. It is asynchronous: a pair never waits for it, and its calls are
	// a purpose of their own. SummaryTokens is the length of its instructions.
	SummaryEvery, SummaryTokens int
	// Instructions and Question are tokens around the memories that are read,
	// Output the length of an answer.
	Instructions, Question, Output int
}

// Defaults is mem0 with the paper's and the lecture's numbers. Embedder and Judge
// are still to be set.
func Defaults() Options {
	return Options{
		Account: &memory.Account{}, NodeLookup: true,
		Similar: 10, Recent: 10, K: 10, KHistory: 5,
		MemoryTokens: 20, ExtractTokens: 1000, UpdateTokens: 500, SummaryTokens: 200,
		Instructions: 200, Question: 20, Output: 20,
	}
}

// ErrOption is the kind of every error about options that cannot be.
var ErrOption = errors.New("bad option")

func bad(format string, args ...any) error {
	return fmt.Errorf("mem0: %w: %s", ErrOption, fmt.Sprintf(format, args...))
}

func (o Options) check(ctx context.Context) error {
	for _, n := range []struct {
		name     string
		got, min int
	}{
		{"dim", o.Dim, 0},
		{"similar", o.Similar, 1},
		{"recent", o.Recent, 0},
		{"k", o.K, 1},
		{"history", o.KHistory, 0},
		{"memory tokens", o.MemoryTokens, 1},
		{"extract tokens", o.ExtractTokens, 1},
		{"update tokens", o.UpdateTokens, 1},
		{"summary every", o.SummaryEvery, 0},
		{"summary tokens", o.SummaryTokens, 1},
		{"instructions", o.Instructions, 1},
		{"question", o.Question, 1},
		{"output", o.Output, 0},
	} {
		if n.got < n.min {
			return bad("%s %d: want %d or more", n.name, n.got, n.min)
		}
	}
	switch {
	case o.Judge == nil:
		return bad("judge is nil: want a RuleJudge, an LLMJudge or another one")
	case o.Account == nil:
		return bad("account is nil")
	case o.Hop && !o.Graph:
		return bad("hop without graph: want both, as the hop goes along the graph's edges")
	case o.MixInvalid && !o.Graph:
		return bad("mix invalid without graph: want both, as mem0 keeps nothing invalid")
	}
	if err := retrieve.Probe(ctx, o.Embedder); err != nil {
		return fmt.Errorf("mem0: %w", err)
	}
	if o.Dim == 0 {
		return nil
	}
	if err := retrieve.CheckDim(o.Embedder, o.Dim); err != nil {
		return fmt.Errorf("mem0: %w", err)
	}
	return nil
}
