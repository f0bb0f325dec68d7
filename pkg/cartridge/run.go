package cartridge

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// run is a training under way.
type run struct {
	Trainer
	engine   Engine
	source   Source
	batch    *Batch
	z        *Cartridge
	g        *Gradient
	k, v     moments
	validate *validator
	result   *Result

	good     *Cartridge // the last checkpoint, whose loss is known to be finite
	goodStep int
}

func (r *run) run(ctx context.Context) error {
	every, report := r.CheckpointEvery, r.ProgressEvery
	if every == 0 {
		every = 100
	}
	if report == 0 {
		report = 100
	}
	r.snapshot(0)
	for step := 1; step <= r.Steps; step++ {
		if ctx.Err() != nil {
			return fmt.Errorf("cartridge: training stopped after step %d: %w", step-1, context.Cause(ctx))
		}
		if err := r.source.Next(r.batch); err != nil {
			return fmt.Errorf("cartridge: step %d: %w", step, err)
		}
		loss, err := r.engine.Gradient(r.z, r.batch, r.g)
		if err != nil {
			return fmt.Errorf("cartridge: step %d: %w", step, err)
		}
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return r.diverged(step, fmt.Sprintf("the loss is %g", loss))
		}
		r.result.Losses = append(r.result.Losses, loss)
		if (step-1)%every == 0 {
			if err := r.keep(step - 1); err != nil {
				return err
			}
		}
		rate := r.Rate * r.Schedule.rate(step, r.Steps)
		r.Adam.update(r.z.K, r.g.K, r.z.Frozen, r.k, step, rate)
		r.Adam.update(r.z.V, r.g.V, r.z.Frozen, r.v, step, rate)
		r.snapshot(step)
		stop, err := r.measure(step)
		if err != nil {
			return err
		}
		if r.Progress != nil && (step%report == 0 || step == r.Steps || stop) {
			r.Progress(r.progress(step, report, rate))
		}
		if stop {
			r.result.Stopped = true
			break
		}
	}
	if r.z.Check() != nil {
		return r.diverged(len(r.result.Losses), "its update is no finite number")
	}
	return nil
}

// end chooses the cartridge to return.
func (r *run) end(step int) {
	r.result.Cartridge, r.result.Step = r.z, step
	if r.validate != nil && r.validate.best != nil {
		r.result.Cartridge, r.result.Step = r.validate.best, r.validate.bestStep
	}
}

func (r *run) diverged(step int, what string) error {
	r.result.Cartridge, r.result.Step = r.good, r.goodStep
	return &Diverged{Step: step, What: what, GoodStep: r.goodStep}
}

func (r *run) keep(step int) error {
	r.good, r.goodStep = r.z.Clone(), step
	if r.Checkpoint == nil {
		return nil
	}
	if err := r.Checkpoint(step, r.good.Clone()); err != nil {
		return fmt.Errorf("cartridge: checkpoint of step %d: %w", step, err)
	}
	return nil
}

func (r *run) snapshot(step int) {
	if slices.Contains(r.Snapshots, step) {
		r.result.Snapshots[step] = r.z.Clone()
	}
}

func (r *run) progress(step, report int, rate float64) Progress {
	p := Progress{Step: step, Steps: r.Steps, Rate: rate}
	since := (step - 1) / report * report
	for _, loss := range r.result.Losses[since:] {
		p.Loss += loss / float64(step-since)
	}
	if n := len(r.result.Validation); n > 0 {
		last := r.result.Validation[n-1].Loss
		p.Validation = &last
	}
	return p
}
