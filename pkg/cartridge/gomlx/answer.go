package gomlx

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"memlab/pkg/cartridge"
)

// judge gives, for what was read (questions x value dims), the mean value under the
// distribution over the candidates, and log sum exp of the logits (questions x 1).
type judge func(o *graph.Node) (mean, logSum *graph.Node)

// answering is one way in which a graph of steps comes to the teacher's mean values.
type answering struct {
	// byFact: for each question it is told the number of the fact, else the mean
	// value itself.
	byFact bool
	// matrices are what it needs of the teacher.
	matrices func(t *cartridge.Teacher) []cartridge.Matrix
	// build gets questions times Beta, what is told, and the matrices. negEntropy
	// is questions x 1, or nil if it is for the host to add.
	build func(s cartridge.Setup, q, told *graph.Node, matrices []*graph.Node, judge judge) (mean, negEntropy *graph.Node)
}

// answers chooses. Answers are given if an engine cannot give them: to questions of
// a Dataset, or if a Study keeps the most probable candidates only.
func answers(t *cartridge.Teacher) answering {
	switch {
	case t == nil:
		return given
	case t.Reads():
		return readAnswers
	default:
		return lookedUp
	}
}

var (
	given = answering{
		matrices: func(*cartridge.Teacher) []cartridge.Matrix { return nil },
		build: func(_ cartridge.Setup, _, told *graph.Node, _ []*graph.Node, _ judge) (mean, negEntropy *graph.Node) {
			return told, nil
		},
	}
	lookedUp = answering{
		byFact:   true,
		matrices: func(t *cartridge.Teacher) []cartridge.Matrix { return []cartridge.Matrix{t.Mean} },
		build: func(_ cartridge.Setup, _, told *graph.Node, matrices []*graph.Node, _ judge) (mean, negEntropy *graph.Node) {
			return graph.Gather(matrices[0], graph.InsertAxes(told, -1)), nil
		},
	}
	// readAnswers lets the model read the context; what is outside of a question's
	// chunk is masked.
	readAnswers = answering{
		byFact: true,
		matrices: func(t *cartridge.Teacher) []cartridge.Matrix {
			return []cartridge.Matrix{t.Keys.Transpose(), t.Values}
		},
		build: func(s cartridge.Setup, q, told *graph.Node, matrices []*graph.Node, judge judge) (mean, negEntropy *graph.Node) {
			o, _ := attend(q, matrices[0], matrices[1], chunkMask(s, told))
			mean, logSum := judge(o)
			agreement := graph.ReduceAndKeep(graph.Mul(o, mean), graph.ReduceSum, -1)
			return mean, graph.Sub(graph.MulScalar(agreement, s.Model.Gamma), logSum)
		},
	}
)

// chunkMask is true where a fact is in the chunk of the one asked for, questions x
// facts; nil if all are.
func chunkMask(s cartridge.Setup, asked *graph.Node) *graph.Node {
	n, chunk := s.Teacher.Facts(), s.Teacher.Chunk
	if chunk >= n {
		return nil
	}
	size := graph.Scalar(asked.Graph(), dtypes.Int32, chunk)
	facts := graph.Iota(asked.Graph(), shapes.Make(dtypes.Int32, s.Batch, n), 1)
	return graph.Equal(graph.Div(facts, size), graph.InsertAxes(graph.Div(asked, size), -1))
}
