package chart

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A drawing is a figure with all its places decided: the same for SVG and PNG.
type drawing struct {
	Figure
	face          *typeface
	x, y          span
	width, height int
	title         []string
	caption       []string
	legend        [][]int // rows of series; empty when labels stand at the lines
	endLabels     []endLabel
	right         vg.Length  // room beside the plot for endLabels
	names         [][]string // the categories in lines, equally many for each
	nameSize      vg.Length
}

// The plot keeps this much height whatever stands above and below it.
const leastPlot = vg.Length(180)

func newDrawing(f Figure, face *typeface) (*drawing, error) {
	d := &drawing{Figure: f, face: face, width: f.Width, height: f.Height}
	if d.width == 0 {
		d.width = defaultWidth
	}
	if d.height == 0 {
		d.height = defaultHeight
	}
	d.x, d.y = f.spans()
	inner := vg.Length(d.width) - 2*marginX
	d.title = face.wrap(f.Title, titleSize, inner)
	if !d.labelEnds() {
		d.legend = d.legendRows(inner)
	}
	if err := d.checkWidths(inner); err != nil {
		return nil, err
	}
	if len(f.X.Categories) > 0 {
		d.wrapCategories(inner)
	}
	names := smallSize
	if n := len(d.names); n > 0 {
		names = d.nameSize * leading * vg.Length(len(d.names[0]))
	}
	least := d.header() + leastPlot + names + labelSize*leading + 30
	d.height = max(d.height, int(math.Ceil(float64(least))))
	if f.Caption != "" {
		// A browser's font may be a little wider than ours.
		d.caption = face.wrap(f.Caption, smallSize, inner*0.95)
		d.height += int(math.Ceil(float64(smallSize*leading)*float64(len(d.caption)) + 6))
	}
	return d, nil
}

// header is the height of what stands above the plot.
func (d *drawing) header() vg.Length {
	return marginY + titleSize + titleSize*leading*vg.Length(len(d.title)-1) +
		legendLeading*vg.Length(len(d.legend)) + labelSize*1.75 + 8
}

// checkWidths names the texts that are written on one line and do not fit.
func (d *drawing) checkWidths(inner vg.Length) error {
	var errs []error
	check := func(text string, size, room vg.Length) {
		if w := d.face.width(text, size); w > room {
			errs = append(errs, fmt.Errorf("chart: figure %q: %q is %.0f pixels wide: want at most %.0f", d.Title, text, w.Points(), room.Points()))
		}
	}
	check(d.X.Label, labelSize, inner-60-d.right)
	check(d.Y.Label, labelSize, inner)
	for _, row := range d.legend {
		for _, i := range row {
			check(d.Series[i].Name, labelSize, inner-legendSample-6)
		}
	}
	for _, m := range d.Marks {
		check(m.Label, smallSize, inner-60-d.right)
	}
	return errors.Join(errs...)
}

// legendRows parts the series into rows that fit; one unnamed series needs no
// legend.
func (d *drawing) legendRows(width vg.Length) [][]int {
	if len(d.Series) == 1 && d.Series[0].Name == "" {
		return nil
	}
	var rows [][]int
	used := width
	for i := range d.Series {
		w := d.legendWidth(i)
		if used+w > width {
			rows = append(rows, nil)
			used = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], i)
		used += w
	}
	return rows
}

const (
	legendSample  = vg.Length(34)
	legendLeading = labelSize * 1.75
)

func (d *drawing) legendWidth(i int) vg.Length {
	return legendSample + 6 + d.face.width(d.Series[i].Name, labelSize)*1.05 + 18
}

// draw puts the figure on a canvas of width x height points that is paper
// already.
func (d *drawing) draw(canvas vg.Canvas) {
	c := draw.NewCanvas(canvas, vg.Length(d.width), vg.Length(d.height))
	y := c.Max.Y - marginY - titleSize
	d.face.writeLines(c, d.title, titleSize, ink, vg.Point{X: marginX, Y: y})
	y -= titleSize * leading * vg.Length(len(d.title)-1)
	for _, row := range d.legend {
		y -= legendLeading
		d.drawLegendRow(c, row, y)
	}
	y -= labelSize * 1.75
	d.face.write(c, d.Y.Label, labelSize, soft, vg.Point{X: marginX, Y: y}, 0)

	bottom := marginY * 0.7
	if n := len(d.caption); n > 0 {
		d.face.writeLines(c, d.caption, smallSize, soft,
			vg.Point{X: marginX, Y: bottom + smallSize*leading*vg.Length(n-1) + 2})
		bottom += smallSize*leading*vg.Length(n) + 6
	}
	area := draw.Crop(c, marginX, -marginX-d.right, bottom, y-8-c.Max.Y)
	d.plot().Draw(area)
}

