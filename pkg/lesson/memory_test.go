package lesson_test

import (
	"fmt"
	"strings"
	"testing"

	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/lesson"
	"memlab/pkg/table"
)

func engine(t testing.TB) *costmodel.Engine {
	t.Helper()
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		t.Fatal(err)
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		t.Fatal(err)
	}
	e, err := costmodel.NewEngine(m, g, costmodel.DefaultParams())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func ExampleMemoryTable() {
	m, _ := costmodel.ModelByName("llama-3-8b")
	t, _ := lesson.MemoryTable(m, 8_000, 128_000)
	fmt.Print(t.Text())
	// Output:
	// Context  KV cache  Share of the weights
	// -------  --------  --------------------
	//      8k   1.05 GB                 6.53%
	//    128k   16.8 GB                  104%
}

func TestThroughputTableShowsTheLecturesDrop(t *testing.T) {
	tab, err := lesson.ThroughputTable(engine(t), 120_000, 1_000, 120_000)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range tab.Rows {
		got = append(got, row[0]+" "+row[1]+" "+row[2]+" "+row[len(row)-1])
	}
	// 107 is the lecture's; the shared rows are worked out in pkg/costmodel's tests.
	want := "1k 0 341 1; 120k 0 3 1/107; 1k 120k 245 1/1.49; 0 120k 1,227 1/1.48"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "; "), want)
	}
}

func TestPrefillPartsAddUp(t *testing.T) {
	e := engine(t)
	f, err := lesson.PrefillParts(e, 4_000, 128_000)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Prefill(0, 128_000)
	if err != nil {
		t.Fatal(err)
	}
	if sum := f.Series[0].Y[1] + f.Series[1].Y[1] + float64(p.Fixed); sum < 0.999*float64(p.Time) || sum > 1.001*float64(p.Time) {
		t.Errorf("the parts are %v, the whole is %v", sum, p.Time)
	}
}

func TestTheMeasuredPointIsTheDropBelowTheFirstPoint(t *testing.T) {
	e := engine(t)
	f, err := lesson.ThroughputCurve(e, []int{1_000, 120_000}, lesson.Private(e))
	if err != nil {
		t.Fatal(err)
	}
	measured, err := lesson.CartridgesSGLang()
	if err != nil {
		t.Fatal(err)
	}
	f = lesson.WithMeasured(f, measured)
	if len(f.Marks) != 1 || *f.Marks[0].X != 120_000 || *f.Marks[0].Y*77 != f.Series[0].Y[0] {
		t.Errorf("the mark is %+v", f.Marks)
	}
	// The axis makes room for the mark's label and cuts off no other line.
	f.Series = append(f.Series, chart.Series{Name: "Private context", X: []float64{1_000}, Y: []float64{2}})
	f.Marks, f.Y.Min = nil, nil
	if f = lesson.WithMeasured(f, measured); *f.Y.Min >= 2 {
		t.Errorf("the axis begins at %v, above a point at 2", *f.Y.Min)
	}
}

// Every figure and table of the lesson can be drawn and is complete in both
// languages.
func TestEverythingDrawsInBothLanguages(t *testing.T) {
	e := engine(t)
	must := func(f chart.Figure, err error) chart.Figure {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	measured, err := lesson.CartridgesSGLang()
	if err != nil {
		t.Fatal(err)
	}
	contexts := []int{1_000, 120_000}
	for _, f := range []chart.Figure{
		must(lesson.ContextMemory(e.GPU(), contexts, e.Model())),
		must(lesson.PrefillParts(e, contexts...)),
		lesson.WithMeasured(must(lesson.ThroughputCurve(e, contexts, lesson.Private(e), lesson.Shared(e, 1_000))), measured),
	} {
		for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
			if _, err := f.Render(lang); err != nil {
				t.Errorf("%s in %s: %v", f.Title, lang, err)
			}
		}
	}
	latency, err := lesson.LatencyTable(e, 250)
	if err != nil {
		t.Fatal(err)
	}
	throughput, err := lesson.ThroughputTable(e, 120_000, 1_000)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := lesson.MemoryTable(e.Model(), 250)
	if err != nil {
		t.Fatal(err)
	}
	zh := func(s string) (string, error) { return chart.Translate(chart.Chinese, s) }
	for _, tab := range []table.Table{latency, throughput, memory, lesson.FourWays()} {
		if _, err := tab.Translate(zh); err != nil {
			t.Error(err)
		}
		if strings.Contains(tab.Text(), "NaN") {
			t.Errorf("a table with NaN:\n%s", tab.Text())
		}
	}
}

