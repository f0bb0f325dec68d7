package sincethen

import (
	"fmt"
	"sort"

	"memlab/pkg/costmodel"
)

// WithState is a model of which only some layers still keep every token, and the
// others a state of fixed size, as linear attention does: for each query head a
// matrix of head dimension x head dimension. Weights are taken to be as large as
// before, so that memory of the context is all that differs: an assumption, for
// nobody has trained this one. The model must have full attention in all layers.
func WithState(m costmodel.Model, full int) (costmodel.Model, error) {
	if len(m.Attention) != 1 || m.Attention[0].Kind != costmodel.FullAttention || m.Attention[0].Latent || m.Attention[0].KVHeads < 1 {
		return m, bad("model %q: want one with the same full attention in all layers, such as llama-3-8b", m.Name)
	}
	if full < 0 || full > m.Layers {
		return m, bad("%d layers with attention: want 0 to the model's %d", full, m.Layers)
	}
	keep := m.Attention[0]
	numbers := float64(keep.QueryHeads) * dim(keep) * dim(keep)
	keep.Layers = full
	state := costmodel.LayerGroup{
		Kind: costmodel.LinearAttention, Layers: m.Layers - full, QueryHeads: keep.QueryHeads, StateHeads: keep.QueryHeads,
		StateBytes: costmodel.Bytes(numbers * m.DType.Bytes()),
		// Add the outer product of key and value, read with the query.
		StateFLOPPerToken: 4 * numbers,
	}
	if full < m.Layers {
		m.Name = fmt.Sprintf("%s, state in %d of %d layers", m.Name, m.Layers-full, m.Layers)
	}
	m.Attention = nil
	for _, g := range []costmodel.LayerGroup{keep, state} {
		if g.Layers > 0 {
			m.Attention = append(m.Attention, g)
		}
	}
	return m, nil
}

// dim is the dimension of a head.
func dim(g costmodel.LayerGroup) float64 { return float64(g.KVElements) / float64(2*g.KVHeads) }

// EveryToken is how many layers of a model keep every token.
func EveryToken(m costmodel.Model) int {
	n := 0
	for _, g := range m.Attention {
		if g.Kind == costmodel.FullAttention {
			n += g.Layers
		}
	}
	return n
}

// furthest is where a search for a crossing ends, in tokens.
const furthest = 1 << 30

// CrossBytes is the shortest context at which a model's memory of it is no larger
// than another's: 1 if it never is larger; ok is false if it always is. The other's
// must grow at least as fast.
func CrossBytes(fixed, growing costmodel.Model) (tokens int, ok bool) {
	n := sort.Search(furthest, func(n int) bool { return fixed.KVBytes(n+1) <= growing.KVBytes(n+1) })
	return n + 1, n < furthest
}

// CrossStep is the same for the time of one decode step of a batch. A step reads a
// KV cache, but reads and writes a state, so that it lies later.
func CrossStep(fixed, growing *costmodel.Engine, batch int) (tokens int, ok bool, err error) {
	for _, e := range []*costmodel.Engine{fixed, growing} {
		if err := checkEngine(e); err != nil {
			return 0, false, err
		}
	}
	n := sort.Search(furthest, func(n int) bool {
		a, errA := fixed.DecodeStep(batch, n+1)
		b, errB := growing.DecodeStep(batch, n+1)
		if errA != nil || errB != nil {
			err = fmt.Errorf("sincethen: %w", firstError(errA, errB))
		}
		return a.Time <= b.Time
	})
	return n + 1, n < furthest, err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
