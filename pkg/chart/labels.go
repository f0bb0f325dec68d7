package chart

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An endLabel is the name of a line, written at its right end.
type endLabel struct {
	series int
	lines  []string
}

const (
	widestEndLabel = vg.Length(170)
	endGap         = vg.Length(14)
)

// labelEnds decides for names at the line ends and makes room for them. They
// need lines that all end at the right, and few enough of them.
func (d *drawing) labelEnds() bool {
	if d.Series[0].Name == "" || len(d.Series) > 5 {
		return false
	}
	var widest vg.Length
	var labels []endLabel
	for i, s := range d.Series {
		if s.Kind != Line || len(d.X.Categories) > 0 {
			return false
		}
		last := d.x.norm(slices.Max(s.X))
		if s.X[len(s.X)-1] != slices.Max(s.X) || last < 0.9 {
			return false
		}
		lines := d.face.wrap(s.Name, labelSize, widestEndLabel)
		for _, l := range lines {
			widest = max(widest, d.face.width(l, labelSize))
		}
		labels = append(labels, endLabel{i, lines})
	}
	if vg.Length(d.width)-widest < 300 {
		return false // the plot would be squeezed
	}
	d.endLabels = labels
	d.right = widest*1.06 + endGap
	return true
}

// A placedEnd is a name with its place: the end of its line, and the middle and
// half height of the text.
type placedEnd struct {
	endLabel
	end     vg.Point
	y, half vg.Length
}

