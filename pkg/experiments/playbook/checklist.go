package playbook

import "memlab/pkg/serving"

// Checklist is a prompt of the parts that the lecture's checklist names (§6.3),
// for an order to be found by serving.Arrange: stable knowledge, a history that
// only grows, a small state that is edited now and then, and the task. The sizes
// are examples.
func Checklist() []serving.Habit {
	return []serving.Habit{
		{Segment: "state", Tokens: 200, Change: 0.3},
		{Segment: "history", Tokens: 4000, Change: 1, Kept: 1},
		{Segment: "system", Tokens: 500},
		{Segment: "knowledge", Tokens: 3000, Change: 0.001},
		{Segment: "task", Tokens: 300, Change: 1, Place: serving.Last},
	}
}

// Habits are the parts of the scripted agent's prompt, with the mean playbook of
// the closed forms: with the counters in the bullets, in a table of their own (so
// many tokens for each bullet), or nowhere.
func (p Parameters) Habits(v Variant, table float64) ([]serving.Habit, error) {
	e, err := p.Estimate()
	if err != nil {
		return nil, err
	}
	system := serving.Habit{Segment: "system", Tokens: float64(p.System)}
	book := serving.Habit{Segment: "playbook", Tokens: e.Mean, Change: p.Add, Kept: 1}
	task := serving.Habit{Segment: "task", Tokens: float64(p.Task), Change: 1, Place: serving.Last}
	switch v {
	case Append:
	case Counters:
		if table == 0 {
			book.Change, book.Kept = 1, (e.Counters*e.Prompt-float64(p.System))/e.Mean
			break
		}
		counts := serving.Habit{Segment: "counts", Tokens: table * e.Mean / float64(p.Bullet), Change: 1, Kept: e.FirstChange}
		return []serving.Habit{system, counts, book, task}, nil
	case Rewrite:
		book.Change, book.Kept = 1, 0
	default:
		return nil, bad("variant %q: want %q, %q or %q", v, Append, Counters, Rewrite)
	}
	return []serving.Habit{system, book, task}, nil
}
