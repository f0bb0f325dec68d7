package costmodel

import (
	"errors"
	"strings"
	"testing"
)

func TestBadConfigsNameTheField(t *testing.T) {
	for _, c := range []struct {
		name, model string
		change      set
		kind        error
		field       string // in the message
	}{
		{"zero query heads", "llama-3-8b", set{"num_attention_heads": 0}, ErrBadField, "num_attention_heads 0"},
		{"zero KV heads", "llama-3-8b", set{"num_key_value_heads": 0}, ErrBadField, "num_key_value_heads 0"},
		{"zero head_dim", "llama-3-8b", set{"head_dim": 0}, ErrBadField, "head_dim 0"},
		{"no heads", "llama-3-8b", set{"num_attention_heads": nil}, ErrMissingField, "num_attention_heads is missing"},
		{"no layers", "llama-3-8b", set{"num_hidden_layers": nil}, ErrMissingField, "num_hidden_layers is missing"},
		{"no width", "llama-3-8b", set{"hidden_size": nil}, ErrMissingField, "hidden_size is missing"},
		{"no MLP width", "llama-3-8b", set{"intermediate_size": nil}, ErrMissingField, "intermediate_size is missing"},
		{"no vocabulary", "llama-3-8b", set{"vocab_size": nil}, ErrMissingField, "vocab_size is missing"},
		{"no dtype", "llama-3-8b", set{"torch_dtype": nil}, ErrMissingField, "torch_dtype is missing"},
		{"odd dtype", "llama-3-8b", set{"torch_dtype": "complex64"}, ErrBadField, "complex64"},
		{"no model_type", "llama-3-8b", set{"model_type": nil}, ErrMissingField, "model_type is missing"},
		{"unknown model_type", "llama-3-8b", set{"model_type": "martian"}, ErrUnknownArchitecture, "martian"},
		{"negative layers", "llama-3-8b", set{"num_hidden_layers": -32}, ErrBadField, "num_hidden_layers -32"},
		{"fractional layers", "llama-3-8b", set{"num_hidden_layers": 32.5}, ErrBadField, "num_hidden_layers 32.5"},
		{"layers as text", "llama-3-8b", set{"num_hidden_layers": "32"}, ErrBadField, "num_hidden_layers"},
		{"absurd layers", "llama-3-8b", set{"num_hidden_layers": 1 << 40}, ErrBadField, "num_hidden_layers"},
		{"absurd width", "llama-3-8b", set{"hidden_size": 1e30}, ErrBadField, "hidden_size"},
		{"absurd in all", "llama-3-8b", set{"intermediate_size": 1 << 26, "hidden_size": 1 << 20, "num_hidden_layers": 4000}, ErrBadField, "parameters"},
		{"KV heads do not divide heads", "llama-3-8b", set{"num_key_value_heads": 5}, ErrBadField, "num_key_value_heads 5"},
		{"heads do not divide the width", "llama-3-8b", set{"num_attention_heads": 33}, ErrBadField, "num_attention_heads 33"},
		{"KV heads of too few layers", "llama-3-8b", set{"num_key_value_heads": []int{8, 8}}, ErrBadField, "num_key_value_heads has 2 entries"},
		{"a zero in the list", "llama-3.2-1b", set{"num_key_value_heads": make([]int, 16)}, ErrBadField, "num_key_value_heads[0] 0"},
		{"experts in a dense architecture", "llama-3-8b", set{"num_local_experts": 8}, ErrBadField, "num_experts"},

		{"window used without size", "qwen2.5-7b", set{"use_sliding_window": true, "sliding_window": nil}, ErrMissingField, "sliding_window is missing"},
		{"window used without max_window_layers", "qwen2.5-7b", set{"use_sliding_window": true, "max_window_layers": nil}, ErrMissingField, "max_window_layers"},
		{"window used without size in SmolLM3", "llama-3-8b", set{"model_type": "smollm3", "use_sliding_window": true}, ErrMissingField, "sliding_window is missing"},
		{"pattern without size", "gemma-2-9b", set{"sliding_window": nil}, ErrMissingField, "sliding_window is missing"},
		{"sliding layers without size", "gpt-oss-20b", set{"sliding_window": nil}, ErrMissingField, "sliding_window is missing"},
		{"zero window", "mistral-7b", set{"sliding_window": 0}, ErrBadField, "sliding_window 0"},
		{"negative window", "mistral-7b", set{"sliding_window": -1}, ErrBadField, "sliding_window -1"},
		{"too few layer types", "gpt-oss-20b", set{"layer_types": []string{"full_attention"}}, ErrBadField, "layer_types has 1 entries"},
		{"unknown layer type", "llama-3-8b", set{"layer_types": types(32, "telepathy")}, ErrBadField, "telepathy"},
		{"linear layers without a shape", "llama-3-8b", set{"layer_types": types(32, "linear_attention")}, ErrMissingField, "linear_num_key_heads"},

		{"more active than experts", "mixtral-8x7b", set{"num_experts_per_tok": 9}, ErrBadField, "num_experts_per_tok 9"},
		{"no active experts", "mixtral-8x7b", set{"num_experts_per_tok": nil}, ErrMissingField, "num_experts_per_tok"},
		{"no experts", "mixtral-8x7b", set{"num_local_experts": nil}, ErrMissingField, "num_local_experts"},
		{"no expert width", "qwen3-30b-a3b", set{"moe_intermediate_size": nil}, ErrMissingField, "moe_intermediate_size"},
		{"no sparse step", "qwen3-30b-a3b", set{"decoder_sparse_step": nil}, ErrMissingField, "decoder_sparse_step"},
		{"dense layer that does not exist", "qwen3-30b-a3b", set{"mlp_only_layers": []int{48}}, ErrBadField, "mlp_only_layers 48"},
		{"no number of first dense layers", "deepseek-v3", set{"first_k_dense_replace": nil}, ErrMissingField, "first_k_dense_replace"},
		{"more first dense layers than layers", "deepseek-v3", set{"first_k_dense_replace": 62}, ErrBadField, "first_k_dense_replace 62"},
		{"no latent width", "deepseek-v3", set{"kv_lora_rank": nil}, ErrMissingField, "kv_lora_rank"},
		{"no rotary width", "deepseek-v3", set{"qk_rope_head_dim": nil}, ErrMissingField, "qk_rope_head_dim"},
		{"no interval of full layers", "qwen3-next-80b-a3b", set{"full_attention_interval": nil}, ErrMissingField, "full_attention_interval"},
		{"no list of attention types", "minimax-text-01", set{"attn_type_list": nil}, ErrMissingField, "attn_type_list"},
		{"an attention type of 2", "minimax-text-01", set{"attn_type_list": repeat(2, 80)}, ErrBadField, "attn_type_list[0] 2"},
		{"no period of attention layers", "jamba-v0.1", set{"attn_layer_period": nil}, ErrMissingField, "attn_layer_period"},
		{"no offset of attention layers", "jamba-v0.1", set{"attn_layer_offset": nil}, ErrMissingField, "attn_layer_offset"},
		{"no state size", "jamba-v0.1", set{"mamba_d_state": nil}, ErrMissingField, "mamba_d_state"},
		{"no layer types", "granite-4.0-h-small", set{"layer_types": nil}, ErrMissingField, "layer_types"},
		{"no Mamba heads", "granite-4.0-h-small", set{"mamba_n_heads": nil}, ErrMissingField, "mamba_n_heads"},
		{"no multi_query", "falcon-7b", set{"multi_query": nil}, ErrMissingField, "multi_query"},

		{"text_config is a list", "gemma-3-27b", set{"text_config": []int{1}}, ErrBadField, "text_config"},
		{"quantization without method", "llama-3-8b", set{"quantization_config": set{"bits": 4}}, ErrMissingField, "quant_method"},
		{"unknown quantization", "llama-3-8b", set{"quantization_config": set{"quant_method": "magic"}}, ErrBadField, "magic"},
		{"awq without bits", "llama-3-8b", set{"quantization_config": set{"quant_method": "awq", "group_size": 128}}, ErrMissingField, "bits"},
		{"awq with 40 bits", "llama-3-8b", set{"quantization_config": set{"quant_method": "awq", "bits": 40, "group_size": 128}}, ErrBadField, "bits 40"},
		{"gptq without groups", "llama-3-8b", set{"quantization_config": set{"quant_method": "gptq", "bits": 4}}, ErrMissingField, "group_size"},
		{"a broken pattern", "llama-3-8b", set{"quantization_config": set{"quant_method": "fp8", "ignore": []string{"re:("}}}, ErrBadField, "re:("},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readString(edited(t, c.model, c.change))
			if !errors.Is(err, c.kind) {
				t.Fatalf("got error %v, want %v", err, c.kind)
			}
			if !strings.Contains(err.Error(), c.field) || !strings.Contains(err.Error(), "want ") {
				t.Errorf("got %q, want it to contain %q and what would be right", err, c.field)
			}
		})
	}
}

