//go:build goexperiment.simd && amd64

package cartridge

import "simd/archsimd"

// scaleVector returns what it left.
func scaleVector(x []float32, by float32) []float32 {
	factor := archsimd.BroadcastFloat32x8(by)
	for len(x) >= lanes {
		v := (*[lanes]float32)(x)
		archsimd.LoadFloat32x8(v).Mul(factor).Store(v)
		x = x[lanes:]
	}
	return x
}

// dotVector returns the sum in lanes and what it left.
func dotVector(a, b []float32) (s [lanes]float32, restA, restB []float32) {
	var sums archsimd.Float32x8
	for len(a) >= lanes && len(b) >= lanes {
		x, y := archsimd.LoadFloat32x8((*[lanes]float32)(a)), archsimd.LoadFloat32x8((*[lanes]float32)(b))
		sums = sums.Add(x.Mul(y))
		a, b = a[lanes:], b[lanes:]
	}
	sums.Store(&s)
	return s, a, b
}

// minusVector returns what it left.
func minusVector(x []float32, by float32, y []float32, factor float32) (restX, restY []float32) {
	b, f := archsimd.BroadcastFloat32x8(by), archsimd.BroadcastFloat32x8(factor)
	for len(x) >= lanes && len(y) >= lanes {
		v := (*[lanes]float32)(x)
		f.Mul(archsimd.LoadFloat32x8(v).Mul(b).Sub(archsimd.LoadFloat32x8((*[lanes]float32)(y)))).Store(v)
		x, y = x[lanes:], y[lanes:]
	}
	return x, y
}

// throughSoftmaxVector returns what it left.
func throughSoftmaxVector(a, s []float32, mean, factor float32) (restA, restS []float32) {
	m, f := archsimd.BroadcastFloat32x8(mean), archsimd.BroadcastFloat32x8(factor)
	for len(a) >= lanes && len(s) >= lanes {
		v := (*[lanes]float32)(a)
		f.Mul(archsimd.LoadFloat32x8(v).Sub(m).Mul(archsimd.LoadFloat32x8((*[lanes]float32)(s)))).Store(v)
		a, s = a[lanes:], s[lanes:]
	}
	return a, s
}