// placeEnds puts the names beside the line ends, moved apart where they would
// overlap and kept above the axis.
func (d *drawing) placeEnds(c draw.Canvas) []placedEnd {
	var ps []placedEnd
	for _, l := range d.endLabels {
		s := d.Series[l.series]
		end := d.at(c, s.X[len(s.X)-1], s.Y[len(s.Y)-1])
		half := labelSize * leading * vg.Length(len(l.lines)) / 2
		ps = append(ps, placedEnd{l, end, end.Y, half})
	}
	slices.SortStableFunc(ps, func(a, b placedEnd) int { return cmp.Compare(a.end.Y, b.end.Y) })
	for range 100 {
		moved := false
		for i := range ps {
			if low := c.Min.Y + ps[i].half; ps[i].y < low-0.01 {
				ps[i].y, moved = low, true
			}
			if i == 0 {
				continue
			}
			if gap := ps[i].y - ps[i].half - ps[i-1].y - ps[i-1].half; gap < -0.01 {
				ps[i].y -= gap / 2
				ps[i-1].y += gap / 2
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	return ps
}

func (d *drawing) drawEndLabels(c draw.Canvas) {
	for _, p := range d.placeEnds(c) {
		x := c.Max.X + endGap
		if math.Abs(float64(p.y-p.end.Y)) > 3 {
			c.StrokeLine2(leader(styles[p.series].color), p.end.X+6, p.end.Y, x-3, p.y)
		}
		top := p.y + p.half - labelSize*1.02
		d.face.writeLines(c, p.lines, labelSize, styles[p.series].color, vg.Point{X: x, Y: top})
	}
}

// leader is the thin line from a label to what it names.
func leader(clr color.Color) draw.LineStyle { return draw.LineStyle{Color: clr, Width: 0.8} }

func (d *drawing) drawLegendRow(c draw.Canvas, row []int, y vg.Length) {
	x := marginX
	for _, i := range row {
		middle := y + labelSize*0.34
		s := d.Series[i]
		if s.Kind.bars() {
			fillBar(c, i, vg.Rectangle{
				Min: vg.Point{X: x, Y: y - 2},
				Max: vg.Point{X: x + legendSample - 2, Y: y + labelSize*0.8},
			})
		} else {
			if s.Kind == Line {
				c.StrokeLine2(lineStyle(i), x, middle, x+legendSample, middle)
			}
			drawMarker(c, i, vg.Point{X: x + legendSample/2, Y: middle})
		}
		d.face.write(c, s.Name, labelSize, ink, vg.Point{X: x + legendSample + 6, Y: y}, 0)
		x += d.legendWidth(i)
	}
}

// tag writes a line on a scrap of paper, so that it is legible on anything.
func (d *drawing) tag(c draw.Canvas, s string, size vg.Length, pt vg.Point, align float64, clr color.Color) {
	c.SetColor(alpha(paper, 0xDD))
	c.Fill(d.face.box(s, size, pt, align).Path())
	d.face.write(c, s, size, clr, pt, align)
}

// drawValues writes the numbers at bars: above each bar, in each part of a
// stack that is tall enough, and the whole above a stack.
func (d *drawing) drawValues(c draw.Canvas) {
	bars := d.bars(c)
	size, unit, ok := d.valueStyle(bars)
	if !ok {
		return
	}
	whole := make([]float64, len(d.X.Categories))
	top := make([]bar, len(d.X.Categories))
	parts := 0
	for _, b := range bars {
		text := d.valueText(b.value, unit)
		middle := (b.rect.Min.X + b.rect.Max.X) / 2
		if d.Series[b.series].Kind == StackedBars {
			if b.category == 0 {
				parts++
			}
			whole[b.category] += b.value
			top[b.category] = b
			if b.rect.Size().Y > size*1.6 {
				y := (b.rect.Min.Y+b.rect.Max.Y)/2 - size*0.34
				d.tag(c, text, size, vg.Point{X: middle, Y: y}, 0.5, ink)
			}
			continue
		}
		s := d.Series[b.series]
		y := b.rect.Max.Y + 5
		if len(s.High) > 0 {
			y = max(y, c.Y(d.y.norm(s.High[b.category]))+4)
		}
		y = d.aboveMarkers(c, b, y)
		if b.value < 0 {
			y = b.rect.Min.Y - size
			if len(s.Low) > 0 {
				y = min(y, c.Y(d.y.norm(s.Low[b.category]))-size)
			}
		}
		d.tag(c, text, size, vg.Point{X: middle, Y: y}, 0.5, ink)
	}
	if parts > 1 {
		for i, b := range top {
			middle := (b.rect.Min.X + b.rect.Max.X) / 2
			d.tag(c, d.valueText(whole[i], unit), size, vg.Point{X: middle, Y: b.rect.Max.Y + 5}, 0.5, ink)
		}
	}
}

// aboveMarkers lifts a number over the markers of other series that stand at
// its place.
func (d *drawing) aboveMarkers(c draw.Canvas, b bar, y vg.Length) vg.Length {
	for _, s := range d.Series {
		if s.Kind.bars() {
			continue
		}
		at := d.at(c, float64(b.category), s.Y[b.category])
		if at.X > b.rect.Min.X && at.X < b.rect.Max.X && at.Y > y-9 && at.Y < y+smallSize+4 {
			y = at.Y + 10
		}
	}
	return y
}

// valueStyle finds a size, with or without the unit, at which every value fits
// over its bar; there may be none.
func (d *drawing) valueStyle(bars []bar) (size vg.Length, unit string, ok bool) {
	if len(bars) == 0 {
		return 0, "", false
	}
	units := []string{""}
	if atTick(d.Y.Unit) {
		units = []string{d.Y.Unit}
	}
	room := bars[0].rect.Size().X + 2
	if d.Series[bars[0].series].Kind == StackedBars || d.barSeries() == 1 {
		room = max(room, room/0.78-4) // nothing stands beside it
	}
	for _, u := range units {
		for _, size := range []vg.Length{smallSize, 11, 10} {
			fits := true
			for _, b := range bars {
				fits = fits && d.face.width(d.valueText(b.value, u), size) <= room
			}
			if fits {
				return size, u, true
			}
		}
	}
	return 0, "", false
}

// valueText writes a value with the prefix of the ticks, so that bars compare
// at a glance, unless that leaves nothing but zeros.
func (d *drawing) valueText(v float64, unit string) string {
	exp, sign := prefix(d.y.largest(), d.Y.Unit)
	scaled := v / math.Pow10(exp)
	if d.y.log || v != 0 && math.Abs(scaled) < 0.001 {
		return Number(v, unit)
	}
	return withUnit(significant(scaled, 3), sign, unit)
}

func (d *drawing) barSeries() int {
	n := 0
	for _, s := range d.Series {
		if s.Kind.bars() {
			n++
		}
	}
	return n
}
