package costmodel

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// propertyEngines cover every kind of layer: full, sliding, latent, linear,
// dense and with experts, on one and on several GPUs.
func propertyEngines(t testing.TB) map[string]*Engine {
	t.Helper()
	out := map[string]*Engine{}
	for _, name := range []string{"llama-3-8b", "gemma-3-27b", "gpt-oss-120b", "deepseek-v2-lite", "qwen3-next-80b-a3b", "mistral-7b", "jamba-v0.1", "granite-4.0-h-small"} {
		for _, n := range []int{1, 2} {
			e, err := NewEngine(model(t, name), gpu(t, "mi300x"), func() Params { p := DefaultParams(); p.TensorParallel = n; return p }())
			if err != nil {
				t.Fatal(err)
			}
			out[name+strings.Repeat(" twice", n-1)] = e
		}
	}
	return out
}

func TestMoreContextNeverCostsLess(t *testing.T) {
	for name, e := range propertyEngines(t) {
		var previous Result
		for i, context := range []int{0, 1, 100, 127, 128, 129, 1000, 1023, 1025, 4096, 5000, 32000, 128000, 1 << 20} {
			r := must(e.Evaluate(Load{Context: context, Question: 50, Output: 200}))(t)
			if i > 0 && (r.KVBytes < previous.KVBytes || r.TTFT < previous.TTFT || r.TTFTCached < previous.TTFTCached ||
				r.DecodeStep < previous.DecodeStep || r.Answer < previous.Answer || r.Batch > previous.Batch ||
				r.TokensPerSecondWithPrefill > previous.TokensPerSecondWithPrefill*(1+1e-12)) {
				t.Errorf("%s: %d tokens of context are cheaper than fewer:\n%+v\n%+v", name, context, r, previous)
			}
			if r.TTFTCached > r.TTFT*(1+1e-12) {
				t.Errorf("%s at %d: cached %s is slower than %s", name, context, r.TTFTCached, r.TTFT)
			}
			previous = r
		}
	}
}

func TestLargerBatchesAndPromptsAreAddedUp(t *testing.T) {
	for name, e := range propertyEngines(t) {
		// Prefill in two parts does the FLOP of prefill in one.
		for _, split := range []int{1, 64, 900, 1999} {
			whole := must(e.Prefill(0, 2000))(t)
			a, b := must(e.Prefill(0, split))(t), must(e.Prefill(split, 2000-split))(t)
			near(t, name+": attention FLOP", (a.AttentionFLOP+b.AttentionFLOP)/whole.AttentionFLOP, 1, 1e-9)
			near(t, name+": linear FLOP", (a.LinearFLOP+b.LinearFLOP)/whole.LinearFLOP, 1, 1e-9)
		}
		// One request of a batch of one is the request alone.
		if one, batch := must(e.Prefill(10, 20))(t), must(e.PrefillBatch(1, 10, 20))(t); !reflect.DeepEqual(one, batch) {
			t.Errorf("%s: prefill alone %+v, in a batch of one %+v", name, one, batch)
		}
		l := e.Load(1000)
		alone, step := must(e.Answer(l, true))(t).Step, must(e.DecodeStep(1, 1150))(t)
		if alone.Time != step.Time || alone.FLOP != step.FLOP {
			t.Errorf("%s: step alone %+v, batch of one %+v", name, alone, step)
		}
		// A batch of b costs at least one and at most b single steps.
		for _, b := range []int{2, 16, 256} {
			s := must(e.DecodeStep(b, 1150))(t)
			if s.Time < step.Time || s.Time > Seconds(b)*step.Time {
				t.Errorf("%s: a step of %d takes %s, alone %s", name, b, s.Time, step.Time)
			}
		}
	}
}

func TestSharedPrefixOfZeroIsNone(t *testing.T) {
	for name, e := range propertyEngines(t) {
		for _, perRequest := range []bool{false, true} {
			plain, shared := must(e.DecodeStep(7, 3000))(t), must(e.DecodeStepShared(7, 0, 3000, perRequest))(t)
			if !reflect.DeepEqual(plain, shared) {
				t.Errorf("%s: %+v and %+v", name, plain, shared)
			}
		}
		// One request alone does not care whether its context is shared,
		// but for the copy of a window or state that both parts keep.
		l := Load{Context: 3000, Question: 50, Output: 200}
		s := Load{Shared: 2000, Context: 1000, Question: 50, Output: 200}
		a, b := must(e.Answer(l, true))(t), must(e.Answer(s, true))(t)
		near(t, name+": alone, shared or not", float64(b.Time/a.Time), 1, 1e-9)
	}
}

func TestSharingNeverFitsFewer(t *testing.T) {
	for name, e := range propertyEngines(t) {
		for _, shared := range []int{100, 1000, 100000} {
			private := must(e.Throughput(Load{Context: shared + 500, Question: 50, Output: 200}, true))(t)
			common := must(e.Throughput(Load{Shared: shared, Context: 500, Question: 50, Output: 200}, true))(t)
			if common.Fit.Batch < private.Fit.Batch-1 { // a copy of window and state is held for the prefix itself
				t.Errorf("%s: %d shared tokens: %d fit, private %d", name, shared, common.Fit.Batch, private.Fit.Batch)
			}
		}
	}
}

