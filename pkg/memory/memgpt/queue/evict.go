package queue

import (
	"fmt"

	"memlab/pkg/serving"
)

// Eviction is what left the queue at once. The caller keeps the messages in
// recall storage and, if it follows the summarizer, prices the call that read
// Before and Messages and wrote After.
type Eviction struct {
	Messages []Message      `json:"messages"`
	Tokens   int            `json:"tokens"`
	Before   []serving.Item `json:"before,omitempty"` // the summary until then
	After    []serving.Item `json:"after,omitempty"`  // and from now on
}

// flush lets the policy decide and brings the rest of the prompt up to date:
// the summary, the held edits, the warning.
func (m *Manager) flush() (Eviction, error) {
	if m.config.Evict == nil {
		return Eviction{}, fmt.Errorf("queue: %w: an empty Manager: want one of New", ErrConfig)
	}
	n, err := m.config.Evict.evict(m)
	if err != nil || n == 0 {
		return Eviction{}, err
	}
	e := Eviction{Messages: m.messages[:n:n], Before: m.summary}
	items := 0
	for _, msg := range e.Messages {
		e.Tokens += msg.Tokens()
		items += len(msg.Items)
	}
	m.messages, m.items = m.messages[n:], m.items[items:]
	m.queued -= e.Tokens
	if m.config.Summary > 0 {
		m.summaries++
		m.summary = []serving.Item{{Kind: "summary", Name: Summary, Version: m.summaries, Tokens: m.config.Summary}}
		e.After = m.summary
	}
	m.warned = false
	m.evictions++
	if m.held() > 0 {
		m.show()
	}
	return e, nil
}

func (s Share) evict(m *Manager) (int, error) {
	limit := m.config.flushAt()
	if m.Tokens() <= limit {
		return 0, nil
	}
	// With the eviction comes a summary, if there was none, and held edits.
	after := m.system + m.queued + m.config.Summary + serving.Tokens(m.config.Fixed) + serving.Tokens(m.entries)
	want := threshold(float64(s), m.config.Window)
	last := m.messages[len(m.messages)-1].Turn
	removed, n := 0, 0
	for (removed < want || after-removed > limit) && m.messages[n].Turn != last {
		for turn := m.messages[n].Turn; m.messages[n].Turn == turn; n++ {
			removed += m.messages[n].Tokens()
		}
	}
	return n, nil
}

func (f ToFit) evict(m *Manager) (int, error) {
	left, n := m.queued, 0
	for ; left > int(f); n++ {
		if n == len(m.messages)-1 {
			return 0, fmt.Errorf("queue: %w: the last message has %d tokens, the queue holds %d", ErrWindow, left, int(f))
		}
		left -= m.messages[n].Tokens()
	}
	return n, nil
}
