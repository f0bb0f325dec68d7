package rag

import (
	"context"
	"errors"
	"fmt"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// Read implements memory.System: the K best chunks, the best one first.
func (r *Memory) Read(ctx context.Context, q dialogue.Query) (memory.Material, error) {
	hits, err := r.rank(ctx, q)
	if err != nil {
		return memory.Material{}, fmt.Errorf("rag: question %q: %w", q.ID, err)
	}
	m := memory.Material{Calls: 1}
	for _, h := range hits {
		c := &r.chunks[r.at[h.ID]]
		m.Messages = append(m.Messages, c.messages...)
		m.Tokens += c.tokens
	}
	call := serving.Call{Stream: "answer", Phase: serving.Read, Purpose: "answer", Turn: r.turn}
	r.turn++
	err = r.Account.Call(call, r.Instructions+m.Tokens+r.Question, r.Output, func() (serving.Prompt, []serving.Item) {
		items := make([]serving.Item, len(m.Messages))
		for i, msg := range m.Messages {
			items[i] = memory.MessageItem(msg)
		}
		return serving.Prompt{
			{Name: "instructions", Items: []serving.Item{{Kind: "instructions", Name: "answer", Tokens: r.Instructions}}},
			{Name: "chunks", Items: items},
			{Name: "question", Items: []serving.Item{{Kind: "question", Name: q.ID, Tokens: r.Question}}},
		}, nil
	})
	return m, err
}

func (r *Memory) rank(ctx context.Context, q dialogue.Query) ([]retrieve.Hit, error) {
	if len(r.chunks) == 0 {
		return nil, nil
	}
	k := r.K
	if r.Method == Fused {
		k = len(r.chunks) // a chunk that is far down in one list may be first in the other
	}
	var lists [][]retrieve.Hit
	if r.vectors != nil {
		hits, err := r.like(ctx, q, k)
		if err != nil {
			return nil, err
		}
		lists = append(lists, hits)
	}
	if r.words != nil {
		hits, err := r.words.Search(q.Text, k, nil)
		if err != nil && !errors.Is(err, retrieve.ErrEmpty) { // a question without words finds none
			return nil, err
		}
		lists = append(lists, hits)
	}
	if r.Method != Fused {
		return lists[0], nil
	}
	return retrieve.Fuse(retrieve.RankConstant, r.K, lists...), nil
}

// like is the k chunks most like a question; none if it has nothing to embed.
func (r *Memory) like(ctx context.Context, q dialogue.Query, k int) ([]retrieve.Hit, error) {
	v, err := r.embed(ctx, retrieve.Passage{ID: q.ID, Role: retrieve.Query, Text: q.Text})
	if err != nil || v == nil {
		return nil, err
	}
	if err := r.Account.Embed(serving.Embedding{Phase: serving.Read, Purpose: "question", Turn: r.turn, Texts: 1}); err != nil {
		return nil, err
	}
	return r.vectors.Search(v, k, nil)
}