func TestTensorParallelism(t *testing.T) {
	m := model(t, "llama-3-70b")
	one := engine(t, must(m.WithWeights(FP8))(t), "mi300x")
	eight := engine(t, must(m.WithWeights(FP8))(t), "mi300x", func(p *Params) { p.TensorParallel = 8; p.StepOverhead = 0 })
	a, b := must(one.Prefill(0, 4000))(t), must(eight.Prefill(0, 4000))(t)
	same(t, "8 GPUs prefill 8 times faster", float64(b.Time), float64(a.Time-a.Fixed)/8)
	s, u := must(one.DecodeStep(4, 4000))(t), must(eight.DecodeStep(4, 4000))(t)
	same(t, "8 GPUs decode 8 times faster", float64(u.Time), float64(s.Time-s.Fixed)/8)
	r := must(eight.Answer(eight.Load(4000), false))(t)
	same(t, "GPU seconds count all GPUs", r.GPUSeconds, 8*float64(r.Time))
	p, q := must(one.Throughput(one.Load(4000), false))(t), must(eight.Throughput(eight.Load(4000), false))(t)
	same(t, "and so per request", q.GPUSecondsPerRequest*q.TokensPerSecondWithPrefill, 8*200)
	if q.Fit.Batch <= 8*p.Fit.Batch {
		t.Errorf("8 GPUs fit %d, one fits %d: want more than 8 times, weights being shared", q.Fit.Batch, p.Fit.Batch)
	}
}

func TestExpertsThatAStepReads(t *testing.T) {
	m := model(t, "mixtral-8x7b")
	e := engine(t, m, "h200")
	plain := float64(m.WeightBytes - m.RoutedBytes)
	one := must(e.DecodeStep(1, 0))(t)
	same(t, "one token reads 2 of 8 experts", float64(one.WeightsRead), plain+float64(m.RoutedBytes)*2/8)
	same(t, "which are the active parameters", float64(one.WeightsRead), 2*float64(m.ActiveParameters))
	two := must(e.DecodeStep(2, 0))(t)
	same(t, "two read 1 - (6/8)^2 of them", float64(two.WeightsRead), plain+float64(m.RoutedBytes)*(1-36./64))
	all := must(e.DecodeStep(1000, 0))(t)
	same(t, "many read all", float64(all.WeightsRead), float64(m.WeightBytes))
}

// The sum over new tokens of the tokens that each sees, by brute force: a token
// at position p sees p + 1/2 on average of the causal half, or its window.
func TestAttentionPairsAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := model(t, "gpt-oss-20b")
	e := engine(t, m, "h100")
	for range 200 {
		cached, new := r.IntN(600), 1+r.IntN(600)
		var want float64
		for i := range new {
			position := float64(cached+i) + 0.5
			for _, g := range m.Attention {
				sees := position
				if g.Kind == SlidingAttention {
					sees = min(position, float64(g.Window))
				}
				want += float64(g.Layers) * g.PrefillFLOPPerPair * sees
			}
		}
		same(t, "attention FLOP", must(e.Prefill(cached, new))(t).AttentionFLOP/want, 1)
	}
}

func TestLatentAttentionIsPricedInTheLatent(t *testing.T) {
	g := model(t, "deepseek-v3").Attention[0]
	// 128 heads: keys of 128 + 64 and values of 128 when expanded, 512 + 64
	// and 512 when not.
	if g.PrefillFLOPPerPair != 2*128*(192+128) || g.DecodeFLOPPerPair != 2*128*(576+512) {
		t.Errorf("got %g and %g", g.PrefillFLOPPerPair, g.DecodeFLOPPerPair)
	}
}

func TestFP8RatesNeedFP8Hardware(t *testing.T) {
	m := must(model(t, "llama-3-8b").WithWeights(FP8))(t)
	fast, slow := engine(t, m, "h100"), engine(t, m, "a100-80")
	f, s := must(fast.Prefill(0, 1000))(t), must(slow.Prefill(0, 1000))(t)
	same(t, "H100 at its FP8 rate", float64(f.Linear), f.LinearFLOP/(0.73*1979e12))
	same(t, "A100 at its BF16 rate", float64(s.Linear), s.LinearFLOP/(0.73*312e12))
	if len(slow.Notes()) == 0 || !strings.Contains(string(slow.Notes()[0]), "FP8") {
		t.Errorf("notes of the A100: %q", slow.Notes())
	}
	same(t, "attention over BF16 KV stays at the BF16 rate", float64(f.Attention), f.AttentionFLOP/(0.73*989e12))
}

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name  string
		gpu   string
		load  Load
		bound Bound
	}{
		{"private contexts are bound by bandwidth", "h100", Load{Context: 10000, Question: 50, Output: 200}, Bandwidth},
		{"little room beside the weights: capacity", "l4", Load{Context: 10000, Question: 50, Output: 200}, Capacity},
		{"not one fits: capacity", "l4", Load{Context: 1000000, Question: 50, Output: 200}, Capacity},
		{"tiny contexts, large batch: compute", "h200", Load{Context: 10, Question: 10, Output: 20}, Compute},
	} {
		e := engine(t, model(t, "llama-3.1-8b"), c.gpu)
		if r := must(e.Evaluate(c.load))(t); r.Bound != c.bound {
			t.Errorf("%s: got %s", c.name, r.Bound)
		}
	}
}
