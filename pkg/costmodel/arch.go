package costmodel

import (
	"sort"
	"strings"
)

// arch is what the source code of an architecture says and its config.json
// does not: which matrices have biases, how many norms a layer has, and which
// values its configuration class fills in. The facts are those of the
// modeling_*.py and configuration_*.py files of Hugging Face transformers.
type arch struct {
	matrices   int  // of the MLP: 3 with a gate (SwiGLU, GeGLU), else 2
	norms      int  // per layer
	normBias   bool // LayerNorm with bias (else RMSNorm or none)
	qkvBias    bool // when attention_bias is absent
	outBias    bool // whether an attention bias also goes on the output
	mlpBias    bool // when mlp_bias is absent
	headBias   bool // the output head has a bias
	qkNorm     norm
	qkNormIf   norm // only if use_qk_norm is true
	latent     bool // must have kv_lora_rank
	routerBias bool // one number per expert that balances the load
	tied       bool // when tie_word_embeddings is absent
	slide      slide
	pattern    int // sliding_window_pattern when absent: every n-th layer is full
	moe        moe
	linear     linear
	positions  bool // learned position embeddings
	parallel   bool // falcon: attention and MLP side by side
	multiQuery bool // kv heads are given by a boolean multi_query
	gateQ      bool // the query projection also makes an output gate
	sinks      bool // one learned attention sink per head

	defaults map[string]int
	rename   map[string]string
}

type norm int

const (
	noNorm   norm = iota
	headNorm      // one vector of head_dim for all heads
	fullNorm      // one vector over all heads
)

// slide is how an architecture reads its sliding-window fields.
type slide int

const (
	slideAll             slide = iota // sliding_window given: every layer slides
	slideIfUsed                       // only if use_sliding_window, from max_window_layers on
	slidePattern                      // all but every pattern-th layer
	slidePatternIfWindow              // the same, but a null window means none (EXAONE 4)
	slideNoRope                       // only if use_sliding_window, the layers without rotary positions (SmolLM3)
	slideNever                        // there is no such field
)

// linear is the kind of the layers that keep a fixed state.
type linear int

const (
	noLinear  linear = iota
	deltaNet         // gated delta rule (Qwen3-Next)
	lightning        // decayed outer products (MiniMax-Text-01)
	mamba1           // one state per channel (Jamba)
	mamba2           // one state per head (Granite 4)
)

type moe int

const (
	noMoE       moe = iota
	mixtralMoE      // every layer, experts as wide as intermediate_size
	qwenMoE         // decoder_sparse_step, mlp_only_layers, moe_intermediate_size
	deepseekMoE     // first_k_dense_replace, n_shared_experts
	gptOSSMoE       // as mixtral, with biases
	llama4MoE       // interleave_moe_layer_step, one shared expert
	graniteMoE      // as mixtral, with a shared expert; may have no routed ones
	jambaMoE        // expert_layer_period and expert_layer_offset
)

var (
	llama   = arch{matrices: 3, norms: 2, outBias: true}
	gptLike = arch{matrices: 2, norms: 2, normBias: true, qkvBias: true, outBias: true, mlpBias: true, tied: true, positions: true}
	gpt2    = map[string]string{
		"hidden_size": "n_embd", "num_hidden_layers": "n_layer", "num_attention_heads": "n_head",
		"max_position_embeddings": "n_positions", "intermediate_size": "n_inner",
	}
)

// with is a copy of a changed by f, so that the table reads as differences.
func (a arch) with(f func(*arch)) arch {
	f(&a)
	return a
}

