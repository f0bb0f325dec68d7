package gomlx

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"memlab/pkg/cartridge"
)

// stepsPerCall makes a call's own cost, some .3 ms, a twentieth of a step's.
const stepsPerCall = 16

// stepping is the engine that also takes steps, see cartridge.Stepper. A loop in the
// graph goes over batches that were staged together; the moments stay with the
// backend. Loop and slices by a computed index need a backend such as XLA's.
type stepping struct {
	*engine
	exec       *graph.Exec
	moments    []*tensors.Tensor // first of keys and of values, then second
	k, v       *tensors.Tensor   // the slots
	q, mean    *tensors.Tensor   // stepsPerCall batches
	factors    *tensors.Tensor   // and what Adam needs for each
	candidates *tensors.Tensor
	unused     *cartridge.Gradient
}

// What a row of factors holds.
const (
	rate = iota
	over
	keep1 // of the first moment
	new1
	keep2
	new2
	epsilon
	factorCount
)

func newStepping(s cartridge.Setup, b compute.Backend) (_ *stepping, err error) {
	one, err := newEngine(s, plain, b)
	if err != nil {
		return nil, err
	}
	d := s.Candidates.Cols
	e := &stepping{engine: one, unused: &cartridge.Gradient{K: cartridge.NewMatrix(s.Slots, s.KeyDim), V: cartridge.NewMatrix(s.Slots, d)}}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	e.moments = make([]*tensors.Tensor, 4)
	for _, t := range []struct {
		to   **tensors.Tensor
		dims []int
	}{
		{&e.k, []int{s.Slots, s.KeyDim}}, {&e.v, []int{s.Slots, d}},
		{&e.moments[0], []int{s.Slots, s.KeyDim}}, {&e.moments[1], []int{s.Slots, d}},
		{&e.moments[2], []int{s.Slots, s.KeyDim}}, {&e.moments[3], []int{s.Slots, d}},
		{&e.q, []int{stepsPerCall, s.Batch, s.KeyDim}}, {&e.mean, []int{stepsPerCall, s.Batch, d}},
		{&e.factors, []int{stepsPerCall, factorCount}}, {&e.candidates, []int{s.Candidates.Rows, d}},
	} {
		if *t.to, err = newTensor(b, t.dims...); err != nil {
			return nil, err
		}
	}
	if err := write(e.candidates, func(to []float32) { copy(to, s.Candidates.Data) }); err != nil {
		return nil, err
	}
	e.exec, err = graph.NewExec(b, func(in []*graph.Node) []*graph.Node { return buildSteps(s, in) })
	if err != nil {
		return nil, fmt.Errorf("gomlx: graph of several steps: %w", err)
	}
	return e, nil
}

func (e *stepping) StepsPerCall() int { return stepsPerCall }

func (e *stepping) Steps(z *cartridge.Cartridge, batches []*cartridge.Batch, updates []cartridge.Update) ([]float64, error) {
	n := len(batches)
	if n < 1 || n > stepsPerCall || len(updates) != n {
		return nil, fmt.Errorf("gomlx: %d batches and %d updates: %w: want as many of both, 1 to %d", n, len(updates), cartridge.ErrInput, stepsPerCall)
	}
	for _, b := range batches {
		if err := e.setup.Fits(z, b, e.unused); err != nil {
			return nil, err
		}
	}
	err := errors.Join(
		write(e.k, func(to []float32) { copy(to, z.K.Data) }),
		write(e.v, func(to []float32) { copy(to, z.V.Data) }),
		write(e.q, func(to []float32) {
			for i, b := range batches {
				copy(to[i*len(b.Q.Data):], b.Q.Data)
			}
		}),
		write(e.mean, func(to []float32) {
			for i, b := range batches {
				copy(to[i*len(b.Mean.Data):], b.Mean.Data)
			}
		}),
		write(e.factors, func(to []float32) {
			for i, u := range updates {
				copy(to[i*factorCount:], []float32{
					rate: u.Rate, over: u.Over, keep1: float32(u.Beta1), new1: float32(1 - u.Beta1),
					keep2: float32(u.Beta2), new2: float32(1 - u.Beta2), epsilon: float32(u.Epsilon),
				})
			}
		}),
	)
	if err != nil {
		return nil, err
	}
	args := []any{int32(n), int32(z.Frozen), e.k, e.v}
	for _, t := range e.moments {
		args = append(args, t)
	}
	out, err := e.exec.Call(append(args, e.q, e.mean, e.factors, e.candidates)...)
	if err != nil {
		return nil, fmt.Errorf("gomlx: %w", err)
	}
	losses := make([]float64, n)
	err = read(out, nil, func(flat [][]float32) {
		copy(z.K.Data, flat[0])
		copy(z.V.Data, flat[1])
		for i, b := range batches {
			losses[i] = float64(flat[6][i]) + meanEntropy(b)
		}
	})
	old := e.moments
	e.moments = out[2:6]
	return losses, errors.Join(err, free(append(old, out[0], out[1], out[6])))
}

func (e *stepping) Close() error {
	if e.exec != nil {
		e.exec.Finalize()
	}
	var held []*tensors.Tensor
	for _, t := range append([]*tensors.Tensor{e.k, e.v, e.q, e.mean, e.factors, e.candidates}, e.moments...) {
		if t != nil {
			held = append(held, t)
		}
	}
	return errors.Join(free(held), e.engine.Close())
}
