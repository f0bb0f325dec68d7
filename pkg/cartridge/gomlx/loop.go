package gomlx

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"memlab/pkg/cartridge"
)

// buildSteps is a loop over the batches. It takes how many there are and how many
// slots are frozen, then keys, values and their moments, batches, factors and
// candidates; it returns keys, values, moments and the losses less entropies.
func buildSteps(s cartridge.Setup, in []*graph.Node) []*graph.Node {
	g := in[0].Graph()
	// What the loop hands on: the step's number, the losses so far, all inputs.
	state := append([]*graph.Node{
		graph.Const(g, int32(0)), graph.Zeros(g, shapes.Make(dtypes.Float32, stepsPerCall)),
	}, in...)
	const (
		step = iota
		losses
		steps
		frozen
		keys
		q       = keys + 6
		mean    = q + 1
		factors = mean + 1
		cands   = factors + 1
	)
	parameters := func(g *graph.Graph) []*graph.Node {
		var p []*graph.Node
		for i, x := range state {
			p = append(p, graph.Parameter(g, fmt.Sprint("state", i), x.Shape()))
		}
		return p
	}
	more := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
		p := parameters(g)
		return []*graph.Node{graph.LessThan(p[step], p[steps])}
	})
	body := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
		p := parameters(g)
		f := element(p[factors], p[step])
		trained, loss := buildStep(s, p[keys:q], p[frozen], element(p[q], p[step]), element(p[mean], p[step]), f, p[cands])
		copy(p[keys:q], trained)
		p[losses] = graph.DynamicUpdateSlice(p[losses], graph.Reshape(loss, 1), []*graph.Node{p[step]})
		p[step] = graph.AddScalar(p[step], 1)
		return p
	})
	out := graph.While(more, body, state...)
	return append(out[keys:q:q], out[losses])
}

// element is x[i] of a list of matrices or of rows.
func element(x, i *graph.Node) *graph.Node {
	from, dims := []*graph.Node{i}, []int{1}
	for _, d := range x.Shape().Dimensions[1:] {
		from, dims = append(from, graph.ZerosLike(i)), append(dims, d)
	}
	return graph.Squeeze(graph.DynamicSlice(x, from, dims), 0)
}

// buildStep is one step of Adam; z is keys, values, their first and their second
// moments.
func buildStep(s cartridge.Setup, z []*graph.Node, frozen, q, mean, factors, candidates *graph.Node) (trained []*graph.Node, loss *graph.Node) {
	loss = buildPlain(s, []*graph.Node{z[0], z[1], q, mean, candidates})
	g := graph.Gradient(loss, z[0], z[1])
	at := func(i int) *graph.Node { return graph.Reshape(graph.Slice(factors, graph.AxisElem(i)), 1, 1) }
	blend := func(keep, old, add, x *graph.Node) *graph.Node {
		return graph.Add(graph.Mul(keep, old), graph.Mul(add, x))
	}
	trained = make([]*graph.Node, 6)
	for i := range 2 {
		m := blend(at(keep1), z[2+i], at(new1), g[i])
		v := blend(at(keep2), z[4+i], at(new2), graph.Mul(g[i], g[i]))
		root := graph.Sqrt(graph.Mul(v, at(over)))
		moved := graph.Sub(z[i], graph.Div(graph.Mul(at(rate), m), graph.Add(root, at(epsilon))))
		row := graph.Iota(q.Graph(), shapes.Make(dtypes.Int32, z[i].Shape().Dimensions...), 0)
		trained[i] = graph.Where(graph.GreaterOrEqual(row, frozen), moved, z[i])
		trained[2+i], trained[4+i] = m, v
	}
	return trained, loss
}
