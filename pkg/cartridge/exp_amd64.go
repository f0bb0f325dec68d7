//go:build goexperiment.simd && amd64

package cartridge

import "simd/archsimd"

func expRowVector(row []float32, factor float32) (m, sum float32) {
	m = maximum(row)
	var s [lanes]float32
	done := 0
	if wide {
		done, s = exp16(row, factor, m)
	} else {
		done, s = exp8(row, factor, m)
	}
	for l, x := range row[done:] {
		e := exp(factor * (x - m))
		row[done+l] = e
		s[l%lanes] += e
	}
	return m, total(s)
}

func maximum(row []float32) float32 {
	m, rest := row[0], row
	if len(row) >= 2*lanes {
		v, w := archsimd.LoadFloat32x8((*[lanes]float32)(row)), archsimd.LoadFloat32x8((*[lanes]float32)(row[lanes:]))
		for rest = row[2*lanes:]; len(rest) >= 2*lanes; rest = rest[2*lanes:] {
			v = v.Max(archsimd.LoadFloat32x8((*[lanes]float32)(rest)))
			w = w.Max(archsimd.LoadFloat32x8((*[lanes]float32)(rest[lanes:])))
		}
		var maxima [lanes]float32
		v.Max(w).Store(&maxima)
		for _, x := range maxima {
			m = max(m, x)
		}
	}
	for _, x := range rest {
		m = max(m, x)
	}
	return m
}

// exp16 keeps the sums of exp8; of the numbers after the last 16 it does none.
func exp16(row []float32, factor, m float32) (done int, s [lanes]float32) {
	top, by := archsimd.BroadcastFloat32x16(m), archsimd.BroadcastFloat32x16(factor)
	low, toBase2, round := archsimd.BroadcastFloat32x16(expLow), archsimd.BroadcastFloat32x16(log2e), archsimd.BroadcastFloat32x16(roundOff)
	high, rest := archsimd.BroadcastFloat32x16(ln2High), archsimd.BroadcastFloat32x16(ln2Low)
	p0, p1, p2 := archsimd.BroadcastFloat32x16(expP0), archsimd.BroadcastFloat32x16(expP1), archsimd.BroadcastFloat32x16(expP2)
	p3, p4, p5 := archsimd.BroadcastFloat32x16(expP3), archsimd.BroadcastFloat32x16(expP4), archsimd.BroadcastFloat32x16(expP5)
	one, offset := archsimd.BroadcastFloat32x16(1), archsimd.BroadcastInt32x16(bias)
	var sums archsimd.Float32x8
	for ; len(row)-done >= 16; done += 16 {
		v := (*[16]float32)(row[done:])
		x := by.Mul(archsimd.LoadFloat32x16(v).Sub(top))
		zero := x.Sub(x)
		x = x.Max(low)
		n := x.Mul(toBase2).Add(round).Sub(round)
		r := x.Sub(n.Mul(high)).Sub(n.Mul(rest))
		r2 := r.Mul(r)
		p := p0.Mul(r).Add(p1).Mul(r2).Add(p2.Mul(r).Add(p3))
		p = p.Mul(r2).Add(p4.Mul(r).Add(p5).Add(zero))
		p = p.Mul(r2).Add(r).Add(one)
		e := p.Mul(n.ConvertToInt32().Add(offset).ShiftAllLeft(fractions).AsFloat32x16())
		e.Store(v)
		sums = sums.Add(e.GetLo()).Add(e.GetHi())
	}
	sums.Store(&s)
	return done, s
}

func exp8(row []float32, factor, m float32) (done int, s [lanes]float32) {
	top, by := archsimd.BroadcastFloat32x8(m), archsimd.BroadcastFloat32x8(factor)
	low, toBase2, round := archsimd.BroadcastFloat32x8(expLow), archsimd.BroadcastFloat32x8(log2e), archsimd.BroadcastFloat32x8(roundOff)
	high, rest := archsimd.BroadcastFloat32x8(ln2High), archsimd.BroadcastFloat32x8(ln2Low)
	p0, p1, p2 := archsimd.BroadcastFloat32x8(expP0), archsimd.BroadcastFloat32x8(expP1), archsimd.BroadcastFloat32x8(expP2)
	p3, p4, p5 := archsimd.BroadcastFloat32x8(expP3), archsimd.BroadcastFloat32x8(expP4), archsimd.BroadcastFloat32x8(expP5)
	one, offset := archsimd.BroadcastFloat32x8(1), archsimd.BroadcastInt32x8(bias)
	var sums archsimd.Float32x8
	for ; len(row)-done >= 8; done += 8 {
		v := (*[8]float32)(row[done:])
		x := by.Mul(archsimd.LoadFloat32x8(v).Sub(top))
		zero := x.Sub(x)
		x = x.Max(low)
		n := x.Mul(toBase2).Add(round).Sub(round)
		r := x.Sub(n.Mul(high)).Sub(n.Mul(rest))
		r2 := r.Mul(r)
		p := p0.Mul(r).Add(p1).Mul(r2).Add(p2.Mul(r).Add(p3))
		p = p.Mul(r2).Add(p4.Mul(r).Add(p5).Add(zero))
		p = p.Mul(r2).Add(r).Add(one)
		e := p.Mul(n.ConvertToInt32().Add(offset).ShiftAllLeft(fractions).AsFloat32x8())
		e.Store(v)
		sums = sums.Add(e)
	}
	sums.Store(&s)
	return done, s
}
