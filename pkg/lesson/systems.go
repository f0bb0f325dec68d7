package lesson

import (
	"context"
	"fmt"

	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/choice"
	"memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/world"
	"memlab/pkg/serving"
	"memlab/pkg/table"
)

// Section 6: a systems view.

// LevelTable lists the levels of memory from the nearest to the farthest: what
// each is like, what it holds of a conversation, and what a question brings in.
func LevelTable(p world.Parameters, m costmodel.Model) (table.Table, error) {
	t := table.New("", "Level", "Like", "Holds", "A question reads", "KV cache", "Calls", "What changes")
	levels, err := choice.Levels(context.Background(), p, m)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, l := range levels {
		err := t.Add(l.Name, l.Like, thousands(int(l.Holds+0.5)), thousands(int(l.Reads+0.5)), l.Bytes, fmt.Sprintf("%.2f", l.Calls), l.Changes)
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// Ways prices memory systems on the toy's conversations, with a prefix cache or
// without.
func Ways(p world.Parameters, e *costmodel.Engine, cached bool, seeds int) ([]choice.Way, error) {
	ways, err := choice.Conversations(context.Background(), p, e, cached, seeds)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	return ways, nil
}

// RatioFigure shows what a question costs in all, its share of the writing
// included, over how many questions are asked. Its title says whose prices these
// are.
func RatioFigure(title string, ways []choice.Way, questions ...float64) (chart.Figure, error) {
	f := chart.Figure{
		Title: title,
		X:     chart.Axis{Label: "Questions about what was written", Log: true},
		Y:     chart.Axis{Label: "GPU time per question, writing included", Unit: "s", Log: true},
	}
	if len(ways) == 0 || len(questions) < 2 {
		return f, fmt.Errorf("lesson: %d ways, %d numbers of questions: want one or more, and two or more", len(ways), len(questions))
	}
	for _, w := range ways {
		line := chart.Series{Name: wayName(w.Name), Kind: chart.Line}
		for _, q := range questions {
			if !(q >= 1) {
				return f, fmt.Errorf("lesson: questions %g: want 1 or more", q)
			}
			line.X, line.Y = append(line.X, q), append(line.Y, w.After(q)/q)
		}
		f.Series = append(f.Series, line)
	}
	return f, nil
}

// wayNames are the ways to have a document as figures and tables show them.
var wayNames = map[string]string{
	choice.Uncached: "In context, read anew", choice.Cached: "In context, cached", choice.Shared: "In context, shared by all",
	choice.Trained: "Cartridge", choice.TrainedBy: "Cartridge, shared by all",
	"playbook, append-only": "Playbook, append-only", "playbook, rewritten": "Playbook, rewritten",
}

func wayName(name string) string {
	if shown, ok := wayNames[name]; ok {
		return shown
	}
	return settingName(name)
}

// CheapestTable lists the cheapest system that answers at least a share of the
// questions right, for numbers of questions and shares, with and without a prefix
// cache.
func CheapestTable(cold, warm []choice.Way, least []float64, questions ...float64) (table.Table, error) {
	t := table.New("", "Questions", "At least right", "Without a prefix cache", "With a prefix cache")
	for _, q := range questions {
		for _, share := range least {
			a, err := choice.Cheapest(cold, q, share)
			if err != nil {
				return t, fmt.Errorf("lesson: %w", err)
			}
			b, err := choice.Cheapest(warm, q, share)
			if err != nil {
				return t, fmt.Errorf("lesson: %w", err)
			}
			if err := t.Add(thousands(int(q)), fmt.Sprintf("%.2f", share), wayName(a.Name), wayName(b.Name)); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// DocumentWays prices the ways to have a document: everyone's own, or one for all.
func DocumentWays(e *costmodel.Engine, tokens int, shared bool) ([]choice.Way, error) {
	private, one, err := choice.Documents(e, tokens, 50, 200)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	if shared {
		return one, nil
	}
	return private, nil
}

// situationNames and choices come from package choice in lower case.
var situationNames = map[string]string{
	"one manual for everybody":                            "One manual for everybody",
	"a private document, asked often, hardly changed":     "A private document, asked often, hardly changed",
	"a short conversation, and the money is there":        "A short conversation, and the money is there",
	"a conversation beyond the window, facts that change": "A conversation beyond the window, facts that change",
	"an agent that gathers experience":                    "An agent that gathers experience",
}

// DecisionTable lists situations with what the numbers say for each.
func DecisionTable(p world.Parameters, e *costmodel.Engine, s choice.Sizes) (table.Table, error) {
	t := table.New("", "Situation", "Take", "Because", "Meaning")
	if e == nil {
		return t, fmt.Errorf("lesson: no engine: want one of costmodel.NewEngine")
	}
	decisions, err := choice.Decide(context.Background(), p, e, s)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, d := range decisions {
		if err := t.Add(situationNames[d.Situation], wayName(d.Choice), d.Number, d.Criterion); err != nil {
			return t, err
		}
	}
	return t, nil
}

// AgentLayout is the coding agent's prompt in an order of its parts.
func AgentLayout(names ...string) (serving.Arrangement, error) {
	a, err := choice.InOrder(choice.CodingAgent(), names...)
	if err != nil {
		return a, fmt.Errorf("lesson: %w", err)
	}
	return a, nil
}

// Checklist is the prompt of the lecture's checklist (§6.3), with example sizes.
func Checklist() []serving.Habit { return playbook.Checklist() }
