package retrieve

import "gonum.org/v1/gonum/mat"

// sparse is a matrix by rows; most cells are 0 and not stored.
type sparse struct {
	columns int
	rows    [][]cell
}

type cell struct {
	column int
	weight float64
}

// times is the product with m, which has as many rows as the matrix has columns.
func (a sparse) times(m *mat.Dense) *mat.Dense {
	_, width := m.Dims()
	out := mat.NewDense(len(a.rows), width, nil)
	for i, row := range a.rows {
		sum := out.RawRowView(i)
		for _, c := range row {
			addScaled(sum, c.weight, m.RawRowView(c.column))
		}
	}
	return out
}

// transposedTimes is the product of the transposed matrix with m.
func (a sparse) transposedTimes(m *mat.Dense) *mat.Dense {
	_, width := m.Dims()
	out := mat.NewDense(a.columns, width, nil)
	for i, row := range a.rows {
		from := m.RawRowView(i)
		for _, c := range row {
			addScaled(out.RawRowView(c.column), c.weight, from)
		}
	}
	return out
}

func addScaled(sum []float64, weight float64, v []float64) {
	for j, x := range v {
		sum[j] += float64(weight * x)
	}
}
