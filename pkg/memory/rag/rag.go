// Package rag is retrieval-augmented generation over the raw dialogue: consecutive
// messages make chunks, and the chunks most like the question are read.
// It is the second baseline beside full context; tuned (small chunks, many of them)
// it is a strong one.
// Its main type is [Memory]. Writing embeds each chunk once and calls no language
// model; reading ranks all chunks, linear in the dialogue.
// It follows the lecture's §3.3 (demo 2) and mem0's paper, which compares k = 1 and 2
// only (§3.3 there); fusion is Cormack et al., SIGIR 2009.
package rag

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// Memory keeps chunks and their indexes.
type Memory struct {
	Options

	chunks  []chunk
	at      map[string]int // index in chunks by id
	open    chunk
	written map[string]bool
	vectors *retrieve.Vectors
	words   *retrieve.BM25
	turn    int
}

type chunk struct {
	id       string
	messages []*dialogue.Message
	tokens   int
}

// New checks the options.
func New(o Options) (*Memory, error) {
	if err := o.check(context.Background()); err != nil {
		return nil, err
	}
	r := &Memory{Options: o, written: map[string]bool{}}
	return r, r.empty()
}

func (r *Memory) empty() (err error) {
	r.chunks, r.at = nil, map[string]int{}
	if r.Method != BM25 {
		if r.vectors, err = retrieve.NewVectors(r.Embedder.Dim()); err != nil {
			return fmt.Errorf("rag: %w", err)
		}
	}
	if r.Method != Vector {
		if r.words, err = retrieve.NewBM25(); err != nil {
			return fmt.Errorf("rag: %w", err)
		}
	}
	return nil
}

// Write implements memory.System. A chunk ends when it is long enough.
func (r *Memory) Write(ctx context.Context, m *dialogue.Message) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("rag: %w", err)
	}
	if r.written[m.ID] {
		return fmt.Errorf("rag: message %q was written before", m.ID)
	}
	if n := len(r.open.messages); r.SplitSessions && n > 0 && r.open.messages[n-1].Session != m.Session {
		if err := r.Finish(ctx); err != nil {
			return err
		}
	}
	open := r.open
	open.messages = append(open.messages, m)
	open.tokens += m.Tokens
	if open.tokens >= r.Chunk {
		if err := r.index(ctx, open); err != nil {
			return err
		}
		open = chunk{}
	}
	r.open = open
	r.written[m.ID] = true
	return nil
}

// Finish implements memory.System: the last chunk may be short.
func (r *Memory) Finish(ctx context.Context) error {
	if len(r.open.messages) == 0 {
		return nil
	}
	if err := r.index(ctx, r.open); err != nil {
		return err
	}
	r.open = chunk{}
	return nil
}

// index enters a closed chunk.
func (r *Memory) index(ctx context.Context, c chunk) error {
	e, err := r.prepare(ctx, c, len(r.chunks))
	if err == nil {
		err = r.enter(e)
	}
	if err == nil {
		r.keep(e.chunk)
	}
	return err
}

func (r *Memory) keep(c chunk) {
	r.at[c.id] = len(r.chunks)
	r.chunks = append(r.chunks, c)
}

// entry is a chunk as the indexes take it.
type entry struct {
	chunk
	text   string
	vector []float32 // nil: none, or no words to make it from
}

// prepare names a chunk and embeds it. It changes nothing.
func (r *Memory) prepare(ctx context.Context, c chunk, turn int) (entry, error) {
	c.id = c.messages[0].ID + "+"
	p := retrieve.Passage{ID: c.id, Role: retrieve.Chunk}
	lines := make([]string, len(c.messages))
	for i, m := range c.messages {
		p.Parts = append(p.Parts, m.ID)
		lines[i] = m.Text
	}
	p.Text = strings.Join(lines, "\n")
	e := entry{chunk: c, text: p.Text}
	if r.vectors == nil {
		return e, nil
	}
	var err error
	if e.vector, err = r.embed(ctx, p); e.vector != nil {
		err = r.Account.Embed(serving.Embedding{
			Phase: serving.Write, Purpose: "chunk", Turn: turn, Texts: 1, Tokens: c.tokens,
		})
	}
	if err != nil {
		return e, fmt.Errorf("rag: chunk %q: %w", c.id, err)
	}
	return e, nil
}

