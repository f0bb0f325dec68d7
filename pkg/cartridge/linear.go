package cartridge

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Linear is a matrix of as many rows as a key and columns as a value has
// numbers; it answers q with q M. It is the memory of linear attention, which
// has no softmax, and occupies as much as rows/2 tokens of KV do.
type Linear struct {
	M Matrix
}

// Read is q M.
func (l Linear) Read(q Matrix) (Matrix, error) {
	if err := q.check("questions", l.M.Rows); err != nil {
		return Matrix{}, err
	}
	o := NewMatrix(q.Rows, l.M.Cols)
	product(o, q, l.M)
	return o, nil
}

// Tokens is how many tokens of KV occupy as much memory.
func (l Linear) Tokens() float64 {
	return float64(l.M.Rows*l.M.Cols) / float64(l.M.Rows+l.M.Cols)
}

// LinearSum adds up the associations: M = K^T V, the update of linear attention.
func LinearSum(c *Corpus) (Linear, error) {
	if err := c.Check(); err != nil {
		return Linear{}, err
	}
	m := NewMatrix(c.K.Cols, c.V.Cols)
	product(m, c.K.Transpose(), c.V)
	if err := m.check("the sum of the associations (shorter vectors may help)", 0); err != nil {
		return Linear{}, err
	}
	return Linear{m}, nil
}

// LinearLeastSquares is the matrix with the smallest sum of squares of K M - V.
// It wants keys that span their space.
func LinearLeastSquares(c *Corpus) (Linear, error) {
	if err := c.Check(); err != nil {
		return Linear{}, err
	}
	if c.Facts() < c.K.Cols {
		return Linear{}, bad("least squares over %d facts in %d dimensions: want as many facts as dimensions, or more", c.Facts(), c.K.Cols)
	}
	var m mat.Dense
	if err := m.Solve(dense(c.K), dense(c.V)); err != nil {
		return Linear{}, fmt.Errorf("cartridge: least squares over %d facts: %w", c.Facts(), err)
	}
	out := NewMatrix(c.K.Cols, c.V.Cols)
	for i := range out.Rows {
		for j := range out.Cols {
			out.Row(i)[j] = float32(m.At(i, j))
		}
	}
	return Linear{out}, nil
}

func dense(m Matrix) *mat.Dense {
	d := mat.NewDense(m.Rows, m.Cols, nil)
	for i := range m.Rows {
		for j, x := range m.Row(i) {
			d.Set(i, j, float64(x))
		}
	}
	return d
}

// LinearDelta reads the facts one after the other, passes times, and writes by
// the delta rule what M gets wrong: M += rate k^T (v - k M). It is one step of
// gradient descent on that fact's squared error, the update of DeltaNet, and
// leads from the sum (one pass that ignores what M knows) to least squares
// (many passes at a low rate).
func LinearDelta(c *Corpus, rate float64, passes int) (Linear, error) {
	if err := c.Check(); err != nil {
		return Linear{}, err
	}
	if !(rate > 0) || math.IsInf(rate, 0) || passes < 1 {
		return Linear{}, bad("delta rule at rate %g in %d passes: want a positive rate and 1 pass or more", rate, passes)
	}
	m := NewMatrix(c.K.Cols, c.V.Cols)
	wrong := make([]float32, c.V.Cols)
	for range passes {
		for fact := range c.Facts() {
			copy(wrong, c.V.Row(fact))
			for i, k := range c.K.Row(fact) {
				for j, x := range m.Row(i) {
					wrong[j] -= float32(k * x)
				}
			}
			for i, k := range c.K.Row(fact) {
				k *= float32(rate)
				row := m.Row(i)
				for j, w := range wrong {
					row[j] += float32(k * w)
				}
			}
		}
	}
	if err := m.check("the delta rule's matrix (a lower rate may help)", 0); err != nil {
		return Linear{}, err
	}
	return Linear{m}, nil
}
