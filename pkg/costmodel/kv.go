package costmodel

import (
	"fmt"
	"math"
)

// KV is the memory that one context occupies, over all layers and not split
// over GPUs.
type KV struct {
	Context  int       `json:"context"`            // tokens
	Bytes    Bytes     `json:"kv_bytes"`           // the whole context, fixed state included
	PerToken Bytes     `json:"kv_bytes_per_token"` // the next token at that context
	Fixed    Bytes     `json:"kv_bytes_fixed"`     // state that does not grow
	Bound    Bound     `json:"bound"`
	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

var kvLeftOut = []string{"padding of the last block of a paged allocator", "scales of a quantized KV cache"}

// KV gives all three numbers for a context of that many tokens.
func (m Model) KV(context int) (KV, error) {
	if context < 0 || context > maxTokens {
		return KV{}, badArgument("KV", "context", context, tokensWant)
	}
	return KV{
		Context: context, Bytes: m.KVBytes(context), PerToken: m.KVBytesPerToken(context), Fixed: m.KVBytesFixed(),
		Bound: Capacity, Warnings: m.contextWarning(nil, context), LeftOut: kvLeftOut,
	}, nil
}

// KVBytesPerToken is what one more token occupies when context tokens are
// already there, in bytes: the sum over layers of KV heads x (key + value
// dimension) x bytes per number, without the layers whose window is full and
// without linear-attention layers (source: the shapes in config.json; for MLA,
// DeepSeek-V2, section 2.1). NaN for a negative context.
// It leaves out the block padding of a paged allocator.
func (m Model) KVBytesPerToken(context int) Bytes {
	if context < 0 {
		return Bytes(math.NaN())
	}
	var elements float64
	for i := range m.Attention {
		g := &m.Attention[i]
		if g.Kind == FullAttention || g.Kind == SlidingAttention && context < g.Window {
			elements += float64(g.Layers) * float64(g.KVElements)
		}
	}
	return Bytes(elements * m.KVDType.Bytes())
}

// KVBytes is what a whole context occupies, in bytes: for each layer the tokens
// that stay (all, or the last Window) x KVElements x bytes per number, plus
// the fixed state. NaN for a negative context. It leaves out what
// KVBytesPerToken leaves out.
func (m Model) KVBytes(context int) Bytes {
	if context < 0 {
		return Bytes(math.NaN())
	}
	var elements float64
	for i := range m.Attention {
		g := &m.Attention[i]
		elements += float64(g.Layers) * float64(g.KVElements) * float64(g.kept(context))
	}
	return Bytes(elements*m.KVDType.Bytes()) + m.KVBytesFixed()
}

// KVBytesFixed is the state of the linear-attention layers, in bytes per
// sequence: it is there from the first token and never grows. Source: the
// papers named at each kind of layer in linear.go. It leaves out the copies that
// an engine keeps at block borders to make the state cacheable.
func (m Model) KVBytesFixed() Bytes {
	var b Bytes
	for i := range m.Attention {
		b += Bytes(m.Attention[i].Layers) * m.Attention[i].StateBytes
	}
	return b
}

// kept is how many of the context's tokens the layer still holds.
func (g *LayerGroup) kept(context int) int {
	switch g.Kind {
	case FullAttention:
		return context
	case SlidingAttention:
		return min(context, g.Window)
	}
	return 0
}

func (m *Model) contextWarning(w []Warning, tokens int) []Warning {
	if m.MaxContext > 0 && tokens > m.MaxContext {
		return append(w, Warning(fmt.Sprintf("context of %d tokens is beyond the maximum of %d that max_position_embeddings states for %s; priced as if it were allowed", tokens, m.MaxContext, m.Name)))
	}
	return w
}
