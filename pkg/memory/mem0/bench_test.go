package mem0_test

import (
	"context"
	"strconv"
	"testing"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
)

// Writing and reading conversations of 300 pairs for each unit of scale. What the
// embedder draws, 256 random numbers for each memory, is part of it.
func BenchmarkWrite(b *testing.B) {
	for _, graph := range []bool{false, true} {
		for _, scale := range []int{1, 2, 4, 8} {
			b.Run("graph="+strconv.FormatBool(graph)+"/scale="+strconv.Itoa(scale), func(b *testing.B) {
				p := toy.DefaultParameters()
				p.Scale = scale
				w, err := toy.New(p, 0, 0, "en")
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					m := system(b, w, func(o *mem0.Options) { o.Graph = graph })
					if err := memory.Write(context.Background(), &w.Dialogue, m); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	w := world(b, 0, 0, "en")
	m := system(b, w, mem0gGraph)
	if err := memory.Write(context.Background(), &w.Dialogue, m); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range w.Dialogue.Questions {
			if _, err := m.Read(context.Background(), w.Dialogue.Questions[i].Query); err != nil {
				b.Fatal(err)
			}
		}
	}
}
