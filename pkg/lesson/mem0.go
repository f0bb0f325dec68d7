package lesson

import (
	"context"
	"fmt"
	"math"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/experiments/world"
	"memlab/pkg/memory"
	"memlab/pkg/random"
	"memlab/pkg/table"
)

// Section 3: mem0, extract, merge, retrieve.

// DialogueTable lists messages of a conversation and what each of them states.
func DialogueTable(w *toy.World, from, to int) (table.Table, error) {
	t := table.New("", "Message", "Who", "Text", "States")
	t.Quoted = []string{"Message", "Text", "States"}
	messages := w.Dialogue.Messages
	if from < 0 || to > len(messages) || from >= to {
		return t, fmt.Errorf("lesson: messages %d to %d: want a range within 0 to %d", from, to, len(messages))
	}
	for i := from; i < to; i++ {
		m := &messages[i]
		states := "·"
		if len(m.Facts) > 0 {
			states = m.Facts[0].Object
		}
		if err := t.Add(m.ID, string(m.Role), m.Text, states); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Story lists everything a conversation says about one relation of the user's,
// and what mem0 and mem0g made of each statement.
func Story(p world.Parameters, w *toy.World, relation string) (table.Table, error) {
	t := table.New("", "Message", "The user says", "mem0", "mem0g")
	t.Quoted = []string{"Message", "The user says"}
	ctx := context.Background()
	var systems []memory.System
	settings, err := world.ParseSettings(p, "mem0", "mem0g+graph")
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, s := range settings {
		system, err := s.System(w, &memory.Account{})
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if err := memory.Write(ctx, &w.Dialogue, system); err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		systems = append(systems, system)
	}
	for i := range w.Dialogue.Messages {
		m := &w.Dialogue.Messages[i]
		for _, f := range m.Facts {
			if f.Subject != dialogue.Me || f.Relation != relation {
				continue
			}
			row := []any{m.ID, m.Text}
			for _, s := range systems {
				row = append(row, fateWords(s.Fate(m.ID, f)))
			}
			if err := t.Add(row...); err != nil {
				return t, err
			}
		}
	}
	if len(t.Rows) == 0 {
		return t, fmt.Errorf("lesson: conversation %q says nothing about %q", w.Dialogue.Name, relation)
	}
	return t, nil
}

func fateWords(f memory.Fate) string {
	switch f.Lost {
	case memory.Held:
		return "kept"
	case memory.Extract:
		return "not extracted"
	case memory.Merge:
		return "lost in the merge"
	}
	return string(f.Lost)
}

// settingNames are the systems by the names that figures and tables show.
var settingNames = map[string]string{
	"full": "Full context", "full:alpha=.5": "Full context, alpha .5", "full:alpha=1": "Full context, alpha 1",
	"rag:128x16": "RAG 128×16", "rag:2048x1": "RAG 2048×1", "mem0": "mem0", "mem0g": "mem0g",
	"mem0g+graph": "mem0g + graph", "memgpt": "MemGPT", "mem0g:mixed=1": "mem0g, ranked together",
}

func settingName(spec string) string {
	if name, ok := settingNames[spec]; ok {
		return name
	}
	return spec
}

func share(m claims.Mean) string { return fmt.Sprintf("%.3f", m.Mean) }

// plusMinus has no-break spaces, or a narrow column of a page would split it.
func plusMinus(m claims.Mean) string {
	return fmt.Sprintf("%.3f\u00a0±\u00a0%.3f", m.Mean, (m.High-m.Low)/2)
}

// MainTable lists what systems remember and what they read and call for it, as
// means over groups of conversations; ± is half of the 95% interval.
func MainTable(systems []world.Comparison) (table.Table, error) {
	t := table.New("", "System", "Current value", "Previous value", "Two hops", "All", "Tokens per question", "Calls to write")
	for _, c := range systems {
		err := t.Add(settingName(c.Setting), share(c.Kinds[dialogue.Current]), share(c.Kinds[dialogue.Previous]),
			share(c.Kinds[dialogue.TwoHop]), plusMinus(c.Accuracy), thousands(int(c.TokensEach.Mean+0.5)), fmt.Sprintf("%.0f", c.WriteCalls.Mean))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// stageNames say where an answer was lost.
var stageNames = map[memory.Stage]string{
	memory.Extract: "not extracted", memory.Merge: "lost in the merge", memory.Keep: "pushed out",
	memory.RetrieveStale: "found an older value", memory.RetrieveAbsent: "not found", memory.ReadOver: "overlooked by the reader",
}

// LostFigure shows the share of questions that each stage lost, for each system.
// What is missing to the top is the accuracy.
func LostFigure(systems []world.Comparison) chart.Figure {
	f := chart.Figure{
		Title: "Where wrong answers are lost",
		X:     chart.Axis{Label: "System"},
		Y:     chart.Axis{Label: "Share of questions", Unit: "%"},
	}
	for _, c := range systems {
		f.X.Categories = append(f.X.Categories, settingName(c.Setting))
	}
	for _, stage := range memory.Stages() {
		s := chart.Series{Name: stageNames[stage], Kind: chart.StackedBars}
		any := false
		for _, c := range systems {
			s.Y = append(s.Y, 100*c.Lost[stage].Mean)
			any = any || c.Lost[stage].Mean > 0
		}
		if any {
			f.Series = append(f.Series, s)
		}
	}
	return f
}

// KindFigure shows the accuracy of systems by kind of question.
func KindFigure(systems []world.Comparison) chart.Figure {
	f := chart.Figure{
		Title: "Accuracy by kind of question",
		X:     chart.Axis{Label: "Kind of question", Categories: []string{"Current value", "Previous value", "Two hops"}},
		Y:     chart.Axis{Label: "Accuracy", Max: new(1.0)},
	}
	for _, c := range systems {
		s := chart.Series{Name: settingName(c.Setting), Kind: chart.Bars}
		for _, k := range memory.Lecture() {
			s.Y = append(s.Y, c.Kinds[k].Mean)
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// compare is world.Compare with specs.
func compare(p world.Parameters, seeds int, specs ...string) ([]world.Comparison, error) {
	settings, err := world.ParseSettings(p, specs...)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	found, err := world.Compare(context.Background(), p, seeds, settings, nil)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	return found, nil
}

// Systems plays systems on the groups of some seeds.
func Systems(p world.Parameters, seeds int, specs ...string) ([]world.Comparison, error) {
	return compare(p, seeds, specs...)
}

// Intervals of shares are cut to 0 to 1 in the figures below.

// ChunkFigure shows the accuracy of RAG over the number of chunks, a line for
// each size of chunk, with that of mem0g and its graph as a mark.
func ChunkFigure(p world.Parameters, seeds int, sizes, counts []int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "RAG: many small chunks against few large ones",
		X:     chart.Axis{Label: "Tokens read per question", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "Accuracy"},
	}
	for _, size := range sizes {
		var specs []string
		for _, k := range counts {
			specs = append(specs, fmt.Sprintf("rag:%dx%d", size, k))
		}
		found, err := compare(p, seeds, specs...)
		if err != nil {
			return f, err
		}
		line := chart.Series{Name: fmt.Sprintf("Chunks of %d", size), Kind: chart.Line}
		for _, c := range found {
			line.X, line.Y = append(line.X, c.TokensEach.Mean), append(line.Y, c.Accuracy.Mean)
			line.Low, line.High = append(line.Low, max(0, c.Accuracy.Low)), append(line.High, min(1, c.Accuracy.High))
		}
		f.Series = append(f.Series, line)
	}
	const graph = "mem0g+graph"
	found, err := compare(p, seeds, graph)
	if err != nil {
		return f, err
	}
	f.Marks = append(f.Marks, chart.Mark{Label: settingName(graph), Y: new(found[0].Accuracy.Mean)})
	return f, nil
}

// PartsFigure shows the accuracy of mem0g with graph over the quality of one
// judgement made when something is written, all else being perfect: "recall" of
// the extraction, or "noop", the rate at which a change is taken for a known fact.
func PartsFigure(p world.Parameters, seeds int, values ...float64) (chart.Figure, error) {
	f := chart.Figure{
		Title: "What a judgement at write time costs",
		X:     chart.Axis{Label: "Rate of mistakes"},
		Y:     chart.Axis{Label: "Accuracy"},
	}
	for _, part := range []struct{ name, spec string }{
		{"A fact is not extracted", "mem0g+graph:recall=%g:noop=0:add=0"},
		{"A change is taken for known", "mem0g+graph:recall=1:noop=%g:add=0"},
	} {
		line := chart.Series{Name: part.name, Kind: chart.Line}
		var specs []string
		for _, v := range values {
			if part.name == "A fact is not extracted" {
				specs = append(specs, fmt.Sprintf(part.spec, 1-v))
			} else {
				specs = append(specs, fmt.Sprintf(part.spec, v))
			}
		}
		found, err := compare(p, seeds, specs...)
		if err != nil {
			return f, err
		}
		for i, c := range found {
			line.X, line.Y = append(line.X, values[i]), append(line.Y, c.Accuracy.Mean)
			line.Low, line.High = append(line.Low, max(0, c.Accuracy.Low)), append(line.High, min(1, c.Accuracy.High))
		}
		f.Series = append(f.Series, line)
	}
	return f, nil
}

// LengthFigure shows the accuracy of systems as conversations grow.
func LengthFigure(p world.Parameters, seeds int, scales []int, specs ...string) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Accuracy as conversations grow",
		X:     chart.Axis{Label: "Length of the conversation", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "Accuracy"},
		Marks: []chart.Mark{{Label: "Window", X: new(float64(p.Window))}},
	}
	for _, spec := range specs {
		f.Series = append(f.Series, chart.Series{Name: settingName(spec), Kind: chart.Line})
	}
	for _, scale := range scales {
		scaled := p.Scaled(scale)
		found, err := compare(scaled, seeds, specs...)
		if err != nil {
			return f, err
		}
		length := 2 * float64(scaled.World.Pairs*scale) * scaled.World.Tokens
		for i, c := range found {
			line := &f.Series[i]
			line.X, line.Y = append(line.X, length), append(line.Y, c.Accuracy.Mean)
			line.Low, line.High = append(line.Low, max(0, c.Accuracy.Low)), append(line.High, min(1, c.Accuracy.High))
		}
	}
	return f, nil
}

// NeverTable lists how often systems lead a reader to claim something that was
// never said, when the reader guesses from something near at a given rate.
func NeverTable(systems []world.Comparison) (table.Table, error) {
	t := table.New("", "System", "Claims what nobody said", "Tokens per question")
	for _, c := range systems {
		wrong := c.Kinds[dialogue.Never]
		err := t.Add(settingName(c.Setting), fmt.Sprintf("%.1f%%\u00a0±\u00a0%.1f%%", 100*(1-wrong.Mean), 50*(wrong.High-wrong.Low)),
			thousands(int(c.TokensEach.Mean+0.5)))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// BillFigure shows the GPU seconds of one conversation, written once and asked
// about a number of times, for each system; with a prefix cache or without.
func BillFigure(bills []world.Bill, questions ...int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Writing once and reading often",
		X:     chart.Axis{Label: "Questions about one conversation"},
		Y:     chart.Axis{Label: "GPU time", Unit: "s"},
	}
	if len(bills) == 0 || len(questions) < 2 {
		return f, fmt.Errorf("lesson: %d bills, %d numbers of questions: want one or more, and two or more", len(bills), len(questions))
	}
	if bills[0].Cached {
		f.Title = "Writing once and reading often, with a prefix cache"
	}
	for _, b := range bills {
		line := chart.Series{Name: settingName(b.Setting), Kind: chart.Line}
		for _, q := range questions {
			line.X, line.Y = append(line.X, float64(q)), append(line.Y, b.After(float64(q)))
		}
		f.Series = append(f.Series, line)
	}
	return f, nil
}

// Bills prices systems on one group of conversations.
func Bills(p world.Parameters, seed int, e *costmodel.Engine, cached bool, specs ...string) ([]world.Bill, error) {
	if e == nil {
		return nil, fmt.Errorf("lesson: no engine: want one of costmodel.NewEngine")
	}
	g, err := world.NewGroup(p, seed, "en")
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	settings, err := world.ParseSettings(p, specs...)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	out := make([]world.Bill, len(settings))
	for i, s := range settings {
		if out[i], err = g.Bill(context.Background(), s, e, cached); err != nil {
			return nil, fmt.Errorf("lesson: %w", err)
		}
	}
	return out, nil
}

// BillTable lists what systems cost to write and to read, and for how many
// questions each costs less in all than the first one.
func BillTable(bills []world.Bill) (table.Table, error) {
	t := table.New("", "System", "To write", "One question", "Costs less than the first")
	for i, b := range bills {
		less := "·"
		if i > 0 {
			less = costsLess(b.Cheaper(bills[0]))
		}
		if err := t.Add(settingName(b.Setting), fmt.Sprintf("%.2f s", b.Write), fmt.Sprintf("%.1f ms", 1e3*b.Each), less); err != nil {
			return t, err
		}
	}
	return t, nil
}

func costsLess(from, to float64, ok bool) string {
	switch {
	case !ok:
		return "never"
	case from > 1:
		return fmt.Sprintf("from %.0f questions on", math.Ceil(from))
	case !math.IsInf(to, 1):
		return fmt.Sprintf("up to %.0f questions", math.Floor(to))
	}
	return "always"
}

// Conversation draws a conversation of the toy in a language: the first one of a
// seed.
func Conversation(p world.Parameters, seed int, lang chart.Lang) (*toy.World, error) {
	if seed < 0 {
		return nil, fmt.Errorf("lesson: seed %d: want 0 or more", seed)
	}
	w, err := toy.New(p.World, random.Seed(seed), 0, string(lang))
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	return w, nil
}

// ForgetTable lists how many copies of what the user said about a relation there
// are in mem0 and mem0g with the messages kept, and how many are left when it has
// been forgotten.
func ForgetTable(p world.Parameters, w *toy.World, relation string) (table.Table, error) {
	t := table.New("", "System", "Messages", "Memories", "of these invalid", "Left in memory when forgotten")
	for _, graph := range []bool{false, true} {
		m, err := world.Remembered(p, w, graph)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		before := world.Count(w, m, relation)
		if _, err := m.Forget(context.Background(), world.About(relation)); err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		name := "mem0"
		if graph {
			name = "mem0g + graph"
		}
		if err := t.Add(name, before.Messages, before.Memories, before.Invalid, world.Count(w, m, relation).Memories); err != nil {
			return t, err
		}
	}
	return t, nil
}
