package mem0

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"memlab/pkg/memory"
)

// Rates are how often a RuleJudge errs. They are calibrated: the lecture names the
// errors and prints their effect, but not how often its judge makes them.
type Rates struct {
	// Recall is the probability that a stated fact is extracted. Pinned by mem0's
	// accuracy on current values and by two-hop questions through the graph (+.8
	// and +2.2 tolerances for .95).
	Recall float64 `json:"recall"`
	// NoopError is the probability that a new value of a known key is taken for
	// known and dropped. Pinned by mem0g's accuracy on previous values (+1.6
	// tolerances for .02).
	NoopError float64 `json:"noop_error"`
	// AddError is the probability that it is added and the old one stays valid.
	// Pinned by mem0's accuracy on previous values only, at .03 or less (+4.8
	// tolerances for .1): what is not deleted answers such a question.
	AddError float64 `json:"add_error"`
}

// DefaultRates are the calibrated rates.
func DefaultRates() Rates { return Rates{Recall: 0.87, NoopError: 0.13, AddError: 0.01} }

// RuleJudge decides by the ground truth in messages, with errors at stated rates. It
// draws for each message, fact and purpose from a stream of its own, so that mem0 and
// mem0g under one seed make the same errors.
type RuleJudge struct {
	Rates
	// Several reports whether a relation has several values at a time: one more
	// replaces none. Nil: no relation has.
	Several func(relation string) bool

	stream func(names ...string) *rand.Rand
}

// Rule checks the rates.
func Rule(r Rates, stream func(names ...string) *rand.Rand) (*RuleJudge, error) {
	for _, p := range []struct {
		name string
		rate float64
	}{{"recall", r.Recall}, {"NOOP error", r.NoopError}, {"ADD error", r.AddError}, {"NOOP error + ADD error", r.NoopError + r.AddError}} {
		if !(p.rate >= 0 && p.rate <= 1) {
			return nil, bad("%s %g: want a probability, 0 to 1", p.name, p.rate)
		}
	}
	if stream == nil {
		return nil, bad("rule judge without a stream of random numbers")
	}
	return &RuleJudge{Rates: r, stream: stream}, nil
}

// Extract implements Judge: each fact of the messages, with probability Recall.
func (j *RuleJudge) Extract(ctx context.Context, e Extraction) ([]Candidate, error) {
	var out []Candidate
	for _, m := range e.Pair {
		for i, f := range m.Facts {
			if j.stream("judge", "extract", m.ID, strconv.Itoa(i)).Float64() < j.Recall {
				out = append(out, Candidate{Source: m.ID, Fact: f, Text: f.Text})
			}
		}
	}
	return out, ctx.Err()
}

// Update implements Judge. It looks at memories about the same key: one that says the
// same makes a NOOP, none an ADD, another value is replaced unless it errs.
func (j *RuleJudge) Update(ctx context.Context, u Update) ([]Operation, error) {
	f := u.Candidate.Fact
	var old []Operation
	for i := range u.Existing {
		switch e := &u.Existing[i]; {
		case e.Fact.Same(f):
			return []Operation{{Op: NOOP, Index: i}}, ctx.Err()
		case e.Fact.Key() == f.Key():
			old = append(old, Operation{Op: DELETE, Index: i})
		}
	}
	add := Operation{Op: ADD, Index: None}
	if len(old) == 0 || j.Several != nil && j.Several(f.Relation) {
		return []Operation{add}, ctx.Err()
	}
	draw := j.stream("judge", "update", u.ID).Float64()
	switch {
	case draw < j.NoopError:
		return []Operation{{Op: NOOP, Index: None}}, ctx.Err()
	case draw < j.NoopError+j.AddError:
		return []Operation{add}, ctx.Err()
	}
	return append(old, add), ctx.Err()
}

// summaryFacts is how many facts a RuleJudge's summary holds, each of factTokens: a
// stand-in of the length that a paragraph has.
const (
	summaryFacts = 10
	factTokens   = 20
)

// Summarize implements Judge: the last facts that were stated.
func (j *RuleJudge) Summarize(ctx context.Context, d Digest) (string, int, error) {
	var lines []string
	if d.Previous != "" {
		lines = strings.Split(d.Previous, "\n")
	}
	for i := range d.Memories {
		lines = append(lines, d.Memories[i].Text)
	}
	for _, m := range d.Messages {
		for _, f := range m.Facts {
			lines = append(lines, sentence(f.Text, f))
		}
	}
	lines = lines[max(0, len(lines)-summaryFacts):]
	return strings.Join(lines, "\n"), factTokens * len(lines), ctx.Err()
}

// ScriptedJudge gives prepared replies in their order, whatever it is asked.
type ScriptedJudge struct {
	Replies []Reply
	next    int
}

// Reply is one prepared reply; of its fields the one that was asked for counts.
type Reply struct {
	Facts      []Candidate
	Operations []Operation
	Summary    string
	Tokens     int
	Err        error
}

func (j *ScriptedJudge) reply(ctx context.Context) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	if j.next == len(j.Replies) {
		return Reply{}, fmt.Errorf("mem0: the script of %d replies is at its end", len(j.Replies))
	}
	j.next++
	return j.Replies[j.next-1], j.Replies[j.next-1].Err
}

// Extract implements Judge.
func (j *ScriptedJudge) Extract(ctx context.Context, _ Extraction) ([]Candidate, error) {
	r, err := j.reply(ctx)
	return r.Facts, err
}

// Update implements Judge.
func (j *ScriptedJudge) Update(ctx context.Context, _ Update) ([]Operation, error) {
	r, err := j.reply(ctx)
	return r.Operations, err
}

// Summarize implements Judge.
func (j *ScriptedJudge) Summarize(ctx context.Context, _ Digest) (string, int, error) {
	r, err := j.reply(ctx)
	return r.Summary, r.Tokens, err
}

var (
	_ Judge         = (*RuleJudge)(nil)
	_ Judge         = (*ScriptedJudge)(nil)
	_ Judge         = LLMJudge{}
	_ memory.System = (*Memory)(nil)
)
