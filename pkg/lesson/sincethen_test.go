package lesson_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/sincethen"
	"memlab/pkg/experiments/world"
	"memlab/pkg/lesson"
	"memlab/pkg/serving"
)

// hybrids are the models of notebook 07.
func hybrids(t testing.TB) []costmodel.Model {
	t.Helper()
	var models []costmodel.Model
	for _, name := range []string{"llama-3-8b", "jamba-v0.1", "granite-4.0-h-small", "qwen3-next-80b-a3b", "minimax-text-01"} {
		models = append(models, ok(costmodel.ModelByName(name)))
	}
	return models
}

// withState is the lecture's engine with that many layers that keep every token.
func withState(t testing.TB, full int) *costmodel.Engine {
	t.Helper()
	e := engine(t)
	return ok(costmodel.NewEngine(ok(sincethen.WithState(e.Model(), full)), e.GPU(), e.Params()))
}

func TestSection7DrawsInBothLanguages(t *testing.T) {
	e, p := engine(t), small()
	sleep, how := sincethen.DefaultSleep(), sincethen.DefaultCompression()
	g := &gallery{t: t}
	figure, tab := g.figure, g.table
	fixed := withState(t, 0)
	lengths := []int{64, 1000, 128_000}
	tab(lesson.ProductTable(p, e, 2))
	var reports []string
	for _, r := range sincethen.Reports() {
		reports = append(reports, r.ID)
	}
	tab(lesson.ReportedTable(reports...))
	tab(lesson.SleepTable(e, sleep, 1, 1./3, 0.25, 0))
	figure(lesson.SleepFigure(e, sleep, []float64{1, 1. / 3}, 1, 10))
	never := sleep
	never.Less = 1
	tab(lesson.SleepTable(e, never, 1))
	tab(lesson.StateTable([]int{1000, 1_000_000}, hybrids(t)...))
	figure(lesson.ContextMemory(e.GPU(), lengths, e.Model(), fixed.Model()))
	figure(lesson.StepFigure(16, lengths, e, withState(t, 4), fixed))
	figure(lesson.SmallerFigure(e, how))
	tab(lesson.SmallerTable(e, how))
	how.Left, how.Notes = 3.5, 38.6
	tab(lesson.SmallerTable(e, how))
	figure(lesson.ShrinkFigure(2))
	tab(lesson.ChangeTable(p, e, sleep, how))
	g.inBothLanguages()
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %g, the text says %g", what, got, want)
	}
}

