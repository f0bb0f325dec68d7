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

// why divides the prefilled tokens of a call among their causes. ideal is what a
// cache that keeps everything would have held.
func (l *Ledger) why(r *record, hit, ideal int) (parts []Part, rounding int) {
	parts = make([]Part, 0, 3)
	add := func(c Cause, tokens int) {
		if tokens <= 0 {
			return
		}
		for i := range parts {
			if parts[i].Cause == c {
				parts[i].Tokens += tokens
				return
			}
		}
		parts = append(parts, Part{c, tokens})
	}
	at := hit
	if ideal > at {
		add(Cause{Kind: CapacityMiss}, ideal-at)
		at = ideal
	}
	if r.previous < 0 {
		add(Cause{Kind: FirstVisit}, r.tokens-at)
		return parts, 0
	}
	if r.change.At > at {
		rounding = r.change.At - at
		add(r.change.Cause, rounding)
		at = r.change.At
	}
	if !r.change.Broken {
		add(Cause{Kind: NewContent}, r.tokens-at)
		return parts, rounding
	}
	for _, piece := range r.pieces(l, at) {
		add(l.because(r, piece), piece.tokens)
	}
	return parts, rounding
}

// piece is a run of tokens of one class in one segment.
type piece struct {
	segment span
	class   class
	tokens  int
}

// pieces lists what a changed prompt holds from a token on.
func (r *record) pieces(l *Ledger, from int) []piece {
	var out []piece
	start, segment := r.change.start(l, r), 0
	for i, c := range r.classes {
		item := r.change.item + i
		for r.segments[segment].end <= item {
			segment++
		}
		end := start + l.items[r.items[item]].item.Tokens
		if n := end - max(start, from); n > 0 {
			s := r.segments[segment]
			if k := len(out) - 1; k >= 0 && out[k].class == c && out[k].segment.name == s.name {
				out[k].tokens += n
			} else {
				out = append(out, piece{s, c, n})
			}
		}
		start = end
	}
	return out
}

// start is the token at which the first item begins that is not the same.
func (c change) start(l *Ledger, r *record) int {
	n := 0
	for _, it := range r.items[:c.item] {
		n += l.items[it].item.Tokens
	}
	return n
}

func (l *Ledger) because(r *record, p piece) Cause {
	switch {
	case p.class == known:
		return r.change.Cause
	case p.segment.kind == Snapshot:
		return Cause{Kind: Eviction}
	case p.class == revised:
		return Cause{Edit, p.segment.name}
	default:
		return Cause{Kind: NewContent}
	}
}
