package costmodel

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memlab/datasets"
)

func readString(s string) (Model, error) { return ReadConfig(strings.NewReader(s)) }

// edited is a stored model's file with some fields changed; nil removes one.
func edited(t testing.TB, name string, change map[string]any) string {
	t.Helper()
	data := must(datasets.Models.ReadFile("models/" + name + ".json"))(t)
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	for k, v := range change {
		fields[k] = v
		if v == nil {
			delete(fields, k)
		}
	}
	return string(must(json.Marshal(fields))(t))
}

type set = map[string]any

// null as a value in a file; nil in a set removes the field.
var null = json.RawMessage("null")

func TestReadConfigAsNeedsTheCallersWord(t *testing.T) {
	file := edited(t, "llama-3-8b", set{"model_type": "martian"})
	m := must(ReadConfigAs(strings.NewReader(file), "llama"))(t)
	if m.Parameters != 8030261248 || !strings.Contains(strings.Join(m.Notes, "\n"), "martian") {
		t.Errorf("got %d parameters and notes %q", m.Parameters, m.Notes)
	}
}

func TestWhatIsNotInTheFileIsNoted(t *testing.T) {
	for _, c := range []struct {
		model string
		drop  string
		note  string
	}{
		{"llama-2-7b", "num_key_value_heads", "num_key_value_heads absent: 32"},
		{"llama-2-7b", "head_dim", "head_dim absent: 128"},
		{"llama-3-8b", "tie_word_embeddings", "tie_word_embeddings absent: false"},
		{"gpt-oss-20b", "layer_types", "sliding_window_pattern absent: 2"},
		{"gpt-oss-20b", "", "torch_dtype absent"},
		{"deepseek-v3", "", "num_nextn_predict_layers 1"},
		{"gemma-3-27b", "", "text_config"},
		{"qwen2.5-7b", "use_sliding_window", "use_sliding_window absent: false"},
	} {
		m := must(readString(edited(t, c.model, set{c.drop: nil})))(t)
		if !strings.Contains(strings.Join(m.Notes, "\n"), c.note) {
			t.Errorf("%s without %q: notes %q lack %q", c.model, c.drop, m.Notes, c.note)
		}
		if m.Parameters != model(t, c.model).Parameters || m.KVBytes(9999) != model(t, c.model).KVBytes(9999) {
			t.Errorf("%s without %q is another model", c.model, c.drop)
		}
	}
}

func TestSlidingLayersAsTheFilesSayIt(t *testing.T) {
	for _, c := range []struct {
		name, model string
		change      set
		sliding     int // layers
	}{
		{"layer_types win over everything", "mistral-7b", set{"layer_types": append(types(30, "full_attention"), types(2, "sliding_attention")...)}, 2},
		{"a window alone means every layer", "mistral-7b", nil, 32},
		{"a null window means none", "mistral-7b", set{"sliding_window": null}, 0},
		{"Mistral without one has that of its class", "mistral-7b", set{"sliding_window": nil}, 32},
		{"Mistral knows no use_sliding_window", "mistral-7b", set{"use_sliding_window": false, "max_window_layers": 16}, 32},
		{"nor does Mixtral", "mixtral-8x7b", set{"sliding_window": 4096, "use_sliding_window": false, "max_window_layers": 16}, 32},
		{"nor Phi-3", "phi-3-mini", set{"use_sliding_window": true, "max_window_layers": 16}, 32},
		{"Mixtral without one has none", "mixtral-8x7b", set{"sliding_window": nil}, 0},
		{"Llama has none at all", "llama-3-8b", set{"sliding_window": 4096, "use_sliding_window": true}, 0},
		{"SmolLM3 does not use it unless told", "llama-3-8b", set{"model_type": "smollm3", "sliding_window": 4096}, 0},
		{"SmolLM3 slides where it has no rotary positions", "llama-3-8b", set{"model_type": "smollm3", "sliding_window": 4096, "use_sliding_window": true}, 8},
		{"which are the last of each four", "llama-3-8b", set{"model_type": "smollm3", "num_hidden_layers": 31, "sliding_window": 4096, "use_sliding_window": true}, 7},
		{"as no_rope_layers lists them", "llama-3-8b", set{"model_type": "smollm3", "sliding_window": 4096, "use_sliding_window": true, "no_rope_layers": append(repeat(0, 3), repeat(1, 29)...)}, 3},
		{"SmolLM3 is no Llama 4", "llama-3-8b", set{"model_type": "smollm3", "no_rope_layers": repeat(1, 32)}, 0},
		{"OLMo 3 but every fourth", "llama-3-8b", set{"model_type": "olmo3", "sliding_window": 4096}, 24},
		{"OLMo 3 without a window has that of its class", "llama-3-8b", set{"model_type": "olmo3"}, 24},
		{"EXAONE 4 but every fourth", "llama-3-8b", set{"model_type": "exaone4", "sliding_window": 4096}, 24},
		{"EXAONE 4 with a null window", "llama-3-8b", set{"model_type": "exaone4", "sliding_window": null}, 0},
		{"use_sliding_window false means none", "qwen2.5-7b", nil, 0},
		{"from max_window_layers on", "qwen2.5-7b", set{"use_sliding_window": true, "max_window_layers": 21}, 7},
		{"more max_window_layers than layers", "qwen2.5-7b", set{"use_sliding_window": true, "max_window_layers": 70}, 0},
		{"every second of Gemma 2", "gemma-2-9b", nil, 21},
		{"every third", "gemma-2-9b", set{"sliding_window_pattern": 3}, 28},
		{"a pattern of 1 means none", "gemma-2-9b", set{"sliding_window_pattern": 1}, 0},
	} {
		m := must(readString(edited(t, c.model, c.change)))(t)
		n := 0
		for _, g := range m.Attention {
			if g.Kind == SlidingAttention {
				n += g.Layers
			}
		}
		if n != c.sliding {
			t.Errorf("%s: %d layers slide, want %d", c.name, n, c.sliding)
		}
	}
}

