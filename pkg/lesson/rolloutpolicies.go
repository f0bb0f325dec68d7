package lesson

import (
	"errors"
	"fmt"
	"math"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/random"
	"memlab/pkg/rollout"
	"memlab/pkg/table"
)

// addMean adds the mean of values with its interval to a series.
func addMean(s *chart.Series, x float64, values []float64) {
	m := claims.MeanOf(values)
	s.X, s.Y = append(s.X, x), append(s.Y, m.Mean)
	s.Low, s.High = append(s.Low, m.Low), append(s.High, m.High)
}

func meansOver(seeds int) string {
	return fmt.Sprintf("Means over %d seeds with 95%% intervals.", seeds)
}

// Runs are outcomes of one policy, seed by seed.
type Runs struct {
	Name     string
	Outcomes []rollout.Outcome
}

// of takes a number of each outcome.
func (r Runs) of(f func(rollout.Outcome) float64) []float64 {
	var out []float64
	for _, o := range r.Outcomes {
		out = append(out, f(o))
	}
	return out
}

// Mean is the mean of a number over the seeds.
func (r Runs) Mean(f func(rollout.Outcome) float64) float64 { return claims.MeanOf(r.of(f)).Mean }

// PolicyRuns runs every policy of package rollout under seeds 0 to n-1; all see
// the same lengths under one seed.
func PolicyRuns(s rollout.Setup, seeds int) ([]Runs, error) {
	if err := twoSeeds(seeds); err != nil {
		return nil, err
	}
	var out []Runs
	for _, p := range rollout.Policies() {
		runs, err := under(p.Name, seeds, func(seed random.Seed) (rollout.Outcome, error) { return p.Run(s, seed) })
		if err != nil {
			return nil, err
		}
		out = append(out, runs)
	}
	return out, nil
}

func under(name string, seeds int, run func(random.Seed) (rollout.Outcome, error)) (Runs, error) {
	runs := Runs{Name: name}
	for seed := range seeds {
		o, err := run(random.Seed(seed))
		if err != nil {
			return runs, fmt.Errorf("lesson: %s: %w", name, err)
		}
		runs.Outcomes = append(runs.Outcomes, o)
	}
	return runs, nil
}

func checkRuns(runs []Runs) error {
	if len(runs) == 0 {
		return errors.New("lesson: no runs: want those of PolicyRuns")
	}
	for _, r := range runs {
		if len(r.Outcomes) < 2 {
			return fmt.Errorf("lesson: %d outcomes of %q: an interval wants at least two seeds", len(r.Outcomes), r.Name)
		}
	}
	return nil
}

// PolicyFigure shows how long an iteration takes under each policy.
func PolicyFigure(runs []Runs) (chart.Figure, error) {
	f := chart.Figure{
		Title: "One iteration",
		X:     chart.Axis{Label: "Policy"},
		Y:     chart.Axis{Label: "Time", Unit: "s"},
	}
	if err := checkRuns(runs); err != nil {
		return f, err
	}
	bars := chart.Series{Kind: chart.Bars}
	for _, r := range runs {
		f.X.Categories = append(f.X.Categories, r.Name)
		addMean(&bars, 0, r.of(func(o rollout.Outcome) float64 { return o.Iteration }))
	}
	bars.X = nil
	f.Series = []chart.Series{bars}
	f.Caption = meansOver(len(runs[0].Outcomes))
	return f, nil
}

