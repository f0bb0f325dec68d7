package sincethen

import (
	"math"
	"testing"

	"memlab/pkg/cartridge"
)

func matrix(cols int, data ...float32) cartridge.Matrix {
	return cartridge.Matrix{Rows: len(data) / cols, Cols: cols, Data: data}
}

func same(t *testing.T, what string, got, want cartridge.Matrix) {
	t.Helper()
	if got.Rows != want.Rows || got.Cols != want.Cols {
		t.Fatalf("%s: %d x %d, want %d x %d", what, got.Rows, got.Cols, want.Rows, want.Cols)
	}
	for i, x := range got.Data {
		if math.Abs(float64(x-want.Data[i])) > 1e-5 {
			t.Errorf("%s: %v, want %v", what, got.Data, want.Data)
			return
		}
	}
}

// Two bits are the levels -1, -1/3, 1/3 and 1: 3, 1, -1, .2 over 3 round to 1, 1/3, -1/3,
// 1/3, of length sqrt(12)/3, and come back to sqrt(11.04).
func TestBitsWorkedByHand(t *testing.T) {
	s := float32(math.Sqrt(11.04 / 12))
	same(t, "2 bits", quantised(matrix(4, 3, 1, -1, 0.2), 2), matrix(4, 3*s, s, -s, s))
	s = float32(math.Sqrt(25. / 2))
	same(t, "1 bit", quantised(matrix(2, 3, -4), 1), matrix(2, s, -s))
	same(t, "a row of zeros", quantised(matrix(2, 0, 0), 4), matrix(2, 0, 0))
	m := matrix(3, 0.3, -0.7, 0.11)
	same(t, "many bits", quantised(m, 24), m)
	same(t, "the matrix itself is left alone", m, matrix(3, 0.3, -0.7, 0.11))
}

func TestMergingIsTheMeanOfNeighbours(t *testing.T) {
	same(t, "2 to 1", merged(matrix(2, 1, 2, 3, 4, 5, 6, 9, 8), 2), matrix(2, 2, 3, 7, 7))
}

// diag(3, 2, 1): the nearest matrix of rank 2 leaves the least out.
func TestLowRankKeepsTheLargest(t *testing.T) {
	diagonal := matrix(3, 3, 0, 0, 0, 1, 0, 0, 0, 2)
	got, err := lowRank(diagonal, 2)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "rank 2", got, matrix(3, 3, 0, 0, 0, 0, 0, 0, 0, 2))
	if got, err = lowRank(diagonal, 3); err != nil {
		t.Fatal(err)
	}
	same(t, "full rank", got, diagonal)
}
