package chart

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Lang is a language in which a figure is drawn.
type Lang string

// The languages of the lab.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// ErrLang is returned for a language other than [English] and [Chinese].
var ErrLang = errors.New("unknown language")

func (l Lang) check() error {
	if l != English && l != Chinese {
		return fmt.Errorf("chart: %w %q: want %q or %q", ErrLang, string(l), English, Chinese)
	}
	return nil
}

// A Figure is what a picture shows. All its text is English: a label, a name
// or a category that is no number, unit or proper name needs an entry in the
// catalogue before it can be drawn in Chinese.
type Figure struct {
	Title   string
	X, Y    Axis
	Series  []Series
	Marks   []Mark
	Caption string // one or two sentences below the plot
	// Width and Height are the size of the plot without its caption in CSS
	// pixels; 0 stands for 720 and 420, the width of a JupyterLab cell.
	Width, Height int
}

// An Axis says what its numbers are.
type Axis struct {
	Label string
	// Unit is written at the ticks where it takes SI prefixes (s, B, FLOP,
	// B/s, FLOP/s, W, Hz) or is a sign (%, ×), and else behind the label.
	// Values are in the bare unit: 16e9 of "B" is written "16 GB".
	Unit string
	Log  bool
	// Min and Max fix the ends of the axis; nil lets the data choose. Data
	// outside is an error, never cut off. On Y, bars hold 0 in the range.
	Min, Max *float64
	// Ticks places the labelled ticks; empty lets the range choose.
	Ticks []float64
	// Categories name the places 0, 1, 2, ... of the X axis, for bars.
	Categories []string
}

// A Kind is the way a series is drawn.
type Kind int

// The kinds of series. Bars stand beside each other, StackedBars on top of
// each other; both need Categories on the X axis.
const (
	Line Kind = iota
	Points
	Bars
	StackedBars
)

func (k Kind) String() string {
	switch k {
	case Line:
		return "line"
	case Points:
		return "points"
	case Bars:
		return "bars"
	case StackedBars:
		return "stacked bars"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

func (k Kind) bars() bool { return k == Bars || k == StackedBars }

// A Series is one line, cloud of points or set of bars.
type Series struct {
	Name string
	Kind Kind
	// X is left empty when the X axis has Categories: Y then has one value
	// for each of them.
	X, Y []float64
	// Low and High bound each Y, as a band around a line and as error bars
	// at points and bars; either both or none.
	Low, High []float64
}

// A Mark is a labelled reference: a vertical line when only X is given, a
// horizontal line when only Y is, a point when both are. An X on an axis with
// Categories counts them from 0.
type Mark struct {
	Label string
	X, Y  *float64
}

// A Picture is a rendered figure. The same figure in the same language gives
// the same bytes; Data does not depend on the language.
type Picture struct {
	SVG           []byte
	PNG           []byte // twice as many pixels as Width x Height, for sharp screens
	Alt           string // what the figure shows, in words, several lines
	Data          json.RawMessage
	Width, Height int // size in CSS pixels at which it is meant to be shown
}
