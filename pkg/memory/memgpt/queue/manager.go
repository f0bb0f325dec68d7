package queue

import (
	"fmt"
	"slices"

	"memlab/pkg/serving"
)

// Message is an entry of the queue: what somebody said, a function call with its
// result, or a warning. Messages of one turn stay together under Share.
type Message struct {
	Turn  int            `json:"turn"`
	Items []serving.Item `json:"items"`
}

// Tokens is the length of the message.
func (m Message) Tokens() int { return serving.Tokens(m.Items) }

// Manager is a queue at work; New makes one. It is not safe for concurrent use.
type Manager struct {
	config Config
	system int // tokens

	entries []serving.Item // of the working context, edits included
	shown   []serving.Item // fixed part and entries, as the prompt has them
	working int            // tokens of shown

	messages []Message
	items    []serving.Item // of all messages, in order
	queued   int            // tokens

	summary   []serving.Item // none or one
	summaries int
	warned    bool
	evictions int
}

// New checks a configuration and starts with an empty queue.
func New(c Config) (*Manager, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.System, c.Fixed = slices.Clone(c.System), slices.Clone(c.Fixed) // the caller may go on with his own
	m := &Manager{config: c, system: serving.Tokens(c.System)}
	m.show()
	return m, nil
}

// Append puts a message at the end of the queue. It evicts nothing: Ready does.
func (m *Manager) Append(msg Message) error {
	if err := m.checkMessage(msg); err != nil {
		return err
	}
	msg.Items = slices.Clone(msg.Items) // the caller may fill his own again
	m.messages = append(m.messages, msg)
	m.items = append(m.items, msg.Items...)
	m.queued += msg.Tokens()
	return nil
}

func (m *Manager) checkMessage(msg Message) error {
	if msg.Turn < 0 {
		return fmt.Errorf("queue: %w: turn %d: want 0 or more", ErrInput, msg.Turn)
	}
	if n := len(m.messages); n > 0 && msg.Turn < m.messages[n-1].Turn {
		return fmt.Errorf("queue: %w: turn %d: want %d or later, the turn of the message before", ErrInput, msg.Turn, m.messages[n-1].Turn)
	}
	if len(msg.Items) == 0 {
		return fmt.Errorf("queue: %w: message of turn %d: no items: want 1 or more", ErrInput, msg.Turn)
	}
	for i := range msg.Items {
		if err := msg.Items[i].Check(); err != nil {
			return fmt.Errorf("queue: %w: message of turn %d: item %d: %w", ErrInput, msg.Turn, i, err)
		}
	}
	return nil
}

// Pressure says that the prompt exceeds the warning threshold and that the model
// has not been told since the last eviction.
func (m *Manager) Pressure() bool {
	return m.config.Warn > 0 && !m.warned && m.Tokens() > m.config.warnAt()
}

// Warn appends the system's message about memory pressure.
func (m *Manager) Warn(msg Message) error {
	if err := m.Append(msg); err != nil {
		return err
	}
	m.warned = true
	return nil
}

// Tokens is the length of the prompt as it stands.
func (m *Manager) Tokens() int {
	return m.system + m.working + serving.Tokens(m.summary) + m.queued
}

// Ready evicts if the policy asks for it and returns the prompt of the next
// call. The eviction has no messages if nothing left.
func (m *Manager) Ready() (serving.Prompt, Eviction, error) {
	e, err := m.flush()
	if err != nil {
		return nil, e, err
	}
	if n := m.Tokens(); n > m.config.Window {
		return nil, e, fmt.Errorf("queue: %w: prompt of %d tokens, window of %d, and only the last turn is left", ErrWindow, n, m.config.Window)
	}
	return m.Prompt(), e, nil
}

// Prompt is the prompt as it stands. Empty segments are left out.
func (m *Manager) Prompt() serving.Prompt {
	kind := serving.Plain
	if m.config.Layout == Log {
		kind = serving.Snapshot // changes at evictions only
	}
	working := serving.Segment{Name: Working, Kind: kind, Items: m.shown}
	p := make(serving.Prompt, 0, 4)
	add := func(s serving.Segment) {
		if len(s.Items) > 0 {
			p = append(p, s)
		}
	}
	add(serving.Segment{Name: System, Items: m.config.System})
	if m.config.Layout != End {
		add(working)
	}
	add(serving.Segment{Name: Summary, Kind: serving.Snapshot, Items: m.summary})
	add(serving.Segment{Name: FIFO, Kind: serving.Queue, Items: slices.Clip(m.items)})
	if m.config.Layout == End {
		add(working)
	}
	return p
}

// Messages are those in the queue, the oldest first.
func (m *Manager) Messages() []Message { return slices.Clone(m.messages) }

// Oldest is the turn of the oldest message in the queue; false if it is empty.
func (m *Manager) Oldest() (turn int, ok bool) {
	if len(m.messages) == 0 {
		return 0, false
	}
	return m.messages[0].Turn, true
}

// State is how full the window is.
type State struct {
	Window    int  `json:"window_tokens"`
	Prompt    int  `json:"prompt_tokens"`
	System    int  `json:"system_tokens"`
	Working   int  `json:"working_context_tokens"`
	Summary   int  `json:"summary_tokens"`
	Queue     int  `json:"queue_tokens"`
	Entries   int  `json:"entries"` // of the working context
	Held      int  `json:"held"`    // of these, edits the prompt does not have yet
	Messages  int  `json:"messages"`
	Oldest    int  `json:"oldest_turn"` // in the queue, -1 if it is empty
	Warned    bool `json:"warned"`
	Evictions int  `json:"evictions"`
}

// State is how full the window is now.
func (m *Manager) State() State {
	oldest, ok := m.Oldest()
	if !ok {
		oldest = -1
	}
	return State{
		Window: m.config.Window, Prompt: m.Tokens(), System: m.system, Working: m.working,
		Summary: serving.Tokens(m.summary), Queue: m.queued,
		Entries: len(m.entries), Held: m.held(), Messages: len(m.messages), Oldest: oldest,
		Warned: m.warned, Evictions: m.evictions,
	}
}
