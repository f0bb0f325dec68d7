package playbook

import (
	"context"
	"fmt"
	"slices"

	"memlab/pkg/costmodel"
	"memlab/pkg/playbook"
	"memlab/pkg/random"
	"memlab/pkg/serving"
)

// Variant is a way of keeping and showing what was learned.
type Variant string

// The variants. All see the same additions under one seed.
const (
	Append   Variant = "append"   // counts are kept beside the prompt
	Counters Variant = "counters" // counts stand in the prompt
	Dedup    Variant = "dedup"    // as append; every so many tasks some bullets go
	Rewrite  Variant = "rewrite"  // the whole text is written anew after each task
)

// Variants lists them.
func Variants() []Variant { return []Variant{Append, Counters, Dedup, Rewrite} }

// Served is a run of the scripted agent with the ledger of its calls.
type Served struct {
	Parameters Parameters `json:"parameters"`
	Variant    Variant    `json:"variant"`
	Seed       int        `json:"seed"`
	// Tokens is the playbook's length in the prompt of each task, End its
	// length after the last one.
	Tokens []int `json:"playbook_tokens"`
	End    int   `json:"end_tokens"`
	// FirstChanged is how many tokens of the playbook stand in front of the
	// first bullet that each task marks.
	FirstChanged []int `json:"first_changed_tokens"`
	// Written is what the curator wrote.
	Written int             `json:"written_tokens"`
	Ledger  *serving.Ledger `json:"-"`
}

// Serve runs the scripted agent, with roles that share a call as in the lecture.
func Serve(p Parameters, seed int, v Variant) (*Served, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if seed < 0 {
		return nil, bad("seed %d: want 0 or more", seed)
	}
	s := &Served{Parameters: p, Variant: v, Seed: seed, Ledger: &serving.Ledger{}}
	layout := playbook.Layout{Counters: v == Counters}
	script, err := playbook.NewScripted(p.script(v), layout, random.Seed(seed))
	if err != nil {
		return nil, err
	}
	calls := playbook.Calls{System: p.System, Inline: true}
	switch v {
	case Append, Counters, Dedup:
		err = s.grow(&playbook.Loop{
			Generator: script, Judge: script, Reflector: script, Curator: script,
			Playbook: playbook.New(nil), Layout: layout, Calls: calls, Ledger: s.Ledger,
		})
	case Rewrite:
		err = s.rewrite(&playbook.SheetLoop{
			Generator: script, Judge: script, Rewriter: script, Calls: calls, Ledger: s.Ledger,
		})
	default:
		err = bad("variant %q: want one of %q", v, Variants())
	}
	return s, err
}

func (s *Served) task(i int) playbook.Task {
	return playbook.Task{Name: fmt.Sprint(i), Tokens: s.Parameters.Task}
}

func (s *Served) grow(l *playbook.Loop) error {
	for i := range s.Parameters.Tasks {
		before := l.Playbook.Bullets()
		step, err := l.Step(context.Background(), s.task(i))
		if err != nil {
			return err
		}
		if len(step.Merge.Problems) > 0 {
			return fmt.Errorf("playbook experiment: task %d: %w", i, step.Merge.Problems[0])
		}
		s.Tokens = append(s.Tokens, step.Tokens)
		s.Written += s.Parameters.Bullet * len(step.Merge.Added)
		s.FirstChanged = append(s.FirstChanged, s.Parameters.Bullet*firstOf(before, step.Trajectory.Used))
	}
	s.End = l.Playbook.Tokens(l.Layout)
	return nil
}

// firstOf is how many bullets stand in front of the first of some, all of them
// where there is none.
func firstOf(bullets []playbook.Bullet, ids []string) int {
	for i, b := range bullets {
		if slices.Contains(ids, b.ID) {
			return i
		}
	}
	return len(bullets)
}

func (s *Served) rewrite(l *playbook.SheetLoop) error {
	for i := range s.Parameters.Tasks {
		step, err := l.Step(context.Background(), s.task(i))
		if err != nil {
			return err
		}
		if step.Truncated != nil {
			return step.Truncated
		}
		s.Tokens = append(s.Tokens, step.Tokens)
		s.Written += step.Written
		s.End = step.NewTokens
	}
	return nil
}

// Figures are the numbers of a run of generator calls.
type Figures struct {
	Totals serving.Totals `json:"totals"`
	// Reuse is the share of the prompt tokens that are cached.
	Reuse  float64        `json:"reuse"`
	Causes []serving.Loss `json:"causes"`
	Bill   serving.Bill   `json:"bill"`
}

// Figures replays the generator's calls through a cache that keeps everything and
// prices them; a nil engine leaves the prices out.
func (s *Served) Figures(block int, e *costmodel.Engine) (Figures, error) {
	return figures(s.Ledger, block, e)
}

func figures(l *serving.Ledger, block int, e *costmodel.Engine) (Figures, error) {
	r, err := l.Replay(serving.Options{Block: block})
	if err != nil {
		return Figures{}, err
	}
	r = r.Stream(playbook.Generating)
	f := Figures{Totals: r.Totals, Reuse: r.Totals.Saved(), Causes: r.Causes}
	if e != nil {
		f.Bill, err = r.Price(e)
	}
	return f, err
}
