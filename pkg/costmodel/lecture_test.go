package costmodel

import (
	"strings"
	"testing"
)

// Llama-3-8B has 8.03e9 parameters x 2 B = 16.06 GB and 131,072 B of KV per
// token. One H100 achieves .73 x 989 = 722 TFLOP/s and .80 x 3.35 = 2.68 TB/s,
// and may fill .90 x 80 = 72 GB. Every number below follows from these.
func lectureEngine(t testing.TB) *Engine { return engine(t, model(t, "llama-3-8b"), "h100") }

func TestSection12Latency(t *testing.T) {
	e := lectureEngine(t)
	// 2 x 8.03e9 x 128,050 = 2.06e15 FLOP and 4 x 4096 x 32 x 128,050^2 / 2 =
	// 4.30e15 FLOP at 722e12 FLOP/s.
	p := must(e.Prefill(0, 128050))(t)
	near(t, "prefill of 128k, s", float64(p.Time), 8.8, 0.1)
	near(t, "its attention, s", float64(p.Attention), 6.0, 0.3)
	near(t, "its linear part by hand, s", float64(p.Linear), 2.849, 0.001)
	near(t, "its attention by hand, s", float64(p.Attention), 5.954, 0.001)
	if p.Bound != Compute {
		t.Errorf("prefill is bound by %s, want compute", p.Bound)
	}

	short := must(e.Answer(e.Load(250), false))(t)
	near(t, "TTFT of 250, ms", 1e3*float64(short.TTFT), 7, 0.5)
	near(t, "decode of 200 at 250, s", float64(short.Decode), 1.22, 0.015)

	// (16.06 + 16.78) GB at 2.68 TB/s.
	long := must(e.Answer(e.Load(128000), true))(t)
	near(t, "TTFT of 128k cached, ms", 1e3*float64(long.TTFT), 12, 0.5)
	near(t, "by hand, ms", 1e3*float64(long.TTFT), 12.30, 0.01)
	near(t, "decode of 200 at 128k, s", float64(long.Decode), 2.47, 0.015)
	if long.Prefill.Bound != Bandwidth || long.Step.Bound != Bandwidth || long.Bound != Bandwidth {
		t.Errorf("want bandwidth throughout, got %s, %s, %s", long.Prefill.Bound, long.Step.Bound, long.Bound)
	}
	near(t, "the answer is its parts, s", float64(long.Time), float64(long.TTFT+long.Decode), 1e-12)
	near(t, "GPU seconds", long.GPUSeconds, float64(long.Time), 1e-12)
}

func TestSection12Throughput(t *testing.T) {
	e := lectureEngine(t)
	small := must(e.Throughput(e.Load(1000), true))(t)
	large := must(e.Throughput(e.Load(120000), true))(t)
	// (72 - 16.06) GB / (131,072 B x 1,250) = 341.4, and x 120,250 = 3.5.
	if small.Fit.Batch != 341 || large.Fit.Batch != 3 {
		t.Errorf("batches %d and %d, want 341 and 3", small.Fit.Batch, large.Fit.Batch)
	}
	near(t, "tokens/s at 1k", small.TokensPerSecond, 13523, 0.5)
	near(t, "tokens/s at 120k", large.TokensPerSecond, 126.76, 0.01)
	near(t, "drop", small.TokensPerSecond/large.TokensPerSecond, 107, 3)
	for _, context := range []int{1000, 4000, 16000, 64000, 120000} {
		r := must(e.Throughput(e.Load(context), true))(t)
		near(t, "full step, ms", 1e3*float64(r.Step.Time), 25, 2)
		if r.Bound != Bandwidth {
			t.Errorf("%d: bound by %s, want bandwidth", context, r.Bound)
		}
	}
}

func TestSection12SharedContext(t *testing.T) {
	e := lectureEngine(t)
	private := must(e.Throughput(e.Load(1000), true))(t)
	l := e.Load(1000)
	l.Shared = 120000
	shared := must(e.Throughput(l, true))(t)
	// (72 - 16.06 - 15.73) GB / 163.8 MB = 245.4.
	if shared.Fit.Batch != 245 {
		t.Errorf("batch %d, want 245", shared.Fit.Batch)
	}
	if ratio := private.TokensPerSecond / shared.TokensPerSecond; !(ratio > 1 && ratio < 2) {
		t.Errorf("private over shared: %.3f, want between 1 and 2", ratio)
	}
	// Bytes alone: 16.06 + 15.73 + 245 x .1507 GB at 2.68 TB/s is 25.69 ms.
	near(t, "share of the private rate, bytes alone", shared.TokensPerSecondMemoryOnly/private.TokensPerSecondMemoryOnly, 0.705, 0.001)
	// The arithmetic of attending to 121k tokens, 245 times 63.5 GFLOP, takes
	// a little longer than the bytes.
	if shared.Bound != Compute {
		t.Errorf("bound by %s, want compute", shared.Bound)
	}
	near(t, "step, ms", 1e3*float64(shared.Step.Compute), 27.00, 0.01)

	// With nothing private but question and output, 1,227 requests fit. Bytes
	// alone would make that four times the private rate; the arithmetic of
	// attending to 120k tokens, 79 GFLOP per request, makes it two thirds.
	bare := l
	bare.Context = 0
	none := must(e.Throughput(bare, true))(t)
	if none.Fit.Batch != 1227 {
		t.Errorf("batch %d, want 1227", none.Fit.Batch)
	}
	near(t, "bytes alone, over the private rate", none.TokensPerSecondMemoryOnly/private.TokensPerSecond, 4.34, 0.01)
	near(t, "with arithmetic", none.TokensPerSecond/private.TokensPerSecond, 0.675, 0.001)

	l.SharedPerRequest = true
	if again := must(e.Throughput(l, true))(t); again.TokensPerSecond > shared.TokensPerSecond/10 {
		t.Errorf("without cascade attention: %.0f tokens/s, want far below %.0f", again.TokensPerSecond, shared.TokensPerSecond)
	}
}

