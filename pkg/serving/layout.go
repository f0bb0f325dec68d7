package serving

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Place says where a part of a prompt has to stand.
type Place string

// The places. Parts of one place keep no order among themselves.
const (
	Anywhere Place = ""
	First    Place = "first"
	Last     Place = "last"
)

// Habit is how a part of a prompt behaves from call to call.
type Habit struct {
	Segment string  `json:"segment"`
	Tokens  float64 `json:"tokens"` // mean length
	// Change is the probability that a call finds it changed, independent of
	// the other parts.
	Change float64 `json:"change"`
	// Kept is the share of it in front of a change, which stays the same: 0
	// for what is written anew, 1 for what only grows at its end.
	Kept float64 `json:"kept"`
	// Place is where it has to stand, e.g. a question behind what it is about.
	Place Place `json:"place,omitempty"`
}

// Placed is a part in its place.
type Placed struct {
	Habit
	// Intact is the probability that nothing in front of it has changed.
	Intact float64 `json:"intact"`
	// Prefill is how many of its tokens a call prefills, on average.
	Prefill float64 `json:"prefill_tokens"`
}

// Arrangement is an order of the parts of a prompt.
type Arrangement struct {
	Parts   []Placed `json:"parts"`
	Prefill float64  `json:"prefill_tokens"` // of a call, on average
}

// Arrange puts the parts into the order that prefills least, on average, in a
// cache that keeps the last prompt. A part costs its tokens unless nothing in
// front of it has changed, and then Tokens x Change x (1 - Kept):
//
//	prefill = sum of tokens - sum over parts of intact x tokens x (1 - change x (1 - kept))
//	intact = product of (1 - change) over the parts in front
//
// Two neighbours stand right if the one with the larger
// tokens x (1 - change x (1 - kept)) / change comes first, whatever stands around
// them; so the order by this number is best within each place (an exchange
// argument, as in Smith 1956), and what never changes comes first. Parts that are
// equal in this keep their order.
//
// It leaves out blocks, the tokens that a part grows by (they are prefilled in any
// order), parts that change together, and that a part may be split or turned into
// a log, which is often worth more than any order.
func Arrange(parts []Habit) (Arrangement, error) {
	a, err := InOrder(parts)
	if err != nil {
		return a, err
	}
	order := slices.Clone(parts)
	slices.SortStableFunc(order, func(x, y Habit) int {
		return cmp.Or(cmp.Compare(x.Place.rank(), y.Place.rank()), -cmp.Compare(x.index(), y.index()))
	})
	return InOrder(order)
}

// InOrder is what the parts cost as they stand.
func InOrder(parts []Habit) (Arrangement, error) {
	var a Arrangement
	intact := 1.0
	for i, h := range parts {
		if err := h.check(); err != nil {
			return a, fmt.Errorf("serving: part %d: %w", i, err)
		}
		if slices.ContainsFunc(parts[:i], func(o Habit) bool { return o.Segment == h.Segment }) {
			return a, fmt.Errorf("serving: part %d: %w", i, bad("segment %q: there are two of this name", h.Segment))
		}
		p := Placed{h, intact, h.Tokens - intact*h.reused()}
		a.Parts = append(a.Parts, p)
		a.Prefill += p.Prefill
		intact *= 1 - h.Change
	}
	return a, nil
}

// reused is how many of its tokens are reused if nothing in front has changed.
func (h Habit) reused() float64 { return h.Tokens * (1 - h.Change*(1-h.Kept)) }

func (h Habit) index() float64 {
	if h.Change == 0 {
		return math.Inf(1)
	}
	return h.reused() / h.Change
}

func (h Habit) check() error {
	switch {
	case h.Segment == "":
		return bad("segment: name is empty")
	case !(h.Tokens >= 0 && h.Tokens <= maxTokens):
		return bad("segment %q: tokens %g: want 0 to %d", h.Segment, h.Tokens, maxTokens)
	case !(h.Change >= 0 && h.Change <= 1):
		return bad("segment %q: change %g: want 0 to 1", h.Segment, h.Change)
	case !(h.Kept >= 0 && h.Kept <= 1):
		return bad("segment %q: kept %g: want 0 to 1", h.Segment, h.Kept)
	case h.Place != Anywhere && h.Place != First && h.Place != Last:
		return bad("segment %q: place %q: want %q, %q or %q", h.Segment, h.Place, Anywhere, First, Last)
	}
	return nil
}

func (p Place) rank() int {
	switch p {
	case First:
		return 0
	case Last:
		return 2
	}
	return 1
}
