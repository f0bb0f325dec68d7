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
	experiment "memlab/pkg/experiments/playbook"
	"memlab/pkg/playbook"
	"memlab/pkg/playbook/toy"
	"memlab/pkg/random"
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
