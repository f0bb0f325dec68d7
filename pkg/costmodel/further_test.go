package costmodel

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Architectures of which datasets/models holds no file, by one public model
// each; the counts are those of the checkpoints, or of the makers where they
// end in zeros.
func TestParametersOfFurtherArchitectures(t *testing.T) {
	for _, c := range []struct {
		name   string
		fields string
		want   float64
	}{
		{"starcoder2-3b", `"model_type": "starcoder2", "hidden_size": 3072, "intermediate_size": 12288, "num_hidden_layers": 30, "num_attention_heads": 24,
			"num_key_value_heads": 2, "vocab_size": 49152, "use_bias": true, "sliding_window": 4096, "max_position_embeddings": 16384`, 3030371328},
		{"starcoder (one KV head)", `"model_type": "gpt_bigcode", "n_embd": 6144, "n_inner": 24576, "n_layer": 40, "n_head": 48, "multi_query": true,
			"n_positions": 8192, "vocab_size": 49152`, 15517456384},
		{"phi-2", `"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32, "num_attention_heads": 32,
			"vocab_size": 51200, "tie_word_embeddings": false, "max_position_embeddings": 2048`, 2779683840},
		{"pythia-6.9b", `"model_type": "gpt_neox", "hidden_size": 4096, "intermediate_size": 16384, "num_hidden_layers": 32, "num_attention_heads": 32,
			"vocab_size": 50432, "tie_word_embeddings": false, "max_position_embeddings": 2048`, 6857302016},
		{"opt-1.3b", `"model_type": "opt", "hidden_size": 2048, "ffn_dim": 8192, "num_hidden_layers": 24, "num_attention_heads": 32,
			"vocab_size": 50272, "max_position_embeddings": 2048`, 1315758080},
		{"command-r", `"model_type": "cohere", "hidden_size": 8192, "intermediate_size": 22528, "num_hidden_layers": 40, "num_attention_heads": 64,
			"num_key_value_heads": 64, "vocab_size": 256000, "max_position_embeddings": 131072`, 34980831232},
		{"glm-4-9b", `"model_type": "glm4", "hidden_size": 4096, "intermediate_size": 13696, "num_hidden_layers": 40, "num_attention_heads": 32,
			"num_key_value_heads": 2, "head_dim": 128, "attention_bias": true, "vocab_size": 151552, "tie_word_embeddings": false`, 9400279040},
		{"internlm2-7b", `"model_type": "internlm2", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
			"num_key_value_heads": 8, "bias": false, "vocab_size": 92544, "tie_word_embeddings": false`, 7737708544},
		{"granite-3.0-1b", `"model_type": "granitemoe", "hidden_size": 1024, "intermediate_size": 512, "num_hidden_layers": 24, "num_attention_heads": 16,
			"num_key_value_heads": 8, "num_local_experts": 32, "num_experts_per_tok": 8, "vocab_size": 49152, "tie_word_embeddings": true`, 1.335e9},
		{"smollm3-3b", `"model_type": "smollm3", "hidden_size": 2048, "intermediate_size": 11008, "num_hidden_layers": 36, "num_attention_heads": 16,
			"num_key_value_heads": 4, "vocab_size": 128256, "tie_word_embeddings": true`, 3075098624},
		{"seed-oss-36b", `"model_type": "seed_oss", "hidden_size": 5120, "intermediate_size": 27648, "num_hidden_layers": 64, "num_attention_heads": 80,
			"num_key_value_heads": 8, "head_dim": 128, "attention_bias": true, "attention_out_bias": false, "vocab_size": 155136, "tie_word_embeddings": false`, 36151104512},
		{"minimax-m2", `"model_type": "minimax_m2", "hidden_size": 3072, "intermediate_size": 1536, "num_hidden_layers": 62, "num_attention_heads": 48,
			"num_key_value_heads": 8, "head_dim": 128, "use_qk_norm": true, "num_local_experts": 256, "num_experts_per_tok": 8, "vocab_size": 200064, "tie_word_embeddings": false`, 229e9},
		{"llama-4-scout (language model)", `"model_type": "llama4", "text_config": {"model_type": "llama4_text", "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
			"num_hidden_layers": 48, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "num_local_experts": 16, "num_experts_per_tok": 1,
			"interleave_moe_layer_step": 1, "attention_chunk_size": 8192, "no_rope_layers": [], "vocab_size": 202048, "tie_word_embeddings": false}`, 107.8e9},
		{"qwen3.5-27b", `"model_type": "qwen3_5", "text_config": {"model_type": "qwen3_5_text", "hidden_size": 5120, "intermediate_size": 17408, "num_hidden_layers": 64,
			"num_attention_heads": 24, "num_key_value_heads": 4, "head_dim": 256, "full_attention_interval": 4, "linear_num_key_heads": 16, "linear_num_value_heads": 48,
			"linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "vocab_size": 248320, "tie_word_embeddings": false}`, 27e9},
		{"minicpm3-4b", `"model_type": "minicpm3", "hidden_size": 2560, "intermediate_size": 6400, "num_hidden_layers": 62, "num_attention_heads": 40, "q_lora_rank": 768,
			"kv_lora_rank": 256, "qk_nope_head_dim": 64, "qk_rope_head_dim": 32, "v_head_dim": 64, "vocab_size": 73448, "tie_word_embeddings": true`, 4.07e9},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(readString(fmt.Sprintf(`{%s, "torch_dtype": "bfloat16"}`, c.fields)))(t)
			off := float64(m.Parameters)/c.want - 1
			t.Logf("%d: %+.4f%%", m.Parameters, 100*off)
			if math.Abs(off) > 0.01 {
				t.Errorf("counted %d, published %.0f: %.2f%% off", m.Parameters, c.want, 100*off)
			}
		})
	}
}

func TestChunkedAttentionOfLlama4(t *testing.T) {
	file := `{"model_type": "llama4_text", "hidden_size": 512, "intermediate_size": 512, "intermediate_size_mlp": 512, "num_hidden_layers": 8, "num_attention_heads": 4,
		"num_key_value_heads": 1, "num_local_experts": 2, "num_experts_per_tok": 1, "interleave_moe_layer_step": 1, "attention_chunk_size": 64,
		"no_rope_layers": [1, 1, 1, 0, 1, 1, 1, 0], "vocab_size": 10, "tie_word_embeddings": false, "torch_dtype": "bfloat16"}`
	m := must(readString(file))(t)
	if m.KVBytesPerToken(0) != 8*512 || m.KVBytesPerToken(64) != 2*512 {
		t.Errorf("got %s and %s per token: want 8 and then 2 growing layers of 512 B", m.KVBytesPerToken(0), m.KVBytesPerToken(64))
	}
	if _, err := readString(strings.Replace(file, "[1, 1, 1, 0,", "[", 1)); err == nil {
		t.Error("too few no_rope_layers: want an error")
	}
}

func TestClassNameInPlaceOfModelType(t *testing.T) {
	m := must(readString(edited(t, "llama-3-8b", set{"model_type": nil, "architectures": []string{"LlamaForCausalLM"}})))(t)
	if m.ModelType != "llama" {
		t.Errorf("got %q", m.ModelType)
	}
}
