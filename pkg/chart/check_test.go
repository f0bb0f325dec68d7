package chart_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"memlab/pkg/chart"
)

func TestBadInputIsNamed(t *testing.T) {
	tests := []struct {
		name  string
		start func() chart.Figure
		spoil func(*chart.Figure)
		want  string
	}{
		{"no title", kvBytes, func(f *chart.Figure) { f.Title = "" }, "no title"},
		{"no series", kvBytes, func(f *chart.Figure) { f.Series = nil }, "no series"},
		{"a series without values", throughput, func(f *chart.Figure) { f.Series[0] = chart.Series{Name: "model"} }, `series 0 "model" has no values`},
		{"X and Y of different length", throughput, func(f *chart.Figure) { f.Series[1].Y = f.Series[1].Y[1:] }, "has 8 X and 7 Y"},
		{"a value that is NaN", throughput, func(f *chart.Figure) { f.Series[1].Y[2] = math.NaN() }, "point 2: Y is NaN: want a finite number"},
		{"an infinite X", throughput, func(f *chart.Figure) { f.Series[1].X[0] = math.Inf(1) }, "point 0: X is +Inf"},
		{"zero on a log axis", throughput, func(f *chart.Figure) { f.Series[1].Y[0] = 0 }, "Y is 0 on a log axis"},
		{"a negative bound on a log axis", throughput, func(f *chart.Figure) { f.Series[0].Low[0] = -1 }, "Low is -1 on a log axis"},
		{"a mark at zero on a log axis", throughput, func(f *chart.Figure) { f.Marks[0].X = new(0.0) }, `mark 0 "one request fills the GPU": X is 0`},
		{"a mark at no place", throughput, func(f *chart.Figure) { f.Marks[0].X = nil }, "has neither X nor Y"},
		{"Low above High", throughput, func(f *chart.Figure) { f.Series[0].Low[4] = 1e6 }, "point 4: Low 1e+06 is above High 700"},
		{"Low without High", throughput, func(f *chart.Figure) { f.Series[0].High = nil }, "has 8 Low and 0 High for 8 Y"},
		{"an empty category", kvBytes, func(f *chart.Figure) { f.X.Categories[1] = "" }, "category 1 is empty"},
		{"more values than categories", kvBytes, func(f *chart.Figure) { f.Series[0].Y = append(f.Series[0].Y, 1) }, "has 4 Y for 3 categories"},
		{"bars without categories", kvBytes, func(f *chart.Figure) { f.X.Categories = nil }, "bars without categories"},
		{"X beside categories", kvBytes, func(f *chart.Figure) { f.Series[0].X = []float64{1, 2, 3} }, "beside the categories"},
		{"a log axis with categories", kvBytes, func(f *chart.Figure) { f.X.Log = true }, "want no log scale"},
		{"categories on Y", throughput, func(f *chart.Figure) { f.Y.Categories = []string{"1k"} }, "want them on X"},
		{"too many categories", kvBytes, func(f *chart.Figure) { f.Width = 320; f.X.Categories = strings.Fields(strings.Repeat("8k ", 12)) }, "12 categories in 320 pixels"},
		{"an unknown kind", throughput, func(f *chart.Figure) { f.Series[0].Kind = 9 }, "unknown kind 9"},
		{"bars with stacked bars", prefill, func(f *chart.Figure) { f.Series[0].Kind = chart.Bars }, "want one kind"},
		{"a stack on a log axis", prefill, func(f *chart.Figure) { f.Y.Log = true }, "do not add up"},
		{"a negative part of a stack", prefill, func(f *chart.Figure) { f.Series[0].Y[0] = -1 }, "no negative part"},
		{"a stack with an interval", prefill, func(f *chart.Figure) { f.Series[0].Low = f.Series[0].Y; f.Series[0].High = f.Series[0].Y }, "stacked bars with an interval"},
		{"bars on an axis without zero", kvBytes, func(f *chart.Figure) { f.Y.Min = new(1000.0) }, "bars on an axis without 0"},
		{"data outside the axis", throughput, func(f *chart.Figure) { f.X.Max = new(100e3) }, "X is 120000, above the axis' Max 100000"},
		{"an axis upside down", throughput, func(f *chart.Figure) { f.Y.Min, f.Y.Max = new(2e6), new(1e6) }, "is not below Max"},
		{"a tick at zero on a log axis", throughput, func(f *chart.Figure) { f.X.Ticks = []float64{0} }, "a tick: X is 0 on a log axis"},
		{"no label", throughput, func(f *chart.Figure) { f.Y.Label = "" }, "Y axis has no label"},
		{"a nameless series among others", throughput, func(f *chart.Figure) { f.Series[1].Name = "" }, "series 1 has no name"},
		{"more series than can be told apart", kvBytes, func(f *chart.Figure) {
			for range 8 {
				f.Series = append(f.Series, chart.Series{Name: "model", Kind: chart.Bars, Y: f.Series[0].Y})
			}
		}, "9 series"},
		{"a tiny picture", throughput, func(f *chart.Figure) { f.Width = 10 }, "size 10 x 0"},
		{"a character without a glyph", throughput, func(f *chart.Figure) { f.Title = "Throughput 吞吐" }, `the font has no "吞吐"`},
		{"a line break in a label", throughput, func(f *chart.Figure) { f.Y.Label = "Through\nput" }, `the font has no "\n"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := test.start()
			test.spoil(&f)
			p, err := f.Render(chart.English)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if p.SVG != nil || p.PNG != nil {
				t.Error("a picture beside the error")
			}
		})
	}
}

func TestAllFaultsAreReportedAtOnce(t *testing.T) {
	f := throughput()
	f.Series[0].Y[0], f.Marks[0].X = -1, nil
	_, err := f.Render(chart.English)
	for _, want := range []string{"Y is -1", "neither X nor Y"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	if _, err := kvBytes().Render("fr"); !errors.Is(err, chart.ErrLang) {
		t.Errorf("error %v, want ErrLang", err)
	}
	if _, err := chart.Translate("", "Model"); !errors.Is(err, chart.ErrLang) {
		t.Errorf("error %v, want ErrLang", err)
	}
}
