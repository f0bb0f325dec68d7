package memory

import (
	"fmt"
	"math/rand/v2"
	"time"

	"memlab/pkg/dialogue"
)

// Reader answers a question from material. It may look at the question's ground
// truth only to make a mistake at a stated rate.
type Reader interface {
	Answer(q *dialogue.Question, m *Material) Answer
}

// Answer is what a reader says.
type Answer struct {
	Value string `json:"value,omitempty"`
	Said  bool   `json:"said"` // false: "I do not know"
}

// Strict is the ideal reader: it answers right if what it needs is there.
// The current value is that of the latest statement. The previous value is the
// second of the distinct values ordered by when each was said last, so it needs
// the current one too. Two hops need the current name of the role and a fact about
// that name.
type Strict struct {
	// Guess is the probability that the reader takes something near for what
	// was never said, if the material holds it.
	Guess float64
	// Stream draws for one purpose; needed if Guess is not 0.
	Stream func(names ...string) *rand.Rand
}

// NewStrict checks the rate.
func NewStrict(guess float64, stream func(names ...string) *rand.Rand) (Strict, error) {
	if err := checkRate("guess", guess); err != nil {
		return Strict{}, err
	}
	if guess > 0 && stream == nil {
		return Strict{}, fmt.Errorf("memory: %w: guess %g without a stream of random numbers", ErrRate, guess)
	}
	return Strict{guess, stream}, nil
}

// Answer implements Reader.
func (r Strict) Answer(q *dialogue.Question, m *Material) Answer {
	return r.answer(q, seenIn(m, nil))
}

func (r Strict) answer(q *dialogue.Question, facts []seen) Answer {
	if q.Kind == dialogue.Never && q.Near != nil && r.Guess > 0 {
		near, _ := latest(facts, *q.Near)
		if near != "" && r.Stream("reader", "guess", q.ID).Float64() < r.Guess {
			return Answer{near, true}
		}
	}
	subject := q.Subject
	for i, relation := range q.Path {
		now, before := latest(facts, dialogue.Key{Subject: subject, Relation: relation})
		if i == len(q.Path)-1 && q.Past {
			now = before
		}
		if now == "" {
			return Answer{}
		}
		subject = now
	}
	if len(q.Path) == 0 {
		return Answer{}
	}
	return Answer{subject, true}
}

// seen is a fact before the reader.
type seen struct {
	fact *dialogue.Fact
	time time.Time
}

// seenIn lists the facts of the material; overlooked says which message the
// reader passes over.
func seenIn(m *Material, overlooked func(int) bool) []seen {
	var out []seen
	for i := range m.Memories {
		out = append(out, seen{&m.Memories[i].Fact, m.Memories[i].Time})
	}
	for i, msg := range m.Messages {
		if len(msg.Facts) == 0 || overlooked != nil && overlooked(i) {
			continue
		}
		for j := range msg.Facts {
			out = append(out, seen{&msg.Facts[j], msg.Time})
		}
	}
	return out
}

// latest is the value of a key that was said last, and the one before it; empty
// where there is none.
func latest(facts []seen, k dialogue.Key) (now, before string) {
	var at, earlier time.Time
	for _, s := range facts {
		switch {
		case s.fact.Key() != k:
		case s.fact.Object == now:
			if s.time.After(at) {
				at = s.time
			}
		case now == "" || s.time.After(at):
			now, before, at, earlier = s.fact.Object, now, s.time, at
		case before == "" || s.time.After(earlier):
			before, earlier = s.fact.Object, s.time
		}
	}
	return now, before
}
