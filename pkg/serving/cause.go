package serving

import "cmp"

// CauseKind says why a token had to be prefilled.
type CauseKind string

// The five kinds of causes. Each prefilled token has exactly one: a capacity
// miss, if a cache that keeps everything would have had it; else a first visit,
// in the first call of a stream; else, in a prompt that only goes on, new
// content; else the content decides. Text that was in no earlier prompt of the
// stream is new content, a new version of something is an edit of its segment,
// and text that was computed before fell behind the prompt's first change, so that
// this change's edit or eviction is the cause. What stands in a snapshot is the
// eviction's in either case. Tokens of an incomplete block before the change go
// with what follows them.
const (
	NewContent   CauseKind = "new content"
	Edit         CauseKind = "edit" // of a named segment
	Eviction     CauseKind = "eviction"
	FirstVisit   CauseKind = "first visit"
	CapacityMiss CauseKind = "capacity miss"
)

// Cause is why a token had to be prefilled.
type Cause struct {
	Kind    CauseKind `json:"kind"`
	Segment string    `json:"segment,omitempty"` // of an edit
}

// String reads like "edit of working context".
func (c Cause) String() string {
	if c.Segment == "" {
		return string(c.Kind)
	}
	return string(c.Kind) + " of " + c.Segment
}

func (c Cause) compare(o Cause) int {
	return cmp.Or(cmp.Compare(order[c.Kind], order[o.Kind]), cmp.Compare(c.Segment, o.Segment))
}

var order = map[CauseKind]int{NewContent: 0, Edit: 1, Eviction: 2, FirstVisit: 3, CapacityMiss: 4}

// Part is the share of a call's prefill that one cause has.
type Part struct {
	Cause
	Tokens int `json:"tokens"`
}

// explain divides the prefilled tokens of a call among their causes. ideal is
// what a cache that keeps everything would have held.
func (l *Ledger) explain(s *Served, r *record, ideal int) {
	at := s.Cached
	if ideal > at {
		s.because(Cause{Kind: CapacityMiss}, ideal-at)
		at = ideal
	}
	if r.previous < 0 {
		s.because(Cause{Kind: FirstVisit}, r.tokens-at)
		return
	}
	if r.change.At > at {
		s.Rounding = r.change.At - at
		s.because(r.change.Cause, s.Rounding)
		at = r.change.At
	}
	if !r.change.Broken {
		s.because(Cause{Kind: NewContent}, r.tokens-at)
		return
	}
	start, segment := r.change.start, 0
	for i, c := range r.classes {
		item := r.change.item + i
		for r.segments[segment].end <= item {
			segment++
		}
		end := start + l.items[r.items[item]].item.Tokens
		s.because(r.cause(c, r.segments[segment]), end-max(start, at))
		start = end
	}
}

// cause is why an item behind the first change was prefilled.
func (r *record) cause(c class, in span) Cause {
	switch {
	case c == known:
		return r.change.Cause
	case in.kind == Snapshot:
		return Cause{Kind: Eviction}
	case c == revised:
		return Cause{Edit, in.name}
	default:
		return Cause{Kind: NewContent}
	}
}

func (s *Served) because(c Cause, tokens int) {
	if tokens <= 0 {
		return
	}
	for i := range s.Why {
		if s.Why[i].Cause == c {
			s.Why[i].Tokens += tokens
			return
		}
	}
	s.Why = append(s.Why, Part{c, tokens})
}
