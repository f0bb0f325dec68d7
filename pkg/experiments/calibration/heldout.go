package calibration

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration/stored"
	"memlab/pkg/random"
)

// Version is raised when stored results no longer are what would be computed.
const Version = 1

// FirstFitSeed is where the seeds of the fit begin. Verdicts are over seeds 0 and
// up, which the search never sees.
const FirstFitSeed = 100

// HeldOut fits every subject to half of its fitted rows and predicts the other half,
// and the other way round. The halves are every other row by id: no result decides
// where a row goes. saw is told the name of each subject that is done, if it is
// not nil.
func HeldOut(ctx context.Context, rows []claims.Row, subjects []Subject, seed int, saw func(name string)) (*stored.Calibration, error) {
	if seed < 0 {
		return nil, fmt.Errorf("calibration: seed %d: want 0 or more", seed)
	}
	out := &stored.Calibration{
		Version: Version, Processor: runtime.GOARCH, Seed: seed, FirstFitSeed: FirstFitSeed, NotFitted: NotFitted(),
	}
	for _, s := range subjects {
		e, err := s.heldOut(ctx, rows, random.Seed(seed))
		if err != nil {
			return nil, fmt.Errorf("calibration: %s: %w", s.Name, err)
		}
		out.Experiments = append(out.Experiments, e)
		if saw != nil {
			saw(s.Name)
		}
	}
	return out, nil
}

func (s Subject) check() error {
	if s.Seeds > FirstFitSeed || s.Seeds < 1 || s.FitSeeds < 1 || s.Draws < 1 || s.Steps < 0 {
		return fmt.Errorf("%d seeds, %d to fit on, %d draws, %d steps: want 1 or more, no step at least, and at most %d seeds",
			s.Seeds, s.FitSeeds, s.Draws, s.Steps, FirstFitSeed)
	}
	var problems []error
	for _, r := range s.Ranges {
		problems = append(problems, checkRange(r))
	}
	return errors.Join(problems...)
}

// defaults are the calibrated values.
func (s Subject) defaults() []float64 {
	out := make([]float64, len(s.Ranges))
	for i, r := range s.Ranges {
		out[i] = r.Default
	}
	return out
}

// fitted are the fitted rows that the experiment yields, by id.
func fitted(rows []claims.Row, e claims.Experiment) []claims.Row {
	var out []claims.Row
	for _, r := range rows {
		if r.Basis == claims.Fitted && slices.ContainsFunc(e.Yields, func(y claims.Yield) bool { return y.ID == r.ID }) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b claims.Row) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func (s Subject) heldOut(ctx context.Context, rows []claims.Row, seed random.Seed) (stored.Experiment, error) {
	if err := s.check(); err != nil {
		return stored.Experiment{}, err
	}
	standard := s.New(s.defaults())
	out := stored.Experiment{
		Name: s.Name, Version: standard.Version, Ranges: s.Ranges, FitSeeds: s.FitSeeds, Seeds: s.Seeds, Draws: s.Draws, Steps: s.Steps,
	}
	all := fitted(rows, standard)
	if len(all) < 2 {
		return out, fmt.Errorf("%d fitted rows: want two or more to split", len(all))
	}
	var halves [2][]claims.Row
	for i, r := range all {
		halves[i%2] = append(halves[i%2], r)
	}
	draws, err := s.draw(ctx, all, seed)
	if err != nil {
		return out, err
	}
	for _, d := range draws {
		if d.means == nil {
			out.Impossible++
		}
	}
	ours, err := measure(ctx, standard, all, FirstFitSeed, s.FitSeeds)
	if err != nil {
		return out, err
	}
	names := []string{"first half fitted", "second half fitted"}
	out.Splits = make([]stored.Split, len(names))
	errs := make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			split := &out.Splits[i]
			fit, held := halves[i], halves[1-i]
			split.Name, split.OurLoss = name, loss(ours, fit)
			split.DrawnLoss = impossible
			for _, d := range draws {
				split.DrawnLoss = min(split.DrawnLoss, loss(d.means, fit))
			}
			var best trial
			if best, errs[i] = s.search(ctx, fit, draws, seed, name); errs[i] != nil {
				return
			}
			split.Loss, split.Values = loss(best.means, fit), s.at(best.u)
			split.Fit, split.Held, errs[i] = s.judge(rows, split.Values, fit, held, draws)
		})
	}
	wait.Wait()
	return out, errors.Join(errs...)
}

// judge computes the rows under the values that were found, over seeds that the
// search has not seen.
func (s Subject) judge(rows []claims.Row, values []float64, fit, held []claims.Row, draws []trial) (fitRows, heldRows []stored.Row, err error) {
	registry, err := claims.NewRegistry(rows, s.New(values))
	if err != nil {
		return nil, nil, err
	}
	results, err := registry.Run(s.Seeds)
	if err != nil {
		return nil, nil, err
	}
	judged, err := claims.JudgeAll(rows, results)
	if err != nil {
		return nil, nil, err
	}
	board, err := claims.Score(judged, results)
	if err != nil {
		return nil, nil, err
	}
	edges := map[string]claims.Edge{}
	for _, e := range board.Edges {
		edges[e.ID] = e
	}
	list := func(of []claims.Row) (out []stored.Row, err error) {
		for _, r := range of {
			e, ok := edges[r.ID]
			if !ok {
				return nil, fmt.Errorf("%q has no band of some width: nothing can be fitted to it", r.ID)
			}
			hits := 0
			for _, d := range draws {
				if d.means != nil && r.Judge.Passes(d.means[r.ID]) {
					hits++
				}
			}
			out = append(out, stored.Row{
				ID: r.ID, Lecture: r.Lecture, Mean: e.Mean, Low: e.Low, High: e.High, BandLow: e.BandLow, BandHigh: e.BandHigh,
				Hit: hit(e), Null: float64(hits) / float64(len(draws)),
			})
		}
		return out, nil
	}
	if fitRows, err = list(fit); err != nil {
		return nil, nil, err
	}
	heldRows, err = list(held)
	return fitRows, heldRows, err
}

// hit reports whether the mean nearest to its edge lies inside, and so all do.
func hit(e claims.Edge) bool {
	const rounding = 1e-9
	if e.Margin != nil {
		return *e.Margin >= -rounding
	}
	if e.BandLow != nil {
		return e.Mean > *e.BandLow
	}
	return e.Mean < *e.BandHigh
}