var archs = map[string]arch{
	"llama":      llama.with(func(a *arch) { a.slide = slideNever }),
	"mistral":    llama.with(func(a *arch) { a.defaults = map[string]int{"num_key_value_heads": 8, "sliding_window": 4096} }),
	"ministral3": llama.with(func(a *arch) { a.defaults = map[string]int{"num_key_value_heads": 8, "head_dim": 128} }),
	"granite":    llama.with(func(a *arch) { a.slide = slideNever }),
	"smollm3": llama.with(func(a *arch) {
		a.tied, a.slide, a.defaults = true, slideNoRope, map[string]int{"num_key_value_heads": 4}
	}),
	"phi3": llama,
	"seed_oss": llama.with(func(a *arch) {
		a.qkvBias, a.outBias, a.slide, a.defaults = true, false, slideNever, map[string]int{"num_key_value_heads": 8, "head_dim": 128}
	}),
	"mixtral": llama.with(func(a *arch) { a.moe, a.defaults = mixtralMoE, map[string]int{"num_key_value_heads": 8} }),
	"qwen2":   llama.with(func(a *arch) { a.qkvBias = true; a.outBias = false; a.slide = slideIfUsed }),
	"qwen2_moe": llama.with(func(a *arch) {
		a.qkvBias, a.outBias, a.slide, a.moe = true, false, slideIfUsed, qwenMoE
	}),
	"qwen3": llama.with(func(a *arch) {
		a.qkNorm, a.slide, a.defaults = headNorm, slideIfUsed, map[string]int{"num_key_value_heads": 32, "head_dim": 128}
	}),
	"qwen3_moe": llama.with(func(a *arch) { a.qkNorm, a.slide, a.moe = headNorm, slideIfUsed, qwenMoE }),
	"qwen3_next": llama.with(func(a *arch) {
		a.qkNorm, a.moe, a.linear, a.gateQ = headNorm, qwenMoE, deltaNet, true
	}),
	"qwen3_5_text": llama.with(func(a *arch) { a.qkNorm, a.linear, a.gateQ = headNorm, deltaNet, true }),
	"qwen3_5_moe_text": llama.with(func(a *arch) {
		a.qkNorm, a.moe, a.linear, a.gateQ = headNorm, qwenMoE, deltaNet, true
		a.defaults = map[string]int{"decoder_sparse_step": 1}
	}),
	"gemma": llama.with(func(a *arch) {
		a.tied, a.slide, a.defaults = true, slideNever, map[string]int{"num_key_value_heads": 16, "head_dim": 256}
	}),
	"gemma2": llama.with(func(a *arch) {
		a.tied, a.norms, a.slide, a.pattern = true, 4, slidePattern, 2
		a.defaults = map[string]int{"num_key_value_heads": 4, "head_dim": 256}
	}),
	"gemma3_text": llama.with(func(a *arch) {
		a.tied, a.norms, a.qkNorm, a.slide, a.pattern = true, 4, headNorm, slidePattern, 6
		a.defaults = map[string]int{
			"vocab_size": 262208, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
			"max_position_embeddings": 131072,
		}
	}),
	"olmo2": llama.with(func(a *arch) { a.qkNorm, a.slide = fullNorm, slideNever }),
	"olmo3": llama.with(func(a *arch) {
		a.qkNorm, a.slide, a.pattern, a.defaults = fullNorm, slidePattern, 4, map[string]int{"sliding_window": 4096}
	}),
	"olmoe": llama.with(func(a *arch) { a.qkNorm, a.moe = fullNorm, mixtralMoE }),
	"glm4":  llama.with(func(a *arch) { a.norms, a.outBias, a.defaults = 4, false, map[string]int{"num_key_value_heads": 2} }),
	"exaone4": llama.with(func(a *arch) {
		a.qkNorm, a.slide, a.pattern = headNorm, slidePatternIfWindow, 4
		a.defaults = map[string]int{"num_key_value_heads": 32, "sliding_window": 4096}
	}),
	"internlm2": llama,
	"ernie4_5": llama.with(func(a *arch) {
		a.tied, a.slide, a.defaults = true, slideNever, map[string]int{"num_key_value_heads": 2, "head_dim": 128}
	}),
	"granitemoe":       llama.with(func(a *arch) { a.moe = mixtralMoE }),
	"granitemoehybrid": llama.with(func(a *arch) { a.moe, a.linear = graniteMoE, mamba2 }),
	"jamba":            llama.with(func(a *arch) { a.moe, a.linear = jambaMoE, mamba1 }),
	"minimax": llama.with(func(a *arch) {
		a.moe, a.linear, a.defaults = mixtralMoE, lightning, map[string]int{"num_key_value_heads": 8}
	}),
	"minimax_m2": llama.with(func(a *arch) {
		a.qkNormIf, a.moe, a.routerBias, a.defaults = fullNorm, mixtralMoE, true, map[string]int{"num_key_value_heads": 8}
	}),
	"phimoe": llama.with(func(a *arch) {
		a.normBias, a.headBias, a.moe, a.defaults = true, true, mixtralMoE, map[string]int{"num_key_value_heads": 8}
	}),
	"cohere":      llama.with(func(a *arch) { a.norms, a.tied, a.qkNormIf = 1, true, fullNorm }),
	"cohere2":     llama.with(func(a *arch) { a.norms, a.tied, a.slide, a.pattern = 1, true, slidePattern, 4 }),
	"deepseek_v2": llama.with(func(a *arch) { a.moe, a.latent = deepseekMoE, true }),
	"deepseek_v3": llama.with(func(a *arch) { a.moe, a.latent, a.routerBias = deepseekMoE, true, true }),
	"kimi_k2":     llama.with(func(a *arch) { a.moe, a.latent, a.routerBias = deepseekMoE, true, true }),
	"glm4_moe": llama.with(func(a *arch) {
		a.moe, a.routerBias, a.outBias, a.qkNormIf = deepseekMoE, true, false, headNorm
		a.defaults = map[string]int{"num_key_value_heads": 8}
	}),
	"minicpm3": llama.with(func(a *arch) { a.latent = true }),
	"gpt_oss": llama.with(func(a *arch) {
		a.qkvBias, a.moe, a.sinks, a.slide, a.pattern = true, gptOSSMoE, true, slidePattern, 2
	}),
	"llama4_text": llama.with(func(a *arch) { a.moe = llama4MoE; a.outBias = true }),
	"nemotron":    llama.with(func(a *arch) { a.matrices, a.normBias = 2, true }),
	"starcoder2":  gptLike.with(func(a *arch) { a.positions, a.defaults = false, map[string]int{"num_key_value_heads": 2} }),
	"gpt2":        gptLike.with(func(a *arch) { a.rename = gpt2 }),
	"gpt_bigcode": gptLike.with(func(a *arch) { a.rename, a.multiQuery = gpt2, true }),
	"opt":         gptLike.with(func(a *arch) { a.rename = map[string]string{"intermediate_size": "ffn_dim"} }),
	"gpt_neox":    gptLike.with(func(a *arch) { a.positions, a.tied = false, false }),
	"phi":         gptLike.with(func(a *arch) { a.norms, a.positions, a.tied, a.headBias = 1, false, false, true }),
	"falcon": gptLike.with(func(a *arch) {
		a.norms, a.qkvBias, a.outBias, a.mlpBias, a.positions, a.parallel, a.multiQuery = 1, false, true, false, false, true, true
	}),
}

// sameAs maps further model types onto the ones above.
var sameAs = map[string]string{
	"gemma3": "gemma3_text", "llama4": "llama4_text",
	"qwen3_5": "qwen3_5_text", "qwen3_5_moe": "qwen3_5_moe_text",
	"qwen2_vl_text": "qwen2", "qwen2_5_vl_text": "qwen2", "qwen3_vl_text": "qwen3", "qwen3_vl_moe_text": "qwen3_moe",
	"qwen2_vl": "qwen2", "qwen2_5_vl": "qwen2",
	"qwen3_omni_moe_text": "qwen3_moe", "glm4v_text": "glm4", "glm4v_moe_text": "glm4_moe", "minimax_text_01": "minimax",
	"refinedwebmodel": "falcon",
}

func lookupArch(modelType string) (arch, bool) {
	t := strings.ToLower(modelType)
	if s, ok := sameAs[t]; ok {
		t = s
	}
	a, ok := archs[t]
	return a, ok
}

// Architectures lists the values of model_type that ReadConfig knows.
func Architectures() []string {
	var names []string
	for n := range archs {
		names = append(names, n)
	}
	for n := range sameAs {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
