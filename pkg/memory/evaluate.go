package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/serving"
)

// Run is what came of one dialogue.
type Run struct {
	Outcomes []Outcome `json:"outcomes"`
	Write    []Spent   `json:"write"`
	Read     []Spent   `json:"read"`
}

// Outcome is what came of one question.
type Outcome struct {
	Question *dialogue.Question `json:"question"`
	Answer   Answer             `json:"answer"`
	Right    bool               `json:"right"`
	Fate     Fate               `json:"fate,omitzero"` // of a wrong answer: the step that lost it
	Tokens   int                `json:"tokens"`        // read for the question
	Calls    int                `json:"calls"`
}

// Write gives the whole dialogue to a system.
func Write(ctx context.Context, d *dialogue.Dialogue, s System) error {
	for i := range d.Messages {
		if err := s.Write(ctx, &d.Messages[i]); err != nil {
			return fmt.Errorf("memory: dialogue %q: message %q: %w", d.Name, d.Messages[i].ID, err)
		}
	}
	if err := s.Finish(ctx); err != nil {
		return fmt.Errorf("memory: dialogue %q: after the last message: %w", d.Name, err)
	}
	return nil
}

// Evaluate writes a dialogue into a fresh system and asks its questions. The
// account is the one that the system records in.
func Evaluate(ctx context.Context, d *dialogue.Dialogue, s System, a *Account, r Reader) (Run, error) {
	if err := given(d, s, r); err != nil {
		return Run{}, err
	}
	if a == nil {
		return Run{}, errors.New("memory: account is nil: want the one that the system records in")
	}
	if err := d.Check(); err != nil {
		return Run{}, err
	}
	if err := Write(ctx, d, s); err != nil {
		return Run{}, err
	}
	run, err := Ask(ctx, d, s, r)
	for _, spent := range a.Spent() {
		if spent.Phase == serving.Write {
			run.Write = append(run.Write, spent)
		} else {
			run.Read = append(run.Read, spent)
		}
	}
	return run, err
}

// Ask asks the questions of a dialogue that has been written. An answer is right
// if it is the question's; to what was never said, if it is that nobody said it.
func Ask(ctx context.Context, d *dialogue.Dialogue, s System, r Reader) (Run, error) {
	if err := given(d, s, r); err != nil {
		return Run{}, err
	}
	times := make(map[string]time.Time, len(d.Messages))
	for i := range d.Messages {
		times[d.Messages[i].ID] = d.Messages[i].Time
	}
	run := Run{Outcomes: make([]Outcome, 0, len(d.Questions))}
	for i := range d.Questions {
		q := &d.Questions[i]
		if err := ctx.Err(); err != nil {
			return run, fmt.Errorf("memory: dialogue %q: question %q: %w", d.Name, q.ID, err)
		}
		m, err := s.Read(ctx, q.Query)
		if err != nil {
			return run, fmt.Errorf("memory: dialogue %q: question %q: %w", d.Name, q.ID, err)
		}
		o := Outcome{Question: q, Answer: r.Answer(q, &m), Tokens: m.Tokens, Calls: m.Calls}
		o.Right = o.Answer.Said == (q.Kind != dialogue.Never) && o.Answer.Value == q.Answer
		if !o.Right {
			o.Fate = attribute(q, &m, s, times)
		}
		run.Outcomes = append(run.Outcomes, o)
	}
	return run, nil
}

// given says which of those that it takes to ask is missing.
func given(d *dialogue.Dialogue, s System, r Reader) error {
	switch {
	case d == nil:
		return errors.New("memory: dialogue is nil")
	case s == nil:
		return errors.New("memory: system is nil")
	case r == nil:
		return errors.New("memory: reader is nil: want who answers, for example Strict")
	}
	return nil
}
