package mem0

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// Write implements memory.System. A user's message waits for the answer, and both
// are learned from; a message without a partner in its session is learned from alone.
// On an error the message is not entered and may be written again; only the account
// keeps the calls that were made.
func (m *Memory) Write(ctx context.Context, msg *dialogue.Message) error {
	if err := msg.Check(); err != nil {
		return fmt.Errorf("mem0: %w", err)
	}
	if m.written[msg.ID] {
		return fmt.Errorf("mem0: message %q was written before: want each message once, and never what was recalled", msg.ID)
	}
	if p := m.pending; p != nil && (p.Session != msg.Session || msg.Role == dialogue.User) {
		if err := m.Finish(ctx); err != nil {
			return err
		}
	}
	if msg.Role == dialogue.User {
		m.pending = msg
	} else {
		pair := []*dialogue.Message{msg}
		if m.pending != nil {
			pair = []*dialogue.Message{m.pending, msg}
		}
		if err := m.learn(ctx, pair); err != nil {
			return err
		}
		m.pending = nil
	}
	m.written[msg.ID] = true
	return nil
}

// Finish implements memory.System: a message that waits for an answer is learned
// from alone.
func (m *Memory) Finish(ctx context.Context) error {
	if m.pending == nil {
		return nil
	}
	if err := m.learn(ctx, []*dialogue.Message{m.pending}); err != nil {
		return err
	}
	m.pending = nil
	return nil
}

// learn extracts the facts of a pair and merges them, all or none.
func (m *Memory) learn(ctx context.Context, pair []*dialogue.Message) error {
	c := m.begin()
	if err := m.facts(ctx, c, pair); err != nil {
		c.undo()
		return fmt.Errorf("mem0: pair of message %q: %w", pair[0].ID, err)
	}
	c.keep()
	m.recent = append(m.recent, pair...)
	m.recent = slices.Delete(m.recent, 0, max(0, len(m.recent)-m.Recent))
	m.pairs++
	m.summarize(ctx, pair)
	return nil
}

func (m *Memory) facts(ctx context.Context, c *change, pair []*dialogue.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	found, err := m.Judge.Extract(ctx, Extraction{m.summary.text, slices.Clone(m.recent), slices.Clone(pair)})
	if errors.Is(err, ErrReply) {
		m.skip(Unreadable)
		found, err = nil, nil
	}
	if err == nil {
		err = m.accountExtract(pair, len(found))
	}
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	for i := range found {
		if err := m.merge(ctx, c, m.candidate(pair, i, found[i])); err != nil {
			return fmt.Errorf("update for fact %d: %w", i, err)
		}
	}
	if err := m.nodes(ctx, c); err != nil {
		return fmt.Errorf("entities: %w", err)
	}
	return nil
}

// candidate is a fact as a memory that is not in the store yet. Its id is that of its
// source with the place of the fact in the extraction.
func (m *Memory) candidate(pair []*dialogue.Message, i int, f Candidate) *entry {
	source := pair[0]
	if f.Source != "" {
		at := slices.IndexFunc(pair, func(msg *dialogue.Message) bool { return msg.ID == f.Source })
		if at >= 0 {
			source = pair[at]
		} else {
			m.skip(NoSource)
		}
	}
	e := &entry{}
	e.ID = fmt.Sprintf("%s#%d", source.ID, i)
	e.Fact, e.Text, e.Tokens = f.Fact, sentence(f.Text, f.Fact), m.MemoryTokens
	e.say(source.ID, source.Time)
	return e
}

// merge decides on one candidate and does it.
func (m *Memory) merge(ctx context.Context, c *change, e *entry) error {
	if len(retrieve.Terms(e.Text)) == 0 {
		m.skip(Blank)
		return nil
	}
	v, err := m.embedMemory(ctx, e.ID, e.Text)
	if nothing(err) { // words that the embedder does not know
		m.skip(Blank)
		return nil
	}
	if err != nil {
		return err
	}
	similar, err := m.store.search(v, e.Text, m.Similar, valid)
	if err != nil {
		return err
	}
	u := Update{ID: e.ID, Candidate: Candidate{e.Sources[0], e.Fact, e.Text}, Existing: make([]memory.Memory, len(similar))}
	for i, s := range similar {
		u.Existing[i] = s.copy()
	}
	ops, err := m.Judge.Update(ctx, u)
	unreadable := errors.Is(err, ErrReply)
	if unreadable {
		ops, err = nil, nil
	}
	if err == nil {
		err = m.accountUpdate(e, u.Existing)
	}
	if err != nil {
		return err
	}
	g := &merging{Memory: m, change: c, e: e, v: v, record: record{fact: textual(e.Fact, e.Text)}}
	switch {
	case unreadable:
		m.skip(Unreadable)
		g.record.why = string(Unreadable)
	case len(ops) == 0:
		m.skip(NoDecision)
		g.record.why = string(NoDecision)
	default:
		g.decide(similar, ops)
		if err := g.apply(ctx); err != nil {
			return err
		}
	}
	m.journal.add(e.Sources[0], g.record)
	c.journal++
	return nil
}

func (m *Memory) embedMemory(ctx context.Context, id, text string) ([]float32, error) {
	v, err := m.embed(ctx, retrieve.Passage{ID: id, Role: retrieve.Memory, Text: text})
	if err != nil {
		return nil, err
	}
	return v, m.Account.Embed(serving.Embedding{
		Phase: serving.Write, Purpose: "memory", Turn: m.pairs, Texts: 1, Tokens: m.MemoryTokens,
	})
}
