package costmodel

import (
	"fmt"
	"math"
)

// LayerKind says what a layer's memory of the context looks like.
type LayerKind string

// The kinds of layers.
const (
	FullAttention    LayerKind = "full"    // every token stays
	SlidingAttention LayerKind = "sliding" // the last Window tokens stay
	LinearAttention  LayerKind = "linear"  // a state of fixed size stays
)

// LayerGroup is a number of layers whose attention has the same shape.
type LayerGroup struct {
	Kind   LayerKind `json:"kind"`
	Layers int       `json:"layers"`
	Window int       `json:"window,omitempty"` // tokens; 0 unless sliding

	QueryHeads int `json:"query_heads"`
	KVHeads    int `json:"kv_heads"` // 1 for a latent
	// KVElements is how many numbers one token leaves in one layer: KV heads x
	// (key + value dimension), or latent + rotary dimension for MLA.
	KVElements int `json:"kv_elements"`
	// Latent marks multi-head latent attention: one compressed vector per
	// token that every head reads, so tensor parallelism cannot divide it.
	Latent bool `json:"latent,omitempty"`

	// PrefillFLOPPerPair and DecodeFLOPPerPair are the FLOP of one layer for
	// one query token and one key token, over all heads: 2 x (key + value
	// dimension) x query heads. They differ for MLA, which expands the latent
	// for prefill and works inside it for decode.
	PrefillFLOPPerPair float64 `json:"prefill_flop_per_pair"`
	DecodeFLOPPerPair  float64 `json:"decode_flop_per_pair"`

	// StateBytes is the fixed state of one linear-attention layer, per
	// sequence; StateHeads how often tensor parallelism can divide it;
	// StateFLOPPerToken the work of updating and reading it for one token.
	StateBytes        Bytes   `json:"state_bytes,omitempty"`
	StateHeads        int     `json:"state_heads,omitempty"`
	StateFLOPPerToken float64 `json:"state_flop_per_token,omitempty"`
}

// Model is what the cost model needs to know of a language model. ReadConfig
// and ModelByName make one; NewEngine checks one that was made by hand.
type Model struct {
	Name       string `json:"name"`
	ModelType  string `json:"model_type"`
	Layers     int    `json:"layers"`
	Hidden     int    `json:"hidden_size"`
	Vocab      int    `json:"vocab_size"`
	MaxContext int    `json:"max_context,omitempty"` // tokens; 0: not stated

	DType   DType `json:"dtype"`    // weights that are not quantized
	KVDType DType `json:"kv_dtype"` // KV cache

	// Parameters counts every number of the language model once (tied
	// embeddings once, vision towers and draft layers not at all).
	// ActiveParameters leaves out the routed experts that one token does not
	// visit; both count the input embedding, so that a dense model has one number.
	// Some makers leave it out of their active count: EmbeddingParameters is
	// what they subtract (0 if it is tied, since the output head needs it).
	Parameters          int64 `json:"parameters"`
	ActiveParameters    int64 `json:"active_parameters"`
	RoutedParameters    int64 `json:"routed_parameters,omitempty"`
	EmbeddingParameters int64 `json:"embedding_parameters,omitempty"`

	Experts         int `json:"experts,omitempty"`
	ExpertsPerToken int `json:"experts_per_token,omitempty"`

	WeightBytes Bytes `json:"weight_bytes"`
	RoutedBytes Bytes `json:"routed_bytes,omitempty"` // of WeightBytes, in routed experts

	Quantization string `json:"quantization,omitempty"` // "" or e.g. "awq 4 bit"
	// FP8Compute: weights and activations are both FP8, so that matrix
	// products run at the GPU's FP8 rate. Weight-only formats compute in BF16.
	FP8Compute bool `json:"fp8_compute,omitempty"`

	Attention []LayerGroup `json:"attention"`
	// Notes lists every value that was not in the config.json and came from
	// the definition of the architecture, and what was not counted.
	Notes []string `json:"notes,omitempty"`
}

