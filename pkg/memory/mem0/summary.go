package mem0

import (
	"context"
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/serving"
)

// summary is what the dialogue was about.
type summary struct {
	text    string
	tokens  int
	version int
	since   []*dialogue.Message // not in it yet
	due     int                 // pairs since the last refresh
	anew    bool                // to be made from memories, since something was forgotten
}

// Summary is the summary of the dialogue; empty if there is none yet.
func (m *Memory) Summary() string { return m.summary.text }

func (s *summary) item() serving.Item {
	return serving.Item{Kind: "summary", Name: "dialogue", Version: s.version, Tokens: s.tokens}
}

// summarize refreshes the summary when it is time. No pair waits for it, so its
// failure fails none: it is counted, and tried again after the next pair.
func (m *Memory) summarize(ctx context.Context, pair []*dialogue.Message) {
	if m.SummaryEvery == 0 {
		return
	}
	s := &m.summary
	s.since = append(s.since, pair...)
	if s.due++; s.due < m.SummaryEvery {
		return
	}
	if err := m.refresh(ctx); err != nil {
		m.report.SummariesFailed++
	}
}

func (m *Memory) refresh(ctx context.Context) error {
	s := &m.summary
	d := Digest{Previous: s.text, Messages: slices.Clone(s.since)}
	prompt := m.SummaryTokens + s.tokens + tokensOf(s.since)
	if s.anew {
		for _, e := range m.store.entries {
			if valid(e) {
				d.Memories = append(d.Memories, e.copy())
				prompt += e.Tokens
			}
		}
	}
	text, tokens, err := m.Judge.Summarize(ctx, d)
	if err != nil {
		return err
	}
	tokens = max(0, tokens)
	err = m.Account.Call(m.call("summary"), prompt, tokens, func() (serving.Prompt, []serving.Item) {
		p := serving.Prompt{instructions("summary", m.SummaryTokens)}
		if s.tokens > 0 {
			p = append(p, serving.Segment{Name: "summary", Items: []serving.Item{s.item()}})
		}
		return append(p,
			serving.Segment{Name: "memories", Items: memoryItems(d.Memories)},
			serving.Segment{Name: "messages", Items: messageItems(s.since)}), nil
	})
	if err != nil {
		return err
	}
	clear(s.since)
	*s = summary{text: text, tokens: tokens, version: s.version + 1, since: s.since[:0]}
	return nil
}
