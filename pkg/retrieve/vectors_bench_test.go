package retrieve

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func randomVector(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// The wall time of one search over the number of vectors: 1,000 of them fit
// the second-level cache, 100,000 (100 MB) none.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("vectors=%d", n), func(b *testing.B) {
			const dim = 256
			r := rand.New(rand.NewPCG(1, 2))
			x, err := NewVectors(dim)
			if err != nil {
				b.Fatal(err)
			}
			for i := range n {
				if err := x.Add(fmt.Sprint(i), randomVector(r, dim)); err != nil {
					b.Fatal(err)
				}
			}
			query := randomVector(r, dim)
			for b.Loop() {
				if _, err := x.Search(query, 10, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/vector")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func BenchmarkDot256(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	v, w := randomVector(r, 256), randomVector(r, 256)
	for name, f := range map[string]func(a, b []float32) float32{"in use": dot, "plain": plainDot} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f(v, w)
			}
		})
	}
}
