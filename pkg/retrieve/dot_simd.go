//go:build goexperiment.simd && amd64

package retrieve

import "simd/archsimd"

var hasAVX = archsimd.X86.AVX()

// dot is plainDot with its 8 lanes in one register and four registers of sums.
func dot(a, b []float32) float32 {
	if !hasAVX {
		return plainDot(a, b)
	}
	b = b[:len(a)]
	var s0, s1, s2, s3 archsimd.Float32x8
	for len(a) >= 4*lanes {
		// Of fixed size, or each load would check its bounds.
		p, q := (*[4 * lanes]float32)(a), (*[4 * lanes]float32)(b)
		s0 = s0.Add(load(p[:lanes]).Mul(load(q[:lanes])))
		s1 = s1.Add(load(p[lanes : 2*lanes]).Mul(load(q[lanes : 2*lanes])))
		s2 = s2.Add(load(p[2*lanes : 3*lanes]).Mul(load(q[2*lanes : 3*lanes])))
		s3 = s3.Add(load(p[3*lanes:]).Mul(load(q[3*lanes:])))
		a, b = a[4*lanes:], b[4*lanes:]
	}
	if len(a) >= lanes {
		s0 = s0.Add(load(a).Mul(load(b)))
	}
	if len(a) >= 2*lanes {
		s1 = s1.Add(load(a[lanes:]).Mul(load(b[lanes:])))
	}
	if len(a) >= 3*lanes {
		s2 = s2.Add(load(a[2*lanes:]).Mul(load(b[2*lanes:])))
	}
	var sum [lanes]float32
	s0.Add(s1).Add(s2.Add(s3)).Store(&sum)
	archsimd.ClearAVXUpperBits()
	return addLanes(sum)
}

func load(s []float32) archsimd.Float32x8 { return archsimd.LoadFloat32x8Slice(s) }