func TestSection46BreakEven(t *testing.T) {
	e := lectureEngine(t)
	at := func(change func(*Cartridge)) BreakEven {
		c := PaperCartridge(128000)
		if change != nil {
			change(&c)
		}
		return must(e.BreakEven(c, 50, 200))(t)
	}
	b := at(nil)
	if b.Training != 14400 || b.Tokens != 3317 {
		t.Errorf("training %g GPU s, cartridge %d tokens: want 14400 and 128000/38.6", b.Training, b.Tokens)
	}
	near(t, "against cached", b.Cached.Queries, 8900, 150)
	// 24.84 ms / 3 x 200 - 26.2 ms / 119 x 200 = 1.612 GPU s saved per query.
	near(t, "by hand, without prefill", b.Cached.QueriesDecodeOnly, 14400/1.612, 5)
	near(t, "training 10 times cheaper", at(func(c *Cartridge) { c.TrainingGPUSeconds /= 10 }).Cached.Queries, 890, 15)
	near(t, "at a third of the price", at(func(c *Cartridge) { c.TrainingPrice = 1. / 3 }).Cached.Queries, 2960, 50)
	near(t, "both", at(func(c *Cartridge) { c.TrainingGPUSeconds /= 10; c.TrainingPrice = 1. / 3 }).Cached.Queries, 300, 10)

	if !(b.Uncached.Queries < b.Cached.Queries && b.Cached.Queries < b.Shared.Queries) {
		t.Errorf("want uncached < cached < shared, got %.0f, %.0f, %.0f", b.Uncached.Queries, b.Cached.Queries, b.Shared.Queries)
	}
	previous := b.Cached.Queries
	for _, document := range []int{64000, 32000, 16000, 8000, 4000} {
		q := must(e.BreakEven(PaperCartridge(document), 50, 200))(t).Cached.Queries
		if !(q > previous) {
			t.Errorf("document of %d: %.0f queries, want more than %.0f of the next longer one", document, q, previous)
		}
		previous = q
	}
}

func TestExercise1(t *testing.T) {
	m := model(t, "llama-3-70b")
	e := engine(t, m, "h100", func(p *Params) { p.TensorParallel = 8 })
	f := must(e.Fit(Load{Context: 128000, Output: 1}))(t)
	near(t, "usable, GB", 8*float64(f.Budget)/1e9, 576, 1e-9)
	near(t, "left, GB", 8*float64(f.Free)/1e9, 435, 1)
	near(t, "tokens", float64(e.RoomTokens()), 1.33e6, 0.01e6)
	near(t, "one context, GB", float64(m.KVBytes(128000))/1e9, 41.9, 0.1)
	if f.Batch != 10 {
		t.Errorf("%d contexts fit, want 10", f.Batch)
	}
	near(t, "share of the weights", float64(m.KVBytes(128000)/m.WeightBytes), 0.297, 0.001) // less than a third
}

func TestMoney(t *testing.T) {
	e := engine(t, model(t, "llama-3-8b"), "h100", func(p *Params) { p.PricePerGPUHour = 3.6 })
	a := must(e.Answer(e.Load(1000), false))(t)
	same(t, "3.6 per hour is .001 per GPU second", a.Money, a.GPUSeconds/1000)
	r := must(e.Evaluate(e.Load(1000)))(t)
	same(t, "per request", r.MoneyPerRequest, r.GPUSecondsPerRequest/1000)
	b := must(e.BreakEven(PaperCartridge(1000), 50, 200))(t)
	same(t, "training", b.TrainingMoney, 14.4)
}

func TestWarningsNameTheMaximum(t *testing.T) {
	e := lectureEngine(t)
	r := must(e.Evaluate(e.Load(128000)))(t)
	if len(r.Warnings) != 1 || !strings.Contains(string(r.Warnings[0]), "8192") || r.KVBytes != 131072*128000 {
		t.Errorf("want one warning that names 8192 and nothing clamped, got %q and %s", r.Warnings, r.KVBytes)
	}
}
