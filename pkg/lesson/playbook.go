package lesson

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	experiment "memlab/pkg/experiments/playbook"
	"memlab/pkg/playbook"
	"memlab/pkg/playbook/toy"
	"memlab/pkg/random"
	"memlab/pkg/serving"
	"memlab/pkg/table"
)

// Section 5: ACE, a playbook that evolves.

// twoSeeds is what a mean with an interval needs.
func twoSeeds(seeds int) error {
	if seeds < 2 || seeds > maxSeeds {
		return fmt.Errorf("lesson: %d seeds: an interval wants at least two seeds, and at most %d", seeds, maxSeeds)
	}
	return nil
}

// curve is experiment.Curve, with as many learners at once as there are
// processors.
func curve(seeds int, learners []experiment.Learner) ([]experiment.Point, error) {
	if err := twoSeeds(seeds); err != nil {
		return nil, err
	}
	out, errs := make([]experiment.Point, len(learners)), make([]error, len(learners))
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, l := range learners {
		wait.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			found, err := experiment.Curve(seeds, l)
			if err != nil {
				errs[i] = fmt.Errorf("lesson: %w", err)
				return
			}
			out[i] = found[0]
		})
	}
	wait.Wait()
	return out, errors.Join(errs...)
}

// GrowthFigure shows the length of what agents have learned, task by task: in a
// sheet that is rewritten, in a playbook that grows, or in whatever ran.
func GrowthFigure(courses ...*experiment.Course) (chart.Figure, error) {
	return courseFigure(chart.Figure{
		Title: "Length of what was learned",
		X:     chart.Axis{Label: "Task"},
		Y:     chart.Axis{Label: "Context", Unit: "tokens"},
	}, func(m experiment.Moment) float64 { return float64(m.Tokens) }, courses)
}

// WorthFigure shows, task by task, how often an agent would be right on new tasks
// with what it has learned.
func WorthFigure(courses ...*experiment.Course) (chart.Figure, error) {
	f, err := courseFigure(chart.Figure{
		Title: "What the context is worth on new tasks",
		X:     chart.Axis{Label: "Task"},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}, func(m experiment.Moment) float64 { return m.Accuracy }, courses)
	if err == nil {
		f.Marks = []chart.Mark{{Label: "Without any context", Y: new(courses[0].Before.Accuracy)}}
	}
	return f, err
}

func courseFigure(f chart.Figure, y func(experiment.Moment) float64, courses []*experiment.Course) (chart.Figure, error) {
	if len(courses) == 0 {
		return f, errors.New("lesson: no courses: want at least one of playbook.Learn")
	}
	for _, c := range courses {
		if c == nil || len(c.Moments) == 0 {
			return f, errors.New("lesson: a course without tasks: want one of playbook.Learn")
		}
		line := chart.Series{Name: memoryNames[c.Learner.Memory], Kind: chart.Line, X: []float64{0}, Y: []float64{y(c.Before)}}
		for i, m := range c.Moments {
			line.X, line.Y = append(line.X, float64(i+1)), append(line.Y, y(m))
		}
		f.Series = append(f.Series, line)
	}
	return f, nil
}

var memoryNames = map[experiment.Memory]string{
	experiment.Nothing: "No memory", experiment.Playbook: "Playbook", experiment.Cheatsheet: "Rewritten sheet",
}

