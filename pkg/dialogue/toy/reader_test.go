package toy

import (
	"slices"

	"memlab/pkg/dialogue"
)

// A reader who has read everything and sees of a question only what may be seen:
// too slow to ship, obviously right.
func answer(messages []dialogue.Message, q dialogue.Query) string {
	subject := q.Subject
	for i, relation := range q.Path {
		values := lastSaid(messages, dialogue.Key{Subject: subject, Relation: relation})
		back := 0
		if q.Past && i == len(q.Path)-1 {
			back = 1
		}
		if len(values) <= back {
			return ""
		}
		subject = values[len(values)-1-back]
	}
	return subject
}

// lastSaid lists the distinct values of a key in the order in which each was said
// last.
func lastSaid(messages []dialogue.Message, k dialogue.Key) []string {
	var out []string
	for _, m := range messages {
		for _, f := range m.Facts {
			if f.Key() == k {
				out = append(slices.DeleteFunc(out, func(v string) bool { return v == f.Object }), f.Object)
			}
		}
	}
	return out
}
