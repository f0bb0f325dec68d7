package chart

import (
	"errors"
	"fmt"
	"math"
)

// check reports everything that is wrong with a figure, so that one run shows
// all there is to mend.
func (f Figure) check() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("chart: figure %q: "+format, append([]any{f.Title}, args...)...))
	}
	if f.Title == "" {
		bad("no title: want a few words that say what it shows")
	}
	if f.Width < 0 || f.Height < 0 || f.Width > 0 && f.Width < 320 || f.Height > 0 && f.Height < 240 || f.Width > 4000 || f.Height > 4000 {
		bad("size %d x %d: want 0 (720 x 420) or 320 x 240 to 4000 x 4000 pixels", f.Width, f.Height)
	}
	if len(f.Series) == 0 {
		bad("no series: want at least one")
	}
	if len(f.Series) > len(styles) {
		bad("%d series: want at most %d, which can be told apart", len(f.Series), len(styles))
	}
	if len(f.Y.Categories) > 0 {
		bad("categories on the Y axis: want them on X")
	}
	for i, c := range f.X.Categories {
		if c == "" {
			bad("category %d is empty: want a name", i)
		}
	}
	width := f.Width
	if width == 0 {
		width = defaultWidth
	}
	if n := len(f.X.Categories); n > 0 && (width-80)/n < 24 {
		bad("%d categories in %d pixels: want at least 24 pixels for each, or a line", n, width)
	}
	f.X.check("X", bad)
	f.Y.check("Y", bad)
	if len(f.X.Categories) > 0 && (f.X.Log || f.X.Min != nil || f.X.Max != nil || len(f.X.Ticks) > 0) {
		bad("X axis has categories: want no log scale, ends or ticks")
	}
	bars, stacks := 0, 0
	for i, s := range f.Series {
		if s.Kind == Bars {
			bars++
		}
		if s.Kind == StackedBars {
			stacks++
		}
		if s.Name == "" && len(f.Series) > 1 {
			bad("series %d has no name: want one, to tell it from the others", i)
		}
		f.checkSeries(s, i, bad)
	}
	if bars > 0 && stacks > 0 {
		bad("bars and stacked bars together: want one kind")
	}
	for i, m := range f.Marks {
		if m.X == nil && m.Y == nil {
			bad("mark %d %q has neither X nor Y: want one for a line, both for a point", i, m.Label)
		}
		if m.X != nil {
			f.X.checkValue("X", fmt.Sprintf("mark %d %q", i, m.Label), *m.X, bad)
		}
		if m.Y != nil {
			f.Y.checkValue("Y", fmt.Sprintf("mark %d %q", i, m.Label), *m.Y, bad)
		}
	}
	return errors.Join(errs...)
}

type report func(format string, args ...any)

func (a Axis) check(name string, bad report) {
	if a.Label == "" {
		bad("%s axis has no label: want what its numbers are", name)
	}
	if a.Min != nil {
		Axis{Log: a.Log}.checkValue(name, "Min of the axis", *a.Min, bad)
	}
	if a.Max != nil {
		Axis{Log: a.Log}.checkValue(name, "Max of the axis", *a.Max, bad)
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		bad("%s axis: Min %v is not below Max %v", name, *a.Min, *a.Max)
	}
	for _, t := range a.Ticks {
		a.checkValue(name, "a tick", t, bad)
	}
}

// checkValue reports a value that the axis cannot show.
func (a Axis) checkValue(axis, what string, v float64, bad report) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		bad("%s: %s is %v: want a finite number", what, axis, v)
	case math.Abs(v) > 1e100:
		bad("%s: %s is %v: want at most 1e100 either way", what, axis, v)
	case a.Log && v <= 0:
		bad("%s: %s is %v on a log axis: want a number above 0", what, axis, v)
	case a.Log && v < 1e-100:
		bad("%s: %s is %v on a log axis: want at least 1e-100", what, axis, v)
	case a.Min != nil && v < *a.Min:
		bad("%s: %s is %v, below the axis' Min %v", what, axis, v, *a.Min)
	case a.Max != nil && v > *a.Max:
		bad("%s: %s is %v, above the axis' Max %v", what, axis, v, *a.Max)
	case len(a.Categories) > 0 && (v < -0.5 || v > float64(len(a.Categories))-0.5):
		bad("%s: %s is %v: want a place among the %d categories, counted from 0", what, axis, v, len(a.Categories))
	}
}

func (f Figure) checkSeries(s Series, i int, bad report) {
	what := fmt.Sprintf("series %d %q", i, s.Name)
	if s.Kind < Line || s.Kind > StackedBars {
		bad("%s: unknown kind %d: want Line, Points, Bars or StackedBars", what, int(s.Kind))
		return
	}
	if len(s.Y) == 0 {
		bad("%s has no values", what)
	}
	switch n := len(f.X.Categories); {
	case n > 0 && len(s.X) > 0:
		bad("%s has %d X beside the categories of the X axis: want none", what, len(s.X))
	case n > 0 && len(s.Y) != n:
		bad("%s has %d Y for %d categories", what, len(s.Y), n)
	case n == 0 && s.Kind.bars():
		bad("%s: %v without categories: want X.Categories", what, s.Kind)
	case n == 0 && len(s.X) != len(s.Y):
		bad("%s has %d X and %d Y: want as many", what, len(s.X), len(s.Y))
	}
	for j, v := range s.X {
		f.X.checkValue("X", fmt.Sprintf("%s, point %d", what, j), v, bad)
	}
	for j, v := range s.Y {
		f.Y.checkValue("Y", fmt.Sprintf("%s, point %d", what, j), v, bad)
	}
	if s.Kind == StackedBars {
		f.checkStack(s, what, bad)
	}
	if s.Kind == Bars && !f.Y.Log && (f.Y.Min != nil && *f.Y.Min > 0 || f.Y.Max != nil && *f.Y.Max < 0) {
		bad("%s: bars on an axis without 0, where lengths do not compare: want 0 in its range", what)
	}
	f.checkInterval(s, what, bad)
}

func (f Figure) checkStack(s Series, what string, bad report) {
	if f.Y.Log {
		bad("%s: stacked bars on a log axis, where heights do not add up: want a linear one", what)
	}
	if f.Y.Min != nil && *f.Y.Min != 0 {
		bad("%s: stacked bars on an axis from %v: want Min 0 or nil", what, *f.Y.Min)
	}
	if len(s.Low) > 0 || len(s.High) > 0 {
		bad("%s: stacked bars with an interval: want Bars or none", what)
	}
	for j, v := range s.Y {
		if v < 0 {
			bad("%s, point %d: Y is %v: want no negative part of a stack", what, j, v)
		}
	}
}

func (f Figure) checkInterval(s Series, what string, bad report) {
	if len(s.Low) == 0 && len(s.High) == 0 {
		return
	}
	if len(s.Low) != len(s.Y) || len(s.High) != len(s.Y) {
		bad("%s has %d Low and %d High for %d Y: want as many, or none", what, len(s.Low), len(s.High), len(s.Y))
		return
	}
	for j := range s.Y {
		point := fmt.Sprintf("%s, point %d", what, j)
		f.Y.checkValue("Low", point, s.Low[j], bad)
		f.Y.checkValue("High", point, s.High[j], bad)
		if s.Low[j] > s.High[j] {
			bad("%s: Low %v is above High %v", point, s.Low[j], s.High[j])
		}
	}
}
