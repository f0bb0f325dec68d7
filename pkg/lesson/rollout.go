package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/random"
	"memlab/pkg/rollout"
	"memlab/pkg/table"
)

// Section 12: the next lecture, where a batch of answers waits for the longest.

// lengthClasses are the upper ends of the classes of a histogram, in tokens.
func lengthClasses(limit int) []int {
	classes := []int{512}
	for classes[len(classes)-1] < limit {
		classes = append(classes, 2*classes[len(classes)-1])
	}
	return classes
}

// RolloutLengths shows the lengths of one batch by classes that double: the share
// of the answers in each, and the share of all tokens.
func RolloutLengths(s rollout.Setup, seed random.Seed) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Lengths of one batch",
		X:     chart.Axis{Label: "Answer length", Unit: "tokens"},
		Y:     chart.Axis{Label: "Share", Unit: "%"},
	}
	lengths, err := s.Draw(seed)
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	all := slices.Concat(lengths...)
	slices.Sort(all)
	total := 0
	for _, n := range all {
		total += n
	}
	answers := chart.Series{Name: "Share of the answers", Kind: chart.Bars}
	weight := chart.Series{Name: "Share of the tokens", Kind: chart.Bars}
	from := 0
	for _, to := range lengthClasses(all[len(all)-1]) {
		end, _ := slices.BinarySearch(all, to+1)
		sum := 0
		for _, n := range all[from:end] {
			sum += n
		}
		f.X.Categories = append(f.X.Categories, "up to "+thousands(to))
		answers.Y = append(answers.Y, 100*float64(end-from)/float64(len(all)))
		weight.Y = append(weight.Y, 100*float64(sum)/float64(total))
		from = end
	}
	f.Series = []chart.Series{answers, weight}
	return f, nil
}

// LongestFigure shows the expected length of the longest answer of a batch over
// the number of prompts, by the formula and as drawn.
func LongestFigure(s rollout.Setup, seeds int, prompts ...int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "The longest answer of a batch",
		X:     chart.Axis{Label: "Answers in the batch", Log: true},
		Y:     chart.Axis{Label: "Answer length", Unit: "tokens", Min: new(0.0)},
	}
	if err := twoSeeds(seeds); err != nil {
		return f, err
	}
	if len(prompts) < 2 {
		return f, fmt.Errorf("lesson: %d numbers of prompts: want two or more", len(prompts))
	}
	mean, err := s.Lengths.Mean()
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	formula := chart.Series{Name: "Longest, formula", Kind: chart.Line}
	drawn := chart.Series{Name: "Longest, drawn", Kind: chart.Points}
	average := chart.Series{Name: "Mean", Kind: chart.Line}
	for _, n := range prompts {
		want, err := s.Lengths.Longest(n, s.Samples)
		if err != nil {
			return f, fmt.Errorf("lesson: %w", err)
		}
		var longest []float64
		for seed := range seeds {
			lengths, err := s.Lengths.Draw(random.Seed(seed), n, s.Samples)
			if err != nil {
				return f, fmt.Errorf("lesson: %w", err)
			}
			longest = append(longest, float64(slices.Max(slices.Concat(lengths...))))
		}
		x := float64(n * s.Samples)
		formula.X, formula.Y = append(formula.X, x), append(formula.Y, want)
		average.X, average.Y = append(average.X, x), append(average.Y, mean)
		addMean(&drawn, x, longest)
	}
	f.Series = []chart.Series{formula, drawn, average}
	f.Marks = []chart.Mark{{Label: "Maximum length", Y: new(float64(s.Lengths.Cap))}}
	f.Caption = meansOver(seeds)
	return f, nil
}

// ReplicaFigure shows what each replica does with its time under a policy: each
// bar is one iteration, from below.
func ReplicaFigure(s rollout.Setup, policy string, seed random.Seed) (chart.Figure, error) {
	f := chart.Figure{
		Title: policy,
		X:     chart.Axis{Label: "Replica"},
		Y:     chart.Axis{Label: "Time", Unit: "s"},
	}
	o, err := rolloutOf(s, policy, seed)
	if err != nil {
		return f, err
	}
	parts := []chart.Series{
		{Name: "Generating, nine tenths of its answers"}, {Name: "Generating the last tenth"},
		{Name: "Scoring and training"}, {Name: "Idle"},
	}
	for r, span := range o.Replicas {
		f.X.Categories = append(f.X.Categories, fmt.Sprint(r+1))
		for i, v := range []float64{span.Many, span.Few, span.Learn, span.Waited} {
			parts[i].Y = append(parts[i].Y, v)
			parts[i].Kind = chart.StackedBars
		}
	}
	f.Series = parts
	f.Caption = "The parts of a bar add up to one iteration; idle time is on top, whenever it was."
	return f, nil
}

