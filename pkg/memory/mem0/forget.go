package mem0

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// Forgotten counts what was erased.
type Forgotten struct {
	Memories int  `json:"memories"` // invalid ones included
	Entities int  `json:"entities"`
	Messages int  `json:"messages"` // of those still kept
	Records  int  `json:"records"`  // of what became of a fact
	Summary  bool `json:"summary"`  // blanked, to be made anew from what is left
}

// ErrUnknown is the kind of the error about an id that no memory has.
var ErrUnknown = errors.New("unknown memory")

// Forget erases every fact that match accepts from all that the memory keeps:
// memories, valid or not, with their vectors and words, the graph's nodes that lose
// their last edge, messages kept for the next extraction or summary, the records
// for Fate, and the summary, which may say anything in its own words. A memory
// without a triple is offered as a fact that has a text only. Other facts stay, though
// what one of them says may be equal.
//
// What lies outside is the host's: its dialogue, a ledger (which has ids and lengths,
// no words), an embedder's cache.
func (m *Memory) Forget(ctx context.Context, match func(dialogue.Fact) bool) (Forgotten, error) {
	if err := ctx.Err(); err != nil {
		return Forgotten{}, fmt.Errorf("mem0: forget: %w", err)
	}
	if match == nil {
		return Forgotten{}, errors.New("mem0: forget: match is nil: want which facts")
	}
	// A message that waits is learned from first, or its other facts would be lost.
	if err := m.Finish(ctx); err != nil {
		return Forgotten{}, err
	}
	return m.erase(match), nil
}

// Delete erases one memory as Forget erases what it says: with its edge, the nodes
// that are left without any, and its sources among the messages kept.
func (m *Memory) Delete(ctx context.Context, id string) (Forgotten, error) {
	e := m.store.byID[id]
	if e == nil {
		return Forgotten{}, fmt.Errorf("mem0: delete: %w: %q", ErrUnknown, id)
	}
	fact, text := e.Fact, e.Text
	return m.Forget(ctx, func(f dialogue.Fact) bool {
		if isTriple(fact) {
			return f.Same(fact)
		}
		return !isTriple(f) && f.Text == text
	})
}

// textual is a fact with the memory's text, where it has no triple.
func textual(f dialogue.Fact, text string) dialogue.Fact {
	if !isTriple(f) {
		f.Text = text
	}
	return f
}

func (m *Memory) erase(match func(dialogue.Fact) bool) Forgotten {
	var out Forgotten
	sources := map[string]bool{} // messages that something forgotten came from
	var said []string            // what was forgotten
	for id, rs := range m.journal.records {
		left := slices.DeleteFunc(rs, func(r record) bool {
			of, as := match(r.fact), match(r.as)
			if !of && !as {
				return false
			}
			out.Records++
			sources[id] = true
			said = append(said, memory.ValueOf(r.fact)) // in the words of the message
			if as {
				said = append(said, memory.ValueOf(r.as))
			}
			return true
		})
		if m.journal.records[id] = left; len(left) == 0 {
			delete(m.journal.records, id)
		}
	}
	for _, e := range slices.Clone(m.store.entries) {
		f := textual(e.Fact, e.Text)
		if !match(f) {
			continue
		}
		for _, id := range e.Sources {
			sources[id] = true
		}
		said = append(said, memory.ValueOf(f))
		m.store.remove(e)
		e.leave()
		out.Memories++
	}
	for id := range sources {
		m.journal.forgotten[id] = true
	}
	out.Messages = m.forgetMessages(match, sources, said)
	out.Entities = m.graph.prune(m.store.entries)
	if m.summary.text != "" {
		out.Summary = true
		m.summary.text, m.summary.tokens = "", 0
		m.summary.version++
		m.summary.anew = true
	}
	return out
}

// forgetMessages erases kept messages that were a source, or that say what was said.
func (m *Memory) forgetMessages(match func(dialogue.Fact) bool, sources map[string]bool, said []string) int {
	stated := memory.Mentions(slices.Concat(m.recent, m.summary.since), match, said...)
	erased := map[string]bool{}
	gone := func(msg *dialogue.Message) bool {
		gone := sources[msg.ID] || stated[msg.ID]
		if gone {
			erased[msg.ID] = true
		}
		return gone
	}
	m.recent = slices.DeleteFunc(m.recent, gone)
	m.summary.since = slices.DeleteFunc(m.summary.since, gone)
	return len(erased)
}

// leave takes an entry out of its slot. What it ended stays ended.
func (e *entry) leave() {
	if e.slot == nil {
		return
	}
	left := &slot{}
	for _, o := range e.slot.members {
		if o != e {
			left.members = append(left.members, o)
		}
	}
	for _, o := range left.members {
		o.slot = left
		o.ended = append(o.ended, e.said...)
	}
	e.slot = nil
}

// prune erases the nodes that no edge has any more, and what only lost edges knew of
// the others.
func (g *graph) prune(edges []*entry) int {
	left := map[string]Entity{}
	for _, e := range edges {
		if !isTriple(e.Fact) {
			continue
		}
		for _, n := range e.ends() {
			if known, ok := left[n.Name]; ok {
				known.meet(n)
				n = known
			}
			left[n.Name] = n
		}
	}
	var lost []string
	for name, n := range g.nodes {
		if known, ok := left[name]; ok {
			n.Entity = known
		} else {
			lost = append(lost, name)
		}
	}
	g.drop(lost)
	return len(lost)
}
