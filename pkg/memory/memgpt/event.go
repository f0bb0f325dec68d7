package memgpt

import (
	"fmt"

	"memlab/pkg/dialogue"
)

// Kind is what makes the model work.
type Kind string

// The kinds of events.
const (
	Message Kind = "message" // of the user, who waits for a reply
	Login   Kind = "login"   // the user is there again
	Timer   Kind = "timer"   // time has passed, nobody is there
	Warning Kind = "warning" // the queue is nearly full, or a message is leaving it
)

// Kinds lists the kinds of events.
func Kinds() []Kind { return []Kind{Message, Login, Timer, Warning} }

// Event is something that happened.
type Event struct {
	Kind Kind `json:"kind"`
	// Message is what the user said, or, of a warning, what is leaving; nil of
	// other events, and of the warning that the queue is nearly full.
	Message *dialogue.Message `json:"message,omitempty"`
	// Query is a question as understood, if the event is one.
	Query *dialogue.Query `json:"query,omitempty"`
	// Text is what a login, a timer or a warning says. For models the time
	// belongs here, at the end of the prompt, and never into the instructions.
	Text string `json:"text,omitempty"`
}

// waits says whether somebody waits for a reply.
func (e *Event) waits() bool { return e.Kind == Message }

// said is the text of the event.
func (e *Event) said() string {
	switch {
	case e.Query != nil && e.Message == nil:
		return e.Query.Text
	case e.Message != nil && e.Kind == Message:
		return e.Message.Text
	}
	return e.Text
}

// about is the id of what the event is about.
func (e *Event) about() string {
	switch {
	case e.Message != nil:
		return e.Message.ID
	case e.Query != nil:
		return e.Query.ID
	}
	return ""
}

func (e *Event) check() error {
	switch {
	case e.Kind == Message && e.Message == nil:
		return fmt.Errorf("memgpt: event %q without a message", e.Kind)
	case e.Kind == Message && e.Message.Role != dialogue.User:
		return fmt.Errorf("memgpt: event %q: message %q is by the %s: want one of the user", e.Kind, e.Message.ID, e.Message.Role)
	case e.Kind == Message, e.Kind == Login, e.Kind == Timer, e.Kind == Warning:
	default:
		return fmt.Errorf("memgpt: event %q: want one of %q", e.Kind, Kinds())
	}
	if e.Kind != Message && (e.Message != nil || e.Query != nil) {
		return fmt.Errorf("memgpt: event %q with a message or a question: want a text only", e.Kind)
	}
	return nil
}
