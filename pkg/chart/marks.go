package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The halo keeps a mark visible where it crosses a dark bar.
var (
	markLine = draw.LineStyle{Color: accent, Width: 1.4, Dashes: []vg.Length{4, 3}}
	markHalo = draw.LineStyle{Color: alpha(paper, 0xBB), Width: 3.4}
)

func (d *drawing) drawMarkLines(c draw.Canvas) {
	for _, m := range d.Marks {
		switch {
		case m.X != nil && m.Y != nil:
			shape := circle(d.at(c, *m.X, *m.Y), 6)
			c.SetLineStyle(draw.LineStyle{Color: accent, Width: 1.8})
			c.Stroke(shape)
		case m.X != nil:
			x := c.X(d.x.norm(*m.X))
			c.StrokeLine2(markHalo, x, c.Min.Y, x, c.Max.Y)
			c.StrokeLine2(markLine, x, c.Min.Y, x, c.Max.Y)
		default:
			y := c.Y(d.y.norm(*m.Y))
			c.StrokeLine2(markHalo, c.Min.X, y, c.Max.X, y)
			c.StrokeLine2(markLine, c.Min.X, y, c.Max.X, y)
		}
	}
}

// drawMarkLabels writes each label where it covers least of the data and of
// the labels before it.
func (d *drawing) drawMarkLabels(c draw.Canvas) {
	ink := d.inked(c)
	for _, m := range d.Marks {
		if m.Label == "" {
			continue
		}
		best, least := label{}, -1
		for _, l := range d.markPlaces(c, m) {
			box := d.face.box(m.Label, smallSize, l.at, l.align)
			covered := 0
			if box.Min.X < c.Min.X || box.Max.X > c.Max.X+4 || box.Max.Y > c.Max.Y+4 || box.Min.Y < c.Min.Y {
				covered = 10_000 // half outside is worse than on top of a line
			}
			for _, pt := range ink {
				if pt.X >= box.Min.X && pt.X <= box.Max.X && pt.Y >= box.Min.Y && pt.Y <= box.Max.Y {
					covered++
				}
			}
			if least < 0 || covered < least {
				best, least = l, covered
			}
		}
		if best.leader {
			pt := d.at(c, *m.X, *m.Y)
			step := best.at.Sub(pt)
			c.StrokeLine2(leader(accent), pt.X+step.X*0.3, pt.Y+step.Y*0.3, pt.X+step.X*0.9, pt.Y+step.Y*0.9)
		}
		d.tag(c, m.Label, smallSize, best.at, best.align, accent)
		ink = append(ink, filled(d.face.box(m.Label, smallSize, best.at, best.align))...)
	}
}

type label struct {
	at     vg.Point
	align  float64
	leader bool // the place is far enough to need a line to the point
}

// markPlaces are the places for a label in order of preference.
func (d *drawing) markPlaces(c draw.Canvas, m Mark) []label {
	const gap = 5
	above, below := vg.Length(gap), -smallSize
	switch {
	case m.X != nil && m.Y != nil:
		pt := d.at(c, *m.X, *m.Y)
		return []label{
			{pt.Add(vg.Point{X: 9, Y: 8}), 0, false}, {pt.Add(vg.Point{X: 9, Y: -16}), 0, false},
			{pt.Add(vg.Point{X: -9, Y: 8}), 1, false}, {pt.Add(vg.Point{X: -9, Y: -16}), 1, false},
			{pt.Add(vg.Point{Y: 14}), 0.5, false}, {pt.Add(vg.Point{Y: -22}), 0.5, false},
			{pt.Add(vg.Point{X: 18, Y: 26}), 0, true}, {pt.Add(vg.Point{X: -18, Y: -32}), 1, true},
			{pt.Add(vg.Point{X: -18, Y: 26}), 1, true}, {pt.Add(vg.Point{X: 18, Y: -32}), 0, true},
		}
	case m.X != nil:
		x := c.X(d.x.norm(*m.X))
		var out []label
		for k := range 10 {
			y := c.Max.Y - smallSize - vg.Length(k)*c.Size().Y/10
			out = append(out, label{vg.Point{X: x + gap, Y: y}, 0, false}, label{vg.Point{X: x - gap, Y: y}, 1, false})
		}
		return out
	default:
		y := c.Y(d.y.norm(*m.Y))
		var out []label
		for k := range 9 {
			f := float64(k) / 8
			x := c.Min.X + 4 + (c.Size().X-8)*vg.Length(f)
			out = append(out, label{vg.Point{X: x, Y: y + above}, f, false}, label{vg.Point{X: x, Y: y + below}, f, false})
		}
		return out
	}
}

// inked samples where the data is drawn, every few pixels.
func (d *drawing) inked(c draw.Canvas) []vg.Point {
	var out []vg.Point
	for _, s := range d.Series {
		if s.Kind.bars() {
			continue
		}
		for _, y := range [][]float64{s.Y, s.Low, s.High} {
			if len(y) == 0 {
				continue
			}
			pts := d.points(c, s, y)
			out = append(out, pts...)
			if s.Kind == Line {
				out = append(out, along(pts)...)
			}
		}
	}
	for _, p := range d.placeEnds(c) {
		out = append(out, filled(vg.Rectangle{
			Min: vg.Point{X: c.Max.X + endGap/2, Y: p.y - p.half},
			Max: vg.Point{X: c.Max.X + d.right, Y: p.y + p.half},
		})...)
	}
	for _, b := range d.bars(c) {
		r := b.rect
		r.Max.Y += smallSize * 1.4 // the number above it
		out = append(out, filled(r)...)
	}
	for _, m := range d.Marks {
		if m.X != nil && m.Y == nil {
			x := c.X(d.x.norm(*m.X))
			out = append(out, filled(vg.Rectangle{Min: vg.Point{X: x, Y: c.Min.Y}, Max: vg.Point{X: x, Y: c.Max.Y}})...)
		}
		if m.Y != nil && m.X == nil {
			y := c.Y(d.y.norm(*m.Y))
			out = append(out, filled(vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: y}, Max: vg.Point{X: c.Max.X, Y: y}})...)
		}
	}
	return out
}

func along(pts []vg.Point) []vg.Point {
	var out []vg.Point
	for i := 1; i < len(pts); i++ {
		step := pts[i].Sub(pts[i-1])
		n := int(max(step.X, -step.X, step.Y, -step.Y)/3) + 1
		for k := range n {
			out = append(out, pts[i-1].Add(step.Scale(vg.Length(k)/vg.Length(n))))
		}
	}
	return out
}

func filled(r vg.Rectangle) []vg.Point {
	var out []vg.Point
	for x := r.Min.X; x <= r.Max.X; x += 4 {
		for y := r.Min.Y; y <= r.Max.Y; y += 4 {
			out = append(out, vg.Point{X: x, Y: y})
		}
	}
	return out
}