func types(n int, kind string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = kind
	}
	return out
}

func TestAllMissingFieldsAreReportedAtOnce(t *testing.T) {
	_, err := readString(`{"model_type": "llama"}`)
	for _, field := range []string{"num_hidden_layers", "hidden_size", "vocab_size", "torch_dtype", "num_attention_heads"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%v does not name %s", err, field)
		}
	}
	_, err = readString(`{"model_type": "martian", "hidden_size": 4}`)
	for _, field := range []string{"martian", "num_hidden_layers", "num_attention_heads", "ReadConfigAs", "llama"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%v does not name %s", err, field)
		}
	}
}

func TestInputsThatAreNoConfig(t *testing.T) {
	deep := strings.Repeat(`{"text_config":`, 20000) + "1" + strings.Repeat("}", 20000)
	for name, input := range map[string]string{
		"empty": "", "blank": " \n", "null": "null", "list": "[1]", "number": "7", "garbage": "\x00\xff{", "cut off": `{"a":`,
		"two objects": "{} {}", "deeply nested": deep, "huge": `{"a": "` + strings.Repeat("x", maxConfig) + `"}`, "empty object": "{}",
	} {
		if _, err := readString(input); err == nil || !strings.HasPrefix(err.Error(), "costmodel: ") {
			t.Errorf("%s: got %v, want an error of this package", name, err)
		} else if len(err.Error()) > 5000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}
