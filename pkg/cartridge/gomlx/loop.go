package gomlx

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"memlab/pkg/cartridge"
)

// Where the graph of steps has its inputs; what the teacher needs comes after them.
const (
	inSteps   = iota // how many batches there are
	inFrozen         // how many slots are
	inKeys           // keys, values, their first and then their second moments
	inQ       = iota + 5
	inFactors // what Adam needs for each batch
	inCandidates
	inCandidatesT // transposed
	inAnswers     // what the teacher is told of each batch, see answering
	inTeacher
)

// buildSteps is a loop over the batches; it returns keys, values, moments and the
// losses, less the entropies of a teacher whose answers are not read in the graph.
func buildSteps(s cartridge.Setup, a answering, in []*graph.Node) []*graph.Node {
	g := in[0].Graph()
	// What the loop hands on: the step's number, the losses so far, all inputs.
	const (
		step = iota
		losses
		inputs
	)
	state := append([]*graph.Node{
		graph.Const(g, int32(0)), graph.Zeros(g, shapes.Make(dtypes.Float32, stepsPerCall)),
	}, in...)
	parameters := func(g *graph.Graph) []*graph.Node {
		var p []*graph.Node
		for i, x := range state {
			p = append(p, graph.Parameter(g, fmt.Sprint("state", i), x.Shape()))
		}
		return p
	}
	more := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
		p := parameters(g)
		return []*graph.Node{graph.LessThan(p[step], p[inputs+inSteps])}
	})
	body := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
		p := parameters(g)
		in := p[inputs:]
		// Beta and Gamma multiply questions and what is read, which are smaller than
		// what they are multiplied with.
		q := graph.MulScalar(element(in[inQ], p[step]), s.Model.Beta)
		judge := func(o *graph.Node) (mean, logSum *graph.Node) {
			return attend(graph.MulScalar(o, s.Model.Gamma), in[inCandidatesT], in[inCandidates], nil)
		}
		mean, negEntropy := a.build(s, q, element(in[inAnswers], p[step]), in[inTeacher:], judge)
		z := in[inKeys:inQ]
		loss, derivatives := buildLoss(s, z[0], z[1], q, mean, negEntropy, judge)
		copy(z, adam(z, derivatives, in[inFrozen], element(in[inFactors], p[step])))
		p[losses] = graph.DynamicUpdateSlice(p[losses], graph.Reshape(loss, 1), []*graph.Node{p[step]})
		p[step] = graph.AddScalar(p[step], 1)
		return p
	})
	out := graph.While(more, body, state...)
	return append(out[inputs+inKeys:inputs+inQ:inputs+inQ], out[losses])
}

// element is x[i] of a list of matrices or of rows.
func element(x, i *graph.Node) *graph.Node {
	from, dims := []*graph.Node{i}, []int{1}
	for _, d := range x.Shape().Dimensions[1:] {
		from, dims = append(from, graph.ZerosLike(i)), append(dims, d)
	}
	return graph.Squeeze(graph.DynamicSlice(x, from, dims), 0)
}

// attend is softmax(q keysT) values, and log sum exp of the rows of q keysT. What is
// divided by the sum is what was read, which has fewer columns than the attention.
// Attention is 0 where the mask, if there is one, is false.
func attend(q, keysT, values, mask *graph.Node) (read, logSum *graph.Node) {
	scores := product(q, keysT)
	if mask != nil {
		scores = graph.Where(mask, scores, graph.Infinity(q.Graph(), q.DType(), -1))
	}
	highest := graph.StopGradient(graph.ReduceAndKeep(scores, graph.ReduceMax, -1))
	e := graph.Exp(graph.Sub(scores, highest))
	sum := graph.ReduceAndKeep(e, graph.ReduceSum, -1)
	return graph.Mul(product(e, values), graph.Reciprocal(sum)), graph.Add(graph.Log(sum), highest)
}

// buildLoss is the loss and its derivatives by keys and values. As in buildFast,
// what is differentiated is the product of o and the difference of student's and
// teacher's mean values, which is held constant.
func buildLoss(s cartridge.Setup, keys, values, q, mean, negEntropy *graph.Node, judge judge) (loss *graph.Node, derivatives []*graph.Node) {
	o, _ := attend(q, graph.Transpose(keys, 0, 1), values, nil)
	read := graph.StopGradient(o)
	own, logSum := judge(read)
	agreement := graph.ReduceAndKeep(graph.Mul(read, mean), graph.ReduceSum, -1)
	each := graph.Sub(logSum, graph.MulScalar(agreement, s.Model.Gamma))
	if negEntropy != nil {
		each = graph.Add(each, negEntropy)
	}
	d := graph.MulScalar(graph.Sub(own, mean), s.Model.Gamma/float64(s.Batch))
	return graph.ReduceAllMean(each), graph.Gradient(inner(o, graph.StopGradient(d)), keys, values)
}

// adam is its step; z is keys, values, their first and their second moments.
func adam(z, derivatives []*graph.Node, frozen, factors *graph.Node) (trained []*graph.Node) {
	at := func(i int) *graph.Node { return graph.Reshape(graph.Slice(factors, graph.AxisElem(i)), 1, 1) }
	blend := func(keep, old, add, x *graph.Node) *graph.Node {
		return graph.Add(graph.Mul(keep, old), graph.Mul(add, x))
	}
	trained = make([]*graph.Node, 6)
	for i, d := range derivatives {
		m := blend(at(keep1), z[2+i], at(new1), d)
		v := blend(at(keep2), z[4+i], at(new2), graph.Mul(d, d))
		root := graph.Sqrt(graph.Mul(v, at(over)))
		moved := graph.Sub(z[i], graph.Div(graph.Mul(at(rate), m), graph.Add(root, at(epsilon))))
		row := graph.Iota(d.Graph(), shapes.Make(dtypes.Int32, z[i].Shape().Dimensions...), 0)
		trained[i] = graph.Where(graph.GreaterOrEqual(row, frozen), moved, z[i])
		trained[2+i], trained[4+i] = m, v
	}
	return trained
}
