package costmodel

import "testing"

// NVIDIA publishes the throughput of TensorRT-LLM for Llama-3.1-8B in FP8 on
// one GPU, in output tokens/s. Read with FP8 weights, FP8 KV, prefill counted
// and all memory used, the roofline must lie above every measurement, and not
// so far above that it says nothing.
func TestRooflineAgainstTensorRTLLM(t *testing.T) {
	m := must(model(t, "llama-3.1-8b").WithWeights(FP8))(t)
	for _, c := range []struct {
		gpu           string
		input, output int
		measured      float64
	}{
		{"h200", 128, 2048, 26221}, {"h100", 128, 2048, 22714},
		{"h200", 1000, 1000, 17744}, {"h100", 1000, 1000, 15220},
		{"h200", 20000, 2000, 1804}, {"h100", 20000, 2000, 1351},
	} {
		p := IdealParams()
		p.KVDType = FP8
		e := must(NewEngine(m, gpu(t, c.gpu), p))(t)
		r := must(e.Throughput(Load{Context: c.input, Output: c.output}, false))(t)
		share := c.measured / r.TokensPerSecondWithPrefill
		t.Logf("%s %d/%d: batch %d, ideal %.0f, measured %.0f: %.3f", c.gpu, c.input, c.output, r.Fit.Batch, r.TokensPerSecondWithPrefill, c.measured, share)
		if share < 0.45 || share > 0.80 {
			t.Errorf("%s %d/%d: measured / ideal is %.3f, want .45 to .80", c.gpu, c.input, c.output, share)
		}
	}
}

// The Cartridges paper measured a 77-fold drop in SGLang from 1k to 120k of
// private context; counting bytes must give the same order of magnitude.
func TestThroughputDropAgainstTheCartridgesPaper(t *testing.T) {
	e := lectureEngine(t)
	small := must(e.Throughput(e.Load(1000), true))(t)
	large := must(e.Throughput(e.Load(120000), true))(t)
	if drop := small.TokensPerSecond / large.TokensPerSecond; drop < 77/2 || drop > 77*2 {
		t.Errorf("drop %.0f, measured 77: want the same within a factor of two", drop)
	}
}
