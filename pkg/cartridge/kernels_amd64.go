//go:build goexperiment.simd && amd64

package cartridge

import (
	"simd/archsimd"
	"sync"
)

// vector says that this processor has what the kernels use.
var vector = archsimd.X86.AVX2()

const (
	tileRows = 3 // with 4 the compiler runs out of registers
	tileCols = 2 * lanes
)

var panels = sync.Pool{New: func() any { return new([]float32) }}

// productVector works on tiles of c, 3 x 16, whose sums stay in registers. The
// columns of b that a tile needs are copied together first: in their place they
// are a power of two apart and would push each other out of the cache. In the
// last tile of a column the last row may stand for two or three.
func productVector(c, a, b Matrix) {
	buffer := panels.Get().(*[]float32)
	defer panels.Put(buffer)
	if len(*buffer) < b.Rows*tileCols {
		*buffer = make([]float32, b.Rows*tileCols)
	}
	panel, last := (*buffer)[:b.Rows*tileCols], a.Rows-1
	for j := 0; j < b.Cols; j += tileCols {
		n := min(tileCols, b.Cols-j)
		for k := range b.Rows {
			to, from := panel[k*tileCols:(k+1)*tileCols], b.Data[k*b.Cols+j:]
			if n == tileCols {
				*(*[tileCols]float32)(to) = [tileCols]float32(from) // no call, unlike copy
			} else {
				copy(to, from[:n])
			}
		}
		for i := 0; i <= last; i += tileRows {
			i0, i1, i2 := i, min(i+1, last), min(i+2, last)
			if n == tileCols {
				tile(c.Row(i0)[j:], c.Row(i1)[j:], c.Row(i2)[j:], a.Row(i0), a.Row(i1), a.Row(i2), panel)
				continue
			}
			var t [tileRows][tileCols]float32
			tile(t[0][:], t[1][:], t[2][:], a.Row(i0), a.Row(i1), a.Row(i2), panel)
			copy(c.Row(i0)[j:], t[0][:n])
			copy(c.Row(i1)[j:], t[1][:n])
			copy(c.Row(i2)[j:], t[2][:n])
		}
	}
}

func tile(c0, c1, c2, a0, a1, a2, panel []float32) {
	var s00, s01, s10, s11, s20, s21 archsimd.Float32x8
	n := len(a0)
	a1, a2 = a1[:n], a2[:n]
	for k := 0; k < n && len(panel) >= tileCols; k++ {
		b0 := archsimd.LoadFloat32x8((*[lanes]float32)(panel))
		b1 := archsimd.LoadFloat32x8((*[lanes]float32)(panel[lanes:]))
		x := archsimd.BroadcastFloat32x8(a0[k])
		s00, s01 = s00.Add(x.Mul(b0)), s01.Add(x.Mul(b1))
		x = archsimd.BroadcastFloat32x8(a1[k])
		s10, s11 = s10.Add(x.Mul(b0)), s11.Add(x.Mul(b1))
		x = archsimd.BroadcastFloat32x8(a2[k])
		s20, s21 = s20.Add(x.Mul(b0)), s21.Add(x.Mul(b1))
		panel = panel[tileCols:]
	}
	s00.StoreSlice(c0[:lanes])
	s01.StoreSlice(c0[lanes:tileCols])
	s10.StoreSlice(c1[:lanes])
	s11.StoreSlice(c1[lanes:tileCols])
	s20.StoreSlice(c2[:lanes])
	s21.StoreSlice(c2[lanes:tileCols])
}

func expRowVector(row []float32, factor float32) (m, sum float32) {
	m = row[0]
	whole := len(row) / lanes * lanes
	if whole > 0 {
		v := archsimd.LoadFloat32x8Slice(row)
		for i := lanes; i < whole; i += lanes {
			v = v.Max(archsimd.LoadFloat32x8Slice(row[i:]))
		}
		var maxima [lanes]float32
		v.Store(&maxima)
		for _, x := range maxima {
			if x > m {
				m = x
			}
		}
	}
	for _, x := range row[whole:] {
		if x > m {
			m = x
		}
	}

	top, by := archsimd.BroadcastFloat32x8(m), archsimd.BroadcastFloat32x8(factor)
	low, toBase2 := archsimd.BroadcastFloat32x8(expLow), archsimd.BroadcastFloat32x8(log2e)
	round := archsimd.BroadcastFloat32x8(roundOff)
	high, rest := archsimd.BroadcastFloat32x8(ln2High), archsimd.BroadcastFloat32x8(ln2Low)
	p0, p1, p2 := archsimd.BroadcastFloat32x8(expP0), archsimd.BroadcastFloat32x8(expP1), archsimd.BroadcastFloat32x8(expP2)
	p3, p4, p5 := archsimd.BroadcastFloat32x8(expP3), archsimd.BroadcastFloat32x8(expP4), archsimd.BroadcastFloat32x8(expP5)
	one, offset := archsimd.BroadcastFloat32x8(1), archsimd.BroadcastInt32x8(bias)
	var sums archsimd.Float32x8
	for i := 0; i < whole; i += lanes {
		v := row[i : i+lanes]
		x := by.Mul(archsimd.LoadFloat32x8Slice(v).Sub(top))
		zero := x.Sub(x)
		x = x.Max(low)
		n := x.Mul(toBase2).Add(round).Sub(round)
		r := x.Sub(n.Mul(high)).Sub(n.Mul(rest))
		r2 := r.Mul(r)
		p := p0.Mul(r).Add(p1).Mul(r2).Add(p2.Mul(r).Add(p3))
		p = p.Mul(r2).Add(p4.Mul(r).Add(p5).Add(zero))
		p = p.Mul(r2).Add(r).Add(one)
		e := p.Mul(n.ConvertToInt32().Add(offset).ShiftAllLeft(fractions).AsFloat32x8())
		e.StoreSlice(v)
		sums = sums.Add(e)
	}
	var s [lanes]float32
	sums.Store(&s)
	for l, x := range row[whole:] {
		e := exp(factor * (x - m))
		row[whole+l] = e
		s[l] += e
	}
	return m, total(s)
}
