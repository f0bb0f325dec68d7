package memgpt

import (
	"slices"
	"strings"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/memgpt/queue"
)

// Forget erases every message that states a matching fact or repeats its value,
// and says how many: from the queue, recall storage and its vectors; and with
// them the entries, the passages, the traces and the summary that may tell of it.
func (m *Memory) Forget(match func(dialogue.Fact) bool) int {
	said := m.values(match)
	repeats := func(text string) bool {
		text = strings.ToLower(text)
		return slices.ContainsFunc(said, func(v string) bool { return strings.Contains(text, v) })
	}
	gone := map[string]bool{}
	for i := range m.recall.records {
		if r := &m.recall.records[i]; slices.ContainsFunc(r.message.Facts, match) || repeats(r.Text) {
			gone[r.ID] = true
		}
	}
	told := m.told > 0 && len(gone) > 0
	m.forgetQueue(gone, repeats, told)
	if told {
		m.summary = "" // it may say it in other words
	}
	for i := len(m.entries) - 1; i >= 0; i-- {
		e := &m.entries[i]
		left := slices.DeleteFunc(slices.Clone(e.Sources), func(id string) bool { return gone[id] })
		if match(e.Fact) || repeats(e.Text) || len(left) == 0 && len(e.Sources) > 0 {
			m.drop(i)
			continue
		}
		e.Sources = left
	}
	m.recall.remove(func(r *Record) bool { return gone[r.ID] })
	m.archival.remove(func(r *Record) bool { return repeats(r.Text) })
	m.kept = slices.DeleteFunc(slices.Clone(m.kept), func(t Trace) bool { return t.mentions(gone, repeats) })
	m.leaving = slices.DeleteFunc(m.leaving, func(msg *dialogue.Message) bool { return gone[msg.ID] })
	for id := range gone {
		delete(m.notes, id)
	}
	return len(gone)
}

// values are what matching facts say, in lower case.
func (m *Memory) values(match func(dialogue.Fact) bool) []string {
	var out []string
	add := func(f dialogue.Fact) {
		if v := strings.ToLower(f.Object); v != "" && match(f) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	for i := range m.recall.records {
		for _, f := range m.recall.records[i].message.Facts {
			add(f)
		}
	}
	for i := range m.entries {
		add(m.entries[i].Fact)
	}
	return out
}

func (m *Memory) forgetQueue(gone map[string]bool, repeats func(string) bool, summary bool) {
	remove := make([]bool, len(m.lines))
	var kept []Line
	for i, l := range m.lines {
		if l.Message != nil && gone[l.Message.ID] || repeats(l.Text) {
			remove[i] = true
			continue
		}
		kept = append(kept, l)
	}
	i := -1
	m.queue.Forget(func(queue.Message) bool { i++; return remove[i] }, summary)
	clear(m.lines)
	m.lines = kept
}

func (t *Trace) mentions(gone map[string]bool, repeats func(string) bool) bool {
	if gone[t.About] || repeats(t.Text) || repeats(t.Leaving) || slices.ContainsFunc(t.Sent, repeats) {
		return true
	}
	for _, s := range t.Steps {
		for i := range s.Calls {
			r := &s.Calls[i]
			if repeats(r.Arguments) || repeats(r.Text) || slices.ContainsFunc(r.Found, func(f Record) bool { return gone[f.ID] || repeats(f.Text) }) {
				return true
			}
		}
	}
	for i := range t.Raised {
		if t.Raised[i].mentions(gone, repeats) {
			return true
		}
	}
	return false
}
