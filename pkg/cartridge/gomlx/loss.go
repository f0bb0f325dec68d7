package gomlx

import (
	"github.com/gomlx/gomlx/core/graph"

	"memlab/pkg/cartridge"
)

var plain = form{
	inputs: []input{keys, values, questions, means, candidates},
	build: func(s cartridge.Setup, in []*graph.Node) (byKeys, byValues *graph.Node, report []*graph.Node) {
		loss := buildPlain(s, in)
		g := graph.Gradient(loss, in[0], in[1])
		return g[0], g[1], []*graph.Node{loss}
	},
	loss: func(_ cartridge.Setup, b *cartridge.Batch, reported [][]float32) float64 {
		return float64(reported[0][0]) + meanEntropy(b)
	},
}

// buildPlain is the loss as on paper, less the teacher's entropy; all derivatives
// are automatic.
func buildPlain(s cartridge.Setup, in []*graph.Node) (loss *graph.Node) {
	keys, values, questions, means, candidates := in[0], in[1], in[2], in[3], in[4]
	scores := graph.MulScalar(graph.MatMul(questions, graph.Transpose(keys, 0, 1)), s.Model.Beta)
	o := graph.MatMul(graph.Softmax(scores), values)
	logits := graph.MulScalar(graph.MatMul(o, graph.Transpose(candidates, 0, 1)), s.Model.Gamma)
	highest := graph.StopGradient(graph.ReduceAndKeep(logits, graph.ReduceMax, -1))
	sum := graph.ReduceAndKeep(graph.Exp(graph.Sub(logits, highest)), graph.ReduceSum, -1)
	agreement := graph.ReduceAndKeep(graph.Mul(o, means), graph.ReduceSum, -1)
	return graph.ReduceAllMean(graph.Sub(
		graph.Add(graph.Log(sum), highest), graph.MulScalar(agreement, s.Model.Gamma),
	))
}
