package cartridge

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas32"
)

// panelCols is how many columns of a right factor lie together.
const panelCols = 32

// right is a matrix as the right factor of products. The vector kernels want it
// in panels of 32 columns, one after the other: in their place the rows of a
// column block are a power of two apart and would push each other out of the
// cache. The last panel is filled up with zeros. The plain kernel takes the matrix
// as it is. A factor that stays the same is laid out once.
type right struct {
	rows, cols int
	plain      Matrix
	panels     [][panelCols]float32
}

// rightOf lays out a matrix, rightOfTransposed one with rows and columns exchanged.
func rightOf(m Matrix) *right {
	r := new(right)
	r.set(m)
	return r
}

func rightOfTransposed(m Matrix) *right {
	r := new(right)
	r.setTransposed(m)
	return r
}

func (r *right) resize(rows, cols int) {
	r.rows, r.cols = rows, cols
	if n := rows * ((cols + panelCols - 1) / panelCols); len(r.panels) < n {
		r.panels = make([][panelCols]float32, n)
	}
}

// panel is the one that begins with that column.
func (r *right) panel(col int) [][panelCols]float32 {
	return r.panels[col/panelCols*r.rows:][:r.rows]
}

// set lays out m; without vector kernels it keeps m itself.
func (r *right) set(m Matrix) {
	if !vector {
		r.rows, r.cols, r.plain = m.Rows, m.Cols, m
		return
	}
	r.resize(m.Rows, m.Cols)
	for j := 0; j < m.Cols; j += panelCols {
		panel, n := r.panel(j), min(panelCols, m.Cols-j)
		for k := range panel {
			from := m.Data[k*m.Cols+j:]
			if n == panelCols {
				panel[k] = [panelCols]float32(from)
				continue
			}
			panel[k] = [panelCols]float32{}
			copy(panel[k][:], from[:n])
		}
	}
}

func (r *right) setTransposed(m Matrix) {
	if !vector {
		if r.plain.Rows != m.Cols || r.plain.Cols != m.Rows {
			r.plain = NewMatrix(m.Cols, m.Rows)
		}
		r.rows, r.cols = m.Cols, m.Rows
		m.transposeInto(r.plain)
		return
	}
	r.resize(m.Cols, m.Rows)
	for j := 0; j < m.Rows; j += panelCols {
		panel, n := r.panel(j), min(panelCols, m.Rows-j)
		if n < panelCols {
			clear(panel)
		}
		l := 0
		for ; l+4 <= n; l += 4 { // four rows at a time, for the sake of the cache
			r0, r1, r2, r3 := m.Row(j + l)[:len(panel)], m.Row(j + l + 1)[:len(panel)], m.Row(j + l + 2)[:len(panel)], m.Row(j + l + 3)[:len(panel)]
			for k := range panel {
				to := (*[4]float32)(panel[k][l:])
				to[0], to[1], to[2], to[3] = r0[k], r1[k], r2[k], r3[k]
			}
		}
		for ; l < n; l++ {
			for k, x := range m.Row(j + l) {
				panel[k][l] = x
			}
		}
	}
}

// multiply sets c = a b.
func multiply(c, a Matrix, b *right) {
	if vector {
		productVector(c, a, b)
		return
	}
	productPlain(c, a, b.plain)
}

var spare = sync.Pool{New: func() any { return new(right) }}

// product sets c = a b for a b that is a factor only once.
func product(c, a, b Matrix) {
	r := spare.Get().(*right)
	defer spare.Put(r)
	r.set(b)
	multiply(c, a, r)
	r.plain = Matrix{}
}

// productPlain adds up, in blocks of c that stay in the first cache, the products
// of a column of a and a row of b. gonum's Gemm, which goes row by row of c, takes
// longer, most of all if c is narrow.
func productPlain(c, a, b Matrix) {
	const size = 64
	clear(c.Data)
	for i := 0; i < c.Rows; i += size {
		for j := 0; j < c.Cols; j += size {
			part := blas32.General{
				Rows: min(size, c.Rows-i), Cols: min(size, c.Cols-j), Stride: c.Cols, Data: c.Data[i*c.Cols+j:],
			}
			for k := range b.Rows {
				column := blas32.Vector{N: part.Rows, Inc: a.Cols, Data: a.Data[i*a.Cols+k:]}
				row := blas32.Vector{N: part.Cols, Inc: 1, Data: b.Data[k*b.Cols+j:]}
				blas32.Ger(1, column, row, part)
			}
		}
	}
}
