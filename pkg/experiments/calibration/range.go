package calibration

import (
	"fmt"
	"math"

	"memlab/pkg/experiments/calibration/stored"
)

// knob is a free parameter of an experiment with parameters P: the range that it
// may come from before anybody has looked at the lecture's numbers, and how to set
// it.
type knob[P any] struct {
	stored.Range
	get func(P) float64
	set func(*P, float64)
}

// linear is a parameter that takes any number of its range, logarithmic one whose
// order of magnitude is uncertain, whole one that takes whole numbers.
func linear[P any, F ~float64](name string, low, high float64, means string, field func(*P) *F) knob[P] {
	return knob[P]{
		stored.Range{Name: name, Low: low, High: high, Scale: stored.Linear, Means: means},
		func(p P) float64 { return float64(*field(&p)) },
		func(p *P, x float64) { *field(p) = F(x) },
	}
}

func logarithmic[P any, F ~float64](name string, low, high float64, means string, field func(*P) *F) knob[P] {
	k := linear(name, low, high, means, field)
	k.Scale = stored.Log
	return k
}

func whole[P any](name string, low, high float64, means string, field func(*P) *int) knob[P] {
	return knob[P]{
		stored.Range{Name: name, Low: low, High: high, Scale: stored.Whole, Means: means},
		func(p P) float64 { return float64(*field(&p)) },
		func(p *P, x float64) { *field(p) = int(x) },
	}
}

// value is the place in a range of a number from 0 to 1; equal numbers of draws
// fall on equal parts of the scale. A number outside is folded back at the end that
// it passed, so that a search may step over it.
func value(r stored.Range, u float64) float64 {
	u = math.Abs(math.Mod(u, 2)) // a wave of period 2: up to 1, and down again
	if u > 1 {
		u = 2 - u
	}
	switch r.Scale {
	case stored.Log:
		return math.Exp(math.Log(r.Low) + u*(math.Log(r.High)-math.Log(r.Low)))
	case stored.Whole:
		return min(r.High, math.Floor(r.Low+u*(r.High-r.Low+1)))
	}
	return r.Low + u*(r.High-r.Low)
}

// checkRange is for what this package writes down itself: a range that does not
// hold its default is a slip of ours.
func checkRange(r stored.Range) error {
	switch {
	case !(r.Low < r.High) || math.IsInf(r.High-r.Low, 0):
		return fmt.Errorf("%s: range %g to %g: want a smaller number first", r.Name, r.Low, r.High)
	case r.Scale == stored.Log && !(r.Low > 0):
		return fmt.Errorf("%s: range %g to %g: want positive numbers on a log scale", r.Name, r.Low, r.High)
	case !(r.Default >= r.Low && r.Default <= r.High):
		return fmt.Errorf("%s: range %g to %g does not hold the default %g", r.Name, r.Low, r.High, r.Default)
	case r.Means == "":
		return fmt.Errorf("%s: want a sentence on what the range stands for", r.Name)
	}
	return nil
}
