package cartridge

import (
	"fmt"
	"math"
)

// Stepper is an Engine that also updates the cartridge, several times in a call:
// where a call costs as much as a step it pays to take many at once. It keeps the
// moments of Adam, which start at zero, and so serves one training until a Reset.
type Stepper interface {
	Engine
	// StepsPerCall is how many batches Steps takes at most.
	StepsPerCall() int
	// Answers says whether Steps finds the answers of the setup's teacher itself:
	// then its batches come with facts and questions only, see Asking.
	Answers() bool
	// Steps updates z once for each batch and returns the loss of each before its
	// update. The rows of z that are frozen stay. After an error z is as it was.
	Steps(z *Cartridge, batches []*Batch, updates []Update) (losses []float64, err error)
	// Reset sets the moments to zero, for another training.
	Reset() error
}

// Update is what one step of Adam needs beside gradient and moments.
type Update struct {
	Adam
	Rate float32 // with the first moment's bias taken out
	Over float32 // what takes the second moment's bias out
}

// at is step number t, counted from 1.
func (a Adam) at(t int, rate float64) Update {
	return Update{
		Adam: a,
		Rate: float32(rate / (1 - math.Pow(a.Beta1, float64(t)))),
		Over: float32(1 / (1 - math.Pow(a.Beta2, float64(t)))),
	}
}

// staged is the batches of steps that are taken together.
type staged struct {
	batches []*Batch
	updates []Update
	late    error // of the batch after these
}

func newStaged(e Engine, s Setup, steps int) staged {
	n := 1
	if st, ok := e.(Stepper); ok {
		n = max(1, min(steps, st.StepsPerCall()))
	}
	b := staged{updates: make([]Update, n)}
	for range n {
		b.batches = append(b.batches, newBatch(s.Batch, s.KeyDim, s.Candidates.Cols))
	}
	return b
}

// together is how many steps from this one on may be taken in one call: at the end
// of a call the cartridge is seen, as snapshots, checkpoints and validation want it.
func (r *run) together(step, checkpointEvery int) int {
	last := min(step+len(r.batches)-1, r.Steps)
	next := func(every int) int {
		left := (every - step%every) % every
		return step + min(left, r.Steps-step) // every may be near the largest int
	}
	last = min(last, next(checkpointEvery))
	if r.validate != nil {
		last = min(last, next(r.validate.Every))
	}
	for _, s := range r.Snapshots {
		if s >= step {
			last = min(last, s)
		}
	}
	return last - step + 1
}

// take takes up to n steps and returns their losses. What it took before something
// went wrong counts; the error comes with the next call.
func (r *run) take(step, n int) ([]float64, error) {
	if r.late != nil {
		return nil, r.late
	}
	for i := range n {
		if err := r.next(r.batches[i]); err != nil {
			if i == 0 {
				return nil, err
			}
			n, r.late = i, err
			break
		}
	}
	for i := range n {
		r.updates[i] = r.Adam.at(step+i, r.rate(step+i))
	}
	if e, ok := r.engine.(Stepper); ok {
		losses, err := e.Steps(r.z, r.batches[:n], r.updates[:n])
		if err == nil && len(losses) != n {
			err = fmt.Errorf("the engine returns %d losses of %d steps", len(losses), n)
		}
		return losses, err
	}
	loss, err := r.engine.Gradient(r.z, r.batches[0], r.g)
	if err != nil {
		return nil, err
	}
	if number(loss) {
		r.Adam.update(r.z.K, r.g.K, r.z.Frozen, r.k, step, r.rate(step))
		r.Adam.update(r.z.V, r.g.V, r.z.Frozen, r.v, step, r.rate(step))
	}
	return []float64{loss}, nil
}

func (r *run) rate(step int) float64 { return r.Trainer.Rate * r.Schedule.rate(step, r.Trainer.Steps) }

func number(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