// FallTable sets the first collapse of a course beside the one that ACE's paper
// reports of Dynamic Cheatsheet.
func FallTable(c *experiment.Course) (table.Table, error) {
	t := table.New("", "Around one rewrite", "Paper, AppWorld", "Toy")
	if c == nil {
		return t, errors.New("lesson: no course: want one of playbook.Learn")
	}
	paper, err := experiment.Quoted("collapse")
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	fall, ok := c.FirstFall()
	if !ok {
		return t, fmt.Errorf("lesson: %s, seed %d: no rewrite lost more than half of the context: want another seed or a rewriter that hurries more", c.Learner.Name, c.Seed)
	}
	ours := []float64{float64(fall.Before.Tokens), fall.Before.Accuracy, float64(fall.After.Tokens), fall.After.Accuracy, fall.Unadapted}
	if len(paper) != len(ours) {
		return t, fmt.Errorf("lesson: %d paper results of %q: want %d", len(paper), "collapse", len(ours))
	}
	for i, r := range paper {
		write := func(x float64) string { return thousands(int(x+0.5)) + " tokens" }
		if r.Unit == "percent" {
			write = func(x float64) string { return fmt.Sprintf("%.1f%%", x) }
			ours[i] *= 100
		}
		what := []string{"context before", "accuracy before", "context after", "accuracy after", "accuracy without any context"}[i]
		if err := t.Add(what, write(r.Value), write(ours[i])); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ComfortFigure shows what sheets are worth in the end that are rewritten by
// models which repeat longer and longer ones faithfully, beside the playbook and
// no memory.
func ComfortFigure(seeds int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Sheets by the length that the rewriter can bear",
		X:     chart.Axis{Label: "Rewritten faithfully up to", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}
	found, err := curve(seeds, experiment.Collapse())
	if err != nil {
		return f, err
	}
	line := chart.Series{Name: "Rewritten sheet", Kind: chart.Line}
	for _, p := range found {
		switch {
		case p.Learner.Memory != experiment.Cheatsheet:
			f.Marks = append(f.Marks, chart.Mark{Label: memoryNames[p.Learner.Memory], Y: new(p.Accuracy.Mean)})
		case p.Learner.World.Comfort <= 10_000: // beyond, no sheet of this world is too long
			addPoint(&line, float64(p.Learner.World.Comfort), p.Accuracy)
			f.X.Ticks = append(f.X.Ticks, float64(p.Learner.World.Comfort))
		}
	}
	f.Series = []chart.Series{line}
	return f, nil
}

// addPoint adds an accuracy with its interval, which of few seeds may reach beyond
// what a share can be: it is drawn up to there.
func addPoint(s *chart.Series, x float64, m claims.Mean) {
	s.X, s.Y = append(s.X, x), append(s.Y, m.Mean)
	s.Low, s.High = append(s.Low, max(m.Low, 0)), append(s.High, min(m.High, 1))
}

// sweep draws the accuracy of learners over a number of theirs.
func sweep(seeds int, f chart.Figure, x func(experiment.Learner) float64, lines ...sweepLine) (chart.Figure, error) {
	for i, l := range lines {
		found, err := curve(seeds, l.learners)
		if err != nil {
			return f, err
		}
		line := chart.Series{Name: l.name, Kind: chart.Line}
		for _, p := range found {
			addPoint(&line, x(p.Learner), p.Accuracy)
		}
		f.Series = append(f.Series, line)
		if i == 0 {
			f.Marks = append(f.Marks, chart.Mark{Label: "Without any context", Y: new(found[0].Before.Mean)})
		}
	}
	return f, nil
}

type sweepLine struct {
	name     string
	learners []experiment.Learner
}

// TruncationFigure shows what sheets are worth whose rewrites break off, with
// those that have no end refused, and accepted.
func TruncationFigure(seeds int) (chart.Figure, error) {
	refused, accepted := sweepLine{name: "A sheet without its end is refused"}, sweepLine{name: "It is taken for the whole"}
	for _, l := range experiment.Truncation() {
		if l.AcceptTruncated {
			accepted.learners = append(accepted.learners, l)
		} else {
			refused.learners = append(refused.learners, l)
		}
	}
	return sweep(seeds, chart.Figure{
		Title: "Rewrites that break off",
		X:     chart.Axis{Label: "Share of rewrites that break off", Unit: "%"},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}, func(l experiment.Learner) float64 { return 100 * l.World.Interrupt }, refused, accepted)
}

// BrevityFigure shows what a playbook is worth whose lessons are made short and
// general.
func BrevityFigure(seeds int) (chart.Figure, error) {
	return sweep(seeds, chart.Figure{
		Title: "Brevity bias",
		X:     chart.Axis{Label: "Share of lessons made short and general", Unit: "%"},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}, func(l experiment.Learner) float64 { return 100 * l.Brevity }, sweepLine{"Playbook", experiment.Brevity()})
}

// ReflectionFigure shows what a playbook is worth without a reflector and with
// more and more rounds of reflection.
func ReflectionFigure(seeds int) (chart.Figure, error) {
	return sweep(seeds, chart.Figure{
		Title: "Reflection",
		X:     chart.Axis{Label: "Rounds of reflection (0: no reflector)"},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}, func(l experiment.Learner) float64 {
		if !l.Reflector {
			return 0
		}
		return float64(l.Rounds)
	}, sweepLine{"Playbook", experiment.Reflection()})
}

// EpochsFigure shows what several passes through the same 100 tasks are worth,
// with a reflector and without.
func EpochsFigure(seeds int) (chart.Figure, error) {
	with, without := experiment.Epochs(), experiment.Epochs()
	for i := range without {
		without[i].Reflector = false
	}
	return sweep(seeds, chart.Figure{
		Title: "The same 100 tasks again and again",
		X:     chart.Axis{Label: "Epochs"},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}, func(l experiment.Learner) float64 { return float64(l.Epochs) }, sweepLine{"With a reflector", with}, sweepLine{"Without", without})
}

// PollutionFigure shows what a playbook is worth that learned from feedback which
// is false more and more often: from labels, and from execution alone.
func PollutionFigure(seeds int) (chart.Figure, error) {
	var lines []sweepLine
	for _, from := range []struct {
		name   string
		signal toy.Signal
	}{{"Labels", toy.Labels}, {"Execution alone", toy.Execution}} {
		line := sweepLine{name: from.name}
		for _, l := range experiment.Pollution(from.signal) {
			if l.Feedback.Error <= 0.5 { // beyond, it would be better to believe the opposite
				line.learners = append(line.learners, l)
			}
		}
		lines = append(lines, line)
	}
	return sweep(seeds, chart.Figure{
		Title: "Learning from false feedback",
		X:     chart.Axis{Label: "Share of feedback that is false", Unit: "%"},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}, func(l experiment.Learner) float64 { return 100 * l.Feedback.Error }, lines...)
}

// Deduplicated runs deduplication at several thresholds, and none at all.
func Deduplicated(seeds int) ([]experiment.Point, error) {
	return curve(seeds, experiment.Thresholds())
}

// DedupFigure shows what a playbook is worth whose bullets were joined from some
// cosine on.
func DedupFigure(found []experiment.Point) chart.Figure {
	f := chart.Figure{
		Title: "Deduplication by embeddings",
		X:     chart.Axis{Label: "Bullets joined from this cosine on"},
		Y:     chart.Axis{Label: "Accuracy on new tasks", Min: new(0.0), Max: new(1.0)},
	}
	line := chart.Series{Name: "Playbook", Kind: chart.Line}
	for _, p := range found {
		if p.Learner.DedupEvery == 0 {
			f.Marks = append(f.Marks, chart.Mark{Label: "Never joined", Y: new(p.Accuracy.Mean)})
			continue
		}
		addPoint(&line, p.Learner.Threshold, p.Accuracy)
	}
	f.Series = []chart.Series{line}
	return f
}

// DedupTable lists how many bullets were joined, and how many of these were about
// different things.
func DedupTable(found []experiment.Point) (table.Table, error) {
	t := table.New("", "Joined from cosine", "Joined", "of these about different things", "Bullets left", "Accuracy on new tasks")
	for _, p := range found {
		from := fmt.Sprintf("%.2f", p.Learner.Threshold)
		if p.Learner.DedupEvery == 0 {
			from = "never"
		}
		err := t.Add(from, fmt.Sprintf("%.0f", p.Joined.Mean), fmt.Sprintf("%.0f", p.Misjoined.Mean), fmt.Sprintf("%.0f", p.Bullets.Mean), plusMinus(p.Accuracy))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// GrowthTable lists tasks of a learner with what the playbook made of them: which
// bullets the agent went by, and what the merge changed.
func GrowthTable(l experiment.Learner, seed, from, to int) (table.Table, error) {
	t := table.New("", "Task", "Goes by", "Done", "Merged into the playbook", "Bullets", "Tokens")
	t.Quoted = []string{"Task", "Goes by", "Merged into the playbook"}
	if from < 0 || from >= to || to > 10_000 || seed < 0 {
		return t, fmt.Errorf("lesson: tasks %d to %d of seed %d: want a range within 0 to 10000, and a seed of 0 or more", from, to, seed)
	}
	world, err := toy.NewWorld(l.World, random.Seed(seed))
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	agent, err := toy.NewAgent(toy.Agent{World: world, Feedback: l.Feedback, Reflector: l.Reflector, Rounds: l.Rounds, Brevity: l.Brevity})
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	loop := &playbook.Loop{
		Generator: agent, Judge: agent, Reflector: agent, Curator: agent,
		Playbook: playbook.New(nil), Layout: l.Layout, Calls: playbook.Calls{System: l.System},
	}
	for i, task := range world.Tasks("learn", to) {
		step, err := loop.Step(context.Background(), task)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if i < from {
			continue
		}
		right, err := world.Right(step.Trajectory)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		err = t.Add(task.Text, goesBy(step.Trajectory.Used), rightWords[right], merged(loop.Playbook, step.Merge),
			loop.Playbook.Len(), thousands(loop.Playbook.Tokens(l.Layout)))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

var rightWords = map[bool]string{true: "✓", false: "✗"}

func goesBy(used []string) string {
	if len(used) == 0 {
		return "·"
	}
	return "[" + strings.Join(used, "] [") + "]"
}

// merged writes what a merge did in the signs of the playbook's text.
func merged(p *playbook.Playbook, r playbook.Report) string {
	var parts []string
	for _, list := range []struct {
		sign string
		ids  []string
	}{{"+", r.Added}, {"~", r.Updated}} {
		for _, id := range list.ids {
			if b, ok := p.Get(id); ok {
				parts = append(parts, fmt.Sprintf("%s [%s] %s", list.sign, id, b.Text))
			}
		}
	}
	for _, b := range r.Removed {
		parts = append(parts, fmt.Sprintf("- [%s] %s", b.ID, b.Text))
	}
	for _, id := range r.Counted {
		if b, ok := p.Get(id); ok {
			parts = append(parts, fmt.Sprintf("[%s] helpful=%d harmful=%d", id, b.Helpful, b.Harmful))
		}
	}
	if len(parts) == 0 {
		return "·"
	}
	return strings.Join(parts, "; ")
}

// ReportTable lists what a merge made of each operation.
func ReportTable(r playbook.Report) (table.Table, error) {
	t := table.New("", "Operation", "What became of it")
	t.Quoted = []string{"Operation"}
	add := func(kind playbook.OpKind, what, id string) error { return t.Add(fmt.Sprintf("%s %s", kind, id), what) }
	var errs []error
	for _, id := range r.Counted {
		errs = append(errs, add(playbook.Count, "counted", id))
	}
	for _, id := range r.Updated {
		errs = append(errs, add(playbook.Update, "text replaced", id))
	}
	for _, b := range r.Removed {
		errs = append(errs, add(playbook.Remove, "removed", b.ID))
	}
	for _, id := range r.Added {
		errs = append(errs, add(playbook.Add, "added", id))
	}
	for _, op := range r.Repeated {
		errs = append(errs, add(op.Kind, "the playbook says so already", op.ID))
	}
	for _, p := range r.Problems {
		what := "refused"
		switch {
		case errors.Is(p, playbook.ErrMissing):
			what = "refused: there is no such bullet"
		case errors.Is(p, playbook.ErrStale):
			what = "refused: a later task wrote the text"
		}
		errs = append(errs, add(p.Op.Kind, what, p.Op.ID))
	}
	return t, errors.Join(errs...)
}

// BulletTable lists the bullets of a playbook.
func BulletTable(p *playbook.Playbook) (table.Table, error) {
	t := table.New("", "Bullet", "Section", "Text", "Helpful", "Harmful")
	t.Quoted = []string{"Bullet", "Section", "Text"}
	if p == nil {
		return t, errors.New("lesson: no playbook: want one of playbook.New")
	}
	for b := range p.All() {
		if err := t.Add(b.ID, b.Section, b.Text, b.Helpful, b.Harmful); err != nil {
			return t, err
		}
	}
	return t, nil
}

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
			fmt.Sprintf("%.2f ± %.2f", s.Ratio.Mean, (s.Ratio.High-s.Ratio.Low)/2))
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
		err := t.Add(tokens(c.Playbook), c.KV, c.Step, c.Private.Requests, c.Cascade.Requests, thousands(int(c.Private.TokensPerSecond)), thousands(int(c.Cascade.TokensPerSecond)))
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
		if p.Kept == 1 {
			changes = "only grows at its end"
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
