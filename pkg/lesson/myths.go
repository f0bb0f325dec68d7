package lesson

import (
	"errors"
	"fmt"
	"math"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/dialogue"
	"memlab/pkg/experiments/cartridge/stored"
	experiment "memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/session"
	"memlab/pkg/experiments/world"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/table"
)

// Section 9: what holds a common belief against a number.

// HitFigure shows what one question about a private context costs a full GPU, with
// nothing in the prefix cache and with the whole context in it: the cache takes the
// prefill away, and nothing else.
func HitFigure(e *costmodel.Engine, contexts ...int) (chart.Figure, error) {
	if err := checkEngine(e, contexts); err != nil {
		return chart.Figure{}, err
	}
	prefill := chart.Series{Name: "Prefill", Kind: chart.StackedBars}
	decode := chart.Series{Name: "Decode", Kind: chart.StackedBars}
	f := chart.Figure{
		Title: "What a full cache hit takes away",
		X:     chart.Axis{Label: "Private context"},
		Y:     chart.Axis{Label: "GPU time per question", Unit: "s"},
	}
	for _, n := range contexts {
		for _, cached := range []bool{false, true} {
			t, err := e.Throughput(e.Load(n), cached)
			if err != nil {
				return f, fmt.Errorf("lesson: %w", err)
			}
			if t.Fit.Batch == 0 {
				return f, fmt.Errorf("lesson: not one request with %d tokens of context fits: want more or larger GPUs", n)
			}
			name := tokens(n) + ": cold"
			if cached {
				name = tokens(n) + ": hit"
			}
			f.X.Categories = append(f.X.Categories, name)
			each := float64(e.Params().TensorParallel) / float64(t.Fit.Batch)
			prefill.Y = append(prefill.Y, each*float64(t.Prefill.Time))
			decode.Y = append(decode.Y, each*float64(e.Params().Output)*float64(t.Step.Time))
		}
	}
	f.Series = []chart.Series{prefill, decode}
	return f, nil
}

// PaybackTable lists what is paid at write time, what a question saves, and after
// how many questions that is paid back: for mem0 against the whole conversation in
// the context, and for a cartridge against the document in the context. Times are
// GPU seconds. The other way's conversation or document is cached or not.
func PaybackTable(p world.Parameters, e *costmodel.Engine, document int) (table.Table, error) {
	t := table.New("", "System", "In the context", "Paid when writing", "Saved by a question", "Pays back after")
	for _, cached := range []bool{false, true} {
		bills, err := Bills(p, 0, e, cached, "full", "mem0")
		if err != nil {
			return t, err
		}
		full, mem0 := bills[0], bills[1]
		from, _, ok := mem0.Cheaper(full)
		if !ok {
			from = math.Inf(1)
		}
		if err := addPayback(&t, "mem0", cachedName(cached), mem0.Write, full.Each-mem0.Each, from); err != nil {
			return t, err
		}
	}
	b, err := e.BreakEven(costmodel.PaperCartridge(document), e.Params().Question, e.Params().Output)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, way := range []struct {
		name string
		costmodel.Against
	}{{cachedName(false), b.Uncached}, {cachedName(true), b.Cached}, {"cached, one for all", b.Shared}} {
		from := way.Queries
		if !way.Pays {
			from = math.Inf(1)
		}
		if err := addPayback(&t, "Cartridge", way.name, b.Training, way.Saved, from); err != nil {
			return t, err
		}
	}
	return t, nil
}

func cachedName(cached bool) string {
	if cached {
		return "cached"
	}
	return "read anew"
}

func addPayback(t *table.Table, memory, way string, write, saved, from float64) error {
	after := "never"
	if !math.IsInf(from, 1) {
		after = thousands(int(math.Ceil(from))) + " questions"
	}
	return t.Add(memory, way, chart.Number(write, "s"), chart.Number(saved, "s"), after)
}

// KindTable lists how systems answer one kind of question, as means over groups of
// conversations with their 95% intervals.
func KindTable(systems []world.Comparison, kinds ...dialogue.Kind) (table.Table, error) {
	columns := []string{"System"}
	for _, k := range kinds {
		name, ok := kindColumns[k]
		if !ok {
			return table.Table{}, fmt.Errorf("lesson: kind of question %q: want one of %q", k, dialogue.Kinds())
		}
		columns = append(columns, name)
	}
	t := table.New("", columns...)
	if len(systems) == 0 || len(kinds) == 0 {
		return t, errors.New("lesson: no systems or no kinds of question: want at least one of each")
	}
	for _, c := range systems {
		row := []any{settingName(c.Setting)}
		for _, k := range kinds {
			row = append(row, plusMinus(c.Kinds[k]))
		}
		if err := t.Add(row...); err != nil {
			return t, err
		}
	}
	return t, nil
}

var kindColumns = map[dialogue.Kind]string{
	dialogue.Current: "Current value", dialogue.Previous: "Previous value", dialogue.TwoHop: "Two hops",
}

// RivalFigure is ChunkFigure with the accuracy of another system as a mark.
func RivalFigure(p world.Parameters, seeds int, rival world.Comparison, sizes, counts []int) (chart.Figure, error) {
	f, err := ChunkFigure(p, seeds, sizes, counts)
	if err == nil {
		f.Marks = append(f.Marks, chart.Mark{Label: settingName(rival.Setting), Y: new(rival.Accuracy.Mean)})
	}
	return f, err
}