// The text of notebook 07 states these in words.
func TestWhatNotebook07Says(t *testing.T) {
	e := engine(t)
	found := ok(sincethen.Products(t.Context(), world.DefaultParameters(), e, 5))
	deleted, marked := found[2], found[3]
	within(t, "GPU seconds of mem0", deleted.Write, 12.7, 0.05)
	within(t, "calls of mem0", deleted.WriteCalls.Mean, 370, 0.5)
	within(t, "a tenth of a second a pair", float64(deleted.Wait), 0.1, 0.02)
	if deleted.Previous.Mean > 0.02 || marked.Previous.Mean < 0.74 || marked.WriteCalls.Mean != deleted.WriteCalls.Mean {
		t.Errorf("previous values: %g deleted, %g marked", deleted.Previous.Mean, marked.Previous.Mean)
	}

	for _, c := range []struct{ price, questions, saving float64 }{{1, 12, 0.9}, {1. / 3, 4, 1.8}, {0.1, 1.2, 3.0}} {
		s := sincethen.DefaultSleep()
		s.Price = c.price
		b := ok(s.Bill(e))
		within(t, "questions", b.Questions, c.questions, 0.05)
		within(t, "saving at ten", b.Saving(10), c.saving, 0.05)
		within(t, "wait", float64(b.WaitAwake), 27.4, 0.05)
		within(t, "wait after it", float64(b.WaitAfter), 6.6, 0.05)
		within(t, "the night over five questions: nearly twice", b.Night/c.price/(5*b.Awake), 1.85, 0.1)
	}

	parts := playbook.Checklist()
	if written, best := ok(serving.InOrder(parts)), ok(serving.Arrange(parts)); written.Prefill < 5*best.Prefill {
		t.Errorf("an order is worth %g, the text makes much of it", written.Prefill/best.Prefill)
	}

	states := hybrids(t)[1:]
	small := slices.MinFunc(states, func(a, b costmodel.Model) int { return int(a.KVBytesFixed() - b.KVBytesFixed()) })
	large := slices.MaxFunc(states, func(a, b costmodel.Model) int { return int(a.KVBytesFixed() - b.KVBytesFixed()) })
	within(t, "the smallest state, MB", float64(small.KVBytesFixed())/1e6, 9, 0.5)
	within(t, "the largest, MB", float64(large.KVBytesFixed())/1e6, 147, 0.5)
	if n := sincethen.EveryToken(states[0]); n != 4 || states[0].Layers != 32 {
		t.Errorf("Jamba keeps every token in %d of %d layers", n, states[0].Layers)
	}
	if from, _ := sincethen.CrossBytes(withState(t, 0).Model(), e.Model()); from != 256 {
		t.Errorf("bytes cross at %d", from)
	}
	if from, _, err := sincethen.CrossStep(withState(t, 0), e, 16); from != 512 || err != nil {
		t.Errorf("steps cross at %d, %v", from, err)
	}

	methods := ok(sincethen.Methods(e, sincethen.DefaultCompression()))
	prefill := float64(ok(e.Prefill(0, 128_000)).Time)
	within(t, "prefill", prefill, 9, 0.3)
	for _, m := range methods {
		switch m.Kind {
		case sincethen.Quantise, sincethen.Drop, sincethen.Merge:
			within(t, m.Name+": ten milliseconds", m.GPUSeconds, 0.01, 0.003)
			within(t, m.Name+": a thousandth of the prefill", m.GPUSeconds/prefill, 0.001, 0.0003)
		case sincethen.Write:
			if m.GPUSeconds < prefill || m.GPUSeconds > 1000 {
				t.Errorf("notes take %g s: the text has them in between", m.GPUSeconds)
			}
		case sincethen.Train:
			within(t, "prefills", m.GPUSeconds/prefill, 1600, 50)
			within(t, "orders of magnitude", math.Log10(m.GPUSeconds/0.009), 6, 0.5)
		}
	}

	for _, s := range ok(sincethen.Shrink(5)) {
		if s.Kind == sincethen.Quantise && s.Accuracy.Mean < 0.97 {
			t.Errorf("%d bits: %g, the text says that the toy forgives", s.Setting, s.Accuracy.Mean)
		}
		if s.Kind == sincethen.Merge && s.Accuracy.Mean > 0.55 {
			t.Errorf("merged %d to 1: %g, the text says that both are spoiled", s.Setting, s.Accuracy.Mean)
		}
	}

	less, more := 0, 0
	for _, c := range ok(sincethen.Changes(t.Context(), world.DefaultParameters(), e, sincethen.DefaultSleep(), sincethen.DefaultCompression())) {
		if c.Write < 0.9 {
			less++
		}
		if c.Write > 10 {
			more++
		}
	}
	if less != 2 || more != 2 {
		t.Errorf("%d developments write less and %d far more, the text says two and two", less, more)
	}
}

func TestSection7RefusesWhatCannotBe(t *testing.T) {
	e, p := engine(t), small()
	for want, err := range map[string]error{
		"no engine":                second(lesson.ProductTable(p, nil, 2)),
		"no names of reports":      second(lesson.ReportedTable()),
		`no report "x"`:            second(lesson.ReportedTable("x")),
		"no prices":                second(lesson.SleepTable(e, sincethen.DefaultSleep())),
		"night_price -1":           second(lesson.SleepTable(e, sincethen.DefaultSleep(), -1)),
		"want two or more":         second(lesson.SleepFigure(e, sincethen.DefaultSleep(), []float64{1}, 1)),
		"questions 0":              second(lesson.SleepFigure(e, sincethen.DefaultSleep(), []float64{1}, 0, 1)),
		"no contexts":              second(lesson.StateTable(nil, e.Model())),
		"no models":                second(lesson.StateTable([]int{1})),
		"lesson: no engine: want":  second(lesson.StepFigure(1, []int{1})),
		"batch 0":                  second(lesson.StepFigure(0, []int{1}, e)),
		"document_tokens 0":        second(lesson.SmallerFigure(e, sincethen.Compression{})),
		"quantisation_group 0":     second(lesson.SmallerTable(e, sincethen.Compression{Document: 10})),
		"seeds 1":                  second(lesson.ShrinkFigure(1)),
		"sincethen: bad input: no": second(lesson.ChangeTable(p, nil, sincethen.DefaultSleep(), sincethen.DefaultCompression())),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}
