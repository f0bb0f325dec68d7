package evidence

import (
	"strconv"
	"strings"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
)

// chunk is a run of messages, from the first to before the end.
type chunk struct{ first, end int }

// cut cuts a dialogue into chunks, each closed by its session or as soon as it has
// size tokens.
func cut(messages []dialogue.Message, size int) []chunk {
	var chunks []chunk
	first, tokens := 0, 0
	for i := range messages {
		tokens += messages[i].Tokens
		last := i+1 == len(messages) || messages[i+1].Session != messages[i].Session
		if tokens >= size || last {
			chunks = append(chunks, chunk{first, i + 1})
			first, tokens = i+1, 0
		}
	}
	return chunks
}

// passages are the chunks as they are searched; an id is a chunk's place.
func passages(messages []dialogue.Message, chunks []chunk) []retrieve.Passage {
	list := make([]retrieve.Passage, len(chunks))
	for i, c := range chunks {
		p := retrieve.Passage{ID: strconv.Itoa(i), Role: retrieve.Chunk}
		if c.end == c.first+1 {
			p.Role = retrieve.Message
		}
		var lines []string
		for j := range messages[c.first:c.end] {
			m := &messages[c.first+j]
			p.Parts = append(p.Parts, m.ID)
			lines = append(lines, spoken(m))
		}
		p.Text = strings.Join(lines, "\n")
		list[i] = p
	}
	return list
}

// spoken is a message with its speaker, whom questions name.
func spoken(m *dialogue.Message) string {
	if m.Speaker == "" {
		return m.Text
	}
	return m.Speaker + ": " + m.Text
}