// plot assembles gonum's plot: its axes, and our plotters from back to front.
func (d *drawing) plot() *plot.Plot {
	p := plot.New()
	p.TextHandler = d.face.handler()
	p.Title.TextStyle.Handler = p.TextHandler
	p.BackgroundColor = nil
	d.axis(&p.X, d.x, d.X)
	d.axis(&p.Y, d.y, d.Y)
	p.X.Label.Text = d.X.Label
	p.X.Label.Padding = 4
	p.Y.Tick.LineStyle.Width = 0
	p.Y.LineStyle.Width = 0
	p.Y.Padding = 6
	if len(d.names) > 0 {
		p.X.Tick.LineStyle.Color = paper // unseen, for the distance of the names
		p.X.Tick.Label.Font.Size = d.nameSize
		ticks := make([]plot.Tick, len(d.names))
		for i, lines := range d.names {
			ticks[i] = plot.Tick{Value: float64(i), Label: strings.Join(lines, "\n")}
		}
		p.X.Tick.Marker = plot.ConstantTicks(ticks)
	}
	p.Add(plotter(d.drawGrid))
	p.Add(plotter(d.drawBands), plotter(d.drawBars), plotter(d.drawMarkLines))
	p.Add(plotter(d.drawLines), plotter(d.drawValues), plotter(d.drawMarkLabels), plotter(d.drawEndLabels))
	return p
}

func (d *drawing) axis(a *plot.Axis, s span, of Axis) {
	a.Min, a.Max = s.min, s.max
	a.Tick.Marker = plot.ConstantTicks(s.ticks)
	if s.log {
		a.Scale = plot.LogScale{}
	}
	a.Padding = 0
	a.LineStyle.Color, a.LineStyle.Width = axis, 1
	a.Tick.LineStyle.Color, a.Tick.LineStyle.Width = axis, 1
	a.Tick.Length = 5
	a.Tick.Label.Handler, a.Tick.Label.Font, a.Tick.Label.Color = d.face.handler(), d.face.font, ink
	a.Tick.Label.Font.Size = smallSize
	a.Label.TextStyle.Handler, a.Label.TextStyle.Font, a.Label.TextStyle.Color = d.face.handler(), d.face.font, soft
	a.Label.TextStyle.Font.Size = labelSize
}

// wrapCategories breaks the names under bars into lines as wide as their
// place, in a size at which three lines suffice if there is one.
func (d *drawing) wrapCategories(inner vg.Length) {
	values := vg.Length(0)
	for _, t := range d.y.ticks {
		values = max(values, d.face.width(t.Label, smallSize))
	}
	slot := (inner-values-14)/vg.Length(len(d.X.Categories)) - 6
	most := 0
	for d.nameSize = smallSize; ; d.nameSize-- {
		fits := true
		d.names, most = nil, 0
		for _, c := range d.X.Categories {
			lines := d.face.wrap(c, d.nameSize, slot)
			d.names = append(d.names, lines)
			most = max(most, len(lines))
			fits = fits && len(lines) <= 3 && !d.broken(c, d.nameSize, slot)
		}
		if fits || d.nameSize <= 9 {
			break
		}
	}
	for i, lines := range d.names {
		for len(lines) < most {
			lines = append(lines, " ") // so that the first lines stand at one height
		}
		d.names[i] = lines
	}
}

// broken says whether a word is too wide for its place.
func (d *drawing) broken(s string, size, width vg.Length) bool {
	for _, p := range pieces(s) {
		if d.face.width(p, size) > width {
			return true
		}
	}
	return false
}

// A plotter is a method as gonum's plot.Plotter.
type plotter func(draw.Canvas)

func (f plotter) Plot(c draw.Canvas, _ *plot.Plot) { f(c) }

func (d *drawing) at(c draw.Canvas, x, y float64) vg.Point {
	return vg.Point{X: c.X(d.x.norm(x)), Y: c.Y(d.y.norm(y))}
}

func (d *drawing) drawGrid(c draw.Canvas) {
	line := draw.LineStyle{Color: grid, Width: 1}
	for _, t := range d.y.ticks {
		if y := c.Y(d.y.norm(t.Value)); t.Label != "" && c.ContainsY(y) {
			c.StrokeLine2(line, c.Min.X, y, c.Max.X, y)
		}
	}
	if len(d.X.Categories) > 0 {
		return
	}
	for _, t := range d.x.ticks {
		if x := c.X(d.x.norm(t.Value)); t.Label != "" && c.ContainsX(x) {
			c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
		}
	}
}
