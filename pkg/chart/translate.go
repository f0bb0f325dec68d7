package chart

import (
	"errors"
	"fmt"
	"slices"
)

// in returns the figure with its text in lang. It names every text that has
// no translation, and every character that the font cannot draw.
func (f Figure) in(lang Lang, face *typeface) (Figure, error) {
	var errs []error
	tr := func(text string) string {
		if text == "" {
			return ""
		}
		out, err := Translate(lang, text)
		if err != nil {
			errs = append(errs, fmt.Errorf("chart: figure %q: %w", f.Title, err))
			return ""
		}
		if missing := face.missing(out); len(missing) > 0 {
			errs = append(errs, fmt.Errorf("chart: figure %q: the font has no %q of %q: reword it, or for Chinese add it to pkg/chart/zh.json and run pkg/chart/font/subset",
				f.Title, string(missing), out))
		}
		return out
	}
	t := f
	t.Title, t.Caption = tr(f.Title), tr(f.Caption)
	t.X.Label = withUnitBehind(lang, tr(f.X.Label), f.X.Unit, tr(f.X.Unit))
	t.Y.Label = withUnitBehind(lang, tr(f.Y.Label), f.Y.Unit, tr(f.Y.Unit))
	t.X.Categories = slices.Clone(f.X.Categories)
	for i, c := range f.X.Categories {
		t.X.Categories[i] = tr(c)
	}
	t.Series = slices.Clone(f.Series)
	for i, s := range f.Series {
		t.Series[i].Name = tr(s.Name)
	}
	t.Marks = slices.Clone(f.Marks)
	for i, m := range f.Marks {
		t.Marks[i].Label = tr(m.Label)
	}
	return t, errors.Join(errs...)
}

// withUnitBehind puts the unit into the label of an axis whose ticks go
// without it.
func withUnitBehind(lang Lang, label, unit, translated string) string {
	switch {
	case unit == "" || atTick(unit):
		return label
	case lang == Chinese:
		return label + "（" + translated + "）"
	}
	return label + " (" + translated + ")"
}
