package gomlx

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"memlab/pkg/cartridge"
)

// Engine makes an engine whose graph is arranged for the Go backend, see
// buildFast.
func Engine(s cartridge.Setup) (cartridge.Engine, error) {
	return newOwn(s, fast)
}

// Plain makes an engine that differentiates the loss as it stands, see
// buildPlain.
func Plain(s cartridge.Setup) (cartridge.Engine, error) {
	return newOwn(s, plain)
}

// On makes engines like Plain on another backend. The backend stays the caller's.
func On(b compute.Backend) cartridge.NewEngine {
	return func(s cartridge.Setup) (cartridge.Engine, error) {
		e, err := newEngine(s, plain, b)
		if err != nil {
			return nil, err
		}
		return e, nil
	}
}

// StepsOn makes engines like On that take many steps in a call (see
// cartridge.Stepper), on a backend that has loops and slices by a computed index:
// the one in pure Go lacks the slices.
func StepsOn(b compute.Backend) cartridge.NewEngine {
	return func(s cartridge.Setup) (cartridge.Engine, error) {
		e, err := newStepping(s, b)
		if err != nil {
			return nil, err
		}
		return e, nil
	}
}

// form is one way to write the loss as a graph.
type form struct {
	inputs []input
	// build returns the derivatives by keys and values, and what the loss is
	// computed from. It gets the inputs in their order.
	build func(s cartridge.Setup, in []*graph.Node) (byKeys, byValues *graph.Node, report []*graph.Node)
	// loss is the mean of a batch, from the numbers of the reported nodes.
	loss func(s cartridge.Setup, b *cartridge.Batch, reported [][]float32) float64
}

type engine struct {
	setup   cartridge.Setup
	form    form
	backend compute.Backend
	own     bool // the backend is this engine's
	exec    *graph.Exec
	in      []*tensors.Tensor
	args    []any
}

func newOwn(s cartridge.Setup, f form) (cartridge.Engine, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b, err := gobackend.New("")
	if err != nil {
		return nil, fmt.Errorf("gomlx: backend: %w", err)
	}
	e, err := newEngine(s, f, b)
	if err != nil {
		b.Finalize()
		return nil, err
	}
	e.own = true
	return e, nil
}

func newEngine(s cartridge.Setup, f form, b compute.Backend) (_ *engine, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	e := &engine{setup: s, form: f, backend: b}
	defer func() {
		if err != nil {
			err = errors.Join(err, free(e.in))
		}
	}()
	e.exec, err = graph.NewExec(b, func(in []*graph.Node) []*graph.Node {
		k, v, report := f.build(s, in)
		return append([]*graph.Node{k, v}, report...)
	})
	if err != nil {
		return nil, fmt.Errorf("gomlx: graph: %w", err)
	}
	for _, in := range f.inputs {
		rows, cols := in.shape(s)
		t, err := newTensor(b, shapes.Make(dtypes.Float32, rows, cols))
		if err != nil {
			return nil, err
		}
		e.in, e.args = append(e.in, t), append(e.args, t)
		if in.once != nil {
			if err := write(t, func(to []float32) { in.once(to, s) }); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// newTensor is one of zeros.
func newTensor(b compute.Backend, s shapes.Shape) (*tensors.Tensor, error) {
	t, err := tensors.FromShapeForBackend(b, 0, s)
	if err != nil {
		return nil, fmt.Errorf("gomlx: tensor: %w", err)
	}
	return t, nil
}

func write[T float32 | int32](t *tensors.Tensor, fill func(to []T)) error {
	if err := tensors.MutableFlatData(t, fill); err != nil {
		return fmt.Errorf("gomlx: inputs: %w", err)
	}
	return nil
}

// Gradient writes the inputs into tensors that are made once, runs the graph and
// copies the results back.
func (e *engine) Gradient(z *cartridge.Cartridge, b *cartridge.Batch, g *cartridge.Gradient) (float64, error) {
	if err := e.setup.Fits(z, b, g); err != nil {
		return 0, err
	}
	for i, in := range e.form.inputs {
		if in.each == nil {
			continue
		}
		if err := write(e.in[i], func(to []float32) { in.each(to, e.setup, z, b) }); err != nil {
			return 0, err
		}
	}
	out, err := e.exec.Call(e.args...)
	if err != nil {
		return 0, fmt.Errorf("gomlx: %w", err)
	}
	var loss float64
	err = read(out, nil, func(flat [][]float32) {
		copy(g.K.Data, flat[0])
		copy(g.V.Data, flat[1])
		loss = e.form.loss(e.setup, b, flat[2:])
	})
	return loss, errors.Join(err, free(out))
}

// read gives then the numbers of all tensors while none of them can change.
func read(ts []*tensors.Tensor, flat [][]float32, then func(flat [][]float32)) error {
	if len(ts) == 0 {
		then(flat)
		return nil
	}
	var inner error
	err := tensors.ConstFlatData(ts[0], func(x []float32) { inner = read(ts[1:], append(flat, x), then) })
	if err != nil {
		return fmt.Errorf("gomlx: results: %w", err)
	}
	return inner
}

func free(ts []*tensors.Tensor) error {
	var err error
	for _, t := range ts {
		err = errors.Join(err, t.FinalizeAll())
	}
	return err
}

// Close frees what the backend holds.
func (e *engine) Close() error {
	e.exec.Finalize()
	if e.own {
		e.backend.Finalize()
		return nil
	}
	return free(e.in)
}
