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
	want := "1k 0 341 1; 120k 0 3 1/107; 1k 120k 245 1/1.49; 0 120k 1227 1/1.48"
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
