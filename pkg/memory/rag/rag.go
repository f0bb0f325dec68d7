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
	r.chunks = nil
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
	c.id = c.messages[0].ID + "+"
	p := retrieve.Passage{ID: c.id, Role: retrieve.Chunk}
	lines := make([]string, len(c.messages))
	for i, m := range c.messages {
		p.Parts = append(p.Parts, m.ID)
		lines[i] = m.Text
	}
	p.Text = strings.Join(lines, "\n")
	if r.vectors != nil {
		v, err := r.Embedder.Embed(ctx, p)
		if err == nil {
			err = r.Account.Embed(serving.Embedding{
				Phase: serving.Write, Purpose: "chunk", Turn: len(r.chunks), Texts: 1, Tokens: c.tokens,
			})
		}
		if err == nil {
			err = r.vectors.Add(c.id, v[0])
		}
		if err != nil {
			return fmt.Errorf("rag: chunk %q: %w", c.id, err)
		}
	}
	if r.words != nil {
		if err := r.words.Add(c.id, p.Text); err != nil {
			return fmt.Errorf("rag: chunk %q: %w", c.id, err)
		}
	}
	r.chunks = append(r.chunks, c)
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
// and says how many. The chunks that held one are embedded again without it.
func (r *Memory) Forget(ctx context.Context, match func(dialogue.Fact) bool) (int, error) {
	var all []*dialogue.Message
	for _, c := range append(r.chunks, r.open) {
		all = append(all, c.messages...)
	}
	gone := memory.Mentions(all, match)
	for id := range gone {
		delete(r.written, id)
	}
	old := r.chunks
	r.chunks = nil
	r.open = r.open.without(gone)
	for i, c := range old {
		left := c.without(gone)
		if len(left.messages) == len(c.messages) {
			r.chunks = append(r.chunks, c)
			continue
		}
		if r.vectors != nil {
			r.vectors.Remove(c.id)
		}
		if r.words != nil {
			r.words.Remove(c.id)
		}
		if len(left.messages) > 0 {
			if err := r.index(ctx, left); err != nil {
				r.chunks = append(r.chunks, old[i+1:]...)
				return len(gone), err
			}
		}
	}
	return len(gone), nil
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
