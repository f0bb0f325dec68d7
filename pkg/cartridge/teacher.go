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
	ct     Matrix
	keys   []Matrix // of each chunk, transposed
}

func newTeacher(m Model, c *Corpus, chunk, topK int) *teacher {
	t := &teacher{model: m, corpus: c, chunk: chunk, topK: topK, ct: c.V.Transpose()}
	for from := 0; from < c.Facts(); from += chunk {
		t.keys = append(t.keys, c.K.Slice(from, min(from+chunk, c.Facts())).Transpose())
	}
	return t
}

// answer fills in what the teacher says to the questions of a batch. Each is
// answered with the chunk in the context that holds its fact.
func (t *teacher) answer(b *Batch) {
	by := make([][]int, len(t.keys)) // questions by chunk
	for i, fact := range b.Facts {
		by[fact/t.chunk] = append(by[fact/t.chunk], i)
	}
	for c, asked := range by {
		if len(asked) == 0 {
			continue
		}
		q := NewMatrix(len(asked), b.Q.Cols)
		for i, at := range asked {
			copy(q.Row(i), b.Q.Row(at))
		}
		from := c * t.chunk
		s := NewMatrix(q.Rows, t.keys[c].Cols)
		product(s, q, t.keys[c])
		for i := range s.Rows {
			_, sum := expRow(s.Row(i), float32(t.model.Beta))
			scale(s.Row(i), 1/sum)
		}
		o := NewMatrix(q.Rows, t.corpus.V.Cols)
		product(o, s, t.corpus.V.Slice(from, from+s.Cols))
		mean, negEntropy := t.judge(o)
		for i, at := range asked {
			copy(b.Mean.Row(at), mean.Row(i))
			b.NegEntropy[at] = negEntropy[i]
		}
	}
}

// judge turns what was read into the mean and the negative entropy of the
// distribution t over the candidates, of the topK most probable ones if it is set.
// As log t is the logit less log sum exp, sum t log t is Gamma o (t C)^T less that.
func (t *teacher) judge(o Matrix) (mean Matrix, negEntropy []float32) {
	p := NewMatrix(o.Rows, t.ct.Cols)
	product(p, o, t.ct)
	logSum := make([]float64, o.Rows)
	for i := range p.Rows {
		row := p.Row(i)
		highest, sum := expRow(row, float32(t.model.Gamma))
		if t.topK > 0 && t.topK < len(row) {
			sum = keepLargest(row, t.topK)
		}
		logSum[i] = t.model.Gamma*float64(highest) + math.Log(float64(sum))
		scale(row, 1/sum)
	}
	mean = NewMatrix(o.Rows, t.corpus.V.Cols)
	product(mean, p, t.corpus.V)
	negEntropy = make([]float32, o.Rows)
	for i := range negEntropy {
		var agreement float64
		for j, x := range o.Row(i) {
			agreement += float64(x) * float64(mean.Row(i)[j])
		}
		negEntropy[i] = float32(t.model.Gamma*agreement - logSum[i])
	}
	return mean, negEntropy
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
