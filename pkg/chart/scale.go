package chart

import (
	"math"

	"gonum.org/v1/plot"
)

// A span is the range of an axis and where its ticks are.
type span struct {
	min, max float64
	log      bool
	ticks    []plot.Tick
}

func (s span) norm(v float64) float64 {
	if s.log {
		return plot.LogScale{}.Normalize(s.min, s.max, v)
	}
	return plot.LinearScale{}.Normalize(s.min, s.max, v)
}

// extent is the range of values met so far.
type extent struct{ min, max float64 }

func newExtent() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) add(values ...float64) {
	for _, v := range values {
		e.min, e.max = math.Min(e.min, v), math.Max(e.max, v)
	}
}

func (f Figure) xExtent() extent {
	e := newExtent()
	for _, s := range f.Series {
		e.add(s.X...)
	}
	for _, m := range f.Marks {
		if m.X != nil {
			e.add(*m.X)
		}
	}
	return e
}

func (f Figure) yExtent() extent {
	e := newExtent()
	stack := make([]float64, len(f.X.Categories))
	for _, s := range f.Series {
		e.add(s.Low...)
		e.add(s.High...)
		if s.Kind.bars() && !f.Y.Log {
			e.add(0)
		}
		if s.Kind != StackedBars {
			e.add(s.Y...)
			continue
		}
		for i, y := range s.Y {
			stack[i] += y
			e.add(stack[i])
		}
	}
	for _, m := range f.Marks {
		if m.Y != nil {
			e.add(*m.Y)
		}
	}
	return e
}

func (f Figure) hasBars() bool {
	for _, s := range f.Series {
		if s.Kind.bars() {
			return true
		}
	}
	return false
}

func (f Figure) spans() (x, y span) {
	if n := len(f.X.Categories); n > 0 {
		x = span{min: -0.5, max: float64(n) - 0.5}
		for i := range n {
			x.ticks = append(x.ticks, plot.Tick{Value: float64(i), Label: f.X.Categories[i]})
		}
	} else {
		x = f.X.span(f.xExtent(), false, 0)
	}
	headroom := 0.0
	if f.hasBars() {
		headroom = 0.07 // for the value above the tallest bar
	}
	return x, f.Y.span(f.yExtent(), true, headroom)
}

// span chooses the range and the ticks of an axis of numbers. A vertical axis
// that almost reaches 0 begins there, and ends at a tick.
func (a Axis) span(e extent, vertical bool, headroom float64) span {
	s := span{min: e.min, max: e.max, log: a.Log}
	var major []float64
	if s.log {
		a.logRange(&s, headroom)
		a.fix(&s)
		major = logTicks(s.min, s.max)
	} else {
		major = a.linearRange(&s, vertical, headroom)
	}
	if len(a.Ticks) > 0 {
		major = a.Ticks
	}
	s.ticks = a.label(major)
	if s.log && len(a.Ticks) == 0 {
		s.ticks = append(s.ticks, minorTicks(s.min, s.max)...)
	}
	return s
}

// fix sets the ends that the axis prescribes.
func (a Axis) fix(s *span) {
	if a.Min != nil {
		s.min = *a.Min
	}
	if a.Max != nil {
		s.max = *a.Max
	}
}

func (a Axis) logRange(s *span, headroom float64) {
	if s.min == s.max {
		s.min, s.max = s.min/2, s.max*2
	}
	room := math.Pow(s.max/s.min, 0.04)
	s.min, s.max = s.min/room, s.max*room*math.Pow(s.max/s.min, headroom)
}

// linearRange sets the ends and returns the ticks.
func (a Axis) linearRange(s *span, vertical bool, headroom float64) []float64 {
	if s.min >= 0 && s.min <= s.max/2 {
		s.min = 0
	}
	if size := math.Max(math.Abs(s.min), math.Abs(s.max)); s.max-s.min <= 1e-9*size {
		room := size * 0.1
		if room == 0 {
			room = 1
		}
		s.min, s.max = s.min-room, s.max+room
	}
	if s.max > 0 {
		s.max += headroom * (s.max - s.min)
	}
	if s.min < 0 {
		s.min -= headroom * (s.max - s.min)
	}
	if !vertical {
		room := 0.02 * (s.max - s.min)
		if s.min != 0 {
			s.min -= room
		}
		s.max += room
	}
	a.fix(s)
	step := tickStep(s.min, s.max, 5)
	if vertical {
		s.min = math.Floor(s.min/step+1e-9) * step
		s.max = math.Ceil(s.max/step-1e-9) * step
		a.fix(s)
	}
	return linearTicks(s.min, s.max, step)
}

// tickStep is the 1, 2 or 5 times a power of ten that parts a range into about
// n pieces.
func tickStep(lo, hi float64, n int) float64 {
	raw := (hi - lo) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*power*1.2 {
			return m * power
		}
	}
	return 10 * power
}

func linearTicks(lo, hi, step float64) []float64 {
	var ticks []float64
	first := math.Ceil(lo/step - 1e-9)
	for k := range 50 { // a bound, for a range below the precision of its numbers
		v := (first + float64(k)) * step
		if v > hi+step*1e-9 {
			break
		}
		ticks = append(ticks, v)
	}
	return ticks
}

// logTicks labels 1, 2 and 5 of each decade where that gives few enough
// ticks, else the decades, else every second, third, ... decade.
func logTicks(lo, hi float64) []float64 {
	const most = 8
	if ticks := decades(lo, hi, 1, 1, 2, 5); len(ticks) <= most {
		if len(ticks) < 3 {
			return linearTicks(lo, hi, tickStep(lo, hi, 5)) // less than a decade
		}
		return ticks
	}
	for every := 1; ; every++ {
		if ticks := decades(lo, hi, every, 1); len(ticks) <= most {
			return ticks
		}
	}
}

func decades(lo, hi float64, every int, multiples ...float64) []float64 {
	var ticks []float64
	first := int(math.Floor(math.Log10(lo)))
	for e := first; e <= int(math.Ceil(math.Log10(hi))); e++ {
		if e%every != 0 {
			continue
		}
		for _, m := range multiples {
			if v := m * math.Pow10(e); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

func minorTicks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for _, v := range decades(lo, hi, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9) {
		ticks = append(ticks, plot.Tick{Value: v})
	}
	return ticks
}

// largest is the labelled number that decides the prefix on a linear axis.
func (s span) largest() float64 {
	largest := 0.0
	for _, t := range s.ticks {
		if t.Label != "" {
			largest = math.Max(largest, math.Abs(t.Value))
		}
	}
	return largest
}

// label writes the ticks: on a linear axis all with the same prefix.
func (a Axis) label(values []float64) []plot.Tick {
	largest := 0.0
	for _, v := range values {
		largest = math.Max(largest, math.Abs(v))
	}
	ticks := make([]plot.Tick, len(values))
	for i, v := range values {
		scale := largest
		if a.Log {
			scale = v
		}
		exp, sign := prefix(scale, a.Unit)
		digits := significant(v/math.Pow10(exp), 6)
		unit := a.Unit
		if !atTick(unit) {
			unit = ""
		}
		text := withUnit(digits, sign, unit)
		if digits == "0" && unit != "%" {
			text = "0" // nothing is nothing in any unit
		}
		ticks[i] = plot.Tick{Value: v, Label: text}
	}
	return ticks
}
