package retrieve

import (
	"fmt"
	"math"
)

// norm is the length of v, or says why v has no direction.
func norm(v []float32) (float64, error) {
	sum := 0.0
	for i, x := range v {
		f := float64(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("%w: number %d is %g", ErrNotFinite, i, x)
		}
		sum += f * f
	}
	if sum == 0 {
		return 0, fmt.Errorf("%w: all %d numbers are 0, want a direction", ErrZero, len(v))
	}
	return math.Sqrt(sum), nil
}

// unit scales v to length 1 in place.
func unit(v []float32) error {
	length, err := norm(v)
	if err != nil {
		return err
	}
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return nil
}

// unitOf is v of length 1, in float32.
func unitOf(v []float64) ([]float32, error) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x) // not fused: the same bits on every processor
	}
	if sum == 0 {
		return nil, fmt.Errorf("%w: all %d numbers are 0", ErrZero, len(v))
	}
	out := make([]float32, len(v))
	length := math.Sqrt(sum)
	for i, x := range v {
		out[i] = float32(x / length)
	}
	return out, nil
}