func TestBadInputIsNamed(t *testing.T) {
	e := engine(t)
	for name, err := range map[string]error{
		"memory":     second(lesson.MemoryTable(e.Model(), -1)),
		"prefill":    second(lesson.PrefillParts(e, -1)),
		"latency":    second(lesson.LatencyTable(e, -1)),
		"throughput": second(lesson.ThroughputTable(e, 0, -1)),
		"curve":      second(lesson.ThroughputCurve(e, []int{-1}, lesson.Private(e))),
	} {
		if err == nil || !strings.Contains(err.Error(), "-1") {
			t.Errorf("%s of -1 tokens: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestWhatIsMissingInSection1IsNamed(t *testing.T) {
	e, none := engine(t), (*costmodel.Engine)(nil)
	contexts := []int{1_000}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"prefill", second(lesson.PrefillParts(none, 1)), "no engine"},
		{"prefill by an empty engine", second(lesson.PrefillParts(&costmodel.Engine{}, 1)), "no engine"},
		{"prefill of nothing", second(lesson.PrefillParts(e)), "no contexts"},
		{"latency", second(lesson.LatencyTable(none, 1)), "no engine"},
		{"latency of nothing", second(lesson.LatencyTable(e)), "no contexts"},
		{"curve", second(lesson.ThroughputCurve(none, contexts, lesson.Private(e))), "no engine"},
		{"curve of nothing", second(lesson.ThroughputCurve(e, nil, lesson.Private(e))), "no contexts"},
		{"curve of no engine's private contexts", second(lesson.ThroughputCurve(e, contexts, lesson.Private(none))), `"Private context" has no Load`},
		{"curve of no engine's shared context", second(lesson.ThroughputCurve(e, contexts, lesson.Shared(none, 1_000))), "1k private\" has no Load"},
		{"curve of what never fits", second(lesson.ThroughputCurve(e, []int{1_000_000}, lesson.Private(e))), `"Private context": not one request fits beside Llama-3-8B`},
		{"throughput", second(lesson.ThroughputTable(none, 0, 1)), "no engine"},
		{"throughput of nothing", second(lesson.ThroughputTable(e, 0)), "no contexts"},
		{"drop", second(lesson.ThroughputDrop(none, 1, 2)), "no engine"},
		{"memory of no model", second(lesson.MemoryTable(costmodel.Model{}, 5)), `model "" has no weights`},
		{"memory of nothing", second(lesson.MemoryTable(e.Model())), "no contexts"},
		{"figure on no GPU", second(lesson.ContextMemory(costmodel.GPU{}, contexts, e.Model())), `GPU "" has no memory`},
		{"figure of nothing", second(lesson.ContextMemory(e.GPU(), nil, e.Model())), "no contexts"},
		{"figure of no models", second(lesson.ContextMemory(e.GPU(), contexts)), "no models"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
}

// Nothing is as fast as what does not fit, and no share can be had of it.
func TestThroughputTableOfWhatDoesNotFit(t *testing.T) {
	e := engine(t)
	for _, c := range []struct {
		contexts []int
		want     string
	}{
		{[]int{1_000, 1_000_000}, "341 1; 0 -; 341 1; 1,707 3.3"},
		{[]int{1_000_000, 1_000}, "0 -; 341 -; 0 -; 1,707 -"},
	} {
		tab, err := lesson.ThroughputTable(e, 0, c.contexts...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range tab.Rows {
			got = append(got, row[2]+" "+row[len(row)-1])
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%v: %q, want %q", c.contexts, got, c.want)
		}
	}
}

func TestAMeasurementThatFitsNoPointAddsNothing(t *testing.T) {
	whole := chart.Figure{Series: []chart.Series{{X: []float64{1_000}, Y: []float64{7}}}}
	for name, c := range map[string]struct {
		f chart.Figure
		m lesson.Measured
	}{
		"a drop of 0":          {whole, lesson.Measured{From: 1_000}},
		"a point without Y":    {chart.Figure{Series: []chart.Series{{X: []float64{1_000}}}}, lesson.Measured{From: 1_000, Drop: 2}},
		"no point at the from": {whole, lesson.Measured{From: 2_000, Drop: 2}},
	} {
		if marks := lesson.WithMeasured(c.f, c.m).Marks; len(marks) != 0 {
			t.Errorf("%s: %+v", name, marks)
		}
	}
}
