package chart

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// entries reads zh.json in the order of the file.
func entries(t *testing.T) (keys, texts []string) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(zhJSON))
	for first := true; dec.More() || first; first = false {
		token, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(string); ok {
			if len(keys) == len(texts) {
				keys = append(keys, s)
			} else {
				texts = append(texts, s)
			}
		}
	}
	return keys, texts
}

func TestCatalogueIsSortedAndWhole(t *testing.T) {
	keys, texts := entries(t)
	if len(keys) == 0 || len(keys) != len(texts) {
		t.Fatalf("%d keys, %d texts", len(keys), len(texts))
	}
	for i, key := range keys {
		if i > 0 && keys[i-1] >= key {
			t.Errorf("%q follows %q: want keys sorted by their bytes, each once", key, keys[i-1])
		}
		if strings.TrimSpace(texts[i]) == "" {
			t.Errorf("%q has no Chinese", key)
		}
		want, got := placeholder.FindAllString(key, -1), placeholder.FindAllString(texts[i], -1)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%q has the placeholders %v, its Chinese %v", key, want, got)
		}
		if !slices.Equal(want, slices.Compact(slices.Clone(want))) {
			t.Errorf("%q has a placeholder twice", key)
		}
		if len(want) == 0 && Neutral(key) && key != texts[i] {
			t.Errorf("%q needs no translation and has one: %q", key, texts[i])
		}
	}
}

// Everything that a Chinese figure can hold must have a glyph.
func TestFontHoldsTheCatalogue(t *testing.T) {
	const command = "run pkg/chart/font/subset"
	face, err := cjk()
	if err != nil {
		t.Fatal(err)
	}
	keys, texts := entries(t)
	for i, text := range texts {
		if missing := face.missing(text); len(missing) > 0 {
			t.Errorf("the font has no %q of %q (%s): %s", string(missing), text, keys[i], command)
		}
	}
	for r := rune(' '); r <= '~'; r++ {
		if len(face.missing(string(r))) > 0 {
			t.Errorf("the font has no %q: %s", r, command)
		}
	}
	signs := "−µ×·，。（）：、；“”"
	for _, p := range prefixes {
		signs += p.sign
	}
	if missing := face.missing(signs); len(missing) > 0 {
		t.Errorf("the font has no %q of the numbers and sentences: %s", string(missing), command)
	}
	if size := len(cjkOTF); size > 1<<20 {
		t.Errorf("the font has %d bytes: want a subset", size)
	}
}

func TestTranslate(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a label", "Throughput", "吞吐"},
		{"a number stays", "16.8 GB", "16.8 GB"},
		{"a name stays", "Llama-3-8B / H100", "Llama-3-8B / H100"},
		{"a placeholder takes a number", "Prefill of 128k tokens", "128k 个 token 的 prefill"},
		{"two placeholders change places", "Throughput of H100 with Llama-3-8B", "Llama-3-8B 在 H100 上的吞吐"},
		{"a placeholder takes a label", "KV cache of Model", "模型 的 KV cache"},
		{"an exact entry wins over a pattern", "KV cache of one user", "一位用户的 KV cache"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Translate(Chinese, test.text)
			if err != nil || got != test.want {
				t.Errorf("Translate(%q) = %q, %v, want %q", test.text, got, err, test.want)
			}
			if en, err := Translate(English, test.text); err != nil || en != test.text {
				t.Errorf("in English: %q, %v", en, err)
			}
		})
	}
}

func TestTextWithoutChineseIsAnError(t *testing.T) {
	for _, text := range []string{"Frobnication", "Prefill of many tokens", "KV cache of frobs", "吞吐", "Figure: Model.", "Throughput at 8k"} {
		_, err := Translate(Chinese, text)
		if !errors.Is(err, ErrNoTranslation) || !strings.Contains(err.Error(), text) {
			t.Errorf("Translate(%q): error %v, want one that names it", text, err)
		}
	}
	f := Figure{Title: "Model", X: Axis{Label: "Frobs"}, Y: Axis{Label: "Model"}, Series: []Series{{Name: "unheard-of", X: []float64{1, 2}, Y: []float64{1, 2}}}}
	if _, err := f.Render(English); err != nil {
		t.Errorf("in English: %v", err)
	}
	_, err := f.Render(Chinese)
	for _, want := range []string{"Frobs", "unheard-of"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q named", err, want)
		}
	}
}

func TestNeutral(t *testing.T) {
	for _, text := range []string{"", "128k", "−3.5%", "107×", "7 ms", "B/s", "H100", "Llama-3-8B", "RAG", "vLLM", "MemGPT", "mem0g", "LRU, S3-FIFO", "80 GB", "p = 0.9"} {
		if !Neutral(text) {
			t.Errorf("%q needs a translation", text)
		}
	}
	for _, text := range []string{"tokens", "Prefill", "KV cache", "vLLM-style", "L2-regularised", "8k context", "吞吐", "Mistral"} {
		if Neutral(text) {
			t.Errorf("%q needs no translation", text)
		}
	}
}
