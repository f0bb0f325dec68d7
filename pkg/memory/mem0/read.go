package mem0

import (
	"context"
	"fmt"
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// likeName is how like a question must be to a node's name to be about it, as a
// cosine: mem0's threshold for taking two nodes for one.
const likeName = 0.7

// Read implements memory.System: the K memories most like the question, the best one
// first; then what the graph adds; then, if the question asks for the past, those
// that hold no more, ranked among themselves.
func (m *Memory) Read(ctx context.Context, q dialogue.Query) (memory.Material, error) {
	found, err := m.find(ctx, q)
	if err != nil {
		return memory.Material{}, fmt.Errorf("mem0: question %q: %w", q.ID, err)
	}
	out := memory.Material{Calls: 1}
	for _, e := range found {
		out.Memories = append(out.Memories, e.copy())
		out.Tokens += e.Tokens
	}
	if err := m.accountAnswer(q.ID, out.Memories, out.Tokens); err != nil {
		return memory.Material{}, fmt.Errorf("mem0: question %q: %w", q.ID, err)
	}
	m.asked++
	return out, nil
}

func (m *Memory) find(ctx context.Context, q dialogue.Query) ([]*entry, error) {
	if err := ctx.Err(); err != nil || len(m.store.entries) == 0 {
		return nil, err
	}
	v, err := m.embed(ctx, retrieve.Passage{ID: q.ID, Role: retrieve.Query, Text: q.Text})
	if err == nil {
		err = m.Account.Embed(serving.Embedding{Phase: serving.Read, Purpose: "question", Turn: m.asked, Texts: 1})
	}
	if nothing(err) { // such a question is like no memory
		v, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	current := valid
	if m.MixInvalid {
		current = either
	}
	found, err := m.store.search(v, q.Text, m.K, current)
	if err != nil {
		return nil, err
	}
	if m.Hop {
		found = m.expand(found, q, v)
	}
	if q.Past && m.Graph && !m.MixInvalid {
		past, err := m.store.search(v, q.Text, m.KHistory, invalid)
		if err != nil {
			return nil, err
		}
		found = append(found, past...)
	}
	return found, nil
}

// expand adds what the graph knows: who has the role that the question names, and
// what is said now about everybody who was found or is named.
func (m *Memory) expand(found []*entry, q dialogue.Query, v []float32) []*entry {
	if m.NodeLookup && len(q.Path) > 0 {
		for _, e := range m.store.keyed[dialogue.Key{Subject: q.Subject, Relation: q.Path[0]}] {
			if valid(e) && e.Fact.Type == dialogue.Person && !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
	}
	var names []string
	for _, e := range found {
		if valid(e) && e.Fact.Type == dialogue.Person {
			names = append(names, e.Fact.Object)
		}
	}
	if m.NodeLookup {
		names = append(names, m.named(q.Text, v)...)
	}
	for _, name := range names {
		for _, e := range m.store.about[name] {
			if valid(e) && !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
	}
	return found
}

// named lists those about whom there are facts, other than the user, whose name is in
// a question or like its embedding.
func (m *Memory) named(question string, v []float32) []string {
	terms := retrieve.Terms(question)
	like, err := m.graph.vectors.Scorer(v)
	if err != nil { // such a question is like no name
		like = func(string) (float64, bool) { return 0, false }
	}
	var out []string
	for name := range m.store.about {
		n := m.graph.nodes[name]
		if name == dialogue.Me || n == nil {
			continue
		}
		if score, known := like(name); known && score >= likeName || within(terms, n.terms) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// within reports whether the terms of a name occur in a row.
func within(terms, name []string) bool {
	for i := range len(terms) - len(name) + 1 {
		if len(name) > 0 && slices.Equal(terms[i:i+len(name)], name) {
			return true
		}
	}
	return false
}
