package world

import (
	"testing"
)

// The main table: ten conversations, every system, one seed.
func BenchmarkMainTable(b *testing.B) {
	p := DefaultParameters()
	settings, err := ParseSettings(p, "full", "full:alpha=.5", "full:alpha=1", "rag:128x16", "rag:2048x1", "mem0", "mem0g", "mem0g+graph", "memgpt")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g, err := NewGroup(p, 0, "en")
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range settings {
			if _, err := g.Evaluate(b.Context(), s); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// Everything of demos 1 to 3 for one seed.
func BenchmarkSeed(b *testing.B) {
	for b.Loop() {
		if _, err := values(DefaultParameters(), 0); err != nil {
			b.Fatal(err)
		}
	}
}
