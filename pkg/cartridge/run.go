package cartridge

import (
	"context"
	"fmt"
	"slices"
)

// run is a training under way.
type run struct {
	Trainer
	engine Engine
	next   func(*Batch) error
	staged
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
	for step := 1; step <= r.Steps; {
		if ctx.Err() != nil {
			return fmt.Errorf("cartridge: training stopped after step %d: %w", step-1, context.Cause(ctx))
		}
		var before *Cartridge
		if (step-1)%every == 0 {
			before = r.z.Clone()
		}
		losses, err := r.take(step, r.together(step, every))
		if err != nil {
			return fmt.Errorf("cartridge: step %d: %w", step, err)
		}
		for i, loss := range losses {
			if !number(loss) {
				return r.diverged(step+i, fmt.Sprintf("the loss is %g", loss))
			}
			r.result.Losses = append(r.result.Losses, loss)
			if i == 0 && before != nil {
				if err := r.keep(step-1, before); err != nil {
					return err
				}
			}
			if i < len(losses)-1 {
				r.report(step+i, report, false)
			}
		}
		step += len(losses)
		last := step - 1
		r.snapshot(last)
		stop, err := r.measure(last)
		if err != nil {
			return err
		}
		r.report(last, report, stop)
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

func (r *run) keep(step int, z *Cartridge) error {
	r.good, r.goodStep = z, step
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

func (r *run) report(step, every int, stop bool) {
	if r.Progress == nil || step%every != 0 && step != r.Steps && !stop {
		return
	}
	p := Progress{Step: step, Steps: r.Steps, Rate: r.rate(step)}
	since := (step - 1) / every * every
	for _, loss := range r.result.Losses[since:step] {
		p.Loss += loss / float64(step-since)
	}
	if n := len(r.result.Validation); n > 0 {
		last := r.result.Validation[n-1].Loss
		p.Validation = &last
	}
	r.Progress(p)
}
