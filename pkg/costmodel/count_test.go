package costmodel

import (
	"math"
	"testing"
)

func TestParametersAgreeWithThePublishedCount(t *testing.T) {
	names := ModelNames()
	if len(names) < 15 {
		t.Fatalf("only %d models: want 15 or more", len(names))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			m := model(t, name)
			p := must(PublishedByName(name))(t)
			if p.Source == "" || p.Parameters == 0 {
				t.Fatalf("want _source and _published_parameters, got %+v", p)
			}
			if off := float64(m.Parameters)/p.Parameters - 1; math.Abs(off) > 0.01 {
				t.Errorf("counted %d, published %.0f: %.2f%% off", m.Parameters, p.Parameters, 100*off)
			}
			if p.ActiveParameters == 0 {
				if m.ActiveParameters != m.Parameters {
					t.Errorf("dense, but %d of %d are active", m.ActiveParameters, m.Parameters)
				}
				return
			}
			// Makers count both embeddings, the output head or neither, and round, often down, to a tenth
			// of a billion or down to a whole one.
			with := float64(m.ActiveParameters)
			without := with - 2*float64(m.EmbeddingParameters)
			rounding := 0.1e9
			if math.Mod(p.ActiveParameters, 1e9) == 0 {
				rounding = 1e9
			}
			if p.ActiveParameters < without-rounding || p.ActiveParameters > with+rounding {
				t.Errorf("active: counted %.4g (%.4g without embeddings), published %.4g", with, without, p.ActiveParameters)
			}
		})
	}
}

// The four counts below are worked by hand, one per kind of shape.
func TestParametersWorkedByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		json string
		want int64
	}{
		// Embedding 10 x 4 and head 10 x 4; per layer q and o 4 x 4, k and v
		// 4 x 2 (one KV head of 2), three matrices 4 x 8, two norms of 4; one
		// final norm: 80 + 2 x (32 + 16 + 96 + 8) + 4.
		{"dense with grouped heads", `{"model_type": "llama", "hidden_size": 4, "intermediate_size": 8, "num_hidden_layers": 2,
			"num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 10, "tie_word_embeddings": false, "torch_dtype": "bfloat16"}`, 388},
		{"the same with tied embeddings", `{"model_type": "llama", "hidden_size": 4, "intermediate_size": 8, "num_hidden_layers": 2,
			"num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 10, "tie_word_embeddings": true, "torch_dtype": "bfloat16"}`, 348},
		// With biases on q, k, v: 4 + 2 + 2 per layer more.
		{"the same as qwen2 with biases", `{"model_type": "qwen2", "hidden_size": 4, "intermediate_size": 8, "num_hidden_layers": 2,
			"num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 10, "tie_word_embeddings": false, "torch_dtype": "bfloat16"}`, 404},
		// Three experts in place of the MLP: 3 x 96 + router 4 x 3 per layer.
		{"the same with three experts", `{"model_type": "mixtral", "hidden_size": 4, "intermediate_size": 8, "num_hidden_layers": 2,
			"num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 10, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
			"num_local_experts": 3, "num_experts_per_tok": 1}`, 388 + 2*(2*96+12)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if m := must(readString(c.json))(t); m.Parameters != c.want {
				t.Errorf("got %d, want %d", m.Parameters, c.want)
			}
		})
	}
}

func TestWeightBytes(t *testing.T) {
	for _, c := range []struct {
		model    string
		gb, tol  float64
		why      string
		fp8      bool
		quantize string
	}{
		{"llama-3-8b", 16.06, 0.005, "8.03e9 x 2 B", false, ""},
		{"llama-3-70b", 141.1, 0.05, "70.55e9 x 2 B", false, ""},
		{"deepseek-v3", 673, 1, "FP8 but for embedding, head and routers", true, "fp8"},
		// The checkpoint of gpt-oss-120b is 60.8 GiB = 65.3 GB.
		{"gpt-oss-120b", 65.3, 0.2, "MXFP4 experts, the rest BF16", false, "mxfp4"},
		// That of gpt-oss-20b is 12.8 GiB = 13.7 GB.
		{"gpt-oss-20b", 13.75, 0.1, "MXFP4 experts, the rest BF16", false, "mxfp4"},
	} {
		m := model(t, c.model)
		near(t, c.model+" in GB ("+c.why+")", float64(m.WeightBytes)/1e9, c.gb, c.tol)
		if m.FP8Compute != c.fp8 || m.Quantization != c.quantize {
			t.Errorf("%s: got %q with FP8 compute %v", c.model, m.Quantization, m.FP8Compute)
		}
	}
	m := must(model(t, "mixtral-8x7b").WithWeights(FP8))(t)
	same(t, "FP8 weights are one byte each", float64(m.WeightBytes), float64(m.Parameters))
	if _, err := m.WithWeights("fp7"); err == nil {
		t.Error("fp7: want an error")
	}
}
