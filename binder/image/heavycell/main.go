// Heavycell is the heaviest cell a notebook may contain: it links GoMLX and gonum/plot at once.
// memory.py sends this file to the kernel, as it is, to learn what compiling such a cell takes.
package main

import (
	"fmt"
	"io"
	"log"

	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

const steps = 300 // memory.py counts this up: a cell with a new constant is compiled and linked anew

// fit learns the line y = 3x - 2 from nine points by gradient descent and returns its slope and intercept,
// with the loss before every step.
func fit() (slope, intercept float32, losses plotter.XYs, err error) {
	backend, err := gobackend.New("")
	if err != nil {
		return 0, 0, nil, err
	}
	defer backend.Finalize()
	xs, ys := make([][]float32, 9), make([][]float32, 9)
	for i := range xs {
		x := float32(i-4) / 4
		xs[i], ys[i] = []float32{x}, []float32{3*x - 2}
	}
	line := func(scope *model.Scope, x *graph.Node) *graph.Node {
		w := scope.VariableWithValue("slope", float32(0)).NodeValue(x.Graph())
		b := scope.VariableWithValue("intercept", float32(0)).NodeValue(x.Graph())
		return graph.Add(graph.Mul(x, w), b)
	}
	store := model.NewStore()
	descent := optimizer.StochasticGradientDescent().WithDecay(false).WithLearningRate(0.1).Done()
	trainer := train.NewTrainer(backend, store, line, loss.MeanSquaredError, descent, nil, nil)
	for step := range steps {
		metrics, err := trainer.TrainStep(train.Batch{
			Inputs: []*tensors.Tensor{tensors.MustFromAnyValue(xs)},
			Labels: []*tensors.Tensor{tensors.MustFromAnyValue(ys)},
		})
		if err != nil {
			return 0, 0, nil, fmt.Errorf("step %d: %w", step, err)
		}
		losses = append(losses, plotter.XY{X: float64(step), Y: float64(tensors.ToScalar[float32](metrics[0]))})
	}
	scope := store.RootScope()
	return tensors.ToScalar[float32](scope.GetVariable("slope").MustValue()),
		tensors.ToScalar[float32](scope.GetVariable("intercept").MustValue()), losses, nil
}

// draw returns the size in bytes of the loss curve as SVG.
func draw(losses plotter.XYs) (int64, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "fitting a line", "step", "loss"
	curve, err := plotter.NewLine(losses)
	if err != nil {
		return 0, err
	}
	p.Add(curve)
	svg, err := p.WriterTo(12*vg.Centimeter, 8*vg.Centimeter, "svg")
	if err != nil {
		return 0, err
	}
	return svg.WriteTo(io.Discard)
}

func main() {
	slope, intercept, losses, err := fit()
	if err != nil {
		log.Fatal(err)
	}
	size, err := draw(losses)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("y = %.3fx %+.3f, loss %.2f to %.0e, figure drawn: %t\n",
		slope, intercept, losses[0].Y, losses[len(losses)-1].Y, size > 0)
}
