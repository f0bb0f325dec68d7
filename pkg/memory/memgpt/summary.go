package memgpt

import (
	"context"
	"fmt"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// summarize writes the recursive summary after an eviction, if one is kept.
func (m *Memory) summarize(ctx context.Context, e queue.Eviction, gone []*dialogue.Message) error {
	if len(e.After) == 0 {
		return nil
	}
	if s, writes := m.Judge.(Summarizer); writes {
		text, err := s.Summarize(ctx, m.summary, gone)
		if err != nil {
			return fmt.Errorf("memgpt: summary: %w", err)
		}
		m.summary = text
	}
	m.told += len(gone)
	instructions := serving.Item{Kind: "system", Name: "summarize", Tokens: m.Question}
	call := serving.Call{Stream: "summarize", Phase: serving.Write, Purpose: "summarize", Turn: m.turn}
	length := instructions.Tokens + serving.Tokens(e.Before) + e.Tokens
	return m.Account.Call(call, length, serving.Tokens(e.After), func() (serving.Prompt, []serving.Item) {
		var items []serving.Item
		for _, msg := range e.Messages {
			items = append(items, msg.Items...)
		}
		p := serving.Prompt{{Name: queue.System, Items: []serving.Item{instructions}}}
		if len(e.Before) > 0 {
			p = append(p, serving.Segment{Name: queue.Summary, Items: e.Before})
		}
		return append(p, serving.Segment{Name: queue.FIFO, Items: items}), e.After
	})
}
