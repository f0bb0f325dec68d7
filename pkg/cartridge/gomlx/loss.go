package gomlx

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"

	"memlab/pkg/cartridge"
)

// buildPlain is the loss as on paper; all derivatives are automatic.
func buildPlain(s cartridge.Setup, in []*graph.Node) (objective *graph.Node, report []*graph.Node) {
	scores := graph.MulScalar(graph.MatMul(in[questions], graph.Transpose(in[keys], 0, 1)), s.Model.Beta)
	o := graph.MatMul(graph.Softmax(scores), in[values])
	logits := graph.MulScalar(graph.MatMul(o, in[candidatesT]), s.Model.Gamma)
	highest := graph.StopGradient(graph.ReduceAndKeep(logits, graph.ReduceMax, -1))
	sum := graph.ReduceAndKeep(graph.Exp(graph.Sub(logits, highest)), graph.ReduceSum, -1)
	agreement := graph.ReduceAndKeep(graph.Mul(o, in[means]), graph.ReduceSum, -1)
	kl := graph.Sub(
		graph.Add(graph.Add(graph.Log(sum), highest), in[entropies]),
		graph.MulScalar(agreement, s.Model.Gamma),
	)
	objective = graph.ReduceAllMean(kl)
	return objective, []*graph.Node{objective}
}

func lossPlain(_ cartridge.Setup, _ *cartridge.Batch, reported [][]float32) float64 {
	return float64(reported[0][0])
}

// buildFast has the same gradient in two thirds of the time. The derivative of log sum exp
// is the softmax, so that the loss falls by o along the difference d of student's
// and teacher's mean values; it is differentiated as the product o d with d held
// constant, and no derivative of the softmax over the candidates is taken. What
// comes before o, attention and its slots, is differentiated as it stands. All
// large products are of matrices that are not transposed, since only those are
// fast on the Go backend.
func buildFast(s cartridge.Setup, in []*graph.Node) (objective *graph.Node, report []*graph.Node) {
	scores := graph.MulScalar(product(in[questions], graph.Transpose(in[keys], 0, 1)), s.Model.Beta)
	o := product(graph.Softmax(scores), in[values])

	fixed := graph.StopGradient(o)
	logits := product(graph.MulScalar(fixed, s.Model.Gamma), in[candidatesT])
	p := graph.Softmax(logits)
	d := graph.StopGradient(graph.Sub(product(p, in[candidates]), in[means]))
	objective = graph.MulScalar(graph.ReduceAllSum(graph.Mul(o, d)), s.Model.Gamma/float64(s.Batch))
	return objective, []*graph.Node{logits, p, fixed}
}

// lossFast is computed outside the graph, where a maximum over the candidates costs
// a tenth of what it costs on the Go backend. Of the most probable candidate, log p
// is its logit less log sum exp.
func lossFast(s cartridge.Setup, b *cartridge.Batch, reported [][]float32) float64 {
	n, d := s.Candidates.Rows, s.Candidates.Cols
	var loss float64
	for i := range s.Batch {
		logits, p, o := reported[0][i*n:(i+1)*n], reported[1][i*n:(i+1)*n], reported[2][i*d:(i+1)*d]
		best := 0
		for j, x := range p {
			if x > p[best] {
				best = j
			}
		}
		var agreement float64
		for j, x := range b.Mean.Row(i) {
			agreement += float64(x) * float64(o[j])
		}
		loss += float64(b.NegEntropy[i]) + float64(logits[best]) - math.Log(float64(p[best])) - s.Model.Gamma*agreement
	}
	return loss / float64(s.Batch)
}

func product(a, b *graph.Node) *graph.Node {
	return graph.DotGeneral(a, []int{1}, nil, b, []int{0}, nil)
}