func TestKVHeadsPerLayer(t *testing.T) {
	heads := []int{8, 8, 8, 8, 4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1}
	m := must(readString(edited(t, "llama-3.2-1b", set{"num_key_value_heads": heads})))(t)
	if got, want := m.KVBytesPerToken(0), Bytes(4*(8+4+2+1)*64*2*2); got != want || len(m.Attention) != 4 {
		t.Errorf("got %g in %d groups, want %g in 4", float64(got), len(m.Attention), float64(want))
	}
}

// As Google published Gemma-3-12B: the inner object lacks what the class knows.
func TestSparseNestedConfig(t *testing.T) {
	m := must(readString(`{"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "torch_dtype": "bfloat16",
		"text_config": {"hidden_size": 3840, "intermediate_size": 15360, "model_type": "gemma3_text", "num_attention_heads": 16,
		"num_hidden_layers": 48, "num_key_value_heads": 8, "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}}`))(t)
	// The report's table 1: 10.759e9 + 1.012e9 embedding, without vision.
	near(t, "parameters of the text model", float64(m.Parameters)/1e9, 11.77, 0.02)
	if m.KVBytesPerToken(0) != 48*2*8*256*2 || m.KVBytesPerToken(1024) != 8*2*8*256*2 {
		t.Errorf("got %s and %s per token", m.KVBytesPerToken(0), m.KVBytesPerToken(1024))
	}
}

func TestQuantizedFiles(t *testing.T) {
	plain := model(t, "llama-3-8b")
	layers := float64(plain.Parameters) - 2*128256*4096 - 65*4096 // matrices of the layers
	rest := float64(plain.Parameters) - layers
	for _, c := range []struct {
		name   string
		config set
		bits   float64
	}{
		{"awq", set{"quant_method": "awq", "bits": 4, "group_size": 128}, 4 + 20./128},
		{"gptq in one group", set{"quant_method": "gptq", "bits": 8, "group_size": -1}, 8},
		{"fp8 in blocks", set{"quant_method": "fp8", "weight_block_size": []int{128, 128}}, 8 + 32./16384},
		{"bitsandbytes", set{"quant_method": "bitsandbytes", "load_in_8bit": true}, 8},
		{"compressed-tensors", set{"quant_method": "compressed-tensors", "config_groups": set{"group_0": set{
			"weights": set{"num_bits": 4, "type": "int", "group_size": 128}, "targets": []string{"Linear"}}}}, 4 + 16./128},
		{"modelopt", set{"quant_method": "modelopt", "quant_algo": "NVFP4"}, 4.5},
		{"everything kept", set{"quant_method": "fp8", "modules_to_not_convert": []string{"self_attn", "model.layers.*.mlp"}}, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(readString(edited(t, "llama-3-8b", set{"quantization_config": c.config})))(t)
			same(t, "bytes", float64(m.WeightBytes), 2*rest+layers*c.bits/8)
			if m.Parameters != plain.Parameters || m.KVDType != BF16 {
				t.Errorf("quantization changed the count to %d or the KV to %s", m.Parameters, m.KVDType)
			}
		})
	}
	m := must(readString(edited(t, "llama-3-8b", set{"quantization_config": set{"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}})))(t)
	if m.KVDType != FP8 || !m.FP8Compute {
		t.Errorf("got KV in %s, FP8 compute %v", m.KVDType, m.FP8Compute)
	}
}

func TestReadConfigFileNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + ".absent"} {
		if _, err := ReadConfigFile(p); err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("got %v, want it to name %s", err, p)
		}
	}
	if err := os.WriteFile(path, must(datasets.Models.ReadFile("models/llama-3-8b.json"))(t), 0o600); err != nil {
		t.Fatal(err)
	}
	if m := must(ReadConfigFile(path))(t); m.Name != "Llama-3-8B" {
		t.Errorf("got %q", m.Name)
	}
}
