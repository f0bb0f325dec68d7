package retrieve

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// fixed is an embedder that says dim and returns what it is told to.
type fixed struct {
	dim int
	out [][]float32
	err error
}

func (f fixed) Dim() int { return f.dim }

func (f fixed) Embed(context.Context, ...Passage) ([][]float32, error) { return f.out, f.err }

// mem0#5405: the mismatch showed at the first insertion only.
func TestAStoreFindsAMismatchingEmbedderAtConstruction(t *testing.T) {
	if err := CheckDim(fixed{dim: 768}, 768); err != nil {
		t.Error(err)
	}
	err := CheckDim(fixed{dim: 1536}, 768)
	if !errors.Is(err, ErrDim) || !strings.Contains(err.Error(), "1536") || !strings.Contains(err.Error(), "768") {
		t.Errorf("error %v: want ErrDim with both dimensions", err)
	}
	if err := CheckDim(nil, 768); !errors.Is(err, ErrDim) {
		t.Errorf("no embedder: error %v", err)
	}
}

func TestProbeDoesNotTakeTheEmbeddersWord(t *testing.T) {
	broken := errors.New("broken")
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		e    Embedder
		want error
	}{
		"a good one":          {fixed{dim: 2, out: [][]float32{{0.6, 0.8}}}, nil},
		"none":                {nil, ErrDim},
		"an error":            {fixed{dim: 2, err: broken}, broken},
		"no vector":           {fixed{dim: 2}, ErrCount},
		"another dimension":   {fixed{dim: 2, out: [][]float32{{1}}}, ErrDim},
		"a vector of 0":       {fixed{dim: 2, out: [][]float32{{0, 0}}}, ErrZero},
		"a vector with a NaN": {fixed{dim: 2, out: [][]float32{{0, nan}}}, ErrNotFinite},
		"a long vector":       {fixed{dim: 2, out: [][]float32{{3, 4}}}, ErrNotUnit},
	} {
		if err := Probe(t.Context(), c.e); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}
