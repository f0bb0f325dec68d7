package memgpt_test

import (
	"context"
	"testing"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt"
)

// A conversation of 600 messages with its questions, without making the world and
// its vectors.
func BenchmarkConversation(b *testing.B) {
	w, err := toy.New(toy.DefaultParameters(), 0, 0, "en")
	if err != nil {
		b.Fatal(err)
	}
	judge, err := memgpt.NewRuleJudge(memgpt.DefaultRates(), w.Stream)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		o := memgpt.Defaults(w.Embedder(), judge)
		m, err := memgpt.New(o)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := memory.Evaluate(context.Background(), &w.Dialogue, m, o.Account, memory.Strict{}); err != nil {
			b.Fatal(err)
		}
	}
}
