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

// form is a choice of kernels: plain ones, or vector ones of 8 or 16 numbers.
type form struct{ vector, wide bool }

func (f form) String() string {
	switch {
	case f.wide:
		return "vectors of 16"
	case f.vector:
		return "vectors of 8"
	}
	return "plain"
}

// forms are those that this build has and this processor can run.
func forms() []form {
	out := []form{{}}
	if vector {
		out = append(out, form{vector: true})
	}
	if wide {
		out = append(out, form{true, true})
	}
	return out
}

// use switches over; what it returns switches back.
func (f form) use() (back func()) {
	before := form{vector, wide}
	setForm(f)
	return func() { setForm(before) }
}

// Sizes around the tile of 3 x 32, its halves of 16, the 8 lanes and the 128 terms
// of a block.
var kernelSizes = [][3]int{
	{1, 1, 1}, {3, 5, 7}, {4, 8, 16}, {5, 9, 17}, {7, 64, 15}, {8, 3, 33}, {128, 64, 64}, {12, 70, 100}, {2, 128, 31}, {11, 300, 65}, {6, 129, 32},
}

func TestVectorKernelsGiveTheSameBitsAsPlainOnes(t *testing.T) {
	if len(forms()) < 3 {
		t.Logf("this build and processor have no more than %v", forms())
	}
	// Each kernel gets its numbers drawn anew from the same seed and returns all
	// it has computed.
	for name, kernel := range map[string]func(size [3]int, rng *rand.Rand) []float32{
		"product": func(s [3]int, rng *rand.Rand) []float32 {
			a, b, c := gaussian(s[0], s[1], rng), gaussian(s[1], s[2], rng), gaussian(s[0], s[2], rng)
			multiply(c, a, rightOf(b))
			return c.Data
		},
		"product with a transposed factor": func(s [3]int, rng *rand.Rand) []float32 {
			a, b, c := gaussian(s[0], s[1], rng), gaussian(s[2], s[1], rng), gaussian(s[0], s[2], rng)
			multiply(c, a, rightOfTransposed(b))
			return c.Data
		},
		"exp": func(s [3]int, rng *rand.Rand) []float32 {
			row := gaussian(1, s[2], rng).Data
			for i := range row {
				row[i] *= float32(math.Exp(rng.NormFloat64() * 2))
			}
			m, sum := expRow(row, 20)
			return append(row, m, sum)
		},
		"softmax": func(s [3]int, rng *rand.Rand) []float32 {
			m := gaussian(s[0], s[2], rng)
			softmax(m, 3)
			return m.Data
		},
		"dot": func(s [3]int, rng *rand.Rand) []float32 {
			return []float32{dot(gaussian(1, s[2], rng).Data, gaussian(1, s[2], rng).Data)}
		},
		"minus": func(s [3]int, rng *rand.Rand) []float32 {
			x, y := gaussian(1, s[2], rng).Data, gaussian(1, s[2], rng).Data
			minus(x, 0.7, y, 1.3)
			return x
		},
		"through softmax": func(s [3]int, rng *rand.Rand) []float32 {
			x, y := gaussian(1, s[2], rng).Data, gaussian(1, s[2], rng).Data
			throughSoftmax(x, y, 0.7, 1.3)
			return x
		},
		"Adam": func(s [3]int, rng *rand.Rand) []float32 {
			z, g := gaussian(s[0], s[2], rng), gaussian(s[0], s[2], rng)
			k := newMoments(z)
			for step := 1; step <= 3; step++ {
				Adam{}.orDefault().update(z, g, 1, k, step, 0.1)
			}
			return slices.Concat(z.Data, k.m, k.v)
		},
	} {
		sizes := slices.Clone(kernelSizes)
		for n := 1; n < 70; n++ {
			sizes = append(sizes, [3]int{1, 1, n})
		}
		for _, s := range sizes {
			run := func(f form) []float32 {
				defer f.use()()
				return kernel(s, rand.New(rand.NewPCG(1, 2)))
			}
			plain := run(form{})
			for _, f := range forms() {
				if !slices.Equal(run(f), plain) {
					t.Errorf("%s of %v, %v: other bits than the plain form's", name, s, f)
				}
			}
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
	for _, f := range forms() {
		defer f.use()()
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, n := range []int{1, 7, 8, 9, 64, 67} {
				for at := range n {
					row := make([]float32, n)
					row[at] = float32(bad)
					if _, sum := expRow(row, 20); sum == sum {
						t.Errorf("%v: row of %d with %g at %d: sum %g", f, n, bad, at, sum)
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
		for _, f := range forms() {
			b.Run(fmt.Sprintf("%v/%v", s, f), func(b *testing.B) {
				defer f.use()()
				r := rightOf(y)
				for b.Loop() {
					multiply(c, x, r)
				}
				b.ReportMetric(2*float64(s[0]*s[1]*s[2])*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}

func BenchmarkExpRow(b *testing.B) {
	for _, f := range forms() {
		b.Run(f.String(), func(b *testing.B) {
			defer f.use()()
			row := make([]float32, 512)
			for b.Loop() {
				expRow(row, 20)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(row)), "ns/number")
		})
	}
}
