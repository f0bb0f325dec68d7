package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A bar is one rectangle with the value it stands for.
type bar struct {
	series, category int
	rect             vg.Rectangle
	value            float64
}

const widestBar = vg.Length(84)

// bars places all bars, category by category, stacks from below.
func (d *drawing) bars(c draw.Canvas) []bar {
	var side []int // series that stand beside each other
	stacked := false
	for i, s := range d.Series {
		if s.Kind == Bars || s.Kind == StackedBars && !stacked {
			side = append(side, i)
			stacked = stacked || s.Kind == StackedBars
		}
	}
	if len(side) == 0 {
		return nil
	}
	slot := c.Size().X / vg.Length(len(d.X.Categories))
	width := min(slot*0.78/vg.Length(len(side)), widestBar)
	var out []bar
	for cat := range d.X.Categories {
		middle := c.X(d.x.norm(float64(cat)))
		left := middle - width*vg.Length(len(side))/2
		top := 0.0
		for i, s := range d.Series {
			switch s.Kind {
			case Bars:
				out = append(out, bar{i, cat, d.barRect(c, left, width, d.base(), s.Y[cat]), s.Y[cat]})
				left += width
			case StackedBars:
				out = append(out, bar{i, cat, d.barRect(c, left, width, top, top+s.Y[cat]), s.Y[cat]})
				top += s.Y[cat]
			}
		}
	}
	return out
}

// base is where bars begin: 0, or the lower end of a log axis.
func (d *drawing) base() float64 {
	if d.y.log {
		return d.y.min
	}
	return 0
}

func (d *drawing) barRect(c draw.Canvas, left, width vg.Length, from, to float64) vg.Rectangle {
	a, b := c.Y(d.y.norm(from)), c.Y(d.y.norm(to))
	return vg.Rectangle{
		Min: vg.Point{X: left + 1, Y: min(a, b)},
		Max: vg.Point{X: left + width - 1, Y: max(a, b)},
	}
}

func (d *drawing) drawBars(c draw.Canvas) {
	for _, b := range d.bars(c) {
		fillBar(c, b.series, b.rect)
		s := d.Series[b.series]
		if len(s.Low) == 0 {
			continue
		}
		x := (b.rect.Min.X + b.rect.Max.X) / 2
		low, high := c.Y(d.y.norm(s.Low[b.category])), c.Y(d.y.norm(s.High[b.category]))
		for _, line := range []draw.LineStyle{{Color: paper, Width: 3.6}, {Color: ink, Width: 1.4}} {
			c.StrokeLine2(line, x, low, x, high)
			c.StrokeLine2(line, x-5, low, x+5, low)
			c.StrokeLine2(line, x-5, high, x+5, high)
		}
	}
}

func fillBar(c draw.Canvas, series int, r vg.Rectangle) {
	st := styles[series]
	c.SetColor(st.tint)
	c.Fill(r.Path())
	line := draw.LineStyle{Color: st.color, Width: 1.2}
	for _, h := range st.hatch.lines(r) {
		c.StrokeLines(line, h)
	}
	outline := r.Path()
	outline.Close()
	c.SetLineStyle(line)
	c.Stroke(outline)
}

// lines are the strokes of a hatching inside a rectangle.
func (h hatch) lines(r vg.Rectangle) [][]vg.Point {
	const gap = 7
	var out [][]vg.Point
	switch h {
	case rising, falling:
		out = diagonals(r, gap, h == falling)
	case crossed:
		out = append(diagonals(r, gap+2, false), diagonals(r, gap+2, true)...)
	case level:
		for y := r.Min.Y + gap/2; y < r.Max.Y; y += gap - 1 {
			out = append(out, []vg.Point{{X: r.Min.X, Y: y}, {X: r.Max.X, Y: y}})
		}
	case upright:
		for x := r.Min.X + gap/2; x < r.Max.X; x += gap - 1 {
			out = append(out, []vg.Point{{X: x, Y: r.Min.Y}, {X: x, Y: r.Max.Y}})
		}
	case dotted:
		row := 0
		for y := r.Min.Y + gap/2; y < r.Max.Y; y += gap - 1 {
			for x := r.Min.X + 2 + vg.Length(row%2)*gap/2; x < r.Max.X-2; x += gap {
				out = append(out, []vg.Point{{X: x, Y: y}, {X: x + 1.6, Y: y}})
			}
			row++
		}
	}
	return out
}

func diagonals(r vg.Rectangle, gap vg.Length, falls bool) [][]vg.Point {
	w, h := r.Size().X, r.Size().Y
	var out [][]vg.Point
	for k := gap; k < w+h; k += gap {
		// The line x + y = k or, mirrored, x - y, cut at the sides.
		x0, x1 := max(0, k-h), min(k, w)
		a, b := vg.Point{X: x0, Y: h - (k - x0)}, vg.Point{X: x1, Y: h - (k - x1)}
		if falls {
			a, b = vg.Point{X: x0, Y: k - x0}, vg.Point{X: x1, Y: k - x1}
		}
		out = append(out, []vg.Point{r.Min.Add(a), r.Min.Add(b)})
	}
	return out
}
