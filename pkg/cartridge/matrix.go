package cartridge

import (
	"math"
	"slices"
)

// Matrix is a dense matrix of float32, row by row.
type Matrix struct {
	Rows, Cols int
	Data       []float32
}

// maxNumbers bounds a matrix: 8 GB.
const maxNumbers = 1 << 31

// checkSize says whether a matrix of that size, with at least one row and column,
// can be made.
func checkSize(what string, rows, cols int) error {
	if rows > maxNumbers/cols {
		return bad("%s: %d x %d numbers: want at most %d in all", what, rows, cols, maxNumbers)
	}
	return nil
}

// NewMatrix is a matrix of zeros.
func NewMatrix(rows, cols int) Matrix {
	return Matrix{Rows: rows, Cols: cols, Data: make([]float32, rows*cols)}
}

// Row is the row's storage, not a copy.
func (m Matrix) Row(i int) []float32 { return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols] }

// Slice is the rows from, up to but without to, in the same storage.
func (m Matrix) Slice(from, to int) Matrix {
	return Matrix{Rows: to - from, Cols: m.Cols, Data: m.Data[from*m.Cols : to*m.Cols : to*m.Cols]}
}

// Clone is a copy with storage of its own.
func (m Matrix) Clone() Matrix {
	return Matrix{Rows: m.Rows, Cols: m.Cols, Data: slices.Clone(m.Data)}
}

// Transpose is a copy with rows and columns exchanged.
func (m Matrix) Transpose() Matrix {
	t := NewMatrix(m.Cols, m.Rows)
	m.transposeInto(t)
	return t
}

// transposeInto takes four rows at a time, for the sake of the cache.
func (m Matrix) transposeInto(t Matrix) {
	i := 0
	for ; i+4 <= m.Rows; i += 4 {
		r0, r1, r2, r3 := m.Row(i), m.Row(i+1), m.Row(i+2), m.Row(i+3)
		r1, r2, r3 = r1[:len(r0)], r2[:len(r0)], r3[:len(r0)]
		for j, x := range r0 {
			to := (*[4]float32)(t.Data[j*t.Cols+i:])
			to[0], to[1], to[2], to[3] = x, r1[j], r2[j], r3[j]
		}
	}
	for ; i < m.Rows; i++ {
		for j, x := range m.Row(i) {
			t.Data[j*t.Cols+i] = x
		}
	}
}

// resize gives m that size, in its own storage as far as it goes; what the numbers
// are is then undefined.
func (m *Matrix) resize(rows, cols int) {
	m.Rows, m.Cols, m.Data = rows, cols, slices.Grow(m.Data[:0], rows*cols)[:rows*cols]
}

// Stack puts matrices of equal width below each other.
func Stack(parts ...Matrix) (Matrix, error) {
	if len(parts) == 0 {
		return Matrix{}, bad("no matrix to stack")
	}
	out := Matrix{Cols: parts[0].Cols}
	for i, m := range parts {
		if m.Cols != out.Cols {
			return Matrix{}, bad("part %d has %d columns: want %d as in part 0", i, m.Cols, out.Cols)
		}
		if m.Rows < 0 || m.Cols < 0 || len(m.Data) != m.Rows*m.Cols {
			return Matrix{}, bad("part %d: %d numbers: want %d x %d", i, len(m.Data), m.Rows, m.Cols)
		}
		out.Rows += m.Rows
		out.Data = append(out.Data, m.Data...)
	}
	return out, nil
}

// check says what is wrong with a matrix that should have that many columns
// (any, if cols is 0) and finite numbers.
func (m Matrix) check(what string, cols int) error {
	switch {
	case m.Rows < 1 || m.Cols < 1:
		return bad("%s: %d x %d: want at least one row and one column", what, m.Rows, m.Cols)
	case m.Rows > len(m.Data) || len(m.Data)/m.Rows != m.Cols || len(m.Data)%m.Rows != 0:
		return bad("%s: %d numbers: want %d x %d", what, len(m.Data), m.Rows, m.Cols)
	case cols != 0 && m.Cols != cols:
		return bad("%s: %d columns: want %d", what, m.Cols, cols)
	}
	for i, x := range m.Data {
		if !finite(x) {
			return bad("%s: row %d, column %d is %g: want a finite number", what, i/m.Cols, i%m.Cols, x)
		}
	}
	return nil
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// unit divides a vector by its length; a vector of length 0 stays.
func unit(x []float32) {
	var sum float64
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i, v := range x {
		x[i] = float32(float64(v) * scale)
	}
}
