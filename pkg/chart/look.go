package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// Sizes in CSS pixels: the canvas counts one of gonum's points as one pixel.
const (
	defaultWidth, defaultHeight = 720, 420

	titleSize = vg.Length(17)
	labelSize = vg.Length(13)
	smallSize = vg.Length(12)
	leading   = 1.35 // distance of lines as a multiple of the size

	marginX, marginY = vg.Length(14), vg.Length(12)
)

// The colours have four bits a channel, so that the PNG's palette holds them
// exactly.
var (
	paper  = rgb(0xFFF)
	ink    = rgb(0x222)
	soft   = rgb(0x555) // second-rank text, 7:1 on paper
	axis   = rgb(0x777)
	grid   = rgb(0xDDD)
	accent = rgb(0x222) // reference marks
)

func rgb(hex uint16) color.NRGBA {
	c := func(shift int) uint8 { return uint8(hex>>shift&0xF) * 17 }
	return color.NRGBA{c(8), c(4), c(0), 0xFF}
}

func alpha(c color.NRGBA, a uint8) color.NRGBA {
	c.A = a
	return c
}

// A style tells one series from the others three times: by colour, by dashes
// or hatching, and by the marker.
type style struct {
	color  color.NRGBA // at least 4.5:1 on paper, for text
	tint   color.NRGBA // fill of bars, under the hatching
	dashes []vg.Length
	hatch  hatch
	marker func(at vg.Point, r vg.Length) vg.Path
	hollow bool
}

type hatch int

const (
	solid hatch = iota
	rising
	dotted
	level
	falling
	crossed
	upright
	empty
)

// More series than styles is an error: nobody tells nine lines apart.
var styles = []style{
	{rgb(0x06A), rgb(0x06A), nil, solid, circle, false},
	{rgb(0xC40), rgb(0xFDB), dash(8, 4), rising, square, true},
	{rgb(0x075), rgb(0xBED), dash(2, 3), dotted, triangle, false},
	{rgb(0x938), rgb(0xFDF), dash(10, 3, 2, 3), level, diamond, true},
	{rgb(0x760), rgb(0xFE9), dash(5, 2), falling, wedge, false},
	{rgb(0x444), rgb(0xEEE), dash(14, 4), crossed, cross, false},
	{rgb(0x07A), rgb(0xDEF), dash(2, 2, 8, 2), upright, circle, true},
	{rgb(0xA22), rgb(0xFFF), dash(1, 2), empty, square, false},
}

func dash(ds ...vg.Length) []vg.Length { return ds }

func polygon(at vg.Point, r vg.Length, turn float64, corners int) vg.Path {
	var p vg.Path
	for i := range corners {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
		pt := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
	p.Close()
	return p
}

func circle(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	p.Arc(at, r, 0, 2*math.Pi)
	p.Close()
	return p
}

func square(at vg.Point, r vg.Length) vg.Path   { return polygon(at, r*1.25, math.Pi/4, 4) }
func triangle(at vg.Point, r vg.Length) vg.Path { return polygon(at, r*1.35, math.Pi/2, 3) }
func diamond(at vg.Point, r vg.Length) vg.Path  { return polygon(at, r*1.35, 0, 4) }
func wedge(at vg.Point, r vg.Length) vg.Path    { return polygon(at, r*1.35, -math.Pi/2, 3) }

func cross(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	w := r * 0.4
	corners := []vg.Point{{X: -w, Y: -r}, {X: w, Y: -r}, {X: w, Y: -w}, {X: r, Y: -w}, {X: r, Y: w}, {X: w, Y: w},
		{X: w, Y: r}, {X: -w, Y: r}, {X: -w, Y: w}, {X: -r, Y: w}, {X: -r, Y: -w}, {X: -w, Y: -w}}
	for i, d := range corners {
		pt := vg.Point{X: at.X + d.X, Y: at.Y + d.Y}
		if i == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
	p.Close()
	return p
}