func rolloutOf(s rollout.Setup, policy string, seed random.Seed) (rollout.Outcome, error) {
	p, err := rollout.ByName(policy)
	if err != nil {
		return rollout.Outcome{}, fmt.Errorf("lesson: %w", err)
	}
	o, err := p.Run(s, seed)
	if err != nil {
		return o, fmt.Errorf("lesson: %s: %w", policy, err)
	}
	return o, nil
}

// TailTable lists when shares of a batch's answers are done, and what each step
// costs: the replica seconds that pass, and the tokens generated in them.
func TailTable(s rollout.Setup, seed random.Seed) (table.Table, error) {
	t := table.New("", "Answers done", "after", "GPU seconds since the row above", "Answers at work, mean")
	lengths, err := s.Draw(seed)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	o, err := rollout.Wait(s, lengths)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	before := 0.0
	for _, row := range []struct {
		name string
		at   float64
	}{{"50%", o.Half}, {"90%", o.Ninety}, {"99%", o.NinetyNine}, {"100%", o.Generation}} {
		took := row.at - before
		err := t.Add(row.name, wholeSeconds(row.at), thousands(int(took*float64(s.Replicas)+0.5)), fmt.Sprintf("%.0f", working(o.Done, before, row.at)))
		if err != nil {
			return t, err
		}
		before = row.at
	}
	return t, nil
}

// working is the mean number of answers that are not done between two times.
func working(done []float64, from, to float64) float64 {
	if to <= from {
		return 0
	}
	sum := 0.0
	for _, at := range done {
		sum += min(max(at, from), to) - from
	}
	return sum / (to - from)
}

// RunningFigure shows how many answers are still at work over time, one line for
// each policy.
func RunningFigure(s rollout.Setup, seed random.Seed, policies ...string) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Answers still at work over time",
		X:     chart.Axis{Label: "Time", Unit: "s", Min: new(0.0)},
		Y:     chart.Axis{Label: "Answers at work", Min: new(0.0)},
	}
	if len(policies) == 0 {
		return f, errors.New("lesson: no policies: want names of rollout.Policies")
	}
	for _, name := range policies {
		o, err := rolloutOf(s, name, seed)
		if err != nil {
			return f, err
		}
		line := chart.Series{Name: name, Kind: chart.Line, X: []float64{0}, Y: []float64{float64(len(o.Done))}}
		// Every percent of the answers; the last of them one by one.
		every := max(1, len(o.Done)/100)
		for i, at := range o.Done {
			left := len(o.Done) - 1 - i
			if left%every == 0 || left < every {
				line.X, line.Y = append(line.X, at), append(line.Y, float64(left))
			}
		}
		f.Series = append(f.Series, line)
	}
	return f, nil
}

// PrefixTable lists the prefill of one iteration when each answer's prompt is
// computed anew and when it is found in the prefix cache.
func PrefixTable(e *costmodel.Engine, s rollout.Setup) (table.Table, error) {
	t := table.New("", "The prompt is", "Prefills", "Tokens", "GPU time", "Share of the first row")
	if err := checkEngine(e, []int{1}); err != nil {
		return t, err
	}
	if err := s.Check(); err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	one, err := e.Prefill(0, s.PromptTokens)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, row := range []struct {
		name string
		n    int
	}{{"computed for each answer", s.Prompts * s.Samples}, {"found in the prefix cache", s.Prompts}} {
		if err := t.Add(row.name, thousands(row.n), thousands(row.n*s.PromptTokens), costmodel.Seconds(float64(row.n)*float64(one.Time)), fraction(float64(row.n)/float64(s.Prompts*s.Samples))); err != nil {
			return t, err
		}
	}
	return t, nil
}

// RoomTable lists how many answers one replica can hold, depending on what is
// set aside for each.
func RoomTable(s rollout.Setup) (table.Table, error) {
	t := table.New("", "Set aside for each answer", "Tokens with the prompt", "Answers on one replica")
	mean, err := s.Lengths.Mean()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	if err := s.Check(); err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, row := range []struct {
		name   string
		answer float64
	}{{"the maximum length", float64(s.Lengths.Cap)}, {"the mean length", mean}, {"half of the mean: what it holds on the way, on average", mean / 2}} {
		each := int(math.Ceil(row.answer)) + s.PromptTokens
		if err := t.Add(row.name, thousands(each), thousands(s.Room/each)); err != nil {
			return t, err
		}
	}
	return t, nil
}
