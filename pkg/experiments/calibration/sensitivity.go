package calibration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration/stored"
)

// Step is how far Sensitivity moves a parameter.
const Step = 0.2

// Sensitivity moves one free parameter at a time, a step down and a step up, and
// names the rows that turn red. A whole number moves by one at least; none leaves
// its range. Rows are judged under the subject's few seeds, whose intervals are
// wide: a row that turns red under them is pinned, one that does not may still be.
func Sensitivity(ctx context.Context, rows []claims.Row, subjects []Subject, saw func(name string)) (*stored.Sensitivity, error) {
	out := &stored.Sensitivity{Version: Version, Processor: runtime.GOARCH, Step: Step}
	for _, s := range subjects {
		m, err := s.move(ctx, rows)
		if err != nil {
			return nil, fmt.Errorf("calibration: %s: %w", s.Name, err)
		}
		out.Experiments = append(out.Experiments, m)
		if saw != nil {
			saw(s.Name)
		}
	}
	return out, nil
}

func (s Subject) move(ctx context.Context, rows []claims.Row) (stored.Moved, error) {
	standard := s.New(s.defaults())
	out := stored.Moved{Name: s.Name, Version: standard.Version, Seeds: s.SensitivitySeeds, Rows: len(standard.Yields), Red: []string{}}
	if err := s.check(); err != nil {
		return out, err
	}
	first, err := s.red(ctx, rows, s.defaults())
	if err != nil {
		return out, err
	}
	already := map[string]bool{}
	for _, id := range first {
		already[id] = true
		out.Red = append(out.Red, id)
	}
	out.Parameters = make([]stored.Parameter, len(s.Ranges))
	var tasks []func() error
	for i, r := range s.Ranges {
		p := &out.Parameters[i]
		p.Name, p.Value = r.Name, r.Default
		for _, to := range []struct {
			sign float64
			move **stored.Move
		}{{-1, &p.Down}, {1, &p.Up}} {
			x, moves := step(r, to.sign)
			if !moves {
				continue
			}
			tasks = append(tasks, func() error {
				values := s.defaults()
				values[i] = x
				red, err := s.red(ctx, rows, values)
				if err != nil {
					return fmt.Errorf("%s = %g: %w", r.Name, x, err)
				}
				m := &stored.Move{Value: x, Red: []string{}}
				for _, id := range red {
					if !already[id] {
						m.Red = append(m.Red, id)
					}
				}
				*to.move = m
				return nil
			})
		}
	}
	return out, abreast(tasks)
}

// step is a step up or down from the calibrated value, or as far as the range goes.
func step(r stored.Range, sign float64) (x float64, moves bool) {
	d := Step * math.Abs(r.Default)
	if r.Scale == stored.Whole {
		d = max(1, math.Round(d))
	}
	x = max(r.Low, min(r.High, r.Default+sign*d))
	return x, x != r.Default
}

// red are the rows of the experiment that do not hold under these values.
func (s Subject) red(ctx context.Context, rows []claims.Row, values []float64) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	registry, err := claims.NewRegistry(rows, s.New(values))
	if err != nil {
		return nil, err
	}
	results, err := registry.Run(s.SensitivitySeeds)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range results.Rows {
		if r.Verdict != claims.Reproduced {
			out = append(out, r.ID)
		}
	}
	return out, nil
}

// abreast runs as many tasks at once as there are processors.
func abreast(tasks []func() error) error {
	errs := make([]error, len(tasks))
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i, task := range tasks {
		wait.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			errs[i] = task()
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
