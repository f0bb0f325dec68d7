//go:build goexperiment.simd && amd64

package cartridge

import "simd/archsimd"

// vector says that this processor has what the kernels use, wide that it has
// registers of 16 numbers too.
var (
	vector = archsimd.X86.AVX2()
	wide   = archsimd.X86.AVX512()
)

const (
	tileRows = 3   // of more the compiler would not hold the sums in registers
	depth    = 128 // rows of a panel that stay in the first cache
)

// productVector works panel by panel on tiles of c, 3 x 32, whose sums stay in
// registers over depth terms.
func productVector(c, a Matrix, b *right) {
	for j := 0; j < b.cols; j += panelCols {
		panel, n := b.panel(j), min(panelCols, b.cols-j)
		to, first := c, j
		if n < panelCols { // the last panel has columns that c has not
			to, first = NewMatrix(a.Rows, panelCols), 0
		}
		for k := 0; k < b.rows; k += depth {
			t := strip{
				c: to.Data[first:], a: a.Data[k:], cCols: to.Cols, aCols: a.Cols, rows: a.Rows,
				b: panel[k:min(k+depth, b.rows)], add: k > 0,
			}
			if wide {
				t.rows16()
			} else {
				t.rows8(0)
				t.rows8(panelCols / 2)
			}
		}
		if n < panelCols {
			for i := range c.Rows {
				copy(c.Row(i)[j:], to.Row(i))
			}
		}
	}
}

// strip is a part of a product: the columns of c that a panel gives, and the terms
// that some of its rows give.
type strip struct {
	c, a         []float32 // from the first number that takes part
	cCols, aCols int       // from one row to the next
	rows         int
	b            [][panelCols]float32
	add          bool // to what c holds
}

// rows16 takes three rows at a time. In the last tile the last row may stand for
// two or three.
func (t strip) rows16() {
	b, last := t.b, t.rows-1
	for i := 0; i <= last; i += tileRows {
		i1, i2 := min(i+1, last), min(i+2, last)
		c0 := (*[32]float32)(t.c[i*t.cCols:])
		c1 := (*[32]float32)(t.c[i1*t.cCols:])
		c2 := (*[32]float32)(t.c[i2*t.cCols:])
		a0 := t.a[i*t.aCols:][:len(b)]
		a1 := t.a[i1*t.aCols:][:len(b)]
		a2 := t.a[i2*t.aCols:][:len(b)]
		var s00, s01, s10, s11, s20, s21 archsimd.Float32x16
		if t.add {
			s00, s01 = archsimd.LoadFloat32x16((*[16]float32)(c0[:16])), archsimd.LoadFloat32x16((*[16]float32)(c0[16:]))
			s10, s11 = archsimd.LoadFloat32x16((*[16]float32)(c1[:16])), archsimd.LoadFloat32x16((*[16]float32)(c1[16:]))
			s20, s21 = archsimd.LoadFloat32x16((*[16]float32)(c2[:16])), archsimd.LoadFloat32x16((*[16]float32)(c2[16:]))
		}
		for k := range b {
			r := &b[k]
			b0, b1 := archsimd.LoadFloat32x16((*[16]float32)(r[:16])), archsimd.LoadFloat32x16((*[16]float32)(r[16:]))
			x := archsimd.BroadcastFloat32x16(a0[k])
			s00, s01 = s00.Add(x.Mul(b0)), s01.Add(x.Mul(b1))
			x = archsimd.BroadcastFloat32x16(a1[k])
			s10, s11 = s10.Add(x.Mul(b0)), s11.Add(x.Mul(b1))
			x = archsimd.BroadcastFloat32x16(a2[k])
			s20, s21 = s20.Add(x.Mul(b0)), s21.Add(x.Mul(b1))
		}
		s00.Store((*[16]float32)(c0[:16]))
		s01.Store((*[16]float32)(c0[16:]))
		s10.Store((*[16]float32)(c1[:16]))
		s11.Store((*[16]float32)(c1[16:]))
		s20.Store((*[16]float32)(c2[:16]))
		s21.Store((*[16]float32)(c2[16:]))
	}
}

// rows8 does the same to half of the columns.
func (t strip) rows8(from int) {
	b, last := t.b, t.rows-1
	for i := 0; i <= last; i += tileRows {
		i1, i2 := min(i+1, last), min(i+2, last)
		c0 := (*[16]float32)(t.c[i*t.cCols+from:])
		c1 := (*[16]float32)(t.c[i1*t.cCols+from:])
		c2 := (*[16]float32)(t.c[i2*t.cCols+from:])
		a0 := t.a[i*t.aCols:][:len(b)]
		a1 := t.a[i1*t.aCols:][:len(b)]
		a2 := t.a[i2*t.aCols:][:len(b)]
		var s00, s01, s10, s11, s20, s21 archsimd.Float32x8
		if t.add {
			s00, s01 = archsimd.LoadFloat32x8((*[8]float32)(c0[:8])), archsimd.LoadFloat32x8((*[8]float32)(c0[8:]))
			s10, s11 = archsimd.LoadFloat32x8((*[8]float32)(c1[:8])), archsimd.LoadFloat32x8((*[8]float32)(c1[8:]))
			s20, s21 = archsimd.LoadFloat32x8((*[8]float32)(c2[:8])), archsimd.LoadFloat32x8((*[8]float32)(c2[8:]))
		}
		for k := range b {
			r := (*[16]float32)(b[k][from:])
			b0, b1 := archsimd.LoadFloat32x8((*[8]float32)(r[:8])), archsimd.LoadFloat32x8((*[8]float32)(r[8:]))
			x := archsimd.BroadcastFloat32x8(a0[k])
			s00, s01 = s00.Add(x.Mul(b0)), s01.Add(x.Mul(b1))
			x = archsimd.BroadcastFloat32x8(a1[k])
			s10, s11 = s10.Add(x.Mul(b0)), s11.Add(x.Mul(b1))
			x = archsimd.BroadcastFloat32x8(a2[k])
			s20, s21 = s20.Add(x.Mul(b0)), s21.Add(x.Mul(b1))
		}
		s00.Store((*[8]float32)(c0[:8]))
		s01.Store((*[8]float32)(c0[8:]))
		s10.Store((*[8]float32)(c1[:8]))
		s11.Store((*[8]float32)(c1[8:]))
		s20.Store((*[8]float32)(c2[:8]))
		s21.Store((*[8]float32)(c2[8:]))
	}
}
