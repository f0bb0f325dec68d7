package lesson

import (
	"errors"
	"fmt"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	experiment "memlab/pkg/experiments/playbook"
	"memlab/pkg/playbook"
	"memlab/pkg/serving"
	"memlab/pkg/table"
)

// Section 5.4: what the prefix cache makes of a playbook.

// A Serving is a way of keeping and showing a playbook, with what it costs as
// means over seeds.
type Serving struct {
	Variant experiment.Variant
	Name    string
	Reuse   claims.Mean // share of prompt tokens
	Output  claims.Mean // tokens that were generated, of all tasks
	Prefill claims.Mean // GPU seconds of all tasks
	Decode  claims.Mean
	Ratio   claims.Mean // GPU time over that of the first variant
	// Causes are the shares of the prompt tokens that were prefilled, by cause,
	// as means.
	Causes map[string]float64
	Tasks  int
}

func variantName(p experiment.Parameters, v experiment.Variant) string {
	switch v {
	case experiment.Append:
		return "Append-only"
	case experiment.Counters:
		return "Counts in the prompt"
	case experiment.Dedup:
		return fmt.Sprintf("Dedup every %d tasks", p.DedupEvery)
	case experiment.Rewrite:
		return "Whole rewrite"
	}
	return string(v)
}

// Served plays the scripted agent of some parameters under every variant.
func Served(p experiment.Parameters, seeds int) ([]Serving, error) {
	if err := twoSeeds(seeds); err != nil {
		return nil, err
	}
	e, err := p.Engine()
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	first := make([]float64, seeds)
	var out []Serving
	for i, v := range experiment.Variants() {
		s := Serving{Variant: v, Name: variantName(p, v), Causes: map[string]float64{}, Tasks: p.Tasks}
		var reuse, output, prefill, decode, ratio []float64
		for seed := range seeds {
			run, err := experiment.Serve(p, seed, v)
			if err != nil {
				return nil, fmt.Errorf("lesson: %w", err)
			}
			f, err := run.Figures(p.Block, e)
			if err != nil {
				return nil, fmt.Errorf("lesson: %w", err)
			}
			if i == 0 {
				first[seed] = f.Bill.GPUSeconds
			}
			reuse, output = append(reuse, f.Reuse), append(output, float64(f.Totals.Output))
			prefill, decode = append(prefill, float64(f.Bill.Prefill)), append(decode, float64(f.Bill.Decode))
			ratio = append(ratio, f.Bill.GPUSeconds/first[seed])
			for _, c := range f.Causes {
				s.Causes[c.Cause.String()] += float64(c.Tokens) / float64(f.Totals.Prompt) / float64(seeds)
			}
		}
		s.Reuse, s.Output, s.Ratio = claims.MeanOf(reuse), claims.MeanOf(output), claims.MeanOf(ratio)
		s.Prefill, s.Decode = claims.MeanOf(prefill), claims.MeanOf(decode)
		out = append(out, s)
	}
	return out, nil
}

// ReuseFigure shows what the cache has of the prompts of each variant, and why the
// rest was prefilled.
func ReuseFigure(found []Serving) chart.Figure {
	f := chart.Figure{
		Title: "What the cache has of a prompt, and why not the rest",
		X:     chart.Axis{Label: "The playbook in the prompt"},
		Y:     chart.Axis{Label: "Share of prompt tokens", Unit: "%"},
	}
	edit := func(segment string) string { return serving.Cause{Kind: serving.Edit, Segment: segment}.String() }
	parts := []struct {
		name string
		of   func(Serving) float64
	}{
		{"Cached", func(s Serving) float64 { return s.Reuse.Mean }},
		{"New content", func(s Serving) float64 {
			return s.Causes[string(serving.NewContent)] + s.Causes[string(serving.FirstVisit)]
		}},
		{"Behind or in a changed bullet", func(s Serving) float64 { return s.Causes[edit(playbook.Segment)] }},
		{"Behind or in a rewritten sheet", func(s Serving) float64 { return s.Causes[edit(playbook.SheetSegment)] }},
	}
	for _, p := range parts {
		f.Series = append(f.Series, chart.Series{Name: p.name, Kind: chart.StackedBars})
	}
	for _, s := range found {
		f.X.Categories = append(f.X.Categories, s.Name)
		for i, p := range parts {
			f.Series[i].Y = append(f.Series[i].Y, 100*p.of(s))
		}
	}
	return f
}

