package playbook

import (
	"strconv"

	"memlab/pkg/serving"
)

// The streams of the ledger: one for each role, since their prompts differ.
const (
	Generating = "generator"
	Reflecting = "reflector"
	Curating   = "curator"
)

// Calls says how the calls of the roles look.
type Calls struct {
	System int `json:"system_tokens"` // instructions, of each role
	// Inline: the curator goes on in the generator's call, as the lecture
	// counts, and what the reflector reads and writes is not counted.
	Inline bool `json:"inline"`
}

// enter keeps the prompts of the three calls.
func (l *Loop) enter(t Task, playbook serving.Segment, s Step, r Reflection, d Delta) error {
	if l.Ledger == nil {
		return nil
	}
	c := calls{l.Ledger, l.Calls, t}
	added := l.tokens(d)
	if l.Calls.Inline {
		return c.add(Generating, serving.Read, c.prompt(Generating, playbook, c.task()), s.Trajectory.Tokens, added)
	}
	if err := c.add(Generating, serving.Read, c.prompt(Generating, playbook, c.task()), s.Trajectory.Tokens); err != nil {
		return err
	}
	if r.Tokens > 0 {
		prompt := c.prompt(Reflecting, c.task(), c.own("trajectory", s.Trajectory.Tokens+s.Feedback.Tokens))
		if err := c.add(Reflecting, serving.Write, prompt, r.Tokens); err != nil {
			return err
		}
	}
	return c.add(Curating, serving.Write, c.prompt(Curating, playbook, c.own("reflection", r.Tokens)), added)
}

// tokens is what the curator writes for a delta: the lines of what it adds and
// updates. Counts come from the marks of the other roles.
func (l *Loop) tokens(d Delta) int {
	n := 0
	for _, op := range d.Ops {
		switch op.Kind {
		case Add:
			b := Bullet{ID: op.ID, Section: op.Section, Text: op.Text}
			if b.ID == "" {
				b.ID = l.Playbook.newID(b.Section)
			}
			n += l.Playbook.tokens(l.Layout.Line(b))
		case Update:
			n += l.Playbook.tokens(l.Layout.Line(Bullet{ID: op.ID, Text: op.Text}))
		}
	}
	return n
}

// calls enters the calls of one task into a ledger.
type calls struct {
	ledger *serving.Ledger
	calls  Calls
	now    Task
}

func (c calls) name() string { return strconv.Itoa(c.now.Number) }

// own is a segment that only this task has.
func (c calls) own(kind string, tokens int) serving.Segment {
	s := serving.Segment{Name: kind}
	if tokens > 0 {
		s.Items = []serving.Item{{Kind: kind, Name: c.name(), Tokens: tokens}}
	}
	return s
}

func (c calls) task() serving.Segment { return c.own("task", c.now.Tokens) }

func (c calls) prompt(role string, rest ...serving.Segment) serving.Prompt {
	return append(serving.Prompt{{Name: "system", Items: []serving.Item{{Kind: "system", Name: role, Tokens: c.calls.System}}}}, rest...)
}

func (c calls) add(role string, phase serving.Phase, p serving.Prompt, outputs ...int) error {
	call := serving.Call{Stream: role, Phase: phase, Purpose: role, Turn: c.now.Number, Prompt: p}
	for i, n := range outputs {
		if n > 0 {
			call.Output = append(call.Output, serving.Item{Kind: "output", Name: role + " " + c.name() + "." + strconv.Itoa(i), Tokens: n})
		}
	}
	return c.ledger.Add(call)
}
