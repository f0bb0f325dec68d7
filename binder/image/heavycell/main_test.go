package main

import (
	"math"
	"testing"
)

func TestGradientDescentFindsTheLine(t *testing.T) {
	slope, intercept, losses, err := fit()
	if err != nil {
		t.Fatal(err)
	}
	const tolerance = 1e-3
	if math.Abs(float64(slope)-3) > tolerance || math.Abs(float64(intercept)+2) > tolerance {
		t.Errorf("fit found y = %gx %+g, want y = 3x -2 within %g", slope, intercept, tolerance)
	}
	// Nine points x = -1, -3/4 ... 1 against the zero line: mean of (3x - 2)^2 = 9*5/12 + 4.
	if want := 9*5./12 + 4; math.Abs(losses[0].Y-want) > tolerance {
		t.Errorf("the loss before the first step is %g, want %g", losses[0].Y, want)
	}
	if size, err := draw(losses); err != nil || size == 0 {
		t.Errorf("draw wrote %d bytes, error %v", size, err)
	}
}
