package lesson

import (
	"fmt"
	"strings"

	"memlab/pkg/costmodel"
	experiment "memlab/pkg/experiments/playbook"
	"memlab/pkg/table"
)

// Section 5.5, continued: a playbook that may only have so many tokens.

// headroom is the share of the room that a playbook frees when it overflows, so
// that not every task drops something and breaks the cache.
const headroom = 0.2

// PlaybookBudgetTable lists what an agent loses whose playbook has room for so many tokens,
// and what that saves: how many requests fit on the GPU at once, each with a
// playbook of that length. What overflows drops bullets, or joins near duplicates
// first. The last row is a playbook without a limit.
func PlaybookBudgetTable(p experiment.Parameters, e *costmodel.Engine, seeds int, rooms ...int) (table.Table, error) {
	t := table.New("", "Room for the playbook", "Dropped", "Accuracy, dropped", "Accuracy, joined first", "KV cache", "Requests, one each")
	if err := checkEngine(e, rooms); err != nil {
		return t, err
	}
	base := experiment.DefaultLearner()
	base.World.Notice = 0 // a curator that repeats itself, so that there is something to join
	base.Threshold, base.Budget.Headroom = 0.9, headroom
	learners := []experiment.Learner{base}
	for _, room := range rooms {
		l := base
		l.Budget.Tokens = l.System + l.World.Task + room
		joins := l
		joins.Lazy = true
		learners = append(learners, l, joins)
	}
	found, err := curve(seeds, learners)
	if err != nil {
		return t, err
	}
	free := int(found[0].Tokens.Mean + 0.5)
	held, err := experiment.Capacities(p, e, append(append([]int(nil), rooms...), free)...)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for i, room := range rooms {
		drops, joins := found[1+2*i], found[2+2*i]
		err := t.Add(thousands(room), fmt.Sprintf("%.0f", drops.Dropped.Mean), plusMinus(drops.Accuracy), plusMinus(joins.Accuracy),
			oneLine(held[i].KV), held[i].Private.Requests)
		if err != nil {
			return t, err
		}
	}
	last := held[len(rooms)]
	return t, t.Add(fmt.Sprintf("no limit (%s)", thousands(free)), "0", plusMinus(found[0].Accuracy), "–", oneLine(last.KV), last.Private.Requests)
}

// oneLine writes a quantity so that a narrow column does not part it from its unit.
func oneLine(q fmt.Stringer) string { return strings.ReplaceAll(q.String(), " ", "\u00a0") }
