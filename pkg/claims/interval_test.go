package claims

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIntervalByHand(t *testing.T) {
	// Mean 2, standard deviation 1, t(0.975; 2) = 4.3027: 4.3027 / sqrt(3) = 2.4841.
	mean, low, high := Interval([]float64{1, 2, 3})
	near(t, "mean", mean, 2, 1e-15)
	near(t, "low", low, 2-2.4841, 1e-4)
	near(t, "high", high, 2+2.4841, 1e-4)
	// 100 values that alternate between 0 and 1: standard deviation
	// sqrt(25/99) = 0.50252, t(0.975; 99) = 1.9842: half width 0.09971.
	var coin []float64
	for i := range 100 {
		coin = append(coin, float64(i%2))
	}
	mean, low, high = Interval(coin)
	near(t, "mean", mean, 0.5, 1e-15)
	near(t, "half width", (high-low)/2, 0.09971, 1e-5)
}

func TestIntervalOfOneOrEqualValues(t *testing.T) {
	for _, values := range [][]float64{{0.1}, {7, 7, 7, 7}} {
		if mean, low, high := Interval(values); mean != values[0] || low != mean || high != mean {
			t.Errorf("%v: got %v [%v, %v]", values, mean, low, high)
		}
	}
	if mean, _, _ := Interval(nil); !math.IsNaN(mean) {
		t.Errorf("the mean of nothing is %v", mean)
	}
}

func TestIntervalContainsItsMeanAndShrinksWithSeeds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 2 + rng.IntN(60)
		values := normal(rng, n, rng.NormFloat64()*1e3, rng.ExpFloat64())
		mean, low, high := Interval(values)
		if !(low <= mean && mean <= high) {
			t.Fatalf("%v outside [%v, %v]", mean, low, high)
		}
		_, low4, high4 := Interval(append(append(append(append([]float64{}, values...), values...), values...), values...))
		if high4-low4 > (high-low)/1.9 {
			t.Fatalf("four times the %d values: width %v, was %v", n, high4-low4, high-low)
		}
	}
}

func TestIntervalCoversTheTrueMeanAsOftenAsItSays(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const trials = 4000
	covered := 0
	for range trials {
		if _, low, high := Interval(normal(rng, 5, 10, 3)); low <= 10 && 10 <= high {
			covered++
		}
	}
	// The standard error of the share is sqrt(.95 x .05 / 4000) = .0034.
	near(t, "coverage", float64(covered)/trials, Confidence, 4*0.0034)
}

func TestShareOfStaysAShare(t *testing.T) {
	if m := ShareOf([]float64{1, 0.9, 1}); m.High != 1 || !(m.Low > 0 && m.Low < m.Mean) {
		t.Errorf("%+v", m)
	}
	if m := ShareOf([]float64{0, 0.1, 0}); m.Low != 0 || !(m.High > m.Mean) {
		t.Errorf("%+v", m)
	}
}
