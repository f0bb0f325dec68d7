package memgpt

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// editError says why an edit cannot be, in words for the model.
type editError string

func (e editError) Error() string { return string(e) }

func cannot(function, format string, args ...any) error {
	return editError(function + ": " + fmt.Sprintf(format, args...))
}

// append adds an entry to the working context.
func (m *Memory) append(c *chain, text string, fact *dialogue.Fact) error {
	if len(m.entries) >= m.Options.Entries {
		return cannot(WorkingAppend, "working context is full, it has %d of %d entries: replace one", len(m.entries), m.Options.Entries)
	}
	m.named++
	e := memory.Memory{ID: "entry " + strconv.Itoa(m.named), Text: text, Tokens: m.size(text, m.Entry)}
	m.attribute(&e, c, fact)
	if err := m.queue.Insert(entryItem(&e, 0)); err != nil {
		m.named--
		return m.full(WorkingAppend, err, e.Tokens, 0)
	}
	m.entries, m.versions = append(m.entries, e), append(m.versions, 0)
	m.edits++
	return nil
}

// replace puts new text in the place of old, which is an entry or a part of just
// one. What becomes empty is deleted.
func (m *Memory) replace(c *chain, old, text string, fact *dialogue.Fact) error {
	i, err := m.locate(old)
	if err != nil {
		return cannot(WorkingReplace, "%v", err)
	}
	before := m.entries[i]
	e := before
	e.Text = strings.Replace(before.Text, old, text, 1)
	if strings.TrimSpace(e.Text) == "" {
		m.drop(i)
		m.edits++
		m.remember(before.Sources, deleted, "")
		return nil
	}
	m.edits++
	if e.Text == before.Text { // said again: nothing in the prompt changes
		m.attribute(&m.entries[i], c, fact)
		return nil
	}
	version, why := m.versions[i]+1, replaced
	if fact != nil && before.Fact.Key() != fact.Key() {
		m.named++
		e.ID, version, why = "entry "+strconv.Itoa(m.named), 0, pushedOut
	}
	e.Sources, e.Fact = nil, dialogue.Fact{}
	if fact == nil {
		e.Sources = before.Sources
	}
	m.attribute(&e, c, fact)
	e.Tokens = m.size(e.Text, m.Entry)
	if err := m.queue.Replace(i, entryItem(&e, version)); err != nil {
		m.edits--
		return m.full(WorkingReplace, err, e.Tokens, before.Tokens)
	}
	m.entries[i], m.versions[i] = e, version
	if fact != nil {
		m.remember(before.Sources, why, c.event.about())
	}
	if why == pushedOut {
		m.stats.Dropped++
	}
	return nil
}

// full tells the model that an entry is too long, where freed tokens become free.
func (m *Memory) full(function string, err error, tokens, freed int) error {
	if !errors.Is(err, queue.ErrFull) {
		return fmt.Errorf("%s: %w", function, err)
	}
	return cannot(function, "working context is full: the entry has %d tokens, and there is room for %d", tokens, m.queue.Room()+freed)
}

// locate finds the entry that is the text, or else the one that contains it.
func (m *Memory) locate(text string) (int, error) {
	at, n := 0, 0
	for i := range m.entries {
		if m.entries[i].Text == text {
			return i, nil
		}
		if strings.Contains(m.entries[i].Text, text) {
			at = i
			n++
		}
	}
	switch n {
	case 0:
		return 0, fmt.Errorf("text %q is not in the working context", short(text, 80))
	case 1:
		return at, nil
	}
	return 0, fmt.Errorf("text %q is in %d entries: give more of one", short(text, 80), n)
}

// attribute says where an entry comes from.
func (m *Memory) attribute(e *memory.Memory, c *chain, fact *dialogue.Fact) {
	if fact != nil {
		e.Fact = *fact
	}
	msg := c.event.Message
	if msg == nil {
		return
	}
	e.Time = msg.Time
	if !slices.Contains(e.Sources, msg.ID) {
		e.Sources = append(slices.Clip(e.Sources), msg.ID)
	}
}

// drop takes an entry out.
func (m *Memory) drop(i int) {
	if err := m.queue.Delete(i); err != nil {
		panic("memgpt: entries and queue do not agree: " + err.Error()) // both have as many
	}
	m.entries = slices.Delete(m.entries, i, i+1)
	m.versions = slices.Delete(m.versions, i, i+1)
}

func entryItem(e *memory.Memory, version int) serving.Item {
	return serving.Item{Kind: "entry", Name: e.ID, Version: version, Tokens: e.Tokens}
}

// remember notes what became of what messages say.
func (m *Memory) remember(messages []string, s state, by string) {
	for _, id := range messages {
		m.notes[id] = note{m.notes[id].left, s, by}
	}
}
