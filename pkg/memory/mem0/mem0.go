package mem0

import (
	"context"
	"errors"
	"fmt"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
)

// Memory is a mem0 or mem0g that remembers one dialogue. It is not safe for
// concurrent use.
//
// Only Write puts anything in. What Read gives out never comes back: a host that
// shows memories to a model writes the messages that were said, not the prompt, and a
// message that was written before is refused.
type Memory struct {
	Options

	written map[string]bool
	pending *dialogue.Message   // of the user, waits for its answer
	recent  []*dialogue.Message // the last Recent ones, oldest first
	pairs   int
	asked   int

	store   store
	graph   graph
	journal journal
	summary summary
	report  Report
}

// New checks the options, above all that the embedder fits the store.
func New(o Options) (*Memory, error) {
	if err := o.check(context.Background()); err != nil {
		return nil, err
	}
	m := &Memory{Options: o, written: map[string]bool{}}
	m.journal.init()
	if err := m.store.init(o.Embedder.Dim(), o.Hybrid); err != nil {
		return nil, fmt.Errorf("mem0: %w", err)
	}
	if err := m.graph.init(o.Embedder.Dim()); err != nil {
		return nil, fmt.Errorf("mem0: %w", err)
	}
	return m, nil
}

// Memories lists all memories, invalid ones included, in the order in which they
// were added.
func (m *Memory) Memories() []memory.Memory {
	out := make([]memory.Memory, len(m.store.entries))
	for i, e := range m.store.entries {
		out[i] = e.copy()
	}
	return out
}

// nothing reports that a text has nothing to embed, e.g. punctuation only.
func nothing(err error) bool {
	return errors.Is(err, retrieve.ErrEmpty) || errors.Is(err, retrieve.ErrZero)
}

// embed makes the vector of one passage.
func (m *Memory) embed(ctx context.Context, p retrieve.Passage) ([]float32, error) {
	v, err := m.Embedder.Embed(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(v) != 1 {
		return nil, fmt.Errorf("%w: the embedder returned %d vectors for 1 passage", retrieve.ErrCount, len(v))
	}
	return v[0], nil
}
