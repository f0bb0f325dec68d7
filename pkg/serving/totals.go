package serving

import (
	"cmp"
	"slices"
)

// Group is the totals of the calls of one stream, phase and purpose.
type Group struct {
	Stream  string `json:"stream"`
	Phase   Phase  `json:"phase"`
	Purpose string `json:"purpose"`
	Totals
}

// Loss is what one cause cost over all calls.
type Loss struct {
	Cause
	Tokens int     `json:"tokens"`
	Share  float64 `json:"share"` // of all prefilled tokens
	Calls  int     `json:"calls"` // in which it had a part
	First  int     `json:"first"` // index of the first of them: since when
}

// Only are the calls that pass, with their totals; embeddings stay out.
func (r Replay) Only(keep func(Served) bool) Replay {
	calls := make([]Served, 0, len(r.Calls))
	for i := range r.Calls {
		if keep(r.Calls[i]) {
			calls = append(calls, r.Calls[i])
		}
	}
	return summarize(r.Options, calls, nil)
}

// Stream are the calls of one stream.
func (r Replay) Stream(name string) Replay {
	return r.Only(func(s Served) bool { return s.Stream == name })
}

// Phase are the totals of one phase, embeddings included.
func (r Replay) Phase(p Phase) Totals {
	var t Totals
	for i := range r.Calls {
		if r.Calls[i].Phase == p {
			t.add(&r.Calls[i])
		}
	}
	for _, e := range r.embeddings {
		if e.Phase == p {
			t.Embedded += e.Texts
		}
	}
	return t
}

// Lost is the prefill of one cause, token by token. An Edit without a segment
// stands for the edits of all segments.
func (r Replay) Lost(c Cause) Loss { return find(r.Causes, c) }

// Blamed is the prefill of one cause by the rule of Served.Blame.
func (r Replay) Blamed(c Cause) Loss { return find(r.Blames, c) }

func find(losses []Loss, c Cause) Loss {
	out := Loss{Cause: c, First: -1}
	for _, l := range losses {
		if l.Cause == c || c == (Cause{Kind: Edit}) && l.Kind == Edit {
			out.Tokens += l.Tokens
			out.Share += l.Share
			out.Calls += l.Calls
			if out.First < 0 || l.First < out.First {
				out.First = l.First
			}
		}
	}
	return out
}

func (t *Totals) add(s *Served) {
	if s.Refused {
		t.Refused++
		return
	}
	t.Calls++
	t.Prompt += s.Prompt
	t.Cached += s.Cached
	t.Prefilled += s.Prefilled
	t.Output += s.Output
	t.Rounding += s.Rounding
}

func summarize(o Options, calls []Served, embeddings []Embedding) Replay {
	r := Replay{Options: o, Calls: calls, embeddings: embeddings}
	for i := range calls {
		s := &calls[i]
		r.Totals.add(s)
		r.group(s.Stream, s.Phase, s.Purpose).add(s)
		if s.Refused {
			continue
		}
		for _, p := range s.Why {
			r.Causes = lose(r.Causes, p, s.Index)
		}
		r.Blames = lose(r.Blames, Part{s.Blame, s.Prefilled}, s.Index)
		for _, w := range s.Where {
			r.where(w)
		}
	}
	for _, e := range embeddings {
		r.Totals.Embedded += e.Texts
		r.group("", e.Phase, e.Purpose).Embedded += e.Texts
	}
	for _, losses := range [][]Loss{r.Causes, r.Blames} {
		for i := range losses {
			losses[i].Share = float64(losses[i].Tokens) / float64(r.Totals.Prefilled)
		}
		slices.SortFunc(losses, func(a, b Loss) int { return a.compare(b.Cause) })
	}
	slices.SortFunc(r.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Stream, b.Stream), -cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Purpose, b.Purpose))
	})
	return r
}

func (r *Replay) group(stream string, phase Phase, purpose string) *Totals {
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Stream == stream && g.Phase == phase && g.Purpose == purpose {
			return &g.Totals
		}
	}
	r.Groups = append(r.Groups, Group{Stream: stream, Phase: phase, Purpose: purpose})
	return &r.Groups[len(r.Groups)-1].Totals
}

func (r *Replay) where(w Where) {
	for i := range r.Where {
		if r.Where[i].Segment == w.Segment {
			r.Where[i].Prompt += w.Prompt
			r.Where[i].Prefilled += w.Prefilled
			return
		}
	}
	r.Where = append(r.Where, w)
}

func lose(losses []Loss, p Part, call int) []Loss {
	if p.Tokens == 0 {
		return losses
	}
	for i := range losses {
		if l := &losses[i]; l.Cause == p.Cause {
			l.Tokens += p.Tokens
			l.Calls++
			return losses
		}
	}
	return append(losses, Loss{Cause: p.Cause, Tokens: p.Tokens, Calls: 1, First: call})
}
