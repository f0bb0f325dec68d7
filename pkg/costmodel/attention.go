package costmodel

import "fmt"

// attention fills in the attention layers' shapes and parameters. Linear
// layers are left to linearAttention.
func (f *fields) attention(a arch, m *Model, ls []layer) {
	before := len(f.problems)
	heads := f.need("the number of query heads", "num_attention_heads")
	unknown := len(f.problems) > before
	if f.has("kv_lora_rank") {
		f.latent(a, m, ls, heads)
		return
	}
	if a.latent {
		f.problem(ErrMissingField, "kv_lora_rank", "is missing", "the width of the compressed KV vector of multi-head latent attention")
		return
	}
	kv := f.kvHeads(a, len(ls), heads)
	dim, ok := f.intAtLeast(1, "head_dim")
	if unknown {
		return // what depends on the heads would only repeat the problem
	}
	if !ok && !f.has("head_dim") {
		if m.Hidden%heads != 0 {
			f.problem(ErrBadField, f.shown("num_attention_heads"), fmt.Sprint(heads), fmt.Sprintf("a divisor of %s %d, or a head_dim", f.shown("hidden_size"), m.Hidden))
			return
		}
		dim = m.Hidden / heads
		f.note("%s: %d, hidden size / heads", f.absence("head_dim"), dim)
	}
	qkvBias := f.truth(a.qkvBias, "attention_bias", "use_bias", "bias", "qkv_bias")
	outBias := a.outBias && qkvBias
	norm := a.qkNorm
	if a.qkNormIf != noNorm && f.truth(false, "use_qk_norm") {
		norm = a.qkNormIf
	}
	for i := range ls {
		l, k := &ls[i], kv[i]
		if l.shape.Kind == LinearAttention {
			continue
		}
		if heads%k != 0 {
			f.problem(ErrBadField, f.shown("num_key_value_heads"), fmt.Sprint(k), fmt.Sprintf("a divisor of num_attention_heads %d", heads))
			return
		}
		l.shape.QueryHeads, l.shape.KVHeads, l.shape.KVElements = heads, k, 2*k*dim
		l.shape.PrefillFLOPPerPair = pairFLOP(heads, dim, dim)
		l.shape.DecodeFLOPPerPair = l.shape.PrefillFLOPPerPair

		h, q, kvWidth := float64(m.Hidden), float64(heads*dim), float64(k*dim)
		l.attn = h*q + 2*h*kvWidth + q*h
		if a.gateQ {
			l.attn += h * q
		}
		if qkvBias {
			l.rest += q + 2*kvWidth
		}
		if outBias {
			l.rest += h
		}
		switch norm {
		case headNorm:
			l.rest += 2 * float64(dim)
		case fullNorm:
			l.rest += q + kvWidth
		}
		if a.sinks {
			l.rest += float64(heads)
		}
	}
}

// pairFLOP is the FLOP of one layer for one pair of query and key: a dot
// product of the key's length and a weighted sum of the value's, a multiply
// and an add each, over all query heads. It leaves out the softmax.
func pairFLOP(heads, key, value int) float64 {
	return 2 * float64(heads) * float64(key+value)
}

// kvHeads reads the number of KV heads, one per layer.
func (f *fields) kvHeads(a arch, n, heads int) []int {
	if a.multiQuery {
		if f.truth(false, "new_decoder_architecture") {
			return repeat(f.need("the number of KV heads", "num_kv_heads", "n_head_kv"), n)
		}
		if !f.has("multi_query") {
			f.problem(ErrMissingField, "multi_query", "is missing", "true for one KV head, false for one per query head")
			return repeat(1, n)
		}
		if f.truth(false, "multi_query") {
			return repeat(1, n)
		}
		return repeat(heads, n)
	}
	names := []string{"num_key_value_heads", "num_kv_heads"}
	if _, _, ok := f.fallback(names...); ok || f.has(names...) {
		return f.perLayer(n, "the number of KV heads", names...)
	}
	f.note("%s: %d, one per query head (multi-head attention)", f.absence(names[0]), heads)
	return repeat(heads, n)
}

// latent fills in multi-head latent attention (DeepSeek-V2, section 2.1): one
// vector of kv_lora_rank for keys and values of all heads, and one rotary key
// of qk_rope_head_dim that all heads share.
func (f *fields) latent(a arch, m *Model, ls []layer, heads int) {
	rank := f.need("the width of the compressed KV vector", "kv_lora_rank")
	rope := f.need("the rotary part of a key", "qk_rope_head_dim")
	nope := f.need("the part of a key without position", "qk_nope_head_dim")
	value := f.need("the width of a value", "v_head_dim")
	qRank, compressed := f.intAtLeast(1, "q_lora_rank")
	bias := f.truth(false, "attention_bias")

	h, n, r := float64(m.Hidden), float64(heads), float64(rank)
	query := n * float64(nope+rope)
	attn := h*(r+float64(rope)) + r*n*float64(nope+value) + n*float64(value)*h
	rest := r // the norm of the compressed vector
	if compressed {
		attn += h*float64(qRank) + float64(qRank)*query
		rest += float64(qRank)
	} else {
		attn += h * query
	}
	if bias {
		rest += float64(qRank) + r + float64(rope) + h
	}
	for i := range ls {
		l := &ls[i]
		l.shape.QueryHeads, l.shape.KVHeads, l.shape.Latent = heads, 1, true
		l.shape.KVElements = rank + rope
		l.shape.PrefillFLOPPerPair = pairFLOP(heads, nope+rope, value)
		l.shape.DecodeFLOPPerPair = pairFLOP(heads, rank+rope, rank)
		l.attn, l.rest = attn, l.rest+rest
	}
}
