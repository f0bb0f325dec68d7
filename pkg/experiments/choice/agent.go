package choice

import (
	"slices"

	"memlab/pkg/serving"
)

// CodingAgent is the prompt of the lecture's exercise 7: an agent that looks after
// a code base over many sessions. The sizes and how often each part changes are
// examples, per call of the model.
func CodingAgent() []serving.Habit {
	return []serving.Habit{
		{Segment: "instructions", Tokens: 2000},
		{Segment: "preferences", Tokens: 400, Change: 0.01},
		{Segment: "playbook", Tokens: 6000, Change: 0.05, Kept: 1},
		{Segment: "history", Tokens: 12000, Change: 1, Kept: 1},
		{Segment: "code", Tokens: 5000, Change: 0.9},
		{Segment: "task", Tokens: 300, Change: 0.3},
	}
}

// InOrder puts the parts of a prompt into the order of their names.
func InOrder(parts []serving.Habit, names ...string) (serving.Arrangement, error) {
	if len(names) != len(parts) {
		return serving.Arrangement{}, bad("%d names for %d parts: want each of them once", len(names), len(parts))
	}
	var ordered []serving.Habit
	for _, name := range names {
		i := slices.IndexFunc(parts, func(h serving.Habit) bool { return h.Segment == name })
		if i < 0 {
			return serving.Arrangement{}, bad("no part %q in the prompt", name)
		}
		ordered = append(ordered, parts[i])
	}
	return serving.InOrder(ordered)
}
