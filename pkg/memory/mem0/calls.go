package mem0

import (
	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/serving"
)

// emptyReply is the length in tokens of a reply that names no fact.
const emptyReply = 5

// outputOf is the length of a reply of n facts.
func (m *Memory) outputOf(n int) int { return max(emptyReply, n*m.MemoryTokens) }

func instructions(purpose string, tokens int) serving.Segment {
	return serving.Segment{Name: "instructions", Items: []serving.Item{{Kind: "instructions", Name: purpose, Tokens: tokens}}}
}

func messageItems(messages []*dialogue.Message) []serving.Item {
	items := make([]serving.Item, len(messages))
	for i, msg := range messages {
		items[i] = memory.MessageItem(msg)
	}
	return items
}

func memoryItems(memories []memory.Memory) []serving.Item {
	items := make([]serving.Item, len(memories))
	for i := range memories {
		items[i] = memories[i].Item()
	}
	return items
}

func tokensOf(messages []*dialogue.Message) int {
	n := 0
	for _, msg := range messages {
		n += msg.Tokens
	}
	return n
}

func (m *Memory) call(purpose string) serving.Call {
	return serving.Call{Stream: purpose, Phase: serving.Write, Purpose: purpose, Turn: m.pairs}
}

func (m *Memory) accountExtract(pair []*dialogue.Message, found int) error {
	prompt := m.ExtractTokens + m.summary.tokens + tokensOf(m.recent) + tokensOf(pair)
	return m.Account.Call(m.call("extract"), prompt, m.outputOf(found), func() (serving.Prompt, []serving.Item) {
		p := serving.Prompt{instructions("extract", m.ExtractTokens)}
		if m.summary.tokens > 0 {
			p = append(p, serving.Segment{Name: "summary", Items: []serving.Item{m.summary.item()}})
		}
		return append(p,
			serving.Segment{Name: "recent", Kind: serving.Queue, Items: messageItems(m.recent)},
			serving.Segment{Name: "pair", Items: messageItems(pair)}), nil
	})
}

// accountUpdate counts a decision. The fact in question is the last of the fixed
// tokens; room for memories that there are not is filled up.
func (m *Memory) accountUpdate(e *entry, existing []memory.Memory) error {
	prompt := m.UpdateTokens + m.Similar*m.MemoryTokens
	return m.Account.Call(m.call("update"), prompt, m.MemoryTokens, func() (serving.Prompt, []serving.Item) {
		fact := min(m.MemoryTokens, m.UpdateTokens-1)
		items := memoryItems(existing)
		if room := (m.Similar - len(existing)) * m.MemoryTokens; room > 0 {
			items = append(items, serving.Item{Kind: "room", Name: "memories", Tokens: room})
		}
		p := serving.Prompt{instructions("update", m.UpdateTokens-fact), {Name: "memories", Items: items}}
		if fact > 0 {
			p = append(p, serving.Segment{Name: "fact", Items: []serving.Item{{Kind: "fact", Name: e.ID, Tokens: fact}}})
		}
		return p, nil
	})
}

func (m *Memory) accountAnswer(question string, found []memory.Memory, tokens int) error {
	c := serving.Call{Stream: "answer", Phase: serving.Read, Purpose: "answer", Turn: m.asked}
	return m.Account.Call(c, m.Instructions+tokens+m.Question, m.Output, func() (serving.Prompt, []serving.Item) {
		return serving.Prompt{
			instructions("answer", m.Instructions),
			{Name: "memories", Items: memoryItems(found)},
			{Name: "question", Items: []serving.Item{{Kind: "question", Name: question, Tokens: m.Question}}},
		}, nil
	})
}