// PolicyTable lists what each policy gives, and what it takes for it.
func PolicyTable(runs []Runs, s rollout.Setup) (table.Table, error) {
	t := table.New("", "Policy", "Tokens/s trained on", "Idle", "Mean length trained on", "Thrown away", "Stale", "KV at most, of the room")
	if err := checkRuns(runs); err != nil {
		return t, err
	}
	for _, r := range runs {
		speed := claims.MeanOf(r.of(rollout.Outcome.TokensPerSecond))
		percent := func(f func(rollout.Outcome) float64) string { return fmt.Sprintf("%.0f%%", 100*r.Mean(f)) }
		err := t.Add(r.Name,
			fmt.Sprintf("%s ± %s", thousands(int(speed.Mean+0.5)), thousands(int(speed.High-speed.Mean+0.5))),
			percent(rollout.Outcome.IdleShare),
			thousands(int(r.Mean(rollout.Outcome.MeanTrained)+0.5)),
			percent(func(o rollout.Outcome) float64 { return float64(o.Thrown) / float64(o.Generated) }),
			percent(func(o rollout.Outcome) float64 { return float64(o.Stale) / float64(o.Trained) }),
			percent(func(o rollout.Outcome) float64 { return float64(o.Peak) / float64(max(s.Room, 1)) }))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// HeavinessFigure shows how long an iteration takes over the heaviness of the
// tail, with the median moved so that the mean length, and so the work, stays.
func HeavinessFigure(s rollout.Setup, seeds int, spreads ...float64) (chart.Figure, error) {
	f := chart.Figure{
		Title: "One iteration over the heaviness of the tail",
		X:     chart.Axis{Label: "Spread of the logarithm of the length"},
		Y:     chart.Axis{Label: "Time", Unit: "s"},
	}
	if len(spreads) < 2 {
		return f, fmt.Errorf("lesson: %d spreads: want two or more", len(spreads))
	}
	mean, err := s.Lengths.Mean()
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	for _, spread := range spreads {
		of, err := withMean(s, spread, mean)
		if err != nil {
			return f, err
		}
		runs, err := PolicyRuns(of, seeds)
		if err != nil {
			return f, err
		}
		if f.Series == nil {
			f.Series = make([]chart.Series, len(runs))
		}
		for i, r := range runs {
			f.Series[i].Name, f.Series[i].Kind = r.Name, chart.Line
			addMean(&f.Series[i], spread, r.of(func(o rollout.Outcome) float64 { return o.Iteration }))
		}
	}
	f.Caption = meansOver(seeds)
	return f, nil
}

// withMean is the setup with another spread and the median at which the mean
// length stays.
func withMean(s rollout.Setup, spread, mean float64) (rollout.Setup, error) {
	s.Lengths.Spread = spread
	for range 40 { // the mean grows with the median a little less than in proportion
		m, err := s.Lengths.Mean()
		if err != nil {
			break
		}
		s.Lengths.Median *= mean / m
	}
	if m, err := s.Lengths.Mean(); err != nil || math.Abs(m-mean) > 0.001*mean {
		return s, fmt.Errorf("lesson: spread %g: no median gives a mean of %.0f tokens with answers from 1 to %d: want a smaller spread or a larger cap", spread, mean, s.Lengths.Cap)
	}
	return s, nil
}

// ExtraTable lists what asking for more answers than needed gives and distorts, for
// answers to a prompt that are alike as in the setup, and for independent ones.
func ExtraTable(s rollout.Setup, seeds int, extras ...int) (table.Table, error) {
	t := table.New("", "Kept / asked for", "Correlation within a prompt", "Iteration", "Mean length kept", "Mean length of all", "Thrown away")
	if err := twoSeeds(seeds); err != nil {
		return t, err
	}
	alike := []float64{s.Lengths.Prompt}
	if s.Lengths.Prompt != 0 {
		alike = append(alike, 0)
	}
	for _, prompt := range alike {
		s := s
		s.Lengths.Prompt = prompt
		mean, err := s.Lengths.Mean()
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		for _, extra := range extras {
			runs, err := under("CutTail", seeds, func(seed random.Seed) (rollout.Outcome, error) {
				lengths, err := s.Lengths.Draw(seed, s.Prompts, s.Samples+max(extra, 0))
				if err != nil {
					return rollout.Outcome{}, err
				}
				return rollout.CutTail(s, lengths, extra)
			})
			if err != nil {
				return t, err
			}
			err = t.Add(fmt.Sprintf("%d / %d", s.Samples, s.Samples+extra), fmt.Sprintf("%.2g", prompt),
				iterationSeconds(runs),
				thousands(int(runs.Mean(rollout.Outcome.MeanTrained)+0.5)), thousands(int(mean+0.5)),
				fmt.Sprintf("%.0f%%", 100*runs.Mean(func(o rollout.Outcome) float64 { return float64(o.Thrown) / float64(o.Generated) })))
			if err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// BudgetTable lists what a budget per iteration gives and costs when answers go
// on next time.
func BudgetTable(s rollout.Setup, seeds int, budgets ...int) (table.Table, error) {
	t := table.New("", "Budget", "Iteration", "Tokens/s trained on", "Stale", "Prefilled again", "KV at most, of the room")
	if err := twoSeeds(seeds); err != nil {
		return t, err
	}
	for _, budget := range budgets {
		runs, err := under("Continue", seeds, func(seed random.Seed) (rollout.Outcome, error) {
			return rollout.Continue(s, seed, rollout.Cut{Budget: budget, Iterations: 8})
		})
		if err != nil {
			return t, err
		}
		err = t.Add(thousands(budget), iterationSeconds(runs),
			thousands(int(runs.Mean(rollout.Outcome.TokensPerSecond)+0.5)),
			fmt.Sprintf("%.0f%%", 100*runs.Mean(func(o rollout.Outcome) float64 { return float64(o.Stale) / float64(o.Trained) })),
			fmt.Sprintf("%.0f%%", 100*runs.Mean(func(o rollout.Outcome) float64 { return float64(o.Recomputed) / float64(o.Generated) })),
			fmt.Sprintf("%.0f%%", 100*runs.Mean(func(o rollout.Outcome) float64 { return float64(o.Peak) / float64(max(s.Room, 1)) })))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// iterationSeconds writes the mean time of an iteration with the half width of
// its interval.
func iterationSeconds(r Runs) string {
	m := claims.MeanOf(r.of(func(o rollout.Outcome) float64 { return o.Iteration }))
	if m.Mean >= short {
		return fmt.Sprintf("%s ± %s s", thousands(int(m.Mean+0.5)), thousands(int(m.High-m.Mean+0.5)))
	}
	return fmt.Sprintf("%v ± %v", costmodel.Seconds(m.Mean), costmodel.Seconds(m.High-m.Mean))
}

// short is the time below which whole seconds say little: a knob may lead there.
const short = 5

// wholeSeconds writes a time to the second, and a short one to three digits.
func wholeSeconds(t float64) string {
	if t >= short {
		return thousands(int(t+0.5)) + " s"
	}
	return costmodel.Seconds(t).String()
}
