//go:build !(goexperiment.simd && amd64)

package cartridge

const vector, wide = false, false

func productVector(c, a Matrix, b *right) { productPlain(c, a, b.plain) }

func expRowVector(row []float32, factor float32) (m, sum float32) { return expRowPlain(row, factor) }

func scaleVector(x []float32, _ float32) []float32 { return x }

func dotVector(a, b []float32) (s [lanes]float32, restA, restB []float32) { return s, a, b }

func (s adamStep) vector(_, _, _, _ []float32) int { return 0 }

func minusVector(x []float32, _ float32, y []float32, _ float32) (restX, restY []float32) {
	return x, y
}

func throughSoftmaxVector(a, s []float32, _, _ float32) (restA, restS []float32) { return a, s }
