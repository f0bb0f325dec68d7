package costmodel

import "testing"

// A layer of Qwen3-Next with a fixed state does 6 FLOP per token for each of
// its 32 x 128 x 128 numbers, and a decode step reads and writes all of it.
func TestFixedStateWorkedByHand(t *testing.T) {
	m := model(t, "qwen3-next-80b-a3b")
	e := engine(t, m, "mi300x")
	const numbers = 36 * 32 * 128 * 128
	// 12 full layers: 4 FLOP x 16 heads x 256 for each of 1000^2/2 pairs.
	p := must(e.Prefill(0, 1000))(t)
	same(t, "attention FLOP of 1000 tokens", p.AttentionFLOP, 12*4*16*256*1000*1000/2+6*numbers*1000)
	c := must(e.Prefill(100, 10))(t)
	same(t, "KV and state that a prefill reads", float64(c.BytesRead)-e.weightBytes(10), 110*24576+float64(m.KVBytesFixed()))
	s := must(e.DecodeStep(3, 1000))(t)
	same(t, "bytes of a step of 3", float64(s.KVRead), 3*(1000*24576+2*float64(m.KVBytesFixed())))
	same(t, "FLOP of a step of 3", s.FLOP, 3*(2*float64(m.ActiveParameters)+12*4*16*256*1000+6*numbers))

	two := engine(t, m, "mi300x", func(p *Params) { p.TensorParallel = 2 })
	f := must(two.Fit(Load{Context: 999, Output: 1}))(t)
	same(t, "two GPUs divide KV heads and state", float64(f.PerRequest), (1000*24576+float64(m.KVBytesFixed()))/2)
}

func TestFixedStateOfOtherHybrids(t *testing.T) {
	for _, c := range []struct {
		model string
		fixed Bytes // all layers, worked by hand from the shapes
		token Bytes
	}{
		// 28 layers x 8192 channels x (16 numbers of state + 3 inputs) x 2 B.
		{"jamba-v0.1", 28 * 8192 * (16 + 3) * 2, 4 * 2 * 8 * 128 * 2},
		// 36 layers x (128 heads x 64 x 128 + 3 x (8192 + 2 x 128)) x 2 B.
		{"granite-4.0-h-small", 36 * (128*64*128 + 3*(8192+2*128)) * 2, 4 * 2 * 8 * 128 * 2},
		// 70 layers x 64 heads x 128 x 128 x 2 B.
		{"minimax-text-01", 70 * 64 * 128 * 128 * 2, 10 * 2 * 8 * 128 * 2},
	} {
		m := model(t, c.model)
		if m.KVBytesFixed() != c.fixed || m.KVBytesPerToken(1<<20) != c.token {
			t.Errorf("%s: %g fixed and %g per token, want %g and %g", c.model,
				float64(m.KVBytesFixed()), float64(m.KVBytesPerToken(1<<20)), float64(c.fixed), float64(c.token))
		}
	}
	half := must(readString(edited(t, "minimax-text-01", set{"mamba_ssm_dtype": "float32"})))(t)
	if half.KVBytesFixed() != 2*70*64*128*128*2 {
		t.Errorf("a state in float32 is %s", half.KVBytesFixed())
	}
}

func TestACachedPromptWithoutQuestionComputesItsLastToken(t *testing.T) {
	e := lectureEngine(t)
	a := must(e.Answer(Load{Context: 1000, Output: 10}, true))(t)
	if a.Prefill.New != 1 || a.Prefill.Cached != 999 {
		t.Errorf("got %d new behind %d cached, want 1 behind 999", a.Prefill.New, a.Prefill.Cached)
	}
}

func TestPrefillOfABatchReadsTheSharedContextOnce(t *testing.T) {
	m := model(t, "llama-3-8b")
	e := engine(t, m, "h100")
	l := Load{Shared: 10000, Context: 300, Question: 50, Output: 200}
	r := must(e.Throughput(l, false))(t)
	same(t, "cascade", float64(r.Prefill.BytesRead), float64(m.WeightBytes)+131072*(10000+350*float64(r.Fit.Batch)))
	l.SharedPerRequest = true
	r = must(e.Throughput(l, false))(t)
	same(t, "per request", float64(r.Prefill.BytesRead), float64(m.WeightBytes)+131072*(10000+350)*float64(r.Fit.Batch))
}

func TestEvaluateRepeatsItsParts(t *testing.T) {
	e := lectureEngine(t)
	l := Load{Shared: 2000, Context: 3000, Question: 50, Output: 200}
	r := must(e.Evaluate(l))(t)
	a, c := must(e.Answer(l, false))(t), must(e.Answer(l, true))(t)
	full := must(e.Throughput(l, false))(t)
	for what, pair := range map[string][2]float64{
		"answer": {float64(r.Answer), float64(a.Time)}, "TTFT": {float64(r.TTFT), float64(a.TTFT)},
		"cached TTFT": {float64(r.TTFTCached), float64(c.TTFT)}, "step": {float64(r.DecodeStep), float64(a.Step.Time)},
		"tokens/s": {r.TokensPerSecond, full.TokensPerSecond}, "with prefill": {r.TokensPerSecondWithPrefill, full.TokensPerSecondWithPrefill},
		"GPU seconds": {r.GPUSecondsPerRequest, full.GPUSecondsPerRequest}, "batch": {float64(r.Batch), float64(full.Fit.Batch)},
		"KV": {float64(r.KVBytes), 5000 * 131072},
	} {
		same(t, what, pair[0], pair[1])
	}
}
