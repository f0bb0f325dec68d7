package mem0_test

import (
	"context"

	"memlab/pkg/retrieve"
)

// flat takes all texts for alike.
type flat struct{}

func (flat) Dim() int { return 2 }

func (flat) Embed(_ context.Context, passages ...retrieve.Passage) ([][]float32, error) {
	out := make([][]float32, len(passages))
	for i := range out {
		out[i] = []float32{1, 0}
	}
	return out, nil
}

// liar says that its vectors are longer than they are.
type liar struct{ flat }

func (liar) Dim() int { return 3 }
