package memory

import (
	"slices"
	"strings"

	"memlab/pkg/dialogue"
)

// Mentions lists the messages that state a matching fact, or whose text contains, in
// whatever case, what such a fact says or one of the values said elsewhere: an answer
// may repeat it without stating it.
func Mentions(messages []*dialogue.Message, match func(dialogue.Fact) bool, elsewhere ...string) map[string]bool {
	out := map[string]bool{}
	var said []string
	add := func(value string) {
		if value != "" { // which every text contains
			said = append(said, strings.ToLower(value))
		}
	}
	for _, v := range elsewhere {
		add(v)
	}
	for _, m := range messages {
		for _, f := range m.Facts {
			if match(f) {
				out[m.ID] = true
				add(ValueOf(f))
			}
		}
	}
	for _, m := range messages {
		text := strings.ToLower(m.Text)
		if slices.ContainsFunc(said, func(v string) bool { return strings.Contains(text, v) }) {
			out[m.ID] = true
		}
	}
	return out
}

// ValueOf is what must not be found any more once a fact is forgotten: its object, or
// the sentence of a fact that is no triple.
func ValueOf(f dialogue.Fact) string {
	if f.Object != "" {
		return f.Object
	}
	return f.Text
}
