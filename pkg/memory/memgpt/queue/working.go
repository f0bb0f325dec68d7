package queue

import (
	"fmt"
	"slices"

	"memlab/pkg/serving"
)

// Entries are those of the working context, edits included that the prompt does
// not have yet.
func (m *Manager) Entries() []serving.Item { return slices.Clone(m.entries) }

// Room is how many tokens the working context can still take.
func (m *Manager) Room() int {
	return m.config.Cap - serving.Tokens(m.config.Fixed) - serving.Tokens(m.entries)
}

// Insert adds an entry at the end of the working context, or fails with ErrFull.
func (m *Manager) Insert(entry serving.Item) error {
	if err := m.fits(entry, m.Room()); err != nil {
		return err
	}
	m.entries = append(m.entries, entry)
	m.edited()
	return nil
}

// Replace puts an entry in the place of entry i.
func (m *Manager) Replace(i int, entry serving.Item) error {
	if i < 0 || i >= len(m.entries) {
		return fmt.Errorf("queue: %w: entry %d: the working context has %d", ErrInput, i, len(m.entries))
	}
	if err := m.fits(entry, m.Room()+m.entries[i].Tokens); err != nil {
		return err
	}
	m.entries[i] = entry
	m.edited()
	return nil
}

// Delete takes entry i out.
func (m *Manager) Delete(i int) error {
	if i < 0 || i >= len(m.entries) {
		return fmt.Errorf("queue: %w: entry %d: the working context has %d", ErrInput, i, len(m.entries))
	}
	m.entries = slices.Delete(m.entries, i, i+1)
	m.edited()
	return nil
}

func (m *Manager) fits(entry serving.Item, room int) error {
	if err := entry.Check(); err != nil {
		return fmt.Errorf("queue: %w: %w", ErrInput, err)
	}
	if entry.Tokens > room {
		return fmt.Errorf("queue: %w: entry of %d tokens, room for %d of %d", ErrFull, entry.Tokens, room, m.config.Cap)
	}
	return nil
}

func (m *Manager) edited() {
	if m.config.Layout != Log {
		m.show()
	}
}

// show brings the prompt's working context up to date. The slice is new each
// time, since earlier prompts hold the old one.
func (m *Manager) show() {
	m.shown = slices.Concat(m.config.Fixed, m.entries)
	m.working = serving.Tokens(m.shown)
}

// held is how many entries the prompt lacks or has in another form.
func (m *Manager) held() int {
	if m.config.Layout != Log {
		return 0
	}
	shown := m.shown[len(m.config.Fixed):]
	n := max(0, len(shown)-len(m.entries))
	for i, e := range m.entries {
		if i >= len(shown) || e.Name != shown[i].Name || e.Kind != shown[i].Kind || e.Version != shown[i].Version ||
			e.Tokens != shown[i].Tokens || !slices.Equal(e.IDs, shown[i].IDs) {
			n++
		}
	}
	return n
}