// Memorised is what cartridges of some slots answer after 3,000 steps, as stored:
// means over seeds with their intervals.
type Memorised struct {
	Slots                      int
	Original, Other, SelfStudy claims.Mean // of memorising in the words of the text and in others; of self-study in others
}

// MemorisedAt looks the stored trainings up at some slots.
func MemorisedAt(slots int) (Memorised, error) {
	m := Memorised{Slots: slots}
	all, err := stored.Read()
	if err != nil {
		return m, fmt.Errorf("lesson: %w", err)
	}
	c, err := all.Find("slots")
	if err != nil {
		return m, fmt.Errorf("lesson: %w", err)
	}
	for name, to := range map[string]*claims.Mean{"memorize_original": &m.Original, "memorize_rephrased": &m.Other, "self_study": &m.SelfStudy} {
		line, err := c.Line(name)
		if err != nil {
			return m, fmt.Errorf("lesson: %w", err)
		}
		mean, low, high := line.Mean()
		found := false
		for i, at := range c.At {
			if at == float64(slots) {
				*to, found = claims.Mean{Mean: mean[i], Low: low[i], High: high[i]}, true
			}
		}
		if !found {
			return m, fmt.Errorf("lesson: nothing is stored for %d slots: want one of %v", slots, c.At)
		}
	}
	return m, nil
}

// MemorisedTable lists them.
func MemorisedTable(found ...Memorised) (table.Table, error) {
	t := table.New("", "Slots of the cartridge, p", "Memorised, words of the text", "Memorised, other words", "Self-study, other words")
	for _, m := range found {
		if err := t.Add(m.Slots, plusMinus(m.Original), plusMinus(m.Other), plusMinus(m.SelfStudy)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Rewriters are agents that learn with a playbook that grows, and with sheets whose
// rewriter repeats faithfully up to a number of tokens.
func Rewriters(seeds int, comforts ...int) ([]experiment.Point, error) {
	learners := []experiment.Learner{experiment.DefaultLearner()}
	for _, n := range comforts {
		l := experiment.DefaultLearner()
		l.Memory, l.World.Comfort = experiment.Cheatsheet, n
		learners = append(learners, l)
	}
	found, err := experiment.Curve(seeds, learners...)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	return found, nil
}

// RewriterTable lists what they have in the end.
func RewriterTable(found []experiment.Point) (table.Table, error) {
	t := table.New("", "System", "Rewritten faithfully up to", "Collapses", "Tokens in the end", "Accuracy on new tasks", "Without any context")
	for _, p := range found {
		up := "–"
		if p.Learner.Memory == experiment.Cheatsheet {
			up = tokens(p.Learner.World.Comfort)
		}
		err := t.Add(memoryNames[p.Learner.Memory], up, fmt.Sprintf("%.1f", p.Collapses.Mean),
			thousands(int(p.Tokens.Mean+0.5)), plusMinus(p.Accuracy), share(p.Before))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// Stale is how many of a system's memories say what holds no more.
type Stale struct{ Invalid, All int }

// StaleMemories counts those that mem0g keeps of the first conversation of a seed,
// and that a deletion would have removed.
func StaleMemories(p world.Parameters, seed int) (Stale, error) {
	w, err := Conversation(p, seed, chart.English)
	if err != nil {
		return Stale{}, err
	}
	m, err := world.Remembered(p, w, true)
	if err != nil {
		return Stale{}, fmt.Errorf("lesson: %w", err)
	}
	var s Stale
	for _, memory := range m.Memories() {
		s.All++
		if !memory.Invalid.IsZero() {
			s.Invalid++
		}
	}
	return s, nil
}

// Laid is what a session costs under a layout: means over seeds.
type Laid struct {
	Layout            queue.Layout
	Prompt, Prefilled claims.Mean // tokens of all calls, and of these not in the cache
}

// Layouts plays the same sessions under the three layouts.
func Layouts(p session.Parameters, seeds int) ([]Laid, error) {
	if seeds < 1 {
		return nil, fmt.Errorf("lesson: %d seeds: want 1 or more", seeds)
	}
	var out []Laid
	for _, layout := range queue.Layouts() {
		set := p.Setting()
		set.Layout = layout
		prompt, prefilled := make([]float64, seeds), make([]float64, seeds)
		for seed := range seeds {
			s, err := session.Run(p, seed, set)
			if err != nil {
				return nil, fmt.Errorf("lesson: %w", err)
			}
			f, err := s.Figures(false)
			if err != nil {
				return nil, fmt.Errorf("lesson: %w", err)
			}
			prompt[seed], prefilled[seed] = float64(f.Totals.Prompt), float64(f.Totals.Prefilled)
		}
		out = append(out, Laid{layout, claims.MeanOf(prompt), claims.MeanOf(prefilled)})
	}
	return out, nil
}

// LayoutTable lists them; ± is half of the 95% interval.
func LayoutTable(found []Laid) (table.Table, error) {
	t := table.New("", "Layout", "Prefilled without a cache", "Prefilled with a cache", "Against the first row")
	for _, l := range found {
		between := thousands(int(l.Prefilled.Mean)) + " ± " + thousands(int((l.Prefilled.High-l.Prefilled.Low)/2))
		err := t.Add(layoutNames[l.Layout], thousands(int(l.Prompt.Mean)), between, fmt.Sprintf("%.2f×", l.Prefilled.Mean/found[0].Prefilled.Mean))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}
