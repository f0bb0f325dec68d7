package cartridge

import (
	"math"
	"slices"
)

// teacher is the model with a chunk of the document in its context. It answers
// over all candidates.
type teacher struct {
	model  Model
	corpus *Corpus
	chunk  int
	topK   int
	c, ct  *right // candidates, and transposed

	keys, values []*right // of each chunk, the keys transposed

	asked            [][]int // questions of a batch, by chunk
	q, s, o, p, mean Matrix  // storage of a step for the next one
	negEntropy       []float32
}

func newTeacher(m Model, c *Corpus, chunk, topK int) *teacher {
	t := &teacher{model: m, corpus: c, chunk: chunk, topK: topK, c: rightOf(c.V), ct: rightOfTransposed(c.V)}
	for from := 0; from < c.Facts(); from += chunk {
		to := min(from+chunk, c.Facts())
		t.keys = append(t.keys, rightOfTransposed(c.K.Slice(from, to)))
		t.values = append(t.values, rightOf(c.V.Slice(from, to)))
	}
	t.asked = make([][]int, len(t.keys))
	return t
}

// answer fills in what the teacher says to the questions of a batch. Each is
// answered with the chunk in the context that holds its fact.
func (t *teacher) answer(b *Batch) {
	for c := range t.asked {
		t.asked[c] = t.asked[c][:0]
	}
	for i, fact := range b.Facts {
		t.asked[fact/t.chunk] = append(t.asked[fact/t.chunk], i)
	}
	for c, asked := range t.asked {
		if len(asked) == 0 {
			continue
		}
		t.q.resize(len(asked), b.Q.Cols)
		for i, at := range asked {
			copy(t.q.Row(i), b.Q.Row(at))
		}
		t.s.resize(len(asked), t.keys[c].cols)
		multiply(t.s, t.q, t.keys[c])
		softmax(t.s, float32(t.model.Beta))
		t.o.resize(len(asked), t.values[c].cols)
		multiply(t.o, t.s, t.values[c])
		mean, negEntropy := t.judge(t.o)
		for i, at := range asked {
			copy(b.Mean.Row(at), mean.Row(i))
			b.NegEntropy[at] = negEntropy[i]
		}
	}
}

// judge turns what was read into the mean and the negative entropy of the
// distribution t over the candidates, of the topK most probable ones if it is set.
// As log t is the logit less log sum exp, sum t log t is Gamma o (t C)^T less that.
// The next call overwrites what it returns.
func (t *teacher) judge(o Matrix) (mean Matrix, negEntropy []float32) {
	t.p.resize(o.Rows, t.ct.cols)
	multiply(t.p, o, t.ct)
	t.negEntropy = slices.Grow(t.negEntropy[:0], o.Rows)[:o.Rows]
	logSum := make([]float64, o.Rows)
	for i := range o.Rows {
		row := t.p.Row(i)
		highest, sum := expRow(row, float32(t.model.Gamma))
		if t.topK > 0 && t.topK < len(row) {
			sum = keepLargest(row, t.topK)
		}
		logSum[i] = t.model.Gamma*float64(highest) + math.Log(float64(sum))
		scale(row, 1/sum)
	}
	t.mean.resize(o.Rows, t.c.cols)
	multiply(t.mean, t.p, t.c)
	for i := range o.Rows {
		var agreement float64
		for j, x := range o.Row(i) {
			agreement += float64(x) * float64(t.mean.Row(i)[j])
		}
		t.negEntropy[i] = float32(t.model.Gamma*agreement - logSum[i])
	}
	return t.mean, t.negEntropy
}

// keepLargest sets all but the k largest numbers to 0 and returns the sum of what
// is left; of equal ones the first are kept.
func keepLargest(x []float32, k int) (sum float32) {
	order := slices.Clone(x)
	slices.Sort(order)
	limit, above := order[len(x)-k], 0
	for _, v := range x {
		if v > limit {
			above++
		}
	}
	for i, v := range x {
		switch {
		case v > limit:
		case v == limit && above < k:
			above++
		default:
			x[i] = 0
		}
		sum += x[i]
	}
	return sum
}

// constants are the teacher's answers if all its attention is on the fact asked
// for: one for each fact, whatever the wording.
func (t *teacher) constants() (mean Matrix, negEntropy []float32) { return t.judge(t.corpus.V) }
