package nestedkv

import "math"

// Rates are what a reader gets right, as probabilities from 0 to 1. Each is
// drawn anew, independently of the others and of the place in the prompt.
type Rates struct {
	// Fixed context: all pairs in one prompt, one reading.

	// Find is that the reading finds the value of the key asked for; else there
	// is no answer.
	Find float64 `json:"find"`
	// Follow is that a reader who holds a value that is a key goes on to its
	// value within the same reading; else the value in hand is the answer.
	Follow float64 `json:"follow"`

	// Paging: the pairs outside the prompt, one lookup per call.

	// Lookup is that a call copies the key right, so that the search finds its
	// pair; else the search finds nothing, which looks like the end of the
	// chain.
	Lookup float64 `json:"lookup"`
	// Stop is that a reader answers with the value just found without looking
	// up whether it is a key.
	Stop float64 `json:"stop"`
}

// Accuracy is the chance of a right answer at a level: every step must go well.
type Accuracy struct {
	Fixed  float64 `json:"fixed"`  // Find x Follow^level
	Paging float64 `json:"paging"` // Lookup^(level+1) x (1-Stop)^level
}

// Accuracy gives the closed forms.
func (r Rates) Accuracy(level int) Accuracy {
	n := float64(level)
	return Accuracy{
		Fixed:  r.Find * math.Pow(r.Follow, n),
		Paging: math.Pow(r.Lookup, n+1) * math.Pow(1-r.Stop, n),
	}
}

// PagingCalls is the mean number of calls of a paged question: one that
// answers, and each of level+2 lookups, the last of which finds that the value
// is no key, if all before it were found and not the last by choice:
// 1 + sum of (Lookup x (1-Stop))^i for i from 0 to level+1.
func (r Rates) PagingCalls(level int) float64 {
	calls, reached := 1.0, 1.0
	for range level + 2 {
		calls += reached
		reached *= r.Lookup * (1 - r.Stop)
	}
	return calls
}

func (r Rates) check() error {
	for _, p := range []struct {
		name  string
		value float64
	}{{"Find", r.Find}, {"Follow", r.Follow}, {"Lookup", r.Lookup}, {"Stop", r.Stop}} {
		if !(p.value >= 0 && p.value <= 1) {
			return fail(ErrConfig, "%s %g: want a probability from 0 to 1", p.name, p.value)
		}
	}
	return nil
}

// Sizes are lengths in tokens.
type Sizes struct {
	Pair     int `json:"pair"`     // one pair in a prompt
	Question int `json:"question"` // the task and the key asked for
	System   int `json:"system"`   // instructions and functions, in each prompt of paging
	Call     int `json:"call"`     // what a lookup adds to the next prompt beside the pair found
}

func (s Sizes) check() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"Pair", s.Pair}, {"Question", s.Question}, {"System", s.System}, {"Call", s.Call}} {
		if n.value < 0 || n.value > maxCount {
			return fail(ErrConfig, "%s of %d tokens: want 0 to %d", n.name, n.value, maxCount)
		}
	}
	return nil
}
