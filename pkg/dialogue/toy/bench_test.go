package toy

import (
	"fmt"
	"testing"

	"memlab/pkg/random"
	"memlab/pkg/retrieve"
)

func BenchmarkNew(b *testing.B) {
	for _, scale := range []int{1, 8} {
		b.Run(fmt.Sprintf("scale=%d", scale), func(b *testing.B) {
			p := DefaultParameters()
			p.Scale = scale
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := New(p, random.Seed(i), 0, "en"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// All 600 vectors of a conversation, none of them remembered.
func BenchmarkMessageVectors(b *testing.B) {
	w := world(b, DefaultParameters(), 1, 0, "en")
	var passages []retrieve.Passage
	for i := range w.Dialogue.Messages {
		m := &w.Dialogue.Messages[i]
		passages = append(passages, retrieve.Passage{ID: m.ID, Role: retrieve.Message, Text: m.Text})
	}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.embedder.messages)
		if _, err := w.Embedder().Embed(b.Context(), passages...); err != nil {
			b.Fatal(err)
		}
	}
}
