package costmodel

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// The sizes follow from the published shapes with a pocket calculator, e.g.
// DeepSeek-V3: (512 + 64) x 61 layers x 2 B = 70,272.
func TestKVBytesPerTokenOfKnownModels(t *testing.T) {
	for _, c := range []struct {
		model        string
		first, later Bytes // before and after every window is full
		window       int
	}{
		{"llama-3-8b", 131072, 131072, 0},
		{"llama-3-70b", 327680, 327680, 0},
		{"llama-2-7b", 524288, 524288, 0},                   // multi-head: 32 KV heads
		{"qwen2.5-7b", 57344, 57344, 0},                     // use_sliding_window is false
		{"qwen3-32b", 262144, 262144, 0},                    // head_dim 128, not 5120/64
		{"mistral-nemo", 163840, 163840, 0},                 // head_dim 128, not 5120/32
		{"mixtral-8x7b", 131072, 131072, 0},                 //
		{"qwen3-30b-a3b", 98304, 98304, 0},                  //
		{"deepseek-v3", 70272, 70272, 0},                    // latent, not 128 heads
		{"gpt-oss-120b", 73728, 36864, 128},                 // half of the layers slide
		{"gemma-3-27b", 507904, 81920, 1024},                // 52 of 62 layers slide
		{"qwen3-next-80b-a3b", 24576, 24576, 0},             // 12 of 48 layers grow
		{"mistral-7b", 131072, 0, 4096},                     // all layers slide
		{"gemma-2b", 18 * 256 * 2 * 2, 18 * 256 * 2 * 2, 0}, // one KV head
		{"falcon-7b", 32 * 64 * 2 * 2, 32 * 64 * 2 * 2, 0},  // one KV head by multi_query
	} {
		t.Run(c.model, func(t *testing.T) {
			m := model(t, c.model)
			contexts := map[int]Bytes{0: c.first, 1 << 21: c.later}
			if c.window > 0 {
				contexts[c.window-1], contexts[c.window] = c.first, c.later
			}
			for context, want := range contexts {
				if got := m.KVBytesPerToken(context); got != want {
					t.Errorf("at %d tokens: got %g, want %g", context, float64(got), float64(want))
				}
			}
			// The whole is the sum of its tokens.
			sum := m.KVBytesFixed()
			for i := range 5000 {
				sum += m.KVBytesPerToken(i)
			}
			if got := m.KVBytes(5000); got != sum {
				t.Errorf("5000 tokens: got %s, want the sum of its tokens %s", got, sum)
			}
		})
	}
}

func TestKVOfAHybridHasAFixedState(t *testing.T) {
	m := model(t, "qwen3-next-80b-a3b")
	// 36 linear layers: 32 value heads x 128 x 128 numbers of state, and the
	// last 3 inputs of a convolution over 2 x 16 x 128 + 32 x 128 channels.
	want := Bytes(36 * 2 * (32*128*128 + 3*(2*16*128+32*128)))
	if got := m.KVBytesFixed(); got != want {
		t.Errorf("got %g, want %g", float64(got), float64(want))
	}
	if got := m.KVBytes(0); got != want {
		t.Errorf("an empty context: got %s, want the fixed state %s", got, want)
	}
	if got := model(t, "llama-3-8b").KVBytesFixed(); got != 0 {
		t.Errorf("Llama has no fixed state, got %s", got)
	}
}

func TestKVInFP8IsHalf(t *testing.T) {
	m := model(t, "gemma-3-27b")
	m8 := must(m.WithKV(FP8))(t)
	for _, n := range []int{0, 500, 5000} {
		same(t, "fp8", float64(m8.KVBytes(n)), float64(m.KVBytes(n))/2)
	}
	if m.KVDType != BF16 {
		t.Error("WithKV changed its receiver")
	}
}

func TestKVResultWarnsBeyondTheMaximum(t *testing.T) {
	m := model(t, "llama-3-8b")
	kv := must(m.KV(128000))(t)
	near(t, "128k of Llama-3-8B in GB", float64(kv.Bytes)/1e9, 16.777, 0.001)
	if kv.Bytes.String() != "16.8 GB" {
		t.Errorf("got %q", kv.Bytes.String())
	}
	if len(kv.Warnings) != 1 || !strings.Contains(string(kv.Warnings[0]), "8192") {
		t.Errorf("want one warning that names 8192, got %q", kv.Warnings)
	}
	if kv := must(m.KV(8192))(t); len(kv.Warnings) != 0 {
		t.Errorf("at the maximum: want no warning, got %q", kv.Warnings)
	}
}

func TestKVRejectsNegativeContexts(t *testing.T) {
	m := model(t, "llama-3-8b")
	if _, err := m.KV(-1); !errors.Is(err, ErrBadField) {
		t.Errorf("got %v, want ErrBadField", err)
	}
	if !math.IsNaN(float64(m.KVBytes(-1))) || !math.IsNaN(float64(m.KVBytesPerToken(-1))) {
		t.Error("a negative context has no size: want NaN")
	}
}

func TestKVUnderTensorParallelism(t *testing.T) {
	for _, c := range []struct {
		name, model string
		gpus        int
		split       float64 // share of the KV of one token on one GPU
	}{
		{"one GPU holds all", "llama-3-8b", 1, 1},
		{"8 KV heads on 4 GPUs are divided", "llama-3-8b", 4, 0.25},
		{"8 KV heads on 16 GPUs are replicated", "llama-3-8b", 16, 0.125},
		{"4 KV heads on 8 GPUs are replicated", "qwen3-30b-a3b", 8, 0.25},
		{"a latent is held by every GPU", "deepseek-v3", 16, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, c.model)
			e := engine(t, m, "h200", func(p *Params) { p.TensorParallel = c.gpus })
			l := Load{Context: 1000, Question: 1, Output: 1}
			f := must(e.Fit(l))(t)
			same(t, "KV of one request on one GPU", float64(f.PerRequest), c.split*float64(m.KVBytes(1002)))
			replicated := c.split > 1/float64(c.gpus)
			if replicated != (len(e.Notes()) > 0) {
				t.Errorf("replicated %v, but notes %q", replicated, e.Notes())
			}
		})
	}
}
