package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	lineWidth    = vg.Length(2.2)
	markerRadius = vg.Length(4)
	// Beyond so many points a line gets its markers at some of them only.
	fewPoints = 24
)

// xs are the places of a series: its X, or those of the categories.
func (s Series) xs() []float64 {
	if len(s.X) > 0 {
		return s.X
	}
	xs := make([]float64, len(s.Y))
	for i := range xs {
		xs[i] = float64(i)
	}
	return xs
}

func (d *drawing) points(c draw.Canvas, s Series, y []float64) []vg.Point {
	pts := make([]vg.Point, len(y))
	for i, x := range s.xs() {
		pts[i] = d.at(c, x, y[i])
	}
	return pts
}

func (d *drawing) drawBands(c draw.Canvas) {
	for i, s := range d.Series {
		if s.Kind != Line || len(s.Low) == 0 {
			continue
		}
		low, high := d.points(c, s, s.Low), d.points(c, s, s.High)
		outline := append([]vg.Point{}, low...)
		for j := len(high) - 1; j >= 0; j-- {
			outline = append(outline, high[j])
		}
		c.FillPolygon(alpha(styles[i].color, 0x33), outline)
		edge := draw.LineStyle{Color: alpha(styles[i].color, 0x99), Width: 0.8, Dashes: styles[i].dashes}
		c.StrokeLines(edge, low, high)
	}
}

func (d *drawing) drawLines(c draw.Canvas) {
	for i, s := range d.Series {
		if s.Kind != Line && s.Kind != Points {
			continue
		}
		pts := d.points(c, s, s.Y)
		if s.Kind == Points && len(s.Low) > 0 {
			d.drawErrorBars(c, i, pts)
		}
		if s.Kind == Line {
			c.StrokeLines(lineStyle(i), pts)
		}
		every := 1
		if s.Kind == Line && len(pts) > fewPoints {
			every = (len(pts) + 7) / 8
		}
		for j := 0; j < len(pts); j += every {
			drawMarker(c, i, pts[j])
		}
	}
}

func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: styles[i].color, Width: lineWidth, Dashes: styles[i].dashes}
}

func drawMarker(c draw.Canvas, i int, at vg.Point) {
	shape := styles[i].marker(at, markerRadius)
	outline := draw.LineStyle{Color: paper, Width: 1}
	fill := styles[i].color
	if styles[i].hollow {
		outline = draw.LineStyle{Color: styles[i].color, Width: 1.8}
		fill = paper
	}
	c.SetColor(fill)
	c.Fill(shape)
	c.SetLineStyle(outline)
	c.Stroke(shape)
}

func (d *drawing) drawErrorBars(c draw.Canvas, i int, pts []vg.Point) {
	s := d.Series[i]
	line := draw.LineStyle{Color: ink, Width: 1.2}
	for j, pt := range pts {
		low, high := c.Y(d.y.norm(s.Low[j])), c.Y(d.y.norm(s.High[j]))
		c.StrokeLine2(line, pt.X, low, pt.X, high)
		for _, y := range []vg.Length{low, high} {
			c.StrokeLine2(line, pt.X-4, y, pt.X+4, y)
		}
	}
}
