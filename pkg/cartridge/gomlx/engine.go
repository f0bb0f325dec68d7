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
	return newEngine(s, form{buildFast, lossFast}, nil)
}

// Plain makes an engine that differentiates the loss as it stands, see
// buildPlain.
func Plain(s cartridge.Setup) (cartridge.Engine, error) {
	return newEngine(s, form{buildPlain, lossPlain}, nil)
}

// On makes engines like Plain on another backend, such as XLA's, which needs no
// rearranged graph. The backend stays the caller's.
func On(b compute.Backend) cartridge.NewEngine {
	return func(s cartridge.Setup) (cartridge.Engine, error) {
		return newEngine(s, form{buildPlain, lossPlain}, b)
	}
}

// The inputs of a graph, in order.
const (
	keys = iota
	values
	questions
	means
	entropies
	candidates
	candidatesT
	inputs
)

// form is one way to write the loss as a graph.
type form struct {
	// build returns what is differentiated, and what the loss is computed from.
	build func(s cartridge.Setup, in []*graph.Node) (objective *graph.Node, report []*graph.Node)
	// loss is the mean of a batch, from the numbers of the reported nodes.
	loss func(s cartridge.Setup, b *cartridge.Batch, reported [][]float32) float64
}

type engine struct {
	setup   cartridge.Setup
	form    form
	backend compute.Backend
	own     bool // the backend is this engine's
	exec    *graph.Exec
	in      [inputs]*tensors.Tensor
	args    [inputs]any
}

func newEngine(s cartridge.Setup, f form, b compute.Backend) (_ cartridge.Engine, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	e := &engine{setup: s, form: f, backend: b}
	if b == nil {
		if e.backend, err = gobackend.New(""); err != nil {
			return nil, fmt.Errorf("gomlx: backend: %w", err)
		}
		e.own = true
	}
	defer func() {
		if err != nil && e.own {
			e.backend.Finalize()
		}
	}()
	e.exec, err = graph.NewExec(e.backend, func(in []*graph.Node) []*graph.Node {
		objective, report := f.build(s, in)
		return append(graph.Gradient(objective, in[keys], in[values]), report...)
	})
	if err != nil {
		return nil, fmt.Errorf("gomlx: graph: %w", err)
	}
	d, n := s.Candidates.Cols, s.Candidates.Rows
	for i, shape := range [inputs][2]int{
		keys: {s.Slots, s.KeyDim}, values: {s.Slots, d}, questions: {s.Batch, s.KeyDim}, means: {s.Batch, d},
		entropies: {s.Batch, 1}, candidates: {n, d}, candidatesT: {d, n},
	} {
		e.in[i], err = tensors.FromShapeForBackend(e.backend, 0, shapes.Make(dtypes.Float32, shape[0], shape[1]))
		if err != nil {
			return nil, fmt.Errorf("gomlx: tensor: %w", err)
		}
		e.args[i] = e.in[i]
	}
	return e, errors.Join(e.set(candidates, s.Candidates.Data), e.set(candidatesT, s.Candidates.Transpose().Data))
}

func (e *engine) set(input int, data []float32) error {
	return tensors.MutableFlatData(e.in[input], func(flat []float32) { copy(flat, data) })
}

// Gradient copies the inputs into tensors that are made once, runs the graph and
// copies the results back.
func (e *engine) Gradient(z *cartridge.Cartridge, b *cartridge.Batch, g *cartridge.Gradient) (float64, error) {
	if err := e.setup.Fits(z, b, g); err != nil {
		return 0, err
	}
	err := errors.Join(
		e.set(keys, z.K.Data), e.set(values, z.V.Data), e.set(questions, b.Q.Data),
		e.set(means, b.Mean.Data), e.set(entropies, b.NegEntropy),
	)
	if err != nil {
		return 0, fmt.Errorf("gomlx: inputs: %w", err)
	}
	out, err := e.exec.Call(e.args[:]...)
	if err != nil {
		return 0, fmt.Errorf("gomlx: %w", err)
	}
	var loss float64
	err = read(out, nil, func(flat [][]float32) {
		copy(g.K.Data, flat[0])
		copy(g.V.Data, flat[1])
		loss = e.form.loss(e.setup, b, flat[2:])
	})
	if err != nil {
		return 0, fmt.Errorf("gomlx: results: %w", err)
	}
	for _, t := range out {
		if err := t.FinalizeAll(); err != nil {
			return 0, fmt.Errorf("gomlx: %w", err)
		}
	}
	return loss, nil
}

// read gives then the numbers of all tensors while none of them can change.
func read(ts []*tensors.Tensor, flat [][]float32, then func(flat [][]float32)) error {
	if len(ts) == 0 {
		then(flat)
		return nil
	}
	var inner error
	err := tensors.ConstFlatData(ts[0], func(x []float32) { inner = read(ts[1:], append(flat, x), then) })
	return errors.Join(err, inner)
}

// Close frees what the backend holds.
func (e *engine) Close() error {
	e.exec.Finalize()
	if e.own {
		e.backend.Finalize()
		return nil
	}
	var err error
	for _, t := range e.in {
		err = errors.Join(err, t.FinalizeAll())
	}
	return err
}
