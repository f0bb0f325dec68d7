package gomlx

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
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
	answering
	exec    *graph.Exec
	k, v    *tensors.Tensor   // the slots
	moments []*tensors.Tensor // first of keys and of values, then second
	q       *tensors.Tensor   // stepsPerCall batches
	factors *tensors.Tensor   // and what Adam needs for each
	answers *tensors.Tensor   // and what is told of the teacher's answers
	fixed   []*tensors.Tensor // candidates, also transposed, and what the teacher knows
	unused  *cartridge.Gradient
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
	e := &stepping{
		engine: one, answering: answers(s.Teacher), moments: make([]*tensors.Tensor, 4),
		unused: &cartridge.Gradient{K: cartridge.NewMatrix(s.Slots, s.KeyDim), V: cartridge.NewMatrix(s.Slots, d)},
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	told := shapes.Make(dtypes.Float32, stepsPerCall, s.Batch, d)
	if e.byFact {
		told = shapes.Make(dtypes.Int32, stepsPerCall, s.Batch)
	}
	keys, values := shapes.Make(dtypes.Float32, s.Slots, s.KeyDim), shapes.Make(dtypes.Float32, s.Slots, d)
	for _, t := range []struct {
		to    **tensors.Tensor
		shape shapes.Shape
	}{
		{&e.k, keys}, {&e.v, values},
		{&e.moments[0], keys}, {&e.moments[1], values}, {&e.moments[2], keys}, {&e.moments[3], values},
		{&e.q, shapes.Make(dtypes.Float32, stepsPerCall, s.Batch, s.KeyDim)},
		{&e.factors, shapes.Make(dtypes.Float32, stepsPerCall, factorCount)}, {&e.answers, told},
	} {
		if *t.to, err = newTensor(b, t.shape); err != nil {
			return nil, err
		}
	}
	for _, m := range append([]cartridge.Matrix{s.Candidates, s.Candidates.Transpose()}, e.matrices(s.Teacher)...) {
		t, err := newTensor(b, shapes.Make(dtypes.Float32, m.Rows, m.Cols))
		if err != nil {
			return nil, err
		}
		e.fixed = append(e.fixed, t)
		if err := write(t, func(to []float32) { copy(to, m.Data) }); err != nil {
			return nil, err
		}
	}
	e.exec, err = graph.NewExec(b, func(in []*graph.Node) []*graph.Node { return buildSteps(s, e.answering, in) })
	if err != nil {
		return nil, fmt.Errorf("gomlx: graph of several steps: %w", err)
	}
	return e, nil
}

func (e *stepping) StepsPerCall() int { return stepsPerCall }

// Answers: given ones are for the host to find.
func (e *stepping) Answers() bool { return e.byFact }

func (e *stepping) Reset() error {
	var err error
	for _, t := range e.moments {
		err = errors.Join(err, write(t, func(to []float32) { clear(to) }))
	}
	return err
}

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
		write(e.factors, func(to []float32) {
			for i, u := range updates {
				copy(to[i*factorCount:], []float32{
					rate: u.Rate, over: u.Over, keep1: float32(u.Beta1), new1: float32(1 - u.Beta1),
					keep2: float32(u.Beta2), new2: float32(1 - u.Beta2), epsilon: float32(u.Epsilon),
				})
			}
		}),
		e.tell(batches),
	)
	if err != nil {
		return nil, err
	}
	args := []any{int32(n), int32(z.Frozen), e.k, e.v}
	for _, t := range append(append(e.moments[:4:4], e.q, e.factors), e.fixed[:2]...) {
		args = append(args, t)
	}
	args = append(args, e.answers)
	for _, t := range e.fixed[2:] {
		args = append(args, t)
	}
	out, err := e.exec.Call(args...)
	if err != nil {
		return nil, fmt.Errorf("gomlx: %w", err)
	}
	losses := make([]float64, n)
	err = read(out, nil, func(flat [][]float32) {
		copy(z.K.Data, flat[0])
		copy(z.V.Data, flat[1])
		for i, b := range batches {
			losses[i] = float64(flat[6][i]) + e.entropy(b)
		}
	})
	old := e.moments
	e.moments = out[2:6]
	return losses, errors.Join(err, free(append(old, out[0], out[1], out[6])))
}

// tell stages what the graph takes of the answers.
func (e *stepping) tell(batches []*cartridge.Batch) error {
	if !e.byFact {
		return write(e.answers, func(to []float32) {
			for i, b := range batches {
				copy(to[i*len(b.Mean.Data):], b.Mean.Data)
			}
		})
	}
	facts := e.setup.Teacher.Facts()
	var wrong error
	err := write(e.answers, func(to []int32) {
		for i, b := range batches {
			for j, fact := range b.Facts {
				if fact < 0 || fact >= facts {
					wrong = fmt.Errorf("gomlx: %w: question %d of batch %d asks for fact %d of %d", cartridge.ErrInput, j, i, fact, facts)
					return
				}
				to[i*len(b.Facts)+j] = int32(fact)
			}
		}
	})
	return errors.Join(err, wrong)
}

// entropy is the part of a batch's loss that the graph leaves out.
func (e *stepping) entropy(b *cartridge.Batch) float64 {
	switch t := e.setup.Teacher; {
	case t == nil:
		return meanEntropy(b)
	case t.Reads():
		return 0
	default:
		var sum float64
		for _, fact := range b.Facts {
			sum += float64(t.NegEntropy[fact])
		}
		return sum / float64(len(b.Facts))
	}
}

func (e *stepping) Close() error {
	if e.exec != nil {
		e.exec.Finalize()
	}
	var held []*tensors.Tensor
	for _, t := range append(append([]*tensors.Tensor{e.k, e.v, e.q, e.factors, e.answers}, e.moments...), e.fixed...) {
		if t != nil {
			held = append(held, t)
		}
	}
	return errors.Join(free(held), e.engine.Close())
}
