package memgpt

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// Rates are how often the rule errs. They are the toy's, and calibrated.
type Rates struct {
	// Notice is the probability that a statement is noticed when it leaves the
	// queue. Taken equal to mem0's extraction; the write calls pin it.
	Notice float64 `json:"p_notice"`
	// MissChange is the probability that a new value of what the working context
	// has is taken for the old one. Taken equal to mem0's NOOP errors.
	MissChange float64 `json:"p_miss_change"`
	// Pages is how many pages of a search are read at most: the model stops
	// before the end. MemGPT's accuracy on previous values pins it.
	Pages int `json:"pages"`
}

// DefaultRates are the calibrated ones.
func DefaultRates() Rates { return Rates{Notice: 0.87, MissChange: 0.13, Pages: 1} }

// RuleJudge decides by a rule, and errs at its rates: the toy has no language
// model. It writes down statements that leave the queue, and answers a question
// from what it sees or else searches. It keeps nothing: what it draws follows from
// a message's id.
type RuleJudge struct {
	rates  Rates
	stream func(names ...string) *rand.Rand
}

// NewRuleJudge checks the rates. Stream draws for one purpose.
func NewRuleJudge(r Rates, stream func(names ...string) *rand.Rand) (*RuleJudge, error) {
	for _, p := range []struct {
		name string
		got  float64
	}{{"p_notice", r.Notice}, {"p_miss_change", r.MissChange}} {
		if !(p.got >= 0 && p.got <= 1) {
			return nil, fmt.Errorf("memgpt: %w: %s %g: want a probability, 0 to 1", ErrOption, p.name, p.got)
		}
	}
	switch {
	case r.Pages < 0:
		return nil, fmt.Errorf("memgpt: %w: pages %d: want 0 or more", ErrOption, r.Pages)
	case stream == nil:
		return nil, fmt.Errorf("memgpt: %w: no stream of random numbers", ErrOption)
	}
	return &RuleJudge{r, stream}, nil
}

// observed is a statement that the rule noticed, and whether it takes a change of it
// for the old value.
type observed struct {
	fact   *dialogue.Fact
	misses bool
}

func (j *RuleJudge) notices(m *dialogue.Message) []observed {
	if len(m.Facts) == 0 {
		return nil
	}
	var out []observed
	draw := j.stream("memgpt", "notice", m.ID)
	for i := range m.Facts {
		noticed, misses := draw.Float64() < j.rates.Notice, draw.Float64() < j.rates.MissChange
		if noticed {
			out = append(out, observed{&m.Facts[i], misses})
		}
	}
	return out
}

// Notices implements Noticer.
func (j *RuleJudge) Notices(m *dialogue.Message) bool { return len(j.notices(m)) > 0 }

// Step implements Judge.
func (j *RuleJudge) Step(_ context.Context, c Context) (Reply, error) {
	switch {
	case c.Event.Query != nil:
		return j.answer(&c)
	case c.Event.Kind == Warning && c.Event.Message != nil:
		return j.write(&c)
	case c.Event.Kind == Message:
		text := "OK."
		if han(c.Event.Message.Text) {
			text = "好的。"
		}
		return called(SendMessage, map[string]any{"message": text})
	}
	return Reply{}, nil
}

// write puts noticed statements into the working context, one in each step. What
// failed is not tried again.
func (j *RuleJudge) write(c *Context) (Reply, error) {
	if slices.ContainsFunc(c.Results, func(r Result) bool { return !r.OK }) {
		return Reply{}, nil
	}
	var name string
	var args map[string]any
	var fact *dialogue.Fact
	for _, o := range j.notices(c.Event.Message) {
		n, a := edit(c, o)
		switch {
		case n == "":
		case name == "":
			name, args, fact = n, a, o.fact
		default:
			args[heartbeat] = true // there is more to write
		}
	}
	if name == "" {
		return Reply{}, nil
	}
	r, err := called(name, args)
	if err == nil {
		r.Calls[0].Fact = fact
	}
	return r, err
}

// edit is what there is to do about a statement; no function if nothing is. An
// entry of the same key takes the new value, unless the change is missed; a new
// key takes a free place or that of the entry which was stated the longest ago.
func edit(c *Context, o observed) (function string, args map[string]any) {
	text := said(o.fact)
	at := slices.IndexFunc(c.Working, func(e memory.Memory) bool { return e.Fact.Key() == o.fact.Key() })
	switch {
	case at >= 0 && slices.Contains(c.Working[at].Sources, c.Event.Message.ID):
		return "", nil // done
	case at >= 0 && o.misses && c.Working[at].Fact.Object != o.fact.Object:
		return "", nil
	case at < 0 && len(c.Working) < c.Entries:
		return WorkingAppend, map[string]any{"text": text}
	case at < 0:
		at = 0
		for i := range c.Working {
			if c.Working[i].Time.Before(c.Working[at].Time) {
				at = i
			}
		}
	}
	return WorkingReplace, map[string]any{"old": c.Working[at].Text, "new": text}
}

func said(f *dialogue.Fact) string {
	if f.Text != "" {
		return f.Text
	}
	return f.String()
}

// answer replies if what is in view answers, even if it is out of date. Else it
// searches for the first step that is missing, a few pages at most, then for the
// next; and replies with what it has.
func (j *RuleJudge) answer(c *Context) (Reply, error) {
	var view memory.Material
	view.Memories = c.Working
	for _, l := range c.Queue {
		if l.Message != nil {
			view.Messages = append(view.Messages, l.Message)
		}
	}
	for i := range c.Results {
		for k := range c.Results[i].Found {
			if msg := c.Results[i].Found[k].message; msg != nil {
				view.Messages = append(view.Messages, msg)
			}
		}
	}
	q := *c.Event.Query
	subject := q.Subject
	for i, relation := range q.Path {
		hop := dialogue.Question{Query: dialogue.Query{
			Subject: subject, Path: []string{relation}, Past: q.Past && i == len(q.Path)-1,
		}}
		if a := (memory.Strict{}).Answer(&hop, &view); a.Said {
			subject = a.Value
			continue
		}
		text := dialogue.Key{Subject: subject, Relation: relation}.Text()
		if page, more := j.searched(c, text, i); more {
			return called(RecallSearch, map[string]any{"query": text, "page": page, heartbeat: true})
		}
		subject = ""
		break
	}
	if subject == "" || len(q.Path) == 0 {
		subject = "I do not know."
		if han(q.Text) {
			subject = "我不知道。"
		}
	}
	return called(SendMessage, map[string]any{"message": subject})
}

// searched is how many pages of a query have been read, and whether more may be
// for this step of the question.
func (j *RuleJudge) searched(c *Context, query string, hop int) (page int, more bool) {
	path := c.Event.Query.Path
	first := dialogue.Key{Subject: c.Event.Query.Subject, Relation: path[0]}.Text()
	read := 0
	more = true
	for i := range c.Results {
		r := &c.Results[i]
		if r.Query == query {
			page++
			more = r.Page+1 < r.Pages
		}
		if !r.OK {
			return 0, false
		}
		if (r.Query == first) == (hop == 0) && strings.HasSuffix(r.Query, path[hop]) {
			read++
		}
	}
	return page, more && read < j.rates.Pages
}

func called(function string, arguments map[string]any) (Reply, error) {
	f, err := NewCall(function, arguments)
	return Call(f), err
}

// han reports Chinese characters.
func han(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
