package world

import (
	"context"
	"fmt"
	"math"

	"memlab/pkg/costmodel"
	"memlab/pkg/memory"
	"memlab/pkg/serving"
)

// Bill is what a system costs per conversation, in GPU seconds at full load: each
// call is one of as many equal ones as fit into the GPU's memory.
type Bill struct {
	Setting string  `json:"setting"`
	Cached  bool    `json:"prefix_cache"`
	Write   float64 `json:"write"`           // summaries included
	Summary float64 `json:"write_summaries"` // the part of it beside the turns
	First   float64 `json:"first_question"`
	Each    float64 `json:"each_further_question"`
	// Questions is how many were asked, about all conversations, to find First and
	// Each.
	Questions int `json:"questions_asked"`
}

// After is the cost of a conversation and that many questions about it.
func (b Bill) After(questions float64) float64 {
	if questions <= 0 {
		return b.Write
	}
	return b.Write + b.First + b.Each*(questions-1)
}

// Cheaper is the range of questions, from and to, in which b costs less in all
// than o: from 1 on, to +Inf if for ever. False if there is none.
func (b Bill) Cheaper(o Bill) (from, to float64, ok bool) {
	more, saved := b.After(1)-o.After(1), o.Each-b.Each
	switch {
	case more <= 0 && saved >= 0:
		return 1, math.Inf(1), more < 0 || saved > 0
	case more < 0:
		return 1, 1 + more/saved, true
	case saved > 0:
		return 1 + more/saved, math.Inf(1), true
	}
	return 0, 0, false
}

// Bill prices a system on the group, the mean over its conversations. With cached
// each call finds in a prefix cache what earlier calls of the conversation left
// there; nothing is evicted. Left out: embeddings, and memory that a cache holds
// between two calls.
func (g *Group) Bill(ctx context.Context, s Setting, e *costmodel.Engine, cached bool) (Bill, error) {
	b := Bill{Setting: s.Name, Cached: cached}
	for _, w := range g.Conversations {
		account := &memory.Account{Ledger: &serving.Ledger{}}
		if _, err := s.run(ctx, w, account); err != nil {
			return b, fmt.Errorf("world: seed %d, conversation %d: %s: %w", g.Seed, w.Number, s.Name, err)
		}
		replay, err := account.Ledger.Replay(serving.Options{})
		if err != nil {
			return b, fmt.Errorf("world: %w", err)
		}
		if err := b.add(replay.Calls, len(w.Dialogue.Questions), e); err != nil {
			return b, fmt.Errorf("world: %s: %w", s.Name, err)
		}
	}
	n := float64(len(g.Conversations))
	b.Write /= n
	b.Summary /= n
	b.First /= n
	if further := b.Questions - len(g.Conversations); further > 0 {
		b.Each /= float64(further)
	}
	return b, nil
}

// add adds up the calls of one conversation. Calls of one turn in the read phase
// are for one question.
func (b *Bill) add(calls []serving.Served, questions int, e *costmodel.Engine) error {
	b.Questions += questions
	for i := range calls {
		c := &calls[i]
		price, err := b.call(c, e)
		if err != nil {
			return err
		}
		switch {
		case c.Phase == serving.Write:
			b.Write += price
			if c.Purpose == Summary {
				b.Summary += price
			}
		case c.Turn == 0:
			b.First += price
		default:
			b.Each += price
		}
	}
	return nil
}

func (b *Bill) call(c *serving.Served, e *costmodel.Engine) (float64, error) {
	load := costmodel.Load{Context: c.Cached, Question: c.Prefilled, Output: max(1, c.Output)}
	if !b.Cached {
		load.Context, load.Question = 0, c.Prompt
	}
	t, err := e.Throughput(load, true)
	if err != nil {
		return 0, err
	}
	if t.Fit.Batch == 0 {
		return 0, bad("a prompt of %d tokens does not fit into the GPU", c.Prompt)
	}
	return t.GPUSecondsPerRequest, nil
}
