package chart

import (
	"fmt"
	"strings"
)

// alt tells in words what a translated figure shows.
func (f Figure) alt(lang Lang) (string, error) {
	w := writer{lang: lang}
	w.line("Figure: {title}.", "{title}", f.Title)
	x, y := f.spans()
	w.axis("X", f.X, x)
	w.axis("Y", f.Y, y)
	for _, s := range f.Series {
		w.series(f, s)
	}
	w.stack(f)
	for _, m := range f.Marks {
		w.mark(f, m)
	}
	if f.Caption != "" {
		w.lines = append(w.lines, f.Caption)
	}
	return strings.Join(w.lines, "\n"), w.err
}

type writer struct {
	lang  Lang
	lines []string
	err   error
}

// altKey begins the sentences of this file in the catalogue, which keeps them
// from passing as patterns for labels.
const altKey = "alt: "

// phrase fills the placeholders of a sentence of the catalogue with text that
// is translated already.
func (w *writer) phrase(key string, pairs ...string) string {
	text := key
	if w.lang == Chinese {
		c, err := loadCatalogue()
		if err != nil {
			w.err = err
			return ""
		}
		var ok bool
		if text, ok = c.exact[altKey+key]; !ok && w.err == nil {
			w.err = fmt.Errorf("chart: %w for %q: add it to pkg/chart/zh.json", ErrNoTranslation, altKey+key)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func (w *writer) line(key string, pairs ...string) {
	w.lines = append(w.lines, w.phrase(key, pairs...))
}

func (w *writer) list(items []string) string {
	if w.lang == Chinese {
		return strings.Join(items, "、")
	}
	return strings.Join(items, ", ")
}

func (w *writer) pair(name, value string) string {
	if w.lang == Chinese {
		return name + "：" + value
	}
	return name + ": " + value
}

func (w *writer) pairs(items []string) string {
	if w.lang == Chinese {
		return strings.Join(items, "；")
	}
	return strings.Join(items, "; ")
}

func (w *writer) named(name, otherwise string) string {
	switch {
	case name == "":
		return w.phrase(otherwise)
	case w.lang == Chinese:
		return "“" + name + "”"
	}
	return `"` + name + `"`
}

// value writes a number as the ticks of its axis do.
func (a Axis) value(v float64) string {
	if atTick(a.Unit) {
		return Number(v, a.Unit)
	}
	return Number(v, "")
}

func (w *writer) axis(name string, a Axis, s span) {
	if len(a.Categories) > 0 {
		w.line("{axis} axis: {label}, categories {list}.", "{axis}", name, "{label}", a.Label, "{list}", w.list(a.Categories))
		return
	}
	key := "{axis} axis: {label}, from {min} to {max}."
	if a.Log {
		key = "{axis} axis: {label}, logarithmic, from {min} to {max}."
	}
	w.line(key, "{axis}", name, "{label}", a.Label, "{min}", a.value(s.min), "{max}", a.value(s.max))
}

func (w *writer) at(f Figure, s Series, i int) string {
	x := ""
	if n := len(f.X.Categories); n > 0 {
		x = f.X.Categories[i]
	} else {
		x = f.X.value(s.X[i])
	}
	return w.phrase("{v} at {x}", "{v}", f.Y.value(s.Y[i]), "{x}", x)
}

func (w *writer) series(f Figure, s Series) {
	low, high := 0, 0
	for i, y := range s.Y {
		if y < s.Y[low] {
			low = i
		}
		if y > s.Y[high] {
			high = i
		}
	}
	last := len(s.Y) - 1
	keys := map[Kind]string{
		Line:        "Line {name}, {n} points: first {first}, last {last}, lowest {min}, highest {max}.",
		Points:      "Points {name}, {n} of them: first {first}, last {last}, lowest {min}, highest {max}.",
		Bars:        "Bars {name} - {list}.",
		StackedBars: "Stacked bars {name} - {list}.",
	}
	var items []string
	if s.Kind.bars() {
		for i, c := range f.X.Categories {
			items = append(items, w.pair(c, f.Y.value(s.Y[i])))
		}
	}
	sentence := w.phrase(keys[s.Kind], "{name}", w.named(s.Name, "unnamed"), "{n}", fmt.Sprint(len(s.Y)), "{list}", w.pairs(items),
		"{first}", w.at(f, s, 0), "{last}", w.at(f, s, last), "{min}", w.at(f, s, low), "{max}", w.at(f, s, high))
	if s.Kind.bars() && len(s.Y) > 2 {
		sentence += w.gap() + w.phrase("Lowest {min}, highest {max}.", "{min}", w.at(f, s, low), "{max}", w.at(f, s, high))
	}
	if len(s.Low) > 0 {
		sentence += w.gap() + w.phrase("Each with an interval, the first from {a} to {b}, the last from {c} to {d}.",
			"{a}", f.Y.value(s.Low[0]), "{b}", f.Y.value(s.High[0]), "{c}", f.Y.value(s.Low[last]), "{d}", f.Y.value(s.High[last]))
	}
	w.lines = append(w.lines, sentence)
}

// gap parts two sentences on a line.
func (w *writer) gap() string {
	if w.lang == Chinese {
		return ""
	}
	return " "
}

func (w *writer) stack(f Figure) {
	whole := Series{Y: make([]float64, len(f.X.Categories))}
	parts := 0
	for _, s := range f.Series {
		if s.Kind != StackedBars {
			continue
		}
		parts++
		for i, y := range s.Y {
			whole.Y[i] += y
		}
	}
	if parts < 2 {
		return
	}
	var items []string
	low, high := 0, 0
	for i, y := range whole.Y {
		items = append(items, w.pair(f.X.Categories[i], f.Y.value(y)))
		if y < whole.Y[low] {
			low = i
		}
		if y > whole.Y[high] {
			high = i
		}
	}
	w.line("Whole stacks - {list}. The lowest is {min}, the highest {max}.",
		"{list}", w.pairs(items), "{min}", w.at(f, whole, low), "{max}", w.at(f, whole, high))
}

func (w *writer) mark(f Figure, m Mark) {
	label := m.Label
	if label == "" {
		label = w.phrase("no label")
	}
	switch {
	case m.X != nil && m.Y != nil:
		v := w.phrase("{v} at {x}", "{v}", f.Y.value(*m.Y), "{x}", f.X.place(*m.X))
		w.line("Mark at the point {v}: {label}.", "{v}", v, "{label}", label)
	case m.X != nil:
		w.line("Mark at {axis} = {v}: {label}.", "{axis}", "X", "{v}", f.X.place(*m.X), "{label}", label)
	default:
		w.line("Mark at {axis} = {v}: {label}.", "{axis}", "Y", "{v}", f.Y.value(*m.Y), "{label}", label)
	}
}

// place writes an X, which on an axis with categories is one of them or a
// number between.
func (a Axis) place(v float64) string {
	if i := int(v); len(a.Categories) > 0 && float64(i) == v && i >= 0 && i < len(a.Categories) {
		return a.Categories[i]
	}
	return a.value(v)
}
