package cartridge

// The two kernels that a step spends its time in, product and expRow, come in a
// plain form and in one for AVX2. Both do the same operations in the same order
// and round after each (no fused multiply-add), so that a training gives the same
// bytes with and without SIMD.

const lanes = 8

// product sets c = a b.
func product(c, a, b Matrix) {
	if vector {
		productVector(c, a, b)
		return
	}
	productPlain(c, a, b)
}

// expRow replaces each number x of a row by exp(factor (x - m)), m being the
// row's maximum, and returns m and the sum.
func expRow(row []float32, factor float32) (m, sum float32) {
	if vector {
		return expRowVector(row, factor)
	}
	return expRowPlain(row, factor)
}

// dot is summed in lanes.
func dot(a, b []float32) float32 {
	var s [lanes]float32
	b = b[:len(a)]
	for len(a) >= lanes {
		for l := range lanes {
			s[l] += float32(a[l] * b[l])
		}
		a, b = a[lanes:], b[lanes:]
	}
	for l := range a {
		s[l] += float32(a[l] * b[l])
	}
	return total(s)
}

func total(s [lanes]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func scale(x []float32, by float32) {
	for i := range x {
		x[i] *= by
	}
}
