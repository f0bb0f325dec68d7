//go:build goexperiment.simd && amd64

package cartridge

import "simd/archsimd"

// stepVector returns how many numbers it did.
func (s adamStep) vector(z, g, m, v []float32) int {
	b1, b2 := archsimd.BroadcastFloat32x8(s.beta1), archsimd.BroadcastFloat32x8(s.beta2)
	new1, new2 := archsimd.BroadcastFloat32x8(s.new1), archsimd.BroadcastFloat32x8(s.new2)
	by, over, eps := archsimd.BroadcastFloat32x8(s.by), archsimd.BroadcastFloat32x8(s.over), archsimd.BroadcastFloat32x8(s.epsilon)
	done := 0
	for ; len(z)-done >= lanes; done += lanes {
		zs, gs := (*[lanes]float32)(z[done:]), (*[lanes]float32)(g[done:])
		ms, vs := (*[lanes]float32)(m[done:]), (*[lanes]float32)(v[done:])
		x := archsimd.LoadFloat32x8(gs)
		mean := b1.Mul(archsimd.LoadFloat32x8(ms)).Add(new1.Mul(x))
		square := b2.Mul(archsimd.LoadFloat32x8(vs)).Add(new2.Mul(x.Mul(x)))
		mean.Store(ms)
		square.Store(vs)
		change := by.Mul(mean).Div(square.Mul(over).Sqrt().Add(eps))
		archsimd.LoadFloat32x8(zs).Sub(change).Store(zs)
	}
	return done
}