// embed makes the vector of a text; nil if it has nothing to embed, e.g. punctuation
// only.
func (r *Memory) embed(ctx context.Context, p retrieve.Passage) ([]float32, error) {
	v, err := r.Embedder.Embed(ctx, p)
	switch {
	case errors.Is(err, retrieve.ErrEmpty) || errors.Is(err, retrieve.ErrZero):
		return nil, nil
	case err != nil:
		return nil, err
	case len(v) != 1:
		return nil, fmt.Errorf("%w: the embedder returned %d vectors for 1 text", retrieve.ErrCount, len(v))
	case len(v[0]) != r.vectors.Dim():
		return nil, fmt.Errorf("%w: the embedder returned %d numbers, want %d", retrieve.ErrDim, len(v[0]), r.vectors.Dim())
	}
	return v[0], nil
}

// enter puts a chunk into the indexes.
func (r *Memory) enter(e entry) error {
	if e.vector != nil {
		if err := r.vectors.Add(e.id, e.vector); err != nil {
			return fmt.Errorf("rag: chunk %q: %w", e.id, err)
		}
	}
	if r.words != nil {
		if err := r.words.Add(e.id, e.text); err != nil {
			if e.vector != nil {
				r.vectors.Remove(e.id) // both or none, so that it can be tried again
			}
			return fmt.Errorf("rag: chunk %q: %w", e.id, err)
		}
	}
	return nil
}

// Fate implements memory.System: nothing that was written is lost.
func (r *Memory) Fate(message string, _ dialogue.Fact) memory.Fate {
	if !r.written[message] {
		return memory.Fate{Lost: memory.Keep, Detail: "forgotten or never written"}
	}
	return memory.Fate{}
}

// Forget erases every message that says a matching fact, from chunks and indexes,
// and says how many. The chunks that held one are embedded again without it; if that
// fails, nothing is erased.
func (r *Memory) Forget(ctx context.Context, match func(dialogue.Fact) bool) (int, error) {
	var all []*dialogue.Message
	for _, c := range r.chunks {
		all = append(all, c.messages...)
	}
	gone := memory.Mentions(append(all, r.open.messages...), match)
	entries := make([]*entry, len(r.chunks)) // of the chunks that change; nil: it stays as it is
	for i, c := range r.chunks {
		left := c.without(gone)
		if len(left.messages) == len(c.messages) {
			continue
		}
		entries[i] = &entry{}
		if len(left.messages) == 0 {
			continue
		}
		e, err := r.prepare(ctx, left, i)
		if err != nil {
			return 0, err
		}
		entries[i] = &e
	}
	old := r.chunks
	r.chunks, r.at, r.open = nil, map[string]int{}, r.open.without(gone)
	for id := range gone {
		delete(r.written, id)
	}
	var failed error
	for i, c := range old {
		e := entries[i]
		if e == nil {
			r.keep(c)
			continue
		}
		if r.vectors != nil {
			r.vectors.Remove(c.id)
		}
		if r.words != nil {
			r.words.Remove(c.id)
		}
		if len(e.messages) == 0 {
			continue
		}
		if err := r.enter(*e); err != nil {
			failed = errors.Join(failed, err)
		}
		r.keep(e.chunk)
	}
	return len(gone), failed
}

func (c chunk) without(gone map[string]bool) chunk {
	out := chunk{id: c.id}
	for _, m := range c.messages {
		if !gone[m.ID] {
			out.messages = append(out.messages, m)
			out.tokens += m.Tokens
		}
	}
	return out
}
