package costmodel

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What the configuration classes of transformers 5 fill in.
func TestDefaultsOfTheArchitectures(t *testing.T) {
	for _, c := range []struct {
		modelType, drop string
		tied            bool
		kvHeads, dim    int
		note            string
	}{
		{"smollm3", "tie_word_embeddings", true, 8, 64, "tie_word_embeddings absent: true"},
		{"ernie4_5", "tie_word_embeddings", true, 8, 64, "tie_word_embeddings absent: true"},
		{"llama", "tie_word_embeddings", false, 8, 64, "tie_word_embeddings absent: false"},
		{"qwen3", "head_dim", false, 8, 128, "head_dim absent: 128, the default"},
		{"ministral3", "head_dim", false, 8, 128, "head_dim absent: 128, the default"},
		{"ernie4_5", "head_dim", false, 8, 128, "head_dim absent: 128, the default"},
		{"seed_oss", "head_dim", false, 8, 128, "head_dim absent: 128, the default"},
		{"gemma", "head_dim", false, 8, 256, "head_dim absent: 256, the default"},
		{"gemma2", "head_dim", false, 8, 256, "head_dim absent: 256, the default"},
		{"llama", "head_dim", false, 8, 64, "head_dim absent: 64, hidden size / heads"},
		{"mistral", "num_key_value_heads", false, 8, 64, "num_key_value_heads absent: 8, the default"},
		{"ministral3", "num_key_value_heads", false, 8, 64, "num_key_value_heads absent: 8, the default"},
		{"smollm3", "num_key_value_heads", false, 4, 64, "num_key_value_heads absent: 4, the default"},
		{"ernie4_5", "num_key_value_heads", false, 2, 64, "num_key_value_heads absent: 2, the default"},
		{"gemma2", "num_key_value_heads", false, 4, 64, "num_key_value_heads absent: 4, the default"},
		{"qwen3", "num_key_value_heads", false, 32, 64, "num_key_value_heads absent: 32, the default"},
		{"glm4", "num_key_value_heads", false, 2, 64, "num_key_value_heads absent: 2, the default"},
		{"starcoder2", "num_key_value_heads", false, 2, 64, "num_key_value_heads absent: 2, the default"},
		{"llama", "num_key_value_heads", false, 32, 64, "num_key_value_heads absent: 32, one per query head"},
		{"mistral", "sliding_window", false, 8, 64, "sliding_window absent: 4096, the default"},
	} {
		t.Run(c.modelType+" without "+c.drop, func(t *testing.T) {
			change := set{"model_type": c.modelType, "tie_word_embeddings": false, "head_dim": 64, "num_key_value_heads": 8, "sliding_window": 4096}
			change[c.drop] = nil
			m := must(readString(edited(t, "llama-3.2-1b", change)))(t)
			g := m.Attention[0]
			if tied := m.EmbeddingParameters == 0; tied != c.tied || g.KVHeads != c.kvHeads || g.KVElements != 2*c.kvHeads*c.dim {
				t.Errorf("tied %v, %d KV heads, %d KV elements; want %v, %d, %d", tied, g.KVHeads, g.KVElements, c.tied, c.kvHeads, 2*c.kvHeads*c.dim)
			}
			if !strings.Contains(strings.Join(m.Notes, "\n"), c.note) {
				t.Errorf("notes %q lack %q", m.Notes, c.note)
			}
		})
	}
	for _, name := range []string{"mixtral-8x7b", "phi-3.5-moe", "glm-4.5-air", "mistral-7b"} {
		m := must(readString(edited(t, name, set{"num_key_value_heads": nil})))(t)
		if m.Attention[0].KVHeads != 8 {
			t.Errorf("%s without num_key_value_heads has %d, want 8", name, m.Attention[0].KVHeads)
		}
	}
}

// A null is not filled in: the classes divide, or take one KV head per query head.
func TestNullIsNotAbsent(t *testing.T) {
	m := must(readString(edited(t, "mistral-7b", set{"num_key_value_heads": null, "head_dim": null, "sliding_window": null})))(t)
	g := m.Attention[0]
	if g.Kind != FullAttention || g.KVHeads != 32 || g.KVElements != 2*32*128 {
		t.Errorf("got %+v", g)
	}
	for _, note := range []string{"num_key_value_heads null: 32", "head_dim null: 128"} {
		if !strings.Contains(strings.Join(m.Notes, "\n"), note) {
			t.Errorf("notes %q lack %q", m.Notes, note)
		}
	}
}

func TestFieldsThatTheArchitectureDoesNotHaveAreNoted(t *testing.T) {
	for model, change := range map[string]set{
		"mistral-7b": {"use_sliding_window": false, "max_window_layers": 16},
		"llama-3-8b": {"use_sliding_window": true},
	} {
		m := must(readString(edited(t, model, change)))(t)
		for field := range change {
			if !slices.ContainsFunc(m.Notes, func(n string) bool { return strings.HasPrefix(n, field+": not a field") }) {
				t.Errorf("%s: notes %q do not say that %s is not used", model, m.Notes, field)
			}
		}
	}
	m := must(readString(edited(t, "llama-3-8b", set{"sliding_window": 4096})))(t)
	if !strings.Contains(strings.Join(m.Notes, "\n"), "sliding_window 4096: not a field") {
		t.Errorf("notes %q do not say that sliding_window is not used", m.Notes)
	}
}

func TestNoExpertsAtAll(t *testing.T) {
	for model, field := range map[string]string{"mixtral-8x7b": "num_local_experts", "deepseek-v3": "n_routed_experts", "gpt-oss-20b": "num_local_experts"} {
		_, err := readString(edited(t, model, set{field: 0}))
		if !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), field+" 0: want") {
			t.Errorf("%s: got %v, want an error about %s 0", model, err, field)
		}
	}
	m := must(readString(edited(t, "qwen3-30b-a3b", set{"num_experts": 0})))(t)
	if !strings.Contains(strings.Join(m.Notes, "\n"), "num_experts 0: every layer has a dense MLP") {
		t.Errorf("notes %q", m.Notes)
	}
}

func TestOneMistakeIsOneProblem(t *testing.T) {
	for _, model := range []string{"llama-3-8b", "minimax-text-01", "deepseek-v3"} {
		for _, heads := range []any{nil, 0} {
			_, err := readString(edited(t, model, set{"num_attention_heads": heads}))
			if err == nil || strings.Count(err.Error(), "costmodel: ") != 1 || !strings.Contains(err.Error(), "num_attention_heads") {
				t.Errorf("%s with heads %v: got %q, want one problem", model, fmt.Sprint(heads), err)
			}
		}
	}
}
