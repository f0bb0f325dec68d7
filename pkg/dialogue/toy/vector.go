package toy

import (
	"math"
	"math/rand/v2"
)

// Dim is the dimension of all vectors: the lecture's.
const Dim = 256

// A vector has length 1 unless said otherwise. Sums convert each product, which
// forbids fused multiply-add: the same bits on every processor.
type vector [Dim]float64

// normal is a random vector, not of length 1: its direction is uniform.
func normal(r *rand.Rand) *vector {
	var v vector
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return &v
}

func (v *vector) length() float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

func (v *vector) scale(by float64) *vector {
	for i := range v {
		v[i] *= by
	}
	return v
}

func (v *vector) unit() *vector { return v.scale(1 / v.length()) }

// plus is unit(v + w*o).
func (v *vector) plus(w float64, o *vector) *vector {
	var sum vector
	for i := range sum {
		sum[i] = v[i] + float64(w*o[i])
	}
	return sum.unit()
}

// noisy is v with a random vector of length sigma added, as a unit vector.
func (v *vector) noisy(sigma float64, r *rand.Rand) *vector {
	if sigma == 0 {
		return v
	}
	n := normal(r)
	return v.plus(sigma/n.length(), n)
}

func (v *vector) float32s() []float32 {
	out := make([]float32, Dim)
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}
