package queue

import "memlab/pkg/serving"

// Forget takes messages out of the queue, wherever they stand, and says how many.
// With summary, the summary, which may tell of them, becomes another one. Unlike an
// eviction it is at the user's wish: it does not count as one.
func (m *Manager) Forget(gone func(Message) bool, summary bool) int {
	var messages []Message
	var items []serving.Item
	for _, msg := range m.messages {
		if gone(msg) {
			m.queued -= msg.Tokens()
			continue
		}
		messages = append(messages, msg)
		items = append(items, msg.Items...)
	}
	n := len(m.messages) - len(messages)
	m.messages, m.items = messages, items // new ones: earlier prompts hold the old
	if summary && len(m.summary) > 0 {
		m.summaries++
		rewritten := m.summary[0]
		rewritten.Version = m.summaries
		m.summary = []serving.Item{rewritten}
	}
	return n
}
