package exercise_test

import (
	"math"
	"testing"

	"memlab/pkg/exercise"
)

// The lecture's numbers by pocket calculator: a step reads 16.06 GB of weights
// at 80% of 3.35 TB/s and takes 45 us besides, and each token of context adds
// 131,072 bytes. 128 answers from 500 to 2,500 tokens, then one to 16,500.
func TestWaitingForOneByHand(t *testing.T) {
	const rate = 0.8 * 3.35e12
	step := func(context float64) float64 { return 16.06e9/rate + 45e-6 + context*131_072/rate }
	full := 2000 * step(128*1500)
	alone := 14_000 * step((2500+16_500)/2.)
	want := 100 * 7. / 8 * alone / (full + alone)
	e, err := exercise.Find("12.1")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.Answer(); err != nil || math.Abs(got-want) > 0.1 {
		t.Errorf("%v, %v: by hand %v", got, err, want)
	}
}
