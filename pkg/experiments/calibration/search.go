package calibration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"memlab/pkg/claims"
	"memlab/pkg/random"
)

// impossible is the loss of values that an experiment refuses: above that of any
// that it computes.
const impossible = 1e9

// means are the means over seeds of each number of some rows.
type means map[string][]float64

// measure runs the experiment under count seeds from first, side by side.
func measure(ctx context.Context, e claims.Experiment, rows []claims.Row, first, count int) (means, error) {
	values, errs := make([]claims.Values, count), make([]error, count)
	var wait sync.WaitGroup
	for i := range count {
		wait.Go(func() {
			if errs[i] = ctx.Err(); errs[i] == nil {
				values[i], errs[i] = e.Run(first + i)
			}
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out := means{}
	for _, r := range rows {
		sum := make([]float64, len(values[0][r.ID].Parts))
		for _, v := range values {
			for i, x := range v[r.ID].Parts {
				sum[i] += x / float64(count)
			}
		}
		out[r.ID] = sum
	}
	return out, nil
}

// loss is the sum over rows of the squared distance of the mean from the lecture's
// value in tolerances; of a row with several numbers the mean of theirs. A row that
// is open to one side (an order, a limit) counts 1 where it does not hold.
func loss(m means, rows []claims.Row) float64 {
	if m == nil {
		return impossible
	}
	sum := 0.0
	for _, r := range rows {
		parts := m[r.ID]
		for i, x := range parts {
			b := r.Judge.Bands[min(i, len(r.Judge.Bands)-1)]
			half := (b.High - b.Low) / 2
			switch {
			case math.IsInf(half, 0) && !r.Judge.Passes(parts):
				sum += 1 / float64(len(parts))
			case math.IsInf(half, 0):
			default:
				d := (x - (b.Low + half)) / half
				sum += d * d / float64(len(parts))
			}
		}
	}
	return min(sum, impossible/10)
}

// trial is one set of values that was tried.
type trial struct {
	u     []float64 // places in the ranges
	means means     // nil: refused
}

// at turns places into values.
func (s Subject) at(u []float64) []float64 {
	out := make([]float64, len(u))
	for i, r := range s.Ranges {
		out[i] = value(r, u[i])
	}
	return out
}

// try measures values under the seeds of the fit. Values that the experiment
// refuses are no error: the search goes elsewhere.
func (s Subject) try(ctx context.Context, rows []claims.Row, u []float64) (trial, error) {
	m, err := measure(ctx, s.New(s.at(u)), rows, FirstFitSeed, s.FitSeeds)
	if ctx.Err() != nil {
		return trial{}, ctx.Err()
	}
	if err != nil {
		return trial{u: u}, nil
	}
	return trial{u, m}, nil
}

// draw tries random values, each parameter uniform on its scale.
func (s Subject) draw(ctx context.Context, rows []claims.Row, seed random.Seed) ([]trial, error) {
	rng := seed.Stream("calibration", s.Name, "draws")
	out := make([]trial, s.Draws)
	for i := range out {
		u := make([]float64, len(s.Ranges))
		for j := range u {
			u[j] = rng.Float64()
		}
		var err error
		if out[i], err = s.try(ctx, rows, u); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// The search's first steps, as a standard deviation in widths of the ranges; how
// many of the parameters a step moves; and by how much steps grow after one that was
// better. They shrink by the fourth root of that after one that was not, so that
// they hold their length where one step in five succeeds.
const (
	firstStep = 0.15
	moved     = 1. / 3
	growth    = 1.5
)

// search starts from the best of the draws and refines it by a (1+1) evolution
// strategy with the one-fifth success rule (Rechenberg 1973): a random step is kept
// if it lowers the loss. It sees the same seeds at each step, so the loss has no
// noise. gonum's CMA-ES would be the choice, but in v0.17 its samples do not depend
// on its step size.
func (s Subject) search(ctx context.Context, fit []claims.Row, draws []trial, seed random.Seed, split string) (trial, error) {
	best, lowest := trial{}, math.Inf(1)
	for _, d := range draws {
		if l := loss(d.means, fit); l < lowest {
			best, lowest = d, l
		}
	}
	if best.means == nil {
		return best, fmt.Errorf("all %d random draws were refused: want other ranges", len(draws))
	}
	rng, sigma := seed.Stream("calibration", s.Name, split), firstStep
	for range s.Steps {
		u := slices.Clone(best.u)
		for always, i := rng.IntN(len(u)), 0; i < len(u); i++ {
			if step := sigma * rng.NormFloat64(); rng.Float64() < moved || i == always {
				u[i] += step
			}
		}
		t, err := s.try(ctx, fit, u)
		if err != nil {
			return best, err
		}
		if l := loss(t.means, fit); l < lowest {
			best, lowest = t, l
			sigma *= growth
		} else {
			sigma /= math.Pow(growth, 0.25)
		}
	}
	return best, nil
}
