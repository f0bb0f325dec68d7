package serving

import (
	"slices"

	"memlab/pkg/costmodel"
)

// Difference is how the replay B differs from A: where reuse was lost (or won)
// and what that costs. Changes are B minus A.
type Difference struct {
	A         Totals `json:"a"`
	B         Totals `json:"b"`
	Prefilled int    `json:"prefilled_tokens"`
	// Causes add up to Prefilled, and so do Calls, OnlyA and OnlyB together.
	Causes []CauseChange `json:"causes"`
	Where  []WhereChange `json:"where"`
	// Calls are those of both replays whose prefill differs, the largest
	// difference first. The n-th call of a stream, purpose and turn in A is
	// held against the n-th in B.
	Calls []CallChange `json:"calls"`
	OnlyA Totals       `json:"only_a"` // calls that B does not have
	OnlyB Totals       `json:"only_b"`
	// Prefill and Decode are what the difference costs, if it was priced.
	Prefill costmodel.Seconds `json:"prefill_seconds,omitempty"`
	Decode  costmodel.Seconds `json:"decode_seconds,omitempty"`
}

// CauseChange compares one cause.
type CauseChange struct {
	Cause
	A       int               `json:"a_tokens"`
	B       int               `json:"b_tokens"`
	Tokens  int               `json:"tokens"`
	Prefill costmodel.Seconds `json:"prefill_seconds,omitempty"`
}

// WhereChange compares the prefill of one segment.
type WhereChange struct {
	Segment string `json:"segment"`
	A       int    `json:"a_tokens"`
	B       int    `json:"b_tokens"`
	Tokens  int    `json:"tokens"`
}

// CallChange compares one call.
type CallChange struct {
	A      Served `json:"a"`
	B      Served `json:"b"`
	Tokens int    `json:"tokens"` // prefilled
}

// Compare holds two replays against each other: two layouts of one session, or
// two logs. With an engine the difference is priced as well; nil leaves that out.
func Compare(a, b Replay, e *costmodel.Engine) (Difference, error) {
	d := Difference{A: a.Totals, B: b.Totals, Prefilled: b.Totals.Prefilled - a.Totals.Prefilled}
	for i, losses := range [][]Loss{a.Causes, b.Causes} {
		for _, l := range losses {
			c := d.cause(l.Cause)
			if i == 0 {
				c.A = l.Tokens
			} else {
				c.B = l.Tokens
			}
			c.Tokens = c.B - c.A
		}
	}
	for i, where := range [][]Where{a.Where, b.Where} {
		for _, w := range where {
			c := d.where(w.Segment)
			if i == 0 {
				c.A = w.Prefilled
			} else {
				c.B = w.Prefilled
			}
			c.Tokens = c.B - c.A
		}
	}
	d.match(a.Calls, b.Calls)
	if e != nil {
		if err := d.price(a, b, e); err != nil {
			return d, err
		}
	}
	slices.SortFunc(d.Causes, func(x, y CauseChange) int { return x.compare(y.Cause) })
	return d, nil
}

func (d *Difference) price(a, b Replay, e *costmodel.Engine) error {
	was, err := a.Price(e)
	if err != nil {
		return err
	}
	is, err := b.Price(e)
	if err != nil {
		return err
	}
	d.Prefill, d.Decode = is.Prefill-was.Prefill, is.Decode-was.Decode
	for _, p := range is.Causes {
		d.cause(p.Cause).Prefill = p.Prefill
	}
	for _, p := range was.Causes {
		d.cause(p.Cause).Prefill -= p.Prefill
	}
	return nil
}

func (d *Difference) cause(c Cause) *CauseChange {
	for i := range d.Causes {
		if d.Causes[i].Cause == c {
			return &d.Causes[i]
		}
	}
	d.Causes = append(d.Causes, CauseChange{Cause: c})
	return &d.Causes[len(d.Causes)-1]
}

func (d *Difference) where(segment string) *WhereChange {
	for i := range d.Where {
		if d.Where[i].Segment == segment {
			return &d.Where[i]
		}
	}
	d.Where = append(d.Where, WhereChange{Segment: segment})
	return &d.Where[len(d.Where)-1]
}

func (d *Difference) match(a, b []Served) {
	type key struct {
		tenant, stream, purpose string
		phase                   Phase
		turn                    int
	}
	of := func(s *Served) key { return key{s.Tenant, s.Stream, s.Purpose, s.Phase, s.Turn} }
	open := map[key][]int{} // calls of A that are not matched yet
	for i := range a {
		open[of(&a[i])] = append(open[of(&a[i])], i)
	}
	for i := range b {
		k := of(&b[i])
		if len(open[k]) == 0 {
			d.OnlyB.add(&b[i])
			continue
		}
		x := &a[open[k][0]]
		open[k] = open[k][1:]
		if t := b[i].Prefilled - x.Prefilled; t != 0 {
			d.Calls = append(d.Calls, CallChange{*x, b[i], t})
		}
	}
	for _, rest := range open {
		for _, i := range rest {
			d.OnlyA.add(&a[i])
		}
	}
	slices.SortStableFunc(d.Calls, func(x, y CallChange) int { return abs(y.Tokens) - abs(x.Tokens) })
}

func abs(n int) int { return max(n, -n) }
