package playbook

import (
	"context"
	"fmt"

	"memlab/pkg/serving"
)

// Refine says when near duplicates are joined. The zero value is never.
type Refine struct {
	Deduper *Deduper `json:"-"`
	// Every so many tasks; 1 is after each.
	Every int `json:"every"`
	// Lazy: only when the playbook overflows its budget, before anything is
	// dropped.
	Lazy bool `json:"lazy"`
}

// Loop runs generator, reflector and curator over tasks, and keeps the prompts of
// all calls. Its fields are not to be changed after the first step.
type Loop struct {
	Generator Generator
	Judge     Judge
	Reflector Reflector
	Curator   Curator

	Playbook *Playbook
	Layout   Layout
	Refine   Refine
	Budget   Budget // Fixed is set to what the prompt has beside the playbook
	Calls    Calls
	Ledger   *serving.Ledger // nil: none is kept

	tasks int
}

// Step is what became of one task.
type Step struct {
	Trajectory Trajectory `json:"trajectory"`
	Feedback   Feedback   `json:"feedback"`
	// Bullets and Tokens are the playbook's before the task.
	Bullets   int      `json:"bullets"`
	Tokens    int      `json:"playbook_tokens"`
	Merge     Report   `json:"merge"`
	Joined    []Pair   `json:"joined,omitempty"`
	NotJoined []string `json:"not_joined,omitempty"` // cannot be embedded
	Cut       Cut      `json:"cut"`
}

// Step does a task and learns from it. What it returns beside an error has
// happened: bullets that a longer task left no room for have gone whatever came
// after, and if the deduplication fails the delta is merged already.
func (l *Loop) Step(ctx context.Context, t Task) (Step, error) {
	if err := l.check(); err != nil {
		return Step{}, err
	}
	t.Number = l.tasks
	s, err := l.step(ctx, t)
	if err != nil {
		return s, fmt.Errorf("playbook: task %d: %w", t.Number, err)
	}
	l.tasks++
	return s, nil
}

// Online does each task once and learns as it goes.
func (l *Loop) Online(ctx context.Context, tasks []Task) ([]Step, error) {
	return l.Offline(ctx, tasks, 1)
}

// Offline goes through the tasks several times. What it is worth shows on other
// tasks, with Try.
func (l *Loop) Offline(ctx context.Context, tasks []Task, epochs int) ([]Step, error) {
	if epochs < 1 {
		return nil, fail(ErrOption, "epochs %d: want 1 or more", epochs)
	}
	var steps []Step
	for range epochs {
		for _, t := range tasks {
			s, err := l.Step(ctx, t)
			if err != nil {
				return steps, err
			}
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// Try does a task and learns nothing. It is not in the ledger.
func (l *Loop) Try(ctx context.Context, t Task) (Trajectory, error) {
	if err := l.check(); err != nil {
		return Trajectory{}, err
	}
	return l.Generator.Generate(ctx, t, l.shown(l.Playbook.Bullets()))
}

func (l *Loop) check() error {
	for _, f := range []struct {
		name string
		is   bool
	}{
		{"generator", l.Generator != nil}, {"judge", l.Judge != nil}, {"reflector", l.Reflector != nil},
		{"curator", l.Curator != nil}, {"playbook", l.Playbook != nil},
	} {
		if !f.is {
			return fail(ErrOption, "loop: no %s", f.name)
		}
	}
	if l.Refine.Every < 0 || (l.Refine.Every > 0 || l.Refine.Lazy) && l.Refine.Deduper == nil {
		return fail(ErrOption, "loop: refine every %d, lazy %v, deduper %v: want 0 or more, and a deduper where it is used",
			l.Refine.Every, l.Refine.Lazy, l.Refine.Deduper != nil)
	}
	if l.Calls.System < 1 {
		return fail(ErrOption, "loop: system_tokens %d: want 1 or more", l.Calls.System)
	}
	return nil
}

// shown are the bullets as the generator sees them.
func (l *Loop) shown(bullets []Bullet) []Bullet {
	if l.Layout.Counters {
		return bullets
	}
	out := make([]Bullet, len(bullets))
	for i, b := range bullets {
		b.Helpful, b.Harmful = 0, 0
		out[i] = b
	}
	return out
}

func (l *Loop) step(ctx context.Context, t Task) (s Step, err error) {
	if err := notNegative(t.Tokens); err != nil {
		return s, err
	}
	budget := l.Budget
	budget.Fixed = l.Calls.System + t.Tokens
	if _, err := budget.Room(); err != nil {
		return s, err
	}
	// A longer task than the last may leave less room.
	if s.Cut, err = l.Playbook.Fit(budget, l.Layout); err != nil {
		return s, err
	}
	bullets, segment := l.Playbook.Bullets(), l.Playbook.Prompt(l.Layout)
	s.Bullets, s.Tokens = len(bullets), segment.Tokens()
	if s.Trajectory, err = l.Generator.Generate(ctx, t, l.shown(bullets)); err != nil {
		return s, err
	}
	if s.Feedback, err = l.Judge.Judge(ctx, s.Trajectory); err != nil {
		return s, err
	}
	reflection, err := l.Reflector.Reflect(ctx, s.Trajectory, s.Feedback)
	if err != nil {
		return s, err
	}
	if err := notNegative(s.Trajectory.Tokens, s.Feedback.Tokens, reflection.Tokens); err != nil {
		return s, err
	}
	delta, err := l.Curator.Curate(ctx, reflection, bullets)
	if err != nil {
		return s, err
	}
	if err := l.enter(t, segment, s, reflection, delta); err != nil {
		return s, err
	}
	s.Merge = l.Playbook.Merge(delta)
	return s, l.refine(ctx, t.Number, budget, &s)
}

func (l *Loop) refine(ctx context.Context, task int, budget Budget, s *Step) error {
	room, err := budget.Room()
	if err != nil {
		return err
	}
	due := l.Refine.Every > 0 && (task+1)%l.Refine.Every == 0 ||
		l.Refine.Lazy && budget.Tokens > 0 && l.Playbook.Tokens(l.Layout) > room
	if due {
		if s.Joined, s.NotJoined, err = l.Playbook.Dedup(ctx, l.Refine.Deduper); err != nil {
			return err
		}
	}
	cut, err := l.Playbook.Fit(budget, l.Layout)
	if len(s.Cut.Dropped) > 0 { // before the task
		cut.Before, cut.Dropped = s.Cut.Before, append(s.Cut.Dropped, cut.Dropped...)
	}
	s.Cut = cut
	return err
}

// notNegative checks the lengths that the roles tell.
func notNegative(tokens ...int) error {
	for _, n := range tokens {
		if n < 0 {
			return fail(ErrOption, "tokens %d of a task, trajectory, feedback or reflection: want 0 or more", n)
		}
	}
	return nil
}
