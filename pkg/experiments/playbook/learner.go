package playbook

import (
	"context"
	"fmt"

	"memlab/pkg/playbook"
	"memlab/pkg/playbook/toy"
	"memlab/pkg/random"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// Memory is where a learner keeps what it learns.
type Memory string

// The memories.
const (
	Nothing    Memory = "nothing"
	Playbook   Memory = "playbook"   // ACE
	Cheatsheet Memory = "cheatsheet" // Dynamic Cheatsheet
)

// Learner is an agent that learns in the toy, with what is compared. Learners of
// one seed meet the same tasks, rules and draws.
type Learner struct {
	Name   string         `json:"name"`
	World  toy.Parameters `json:"world"`
	Memory Memory         `json:"memory"`
	// Tasks is the length of the stream, Epochs how often it is gone through:
	// 1 is online as well as offline.
	Tasks  int `json:"tasks"`
	Epochs int `json:"epochs"`

	Feedback  toy.Feedback `json:"feedback"`
	Reflector bool         `json:"reflector"`
	Rounds    int          `json:"rounds"` // of reflection
	Brevity   float64      `json:"brevity"`

	Layout playbook.Layout `json:"layout"`
	Budget playbook.Budget `json:"budget"`
	// DedupEvery so many tasks, or Lazy, bullets of at least that cosine are
	// joined; 0 and not lazy is never.
	DedupEvery int     `json:"dedup_every"`
	Lazy       bool    `json:"lazy"`
	Threshold  float64 `json:"threshold"`

	AcceptTruncated bool `json:"accept_truncated"`
	System          int  `json:"system_tokens"` // of the prompts
}

// DefaultLearner is ACE online for 300 tasks with true labels.
func DefaultLearner() Learner {
	return Learner{
		Name: "ACE", World: toy.DefaultParameters(), Memory: Playbook, Tasks: 300, Epochs: 1,
		Feedback: toy.Feedback{Signal: toy.Labels, Silent: 0.3}, Reflector: true, Rounds: 1,
		Threshold: 0.9, System: 500,
	}
}

// Moment is the state after a task.
type Moment struct {
	Bullets int `json:"bullets"` // or lines
	Tokens  int `json:"tokens"`
	// Accuracy is what the context is worth on new tasks, computed.
	Accuracy float64 `json:"accuracy"`
}

// Course is what became of a learner.
type Course struct {
	Learner Learner  `json:"learner"`
	Seed    int      `json:"seed"`
	Before  Moment   `json:"before"`
	Moments []Moment `json:"moments"`
	// Online is the share of tasks that were done right on the way.
	Online float64 `json:"online_accuracy"`

	Joined    int `json:"joined"`          // near duplicates
	Misjoined int `json:"joined_in_error"` // of these, bullets about different things
	Problems  int `json:"problems"`        // operations that could not be applied
	Dropped   int `json:"dropped"`         // by the budget
	Refused   int `json:"refused"`         // truncated rewrites
	Collapses int `json:"collapses"`       // the context lost more than half at once

	Ledger *serving.Ledger `json:"-"`
	text   string
}

// End is the state after the last task.
func (c *Course) End() Moment { return c.Moments[len(c.Moments)-1] }

// Text is the context at the end.
func (c *Course) Text() string { return c.text }

// embedding has so many numbers that unrelated bullets stay far below any
// threshold.
const embedding = 1024

// Learn runs one learner.
func Learn(l Learner, seed int) (*Course, error) {
	if l.Tasks < 1 || l.Epochs < 1 || seed < 0 {
		return nil, bad("tasks %d, epochs %d, seed %d: want 1, 1 and 0 or more", l.Tasks, l.Epochs, seed)
	}
	world, err := toy.NewWorld(l.World, random.Seed(seed))
	if err != nil {
		return nil, err
	}
	agent, err := toy.NewAgent(toy.Agent{
		World: world, Feedback: l.Feedback, Reflector: l.Reflector, Rounds: l.Rounds, Brevity: l.Brevity,
	})
	if err != nil {
		return nil, err
	}
	c := &Course{Learner: l, Seed: seed, Ledger: &serving.Ledger{}, Before: Moment{Accuracy: world.Accuracy(nil)}}
	c.Moments = make([]Moment, 0, l.Tasks*l.Epochs)
	switch l.Memory {
	case Playbook:
		err = c.play(world, agent, true)
	case Nothing:
		err = c.play(world, agent, false)
	case Cheatsheet:
		err = c.sheet(world, agent)
	default:
		err = bad("memory %q: want %q, %q or %q", l.Memory, Playbook, Cheatsheet, Nothing)
	}
	if err != nil {
		return nil, fmt.Errorf("%s, seed %d: %w", l.Name, seed, err)
	}
	c.Online /= float64(len(c.Moments))
	return c, nil
}

func (c *Course) calls() playbook.Calls { return playbook.Calls{System: c.Learner.System} }

func (c *Course) play(w *toy.World, agent *toy.Agent, learns bool) error {
	l := c.Learner
	loop := &playbook.Loop{
		Generator: agent, Judge: agent, Reflector: agent, Curator: agent, Playbook: playbook.New(nil),
		Layout: l.Layout, Budget: l.Budget, Calls: c.calls(), Ledger: c.Ledger,
		Refine: playbook.Refine{Every: l.DedupEvery, Lazy: l.Lazy},
	}
	if !learns {
		loop.Curator = idle{}
	}
	if l.DedupEvery > 0 || l.Lazy {
		e, err := retrieve.NewLexical(embedding)
		if err != nil {
			return err
		}
		if loop.Refine.Deduper, err = playbook.NewDeduper(e, l.Threshold); err != nil {
			return err
		}
	}
	tasks := w.Tasks("learn", l.Tasks)
	for range l.Epochs {
		for _, t := range tasks {
			s, err := loop.Step(context.Background(), t)
			if err != nil {
				return err
			}
			c.Problems += len(s.Merge.Problems)
			for _, j := range s.Joined {
				if kept, ok := loop.Playbook.Get(j.Kept); ok && !w.Agree(kept.Text, j.Gone.Text) {
					c.Misjoined++
				}
			}
			c.Joined += len(s.Joined)
			c.Dropped += len(s.Cut.Dropped)
			after := Moment{loop.Playbook.Len(), loop.Playbook.Tokens(l.Layout), w.Accuracy(loop.Playbook.Bullets())}
			if err := c.note(w, s.Trajectory, after); err != nil {
				return err
			}
		}
	}
	c.text = loop.Playbook.Text()
	return nil
}

func (c *Course) sheet(w *toy.World, agent *toy.Agent) error {
	l := c.Learner
	loop := &playbook.SheetLoop{
		Generator: agent, Judge: agent, Rewriter: agent, AcceptTruncated: l.AcceptTruncated, Calls: c.calls(), Ledger: c.Ledger,
	}
	tasks := w.Tasks("learn", l.Tasks)
	for range l.Epochs {
		for _, t := range tasks {
			s, err := loop.Step(context.Background(), t)
			if err != nil {
				return err
			}
			if s.Refused {
				c.Refused++
			}
			lines := loop.Lines()
			if err := c.note(w, s.Trajectory, Moment{len(lines), s.NewTokens, w.LineAccuracy(lines)}); err != nil {
				return err
			}
		}
	}
	for _, line := range loop.Lines() {
		c.text += line + "\n"
	}
	return nil
}

func (c *Course) note(w *toy.World, t playbook.Trajectory, after Moment) error {
	right, err := w.Right(t)
	if err != nil {
		return err
	}
	if right {
		c.Online++
	}
	if n := len(c.Moments); n > 0 && after.Tokens < c.Moments[n-1].Tokens/2 {
		c.Collapses++
	}
	c.Moments = append(c.Moments, after)
	return nil
}

// idle is a curator that learns nothing.
type idle struct{}

func (idle) Curate(_ context.Context, r playbook.Reflection, _ []playbook.Bullet) (playbook.Delta, error) {
	return playbook.Delta{Task: r.Task.Number}, nil
}

// Figures replays the generator's calls.
func (c *Course) Figures(block int) (Figures, error) { return figures(c.Ledger, block, nil) }
