//go:build !(goexperiment.simd && amd64)

package cartridge

const vector = false

func productVector(c, a, b Matrix) { productPlain(c, a, b) }

func expRowVector(row []float32, factor float32) (m, sum float32) { return expRowPlain(row, factor) }