// WithWeights is the model with every parameter stored in d, as engines do when
// they quantize at load time. FP8 is taken to mean FP8 activations too.
// It leaves out scales, about 1/128 of the weights for block formats.
func (m Model) WithWeights(d DType) (Model, error) {
	if d.Bytes() == 0 {
		return Model{}, badArgument("model "+m.Name, "weights", fmt.Sprintf("%q", d), "one of float32, bfloat16, float16, fp8, int8, int4")
	}
	m.WeightBytes = Bytes(float64(m.Parameters) * d.Bytes())
	m.RoutedBytes = Bytes(float64(m.RoutedParameters) * d.Bytes())
	m.FP8Compute = d == FP8
	m.Quantization = ""
	if d.Bytes() < 2 {
		m.Quantization = string(d)
	}
	return m, nil
}

// WithKV is the model with its KV cache stored in d. The state of
// linear-attention layers keeps its format.
func (m Model) WithKV(d DType) (Model, error) {
	if d.Bytes() == 0 {
		return Model{}, badArgument("model "+m.Name, "kv_dtype", fmt.Sprintf("%q", d), "one of float32, bfloat16, float16, fp8, int8, int4")
	}
	m.KVDType = d
	return m, nil
}

// check rejects a model that would divide by zero or price nothing.
func (m Model) check() error {
	where := fmt.Sprintf("model %q", m.Name)
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"layers", float64(m.Layers)}, {"hidden_size", float64(m.Hidden)},
		{"parameters", float64(m.Parameters)}, {"active_parameters", float64(m.ActiveParameters)},
		{"weight_bytes", float64(m.WeightBytes)}, {"kv_dtype size", m.KVDType.Bytes()},
		{"attention groups", float64(len(m.Attention))},
	} {
		if !(f.value > 0) || math.IsInf(f.value, 0) {
			return badArgument(where, f.name, f.value, "a positive number; make models with ReadConfig or ModelByName")
		}
	}
	if m.ActiveParameters > m.Parameters || m.RoutedBytes > m.WeightBytes || m.RoutedBytes < 0 || m.RoutedParameters < 0 {
		return badArgument(where, "active_parameters", m.ActiveParameters, "at most all parameters")
	}
	if m.RoutedBytes > 0 && (m.Experts < 1 || m.ExpertsPerToken < 1 || m.ExpertsPerToken > m.Experts) {
		return badArgument(where, "experts_per_token", m.ExpertsPerToken, "between 1 and experts")
	}
	n := 0
	for i, g := range m.Attention {
		if err := g.check(where, i); err != nil {
			return err
		}
		n += g.Layers
	}
	if n != m.Layers {
		return badArgument(where, "attention", fmt.Sprintf("describes %d layers", n), fmt.Sprintf("%d, the number of layers", m.Layers))
	}
	return nil
}

// check rejects a group of layers that no formula could price.
func (g *LayerGroup) check(where string, i int) error {
	bad := func(field string, value any, want string) error {
		return badArgument(where, fmt.Sprintf("attention[%d].%s", i, field), value, want)
	}
	type count struct {
		name  string
		value int
	}
	counts := []count{{"layers", g.Layers}, {"query_heads", g.QueryHeads}}
	switch g.Kind {
	case SlidingAttention:
		counts = append(counts, count{"kv_heads", g.KVHeads}, count{"kv_elements", g.KVElements}, count{"window", g.Window})
	case FullAttention:
		counts = append(counts, count{"kv_heads", g.KVHeads}, count{"kv_elements", g.KVElements})
	case LinearAttention:
		counts = append(counts, count{"state_heads", g.StateHeads})
	default:
		return bad("kind", fmt.Sprintf("%q", clip([]byte(g.Kind))), "full, sliding or linear")
	}
	for _, c := range counts {
		if c.value < 1 {
			return bad(c.name, c.value, "a positive integer")
		}
	}
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"prefill_flop_per_pair", g.PrefillFLOPPerPair}, {"decode_flop_per_pair", g.DecodeFLOPPerPair},
		{"state_bytes", float64(g.StateBytes)}, {"state_flop_per_token", g.StateFLOPPerToken},
	} {
		if !(f.value >= 0 && f.value <= maxParameters) {
			return bad(f.name, f.value, fmt.Sprintf("a number from 0 to %.0e", float64(maxParameters)))
		}
	}
	return nil
}
