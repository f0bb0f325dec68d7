package cartridge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func gaussian(rows, cols int, rng *rand.Rand) Matrix {
	m := NewMatrix(rows, cols)
	normal(m.Data, rng)
	return m
}

// Sizes around the tile of 3 x 16 and the 8 lanes.
var kernelSizes = [][3]int{
	{1, 1, 1}, {3, 5, 7}, {4, 8, 16}, {5, 9, 17}, {7, 64, 15}, {8, 3, 33}, {128, 64, 64}, {12, 70, 100},
}

func TestVectorKernelsGiveTheSameBitsAsPlainOnes(t *testing.T) {
	if !vector {
		t.Log("no SIMD in this build or processor: both forms are the plain one")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range kernelSizes {
		a, b := gaussian(s[0], s[1], rng), gaussian(s[1], s[2], rng)
		plain, fast := NewMatrix(s[0], s[2]), gaussian(s[0], s[2], rng)
		productPlain(plain, a, b)
		productVector(fast, a, b)
		if !slices.Equal(plain.Data, fast.Data) {
			t.Errorf("%v: products differ", s)
		}
	}
	for n := 1; n < 70; n++ {
		row := make([]float32, n)
		for i := range row {
			row[i] = float32(rng.NormFloat64() * math.Exp(rng.NormFloat64()*2))
		}
		again := slices.Clone(row)
		m1, s1 := expRowPlain(row, 20)
		m2, s2 := expRowVector(again, 20)
		if m1 != m2 || s1 != s2 || !slices.Equal(row, again) {
			t.Errorf("row of %d: exponentials differ: maximum %g, %g; sum %g, %g", n, m1, m2, s1, s2)
		}
	}
}

func TestProductIsTheSumOfProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, s := range kernelSizes {
		a, b := gaussian(s[0], s[1], rng), gaussian(s[1], s[2], rng)
		c := NewMatrix(s[0], s[2])
		product(c, a, b)
		for i := range c.Rows {
			for j := range c.Cols {
				var want, size float64
				for k := range a.Cols {
					x := float64(a.Row(i)[k]) * float64(b.Row(k)[j])
					want += x
					size += math.Abs(x)
				}
				if got := float64(c.Row(i)[j]); math.Abs(got-want) > 1e-6*size {
					t.Fatalf("%v: row %d, column %d is %g, want %g", s, i, j, got, want)
				}
			}
		}
	}
}

func TestExpIsAccurate(t *testing.T) {
	const tolerance = 2.0 / (1 << 23) // two units in the last place
	worst := 0.0
	for x := float32(expLow); x <= 0; x += 0.0007 {
		want := math.Exp(float64(x))
		worst = max(worst, math.Abs(float64(exp(x))-want)/want)
	}
	if worst > tolerance {
		t.Errorf("largest relative error %g, want at most %g", worst, tolerance)
	}
	if got := exp(0); got != 1 {
		t.Errorf("exp(0) = %g", got)
	}
	if got := exp(-1e30); !(got >= 0 && got < 1e-37) {
		t.Errorf("exp(-1e30) = %g", got)
	}
}

// What is no number must reach the loss, or a training would go on with it.
func TestNaNAndInfinitySurviveTheKernels(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, n := range []int{1, 7, 8, 9, 64, 67} {
			for at := range n {
				for name, kernel := range map[string]func([]float32, float32) (float32, float32){"plain": expRowPlain, "vector": expRowVector} {
					row := make([]float32, n)
					row[at] = float32(bad)
					if _, sum := kernel(row, 20); sum == sum {
						t.Errorf("%s row of %d with %g at %d: sum %g", name, n, bad, at, sum)
					}
				}
			}
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{128, 64, 64}, {128, 64, 512}, {128, 512, 64}, {128, 64, 2048}, {128, 2048, 64}} {
		x, y, c := gaussian(s[0], s[1], rng), gaussian(s[1], s[2], rng), NewMatrix(s[0], s[2])
		for name, kernel := range map[string]func(c, a, b Matrix){"plain": productPlain, "vector": productVector} {
			b.Run(fmt.Sprintf("%v/%s", s, name), func(b *testing.B) {
				for b.Loop() {
					kernel(c, x, y)
				}
				b.ReportMetric(2*float64(s[0]*s[1]*s[2])*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}

func BenchmarkExpRow(b *testing.B) {
	for name, kernel := range map[string]func([]float32, float32) (float32, float32){"plain": expRowPlain, "vector": expRowVector} {
		b.Run(name, func(b *testing.B) {
			row := make([]float32, 512)
			for b.Loop() {
				kernel(row, 20)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(row)), "ns/number")
		})
	}
}
