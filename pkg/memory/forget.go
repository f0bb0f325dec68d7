package memory

import (
	"slices"
	"strings"

	"memlab/pkg/dialogue"
)

// Mentions lists the messages that state a matching fact, or whose text contains
// what such a fact says: an answer may repeat it without stating it.
func Mentions(messages []*dialogue.Message, match func(dialogue.Fact) bool) map[string]bool {
	out := map[string]bool{}
	var said []string
	for _, m := range messages {
		for _, f := range m.Facts {
			if match(f) {
				out[m.ID] = true
				said = append(said, f.Object)
			}
		}
	}
	for _, m := range messages {
		if slices.ContainsFunc(said, func(v string) bool { return strings.Contains(m.Text, v) }) {
			out[m.ID] = true
		}
	}
	return out
}
