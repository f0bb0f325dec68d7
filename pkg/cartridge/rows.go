package cartridge

// softmax turns each row x into the softmax of factor x.
func softmax(m Matrix, factor float32) {
	for i := range m.Rows {
		_, sum := expRow(m.Row(i), factor)
		scale(m.Row(i), 1/sum)
	}
}

// scale multiplies each number of x.
func scale(x []float32, by float32) {
	if vector {
		x = scaleVector(x, by)
	}
	for i := range x {
		x[i] *= by
	}
}

// dot is summed in lanes.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s [lanes]float32
	if vector {
		s, a, b = dotVector(a, b)
	}
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

// minus sets each number x of a row to factor (by x - y).
func minus(x []float32, by float32, y []float32, factor float32) {
	if vector {
		x, y = minusVector(x, by, y, factor)
	}
	y = y[:len(x)]
	for i := range x {
		x[i] = factor * (float32(x[i]*by) - y[i])
	}
}

// throughSoftmax turns the derivative by a row s of a softmax into that by what
// went into it: factor (a - mean) s, mean being the dot product of a and s.
func throughSoftmax(a, s []float32, mean, factor float32) {
	if vector {
		a, s = throughSoftmaxVector(a, s, mean, factor)
	}
	s = s[:len(a)]
	for i := range a {
		a[i] = factor * ((a[i] - mean) * s[i])
	}
}
