package toy

import (
	"context"
	"fmt"
	"strings"

	"memlab/pkg/playbook"
)

// Signal is where feedback comes from.
type Signal string

// The signals.
const (
	Labels    Signal = "labels"    // whether it was right, and what would have been
	Execution Signal = "execution" // whether it failed
)

// Feedback says what the agent gets to know, and how reliable that is.
type Feedback struct {
	Signal Signal `json:"signal"`
	// Silent is how often a wrong answer runs without an error (Execution).
	Silent float64 `json:"silent"`
	// Error is how often the feedback is false: another label, or failure for
	// success and success for failure.
	Error float64 `json:"error"`
}

// Agent plays all roles in a world.
type Agent struct {
	World    *World
	Feedback Feedback
	// Reflector: trajectories are reflected on, in so many Rounds; without,
	// the curator gets them bare.
	Reflector bool
	Rounds    int
	// Brevity is how often a lesson is made short and general: "work step by
	// step and check the result". It is what an optimizer does that takes
	// brevity for a merit.
	Brevity float64
}

// maxRounds is far beyond the one that teaches anything new.
const maxRounds = 1000

// NewAgent checks the settings.
func NewAgent(a Agent) (*Agent, error) {
	switch {
	case a.World == nil:
		return nil, bad("no world")
	case a.Feedback.Signal != Labels && a.Feedback.Signal != Execution:
		return nil, bad("signal %q: want %q or %q", a.Feedback.Signal, Labels, Execution)
	case a.Reflector && (a.Rounds < 1 || a.Rounds > maxRounds):
		return nil, bad("rounds %d: want 1 to %d with a reflector", a.Rounds, maxRounds)
	}
	for _, f := range []struct {
		name string
		got  float64
	}{{"silent", a.Feedback.Silent}, {"error", a.Feedback.Error}, {"brevity", a.Brevity}} {
		if !(f.got >= 0 && f.got <= 1) {
			return nil, bad("%s %g: want 0 to 1", f.name, f.got)
		}
	}
	return &a, nil
}

// What a trajectory begins with: how the agent came to its answer.
const (
	guessed  = "Without a rule: "
	byRule   = "By a rule: "
	asBefore = "As in the same case: "
)

// Generate follows the rule for the situation if the bullets have one, else it
// guesses, perhaps led astray.
func (a *Agent) Generate(_ context.Context, t playbook.Task, bullets []playbook.Bullet) (playbook.Trajectory, error) {
	out := playbook.Trajectory{Task: t, Tokens: a.World.parameters.Output}
	situation, err := a.World.situation(t)
	if err != nil {
		return out, err
	}
	p, c, r := a.World.parameters, a.World.digest(bullets), a.World.dice("generate", t.Number)
	follow, stray, guess := r.Float64(), r.Float64(), r.Float64()
	right := a.World.rules[situation]
	wrong, bare := a.World.other(r, right), r.Float64()

	base := p.Base
	if c.generics[situation/p.Details] {
		base += p.Generic
	}
	action := wrong
	if guess < base {
		action = right
	}
	if len(c.bare) > 0 && stray < p.Astray {
		action = c.bare[int(bare*float64(len(c.bare)))]
	}
	out.Text = guessed
	s, again := c.cases[t.Name]
	if !again {
		s = c.rules[situation]
	}
	if s.said && follow < p.Known {
		action = s.action
		if s.id != "" {
			out.Used = []string{s.id}
		}
		out.Text = byRule
		if again {
			out.Text = asBefore
		}
	}
	out.Answer = actions[action]
	out.Text += out.Answer
	return out, nil
}

// Judge gives the feedback, which may be false.
func (a *Agent) Judge(_ context.Context, t playbook.Trajectory) (playbook.Feedback, error) {
	out := playbook.Feedback{Known: true, Tokens: a.World.parameters.Message}
	situation, err := a.World.situation(t.Task)
	if err != nil {
		return out, err
	}
	r := a.World.dice("judge", t.Task.Number)
	lies, silent := r.Float64() < a.Feedback.Error, r.Float64() < a.Feedback.Silent
	right := a.World.rules[situation]
	if a.Feedback.Signal == Labels {
		if lies {
			right = a.World.other(r, right)
		}
		out.Answer = actions[right]
		out.Correct = t.Answer == out.Answer
		return out, nil
	}
	out.Correct = (t.Answer == actions[right] || silent) != lies
	return out, nil
}

// Reflect marks the bullets that were used and draws a lesson: from a label what
// it says, from success what was done, from a failure without a label a guess of
// what else might be right. Success by a rule teaches nothing; success by what is
// known of the very case is another chance to see the rule in it.
func (a *Agent) Reflect(_ context.Context, t playbook.Trajectory, f playbook.Feedback) (playbook.Reflection, error) {
	out := playbook.Reflection{Task: t.Task}
	if a.Reflector {
		out.Tokens = a.Rounds * a.World.parameters.Reflection
	}
	for _, id := range t.Used {
		out.Marks = append(out.Marks, playbook.Mark{ID: id, Helpful: f.Correct, Harmful: !f.Correct})
	}
	if f.Correct && strings.HasPrefix(t.Text, byRule) {
		return out, nil // it is known
	}
	lesson, err := a.lesson(t, f)
	if err != nil {
		return out, err
	}
	out.Lessons = []playbook.Lesson{lesson}
	return out, nil
}

func (a *Agent) lesson(t playbook.Trajectory, f playbook.Feedback) (playbook.Lesson, error) {
	situation, err := a.World.situation(t.Task)
	if err != nil {
		return playbook.Lesson{}, err
	}
	r := a.World.dice("reflect", t.Task.Number)
	brief, phrasing, instead := r.Float64(), r.IntN(phrasings), a.World.other(r, max(0, actionOf(t.Answer)))
	action, section := actionOf(f.Answer), Strategies
	if action < 0 {
		action = actionOf(t.Answer)
		if !f.Correct {
			action = instead
		}
	}
	if action < 0 || action >= a.World.parameters.Actions {
		return playbook.Lesson{}, fmt.Errorf("toy: task %q: answer %q is none of the %d actions of this world", t.Task.Name, t.Answer, a.World.parameters.Actions)
	}
	if !f.Correct {
		section = Mistakes
	}
	kind, detail := situation/a.World.parameters.Details, situation%a.World.parameters.Details
	general := r.Float64() < a.World.parameters.Raw
	if a.Reflector {
		general = false
		for range a.Rounds {
			general = general || r.Float64() < a.World.parameters.Reflect
		}
	}
	switch {
	case brief < a.Brevity:
		return playbook.Lesson{Section: Strategies, Text: genericText(kind)}, nil
	case !general:
		return playbook.Lesson{Section: Cases, Text: caseText(t.Task.Name, kind, action)}, nil
	}
	return playbook.Lesson{Section: section, Text: ruleText(kind, detail, action, phrasing)}, nil
}