// ServingTable lists what the variants cost.
func ServingTable(found []Serving) (table.Table, error) {
	t := table.New("", "The playbook in the prompt", "Reused", "Prefill per task", "Tokens generated", "Decode per task", "GPU time over the first")
	for _, s := range found {
		each := func(m claims.Mean) costmodel.Seconds { return costmodel.Seconds(m.Mean / float64(s.Tasks)) }
		err := t.Add(s.Name, plusMinus(s.Reuse), each(s.Prefill), thousands(int(s.Output.Mean+0.5)), each(s.Decode),
			fmt.Sprintf("%.2f\u00a0±\u00a0%.2f", s.Ratio.Mean, (s.Ratio.High-s.Ratio.Low)/2))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// KeptTable lists how the prompts of an agent that learns may be kept and shown,
// with what the cache reuses of them.
func KeptTable(seeds int) (table.Table, error) {
	t := table.New("", "The learner's prompts", "Reused", "Tokens at the end", "Accuracy on new tasks")
	found, err := curve(seeds, experiment.Kept())
	if err != nil {
		return t, err
	}
	for _, p := range found {
		if err := t.Add(keptName(p.Learner), plusMinus(p.Reuse), thousands(int(p.Tokens.Mean+0.5)), plusMinus(p.Accuracy)); err != nil {
			return t, err
		}
	}
	return t, nil
}

func keptName(l experiment.Learner) string {
	switch {
	case l.Memory == experiment.Cheatsheet:
		return "Whole rewrite"
	case l.Layout.Counters:
		return "Counts in the prompt"
	case l.Layout.Grouped:
		return "Grouped by section"
	case l.DedupEvery > 1:
		return fmt.Sprintf("Dedup every %d tasks", l.DedupEvery)
	case l.DedupEvery == 1:
		return "Dedup after each task"
	}
	return "Append-only"
}

// CostTable sets what is computed here beside what ACE's paper reports of cost.
func CostTable(p experiment.Parameters, seeds int) (table.Table, error) {
	t := table.New("", "Quantity", "Paper", "Here", "What ours is")
	if err := twoSeeds(seeds); err != nil {
		return t, err
	}
	costs, err := experiment.Costs(p, seeds)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, c := range costs {
		ours := "–"
		if c.Ours != nil {
			ours = fmt.Sprintf("%.1f%%\u00a0±\u00a0%.1f%%", c.Ours.Mean, (c.Ours.High-c.Ours.Low)/2)
		}
		if err := t.Add(c.Quantity, fmt.Sprintf("%g%%", c.Quoted.Value), ours, c.Why); err != nil {
			return t, err
		}
	}
	return t, nil
}

// CapacityFigure shows the decode throughput of a full GPU over the length of the
// playbook, for playbooks of one's own, and one for all.
func CapacityFigure(p experiment.Parameters, e *costmodel.Engine, lengths ...int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Throughput over the length of the playbook",
		X:     chart.Axis{Label: "Playbook", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "Decode throughput", Unit: "tokens/s", Log: true},
	}
	if err := checkEngine(e, lengths); err != nil {
		return f, err
	}
	found, err := experiment.Capacities(p, e, lengths...)
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	for _, way := range []struct {
		name string
		of   func(experiment.Capacity) experiment.Holding
	}{
		{"One each", func(c experiment.Capacity) experiment.Holding { return c.Private }},
		{"One for all, read by each", func(c experiment.Capacity) experiment.Holding { return c.Shared }},
		{"One for all, read once (cascade)", func(c experiment.Capacity) experiment.Holding { return c.Cascade }},
	} {
		line := chart.Series{Name: way.name, Kind: chart.Line}
		for _, c := range found {
			if h := way.of(c); h.Requests > 0 { // what does not fit has no place on a logarithmic axis
				line.X, line.Y = append(line.X, float64(c.Playbook)), append(line.Y, h.TokensPerSecond)
			}
		}
		if len(line.X) == 0 {
			return f, fmt.Errorf("lesson: %q: not one request fits at any of these lengths: want shorter playbooks or a larger GPU", way.name)
		}
		f.Series = append(f.Series, line)
	}
	return f, nil
}

// CapacityTable lists what a playbook costs at decode, one's own, and one for all
// that each step reads once.
func CapacityTable(p experiment.Parameters, e *costmodel.Engine, lengths ...int) (table.Table, error) {
	t := table.New("", "Playbook", "KV cache", "One step, alone", "Requests, one each", "Requests, one for all", "Tokens per second, one each", "Tokens per second, one for all")
	if err := checkEngine(e, lengths); err != nil {
		return t, err
	}
	found, err := experiment.Capacities(p, e, lengths...)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, c := range found {
		err := t.Add(tokens(c.Playbook), oneLine(c.KV), oneLine(c.Step), c.Private.Requests, c.Cascade.Requests, thousands(int(c.Private.TokensPerSecond)), thousands(int(c.Cascade.TokensPerSecond)))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// OrderTable lists the parts of a prompt in their order, how often each changes,
// and how much of it a call prefills.
func OrderTable(a serving.Arrangement) (table.Table, error) {
	t := table.New("", "Part", "Tokens", "Changes with", "Nothing before it changed", "Prefilled per call")
	if len(a.Parts) == 0 {
		return t, errors.New("lesson: no parts of a prompt: want an arrangement of serving.InOrder or Arrange")
	}
	for _, p := range a.Parts {
		changes := fmt.Sprintf("%.3g%% of calls", 100*p.Change)
		switch {
		case p.Kept == 1 && p.Change == 1:
			changes = "only grows at its end"
		case p.Kept == 1:
			changes = fmt.Sprintf("grows at its end in %.3g%% of calls", 100*p.Change)
		}
		if err := t.Add(p.Segment, thousands(int(p.Tokens+0.5)), changes, percent(p.Intact), thousands(int(p.Prefill+0.5))); err != nil {
			return t, err
		}
	}
	return t, t.Add("together", "", "", "", thousands(int(a.Prefill+0.5)))
}

// CountsTable lists what a call prefills depending on where the counts of the
// bullets stand, in a table of so many tokens for each bullet or beside them.
func CountsTable(p experiment.Parameters, each float64) (table.Table, error) {
	t := table.New("", "Where the counts stand", "Prefilled per call")
	add := func(name string, v experiment.Variant, table float64, order func([]serving.Habit) (serving.Arrangement, error)) error {
		parts, err := p.Habits(v, table)
		if err != nil {
			return fmt.Errorf("lesson: %w", err)
		}
		a, err := order(parts)
		if err != nil {
			return fmt.Errorf("lesson: %w", err)
		}
		return t.Add(name, thousands(int(a.Prefill+0.5)))
	}
	if !(each > 0) {
		return t, fmt.Errorf("lesson: a table of %g tokens for each bullet: want more than 0", each)
	}
	return t, errors.Join(
		add("nowhere in the prompt", experiment.Append, 0, serving.InOrder),
		add("in a table behind the playbook", experiment.Counters, each, serving.Arrange),
		add("beside each bullet", experiment.Counters, 0, serving.InOrder),
		add("in a table before the playbook", experiment.Counters, each, serving.InOrder),
	)
}
