package playbook

import (
	"errors"
	"fmt"

	"memlab/pkg/retrieve"
)

// noVector: there is nothing in the text to embed.
func noVector(err error) bool {
	return errors.Is(err, retrieve.ErrEmpty) || errors.Is(err, retrieve.ErrZero)
}

// pairs compares with every vector.
type pairs struct {
	vectors   *retrieve.Vectors
	threshold float64
}

func newPairs(dim int, threshold float64) (*pairs, error) {
	v, err := retrieve.NewVectors(dim)
	if err != nil {
		return nil, fmt.Errorf("playbook: %w", err)
	}
	return &pairs{v, threshold - rounding}, nil
}

// rounding is what a cosine in single precision may be too small.
const rounding = 1e-6

func (x *pairs) add(id string, v []float32) error { return x.vectors.Add(id, v) }

func (x *pairs) remove(id string) { x.vectors.Remove(id) }

func (x *pairs) best(v []float32) (string, float64, error) {
	if x.vectors.Len() == 0 {
		return "", 0, nil
	}
	hits, err := x.vectors.Search(v, 1, nil)
	if err != nil || len(hits) == 0 || hits[0].Score < x.threshold {
		return "", 0, err
	}
	return hits[0].ID, hits[0].Score, nil
}
