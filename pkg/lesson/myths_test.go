package lesson_test

import (
	"math"
	"strings"
	"testing"

	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/dialogue"
	"memlab/pkg/exercise"
	"memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/session"
	"memlab/pkg/experiments/world"
	"memlab/pkg/lesson"
	"memlab/pkg/table"
)

// known is for what cannot fail here; another test says so if it does.
func known[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// onH100 is Llama-3-8B on some H100, with an output.
func onH100(t *testing.T, gpus, output int) *costmodel.Engine {
	t.Helper()
	p := costmodel.DefaultParams()
	p.TensorParallel, p.Output = gpus, output
	return known(costmodel.NewEngine(known(costmodel.ModelByName("llama-3-8b")), known(costmodel.GPUByName("h100")), p))
}

// The text of notebook 09 states these in words.
func TestWhatNotebook09Says(t *testing.T) {
	t.Run("myth 1", func(t *testing.T) {
		e := onH100(t, 8, 200)
		fit, err := e.Fit(e.Load(1_000_000))
		if err != nil || fit.Batch < 3 || fit.Batch > 6 {
			t.Errorf("%d people, %v, the text says a handful", fit.Batch, err)
		}
		if short, err := e.Fit(e.Load(1_000)); err != nil || short.Batch < 2_000 {
			t.Errorf("%d people at 1k, %v, the text says thousands", short.Batch, err)
		}
		if drop, err := lesson.ThroughputDrop(e, 1_000, 1_000_000); err != nil || drop < 500 {
			t.Errorf("drop %v, %v, the text says to less than a five-hundredth", drop, err)
		}
		rate := func(shared int) costmodel.Throughput {
			l := e.Load(1_000)
			l.Shared = shared
			r, err := e.Throughput(l, true)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := rate(16_000).TokensPerSecond / rate(1_000).TokensPerSecond; r < 0.95 {
			t.Errorf("shared, 16k against 1k: %.2f, the text says flat", r)
		}
		if r := rate(1_000_000); r.Bound != costmodel.Compute {
			t.Errorf("a shared million is bound by %s, the text says by the arithmetic of attention", r.Bound)
		}
	})
	t.Run("myth 2", func(t *testing.T) {
		for _, c := range []struct {
			output    int
			low, high float64
		}{{200, 0.14, 0.18}, {1, 0.0015, 0.0025}} {
			e := onH100(t, 1, c.output)
			cold, err1 := e.Throughput(e.Load(128_000), false)
			hit, err2 := e.Throughput(e.Load(128_000), true)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if left := hit.GPUSecondsPerRequest / cold.GPUSecondsPerRequest; left < c.low || left > c.high || hit.Fit.Batch != 3 || cold.Fit.Batch != 3 {
				t.Errorf("output %d: %.4f of the time is left, %d and %d requests", c.output, left, cold.Fit.Batch, hit.Fit.Batch)
			}
			// The bars are these numbers: the two parts of a bar are GPU seconds per request.
			f, err := lesson.HitFigure(e, 128_000)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range []costmodel.Throughput{cold, hit} {
				if sum := f.Series[0].Y[i] + f.Series[1].Y[i]; math.Abs(sum-r.GPUSecondsPerRequest) > 1e-9*sum {
					t.Errorf("output %d, bar %d is %v high, want %v", c.output, i, sum, r.GPUSecondsPerRequest)
				}
			}
			if f.Series[1].Y[0] != f.Series[1].Y[1] {
				t.Errorf("output %d: decode %v, the text says the same in both bars", c.output, f.Series[1].Y)
			}
		}
	})
	t.Run("myth 3", func(t *testing.T) {
		p, e := world.DefaultParameters(), onH100(t, 1, 200)
		var from [2]float64
		for i, cached := range []bool{false, true} {
			bills, err := lesson.Bills(p, 0, e, cached, "full", "mem0")
			if err != nil {
				t.Fatal(err)
			}
			from[i], _, _ = bills[1].Cheaper(bills[0])
			// By hand: at the break-even both have cost the same.
			if a, b := bills[0].After(from[i]), bills[1].After(from[i]); math.Abs(a-b) > 1e-9*a {
				t.Errorf("cached %v: %v and %v after %v questions", cached, a, b, from[i])
			}
		}
		if r := from[1] / from[0]; r < 8 || r > 13 || from[1] > 200 {
			t.Errorf("pays back after %v, the text says ten times as many with a cache, and fewer than 200", from)
		}
	})
	t.Run("myths 4 and 5", func(t *testing.T) {
		systems, err := lesson.Systems(world.DefaultParameters(), 10, "mem0", "mem0g", "rag:2048x1", "rag:128x16", "mem0g+graph")
		if err != nil {
			t.Fatal(err)
		}
		mem0, mem0g, large, small, graph := systems[0], systems[1], systems[2], systems[3], systems[4]
		if gone := mem0.Kinds[dialogue.Previous].High; gone > 0.05 || mem0g.Kinds[dialogue.Previous].Low < 0.7 {
			t.Errorf("previous values: deleted %v, invalid %v", mem0.Kinds[dialogue.Previous], mem0g.Kinds[dialogue.Previous])
		}
		if d := mem0.Kinds[dialogue.Current].Mean - mem0g.Kinds[dialogue.Current].Mean; math.Abs(d) > 0.01 {
			t.Errorf("current values differ by %.3f, the text says the column is the same", d)
		}
		if mem0.WriteCalls.Mean < 355 || mem0.WriteCalls.Mean > 385 {
			t.Errorf("%.0f calls to write, the text says some 370", mem0.WriteCalls.Mean)
		}
		if large.Accuracy.Mean > 0.25 || math.Abs(small.Accuracy.Mean-graph.Accuracy.Mean) > 0.03 || math.Abs(graph.Accuracy.Mean-0.84) > 0.015 {
			t.Errorf("RAG %v and %v, mem0g %v: the text says a fifth, and level with 0.84", large.Accuracy, small.Accuracy, graph.Accuracy)
		}
		if a, b := small.Kinds[dialogue.TwoHop].Mean, graph.Kinds[dialogue.TwoHop].Mean; math.Abs(a-0.25) > 0.06 || math.Abs(b-0.75) > 0.06 {
			t.Errorf("two hops: %.3f and %.3f, the text says a quarter and three quarters", a, b)
		}
		stale, err := lesson.StaleMemories(world.DefaultParameters(), 0)
		if err != nil || math.Abs(float64(stale.Invalid)/float64(stale.All)-1./3) > 0.05 {
			t.Errorf("%+v, %v: the text says that a third is invalid", stale, err)
		}
	})
	t.Run("myth 6", func(t *testing.T) {
		at, err1 := lesson.MemorisedAt(32)
		half, err2 := lesson.MemorisedAt(256)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if at.Original.Mean < 0.9 || math.Abs(at.Other.Mean-0.2) > 0.03 || half.Other.Mean < 0.7 {
			t.Errorf("%+v, %+v: the text says by heart, one in five, and most at 256", at, half)
		}
	})
	t.Run("myth 7", func(t *testing.T) {
		found, err := lesson.Rewriters(5, 1_000, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		grown, sheet, faithful := found[0], found[1], found[2]
		if sheet.Accuracy.High >= grown.Accuracy.Low || math.Abs(faithful.Accuracy.Mean-grown.Accuracy.Mean) > 0.02 || faithful.Collapses.Mean != 0 {
			t.Errorf("playbook %v, sheet %v, faithful %v", grown.Accuracy, sheet.Accuracy, faithful.Accuracy)
		}
		for _, c := range []struct{ got, says, within float64 }{
			{grown.Tokens.Mean, 3600, 50}, {sheet.Tokens.Mean, 400, 50}, {grown.Accuracy.Mean, 0.89, 0.01}, {grown.Before.Mean, 0.5, 0.005},
		} {
			if math.Abs(c.got-c.says) > c.within {
				t.Errorf("%v, the question says %v", c.got, c.says)
			}
		}
		course, err := playbook.Learn(sheet.Learner, 0)
		if err != nil {
			t.Fatal(err)
		}
		fall, ok := course.FirstFall()
		if !ok || fall.After.Accuracy >= fall.Unadapted || fall.After.Tokens > fall.Before.Tokens/2 {
			t.Errorf("%+v: the text says that most is dropped, and what is left is worth less than nothing", fall)
		}
		e := onH100(t, 1, 200)
		fit := func(context int) float64 {
			f, err := e.Fit(e.Load(context))
			if err != nil {
				t.Fatal(err)
			}
			return float64(f.Batch)
		}
		if r := fit(3_600+800) / fit(400+800); r < 0.25 || r > 0.4 {
			t.Errorf("%.2f of the users fit with the long playbook, the text says a third", r)
		}
	})
	t.Run("myth 8", func(t *testing.T) {
		found, err := lesson.Layouts(session.DefaultParameters(), 10)
		if err != nil {
			t.Fatal(err)
		}
		front, end, log := found[0], found[1], found[2]
		if log.Prefilled.High >= front.Prefilled.Low || front.Prefilled.High >= end.Prefilled.Low {
			t.Errorf("front %v, end %v, log %v: the text says log, front, end", front.Prefilled, end.Prefilled, log.Prefilled)
		}
		for _, l := range found {
			if r := l.Prompt.Mean / front.Prompt.Mean; math.Abs(r-1) > 0.005 {
				t.Errorf("%s: %.4f of the prompt, the text says the same to half a percent", l.Layout, r)
			}
		}
	})
}

// The text of notebook 10 states these in words.
func TestWhatNotebook10Says(t *testing.T) {
	m := known(costmodel.ModelByName("llama-3-70b"))
	// By hand: 80 layers x 8 heads x 128 x 2 x 2 bytes = 327,680 per token.
	kv, weights := 327_680*128_000., float64(m.WeightBytes)
	if kv != float64(m.KVBytes(128_000)) || math.Abs(kv/1e9-41.9) > 0.05 || math.Abs(weights/3e9-47) > 0.1 {
		t.Errorf("KV %v (%v), a third of the weights %v: want 41.9 and 47 GB", kv, m.KVBytes(128_000), weights/3)
	}
	for id, want := range map[string]float64{"10.1a": 1.33, "10.1b": 10, "10.1c": 0.3, "10.2a": 500_000, "10.2b": 19.4, "10.4a": 890, "10.4b": 2960, "10.5a": 0.25, "10.5b": 0.32, "10.6a": 19, "10.6b": 20} {
		e := known(exercise.Find(id))
		if got := known(e.Answer()); math.Abs(got-want) > 0.01*want {
			t.Errorf("%s: %v, the lecture prints %v", id, got, want)
		}
	}
	// 10.2: with a cache full context prefills less than mem0.
	if a, c := known(known(exercise.Find("10.2a")).Answer()), known(known(exercise.Find("10.2c")).Answer()); c >= a {
		t.Errorf("full context prefills %v with a cache, mem0 %v", c, a)
	}
	// 10.3: most of the rest comes from edits.
	p := session.DefaultParameters()
	for _, evict := range []float64{0.1, 0.5} {
		set := p.Setting()
		set.Evict = evict
		f := known(known(session.Run(p, 0, set)).Figures(false))
		if rest := f.Totals.Prefilled - f.EvictPrefill; 2*f.WorkingPrefill < rest {
			t.Errorf("at %v: %d of %d tokens come from edits, the text says most", evict, f.WorkingPrefill, rest)
		}
	}
}

func TestSection9DrawsInBothLanguages(t *testing.T) {
	p, e := world.DefaultParameters(), onH100(t, 1, 200)
	systems := known(lesson.Systems(p, 2, "mem0", "mem0g"))
	hit := known(lesson.HitFigure(e, 8_000, 128_000))
	rival := known(lesson.RivalFigure(p, 1, systems[1], []int{128}, []int{1, 2}))
	for _, f := range []chart.Figure{hit, rival} {
		for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
			if _, err := f.Render(lang); err != nil {
				t.Errorf("%s in %s: %v", f.Title, lang, err)
			}
		}
	}
	zh := func(s string) (string, error) { return chart.Translate(chart.Chinese, s) }
	for _, tab := range []table.Table{
		known(lesson.PaybackTable(p, e, 128_000)), known(lesson.PaybackTable(p, e, 200)),
		known(lesson.KindTable(systems, dialogue.Current, dialogue.Previous, dialogue.TwoHop)),
		known(lesson.MemorisedTable(known(lesson.MemorisedAt(32)))),
		known(lesson.RewriterTable(known(lesson.Rewriters(1, 1_000)))),
		known(lesson.LayoutTable(known(lesson.Layouts(session.DefaultParameters(), 2)))),
	} {
		if _, err := tab.Translate(zh); err != nil {
			t.Error(err)
		}
	}
	for _, sentence := range []string{
		"people with a million private tokens each: 4. You have not guessed.",
		"share of the GPU time that a full cache hit leaves: 0.159. You said 0: close.",
		"questions until mem0 has paid back its writing: 156. You said 10: too small by a factor of 15.6.",
		"share of questions on a previous value: 0.00189. You said 0.9: too large by a factor of 475.",
		"accuracy of RAG 128×16: 0.84. You said 0.", "share answered in other words after memorising: 0.211. You said 0.2: close.",
		"accuracy with the shorter context: 0.523. You said 0.9: too large by a factor of 1.72.",
		"the dearest layout over the cheapest: 4.61. You said 1: too small by a factor of 4.61.",
		"Throughput of eight full GPUs", "estimated 0.318, simulated 0.315", "mem0 prefills 14.0 times as much",
		"one context: 41.9 GB; a third of the weights: 47.0 GB", "as large as a third of the weights: a context of 143541 tokens",
	} {
		if got, err := zh(sentence); err != nil || strings.Contains(got, "You") {
			t.Errorf("%q: %q, %v", sentence, got, err)
		}
	}
}

func TestSection9RefusesWhatCannotBe(t *testing.T) {
	p, e := world.DefaultParameters(), onH100(t, 1, 200)
	for want, err := range map[string]error{
		"no engine":                         second(lesson.HitFigure(nil, 1)),
		"tokens of context fits":            second(lesson.HitFigure(e, 1_000_000)),
		"nothing is stored for 33":          second(lesson.MemorisedAt(33)),
		"0 seeds":                           second(lesson.Layouts(session.DefaultParameters(), 0)),
		"seeds 0":                           second(lesson.Rewriters(0, 1)),
		"comfort_tokens 0":                  second(lesson.Rewriters(1, 0)),
		"seed -1":                           second(lesson.StaleMemories(p, -1)),
		"no systems or no kinds":            second(lesson.KindTable(nil, dialogue.Current)),
		`kind of question "x": want one of`: second(lesson.KindTable(nil, "x")),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
