package costmodel

import "fmt"

// maxParameters is far beyond any model; above it a config.json is nonsense
// and sums would leave the range in which a float64 counts exactly.
const maxParameters = 1e15

// count adds up parameters and bytes: embedding, layers, final norm and, unless
// it is tied to the embedding, the output head. All counts come from the
// shapes; they leave out vision and audio towers, multi-token-prediction
// layers, and buffers that are not trained (rotary tables).
func (f *fields) count(a arch, m *Model, ls []layer, q *quantization) {
	hidden, vocab := float64(m.Hidden), float64(m.Vocab)
	plain := hidden * vocab // in the model's dtype
	if !f.tied(a) {
		m.EmbeddingParameters = int64(min(hidden*vocab, maxParameters))
		plain += hidden * vocab
	}
	if a.headBias {
		plain += vocab
	}
	if a.positions {
		plain += float64(max(m.MaxContext, 1)) * hidden
	}
	plain += hidden
	if a.normBias {
		plain += hidden
	}
	var packed, routed, active, routedPacked float64 // parameters
	for i := range ls {
		l := &ls[i]
		plain += l.rest + l.router
		store := func(n float64, modules []string, expert bool) float64 {
			if q == nil || q.expertsOnly && !expert || q.skip.has(i, modules) {
				plain += n
				return 0
			}
			packed += n
			return n
		}
		store(l.attn, attnModules, false)
		store(l.dense, denseModules, false)
		store(l.shared, sharedModules, false)
		all := l.expert * float64(l.experts)
		routedPacked += store(all, expertModules, true)
		routed += all
		active += l.expert * float64(l.perToken)
	}
	total := plain + packed
	if !(total <= maxParameters) {
		f.problem(ErrBadField, "parameters", fmt.Sprintf("%.3g in all", total), fmt.Sprintf("fewer than %.0e; check the sizes", float64(maxParameters)))
		return
	}
	m.Parameters = int64(total)
	m.RoutedParameters = int64(routed)
	m.ActiveParameters = int64(total - routed + active)

	size, bits := m.DType.Bytes(), 0.0
	if q != nil {
		bits = q.bits
	}
	m.WeightBytes = Bytes(plain*size + packed*bits/8)
	m.RoutedBytes = Bytes((routed-routedPacked)*size + routedPacked*bits/8)
}

// tied says whether the output head is the embedding.
func (f *fields) tied(a arch) bool {
	if !f.has("tie_word_embeddings") {
		f.note("tie_word_embeddings absent: %v, the default of this architecture", a.tied)
	}
	return f.truth(a.tied, "tie_word_embeddings")
}
