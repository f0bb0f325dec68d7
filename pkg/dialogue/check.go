package dialogue

import (
	"errors"
	"fmt"
)

// ErrDialogue is the kind of every error about a dialogue that cannot be, e.g.
// one without messages.
var ErrDialogue = errors.New("bad dialogue")

// MaxTokens is the longest message that may be: far beyond sense, and short enough
// that the sum over a dialogue stays an int.
const MaxTokens = 1 << 30

// Check says what is wrong with a message that is to be remembered.
func (m *Message) Check() error {
	switch {
	case m == nil:
		return fmt.Errorf("%w: message is nil", ErrDialogue)
	case m.ID == "":
		return fmt.Errorf("%w: message without an id: want one of its own", ErrDialogue)
	case m.Tokens < 1 || m.Tokens > MaxTokens:
		return fmt.Errorf("%w: message %q: tokens %d: want 1 to %d", ErrDialogue, m.ID, m.Tokens, MaxTokens)
	}
	return nil
}

// Check says everything that is wrong with a dialogue.
func (d *Dialogue) Check() error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("dialogue %q: %w: %w", d.Name, ErrDialogue, fmt.Errorf(format, args...)))
	}
	if len(d.Messages) == 0 {
		bad("no messages: want 1 or more")
	}
	known := make(map[string]bool, len(d.Messages))
	for i := range d.Messages {
		m := &d.Messages[i]
		switch {
		case m.ID == "":
			bad("message %d: id is empty", i)
		case known[m.ID]:
			bad("message %d: id %q is taken by an earlier message", i, m.ID)
		case m.Role != User && m.Role != Assistant:
			bad("message %q: role %q: want %q or %q", m.ID, m.Role, User, Assistant)
		case m.Tokens < 1 || m.Tokens > MaxTokens:
			bad("message %q: tokens %d: want 1 to %d", m.ID, m.Tokens, MaxTokens)
		case i > 0 && m.Session < d.Messages[i-1].Session:
			bad("message %q: session %d after session %d: want sessions in order", m.ID, m.Session, d.Messages[i-1].Session)
		}
		known[m.ID] = true
	}
	asked := make(map[string]bool, len(d.Questions))
	for i := range d.Questions {
		q := &d.Questions[i]
		if q.ID == "" || asked[q.ID] {
			bad("question %d: id %q: want one of its own", i, q.ID)
		}
		asked[q.ID] = true
		if err := q.check(known); err != nil {
			bad("question %q: %w", q.ID, err)
		}
	}
	return errors.Join(problems...)
}

func (q *Question) check(messages map[string]bool) error {
	if q.Kind == "" {
		return errors.New("kind is empty: want what it asks for")
	}
	for i, n := range q.Needs {
		if len(n.Messages) == 0 {
			return fmt.Errorf("need %d (%s): no message states it", i, n.Fact)
		}
		for _, id := range n.Messages {
			if !messages[id] {
				return fmt.Errorf("need %d (%s): message %q does not exist", i, n.Fact, id)
			}
		}
	}
	return nil
}
