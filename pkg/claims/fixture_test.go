package claims

import (
	"math/rand/v2"
	"testing"
)

// row makes an own row that is judged as text says.
func row(t *testing.T, text string, value, tolerance float64) Row {
	t.Helper()
	j, err := ParseJudge(text, &value, &tolerance)
	if err != nil {
		t.Fatal(err)
	}
	return Row{
		ID: "x", Section: "1.2", Kind: Own, Basis: Derived, Quantity: "x", Unit: "s",
		Lecture: Number(value), LectureValue: &value, Tolerance: &tolerance, Judge: j,
	}
}

// seeds makes a stored row with one number for each seed.
func seeds(values ...float64) *StoredRow {
	s := &StoredRow{ID: "x", Experiment: "e", Verdict: Reproduced}
	for _, v := range values {
		s.Values = append(s.Values, []float64{v})
	}
	return s
}

// normal draws values; the seed of the test is fixed.
func normal(rng *rand.Rand, n int, mean, deviation float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = mean + deviation*rng.NormFloat64()
	}
	return values
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(got >= want-tolerance && got <= want+tolerance) {
		t.Errorf("%s: got %v, want %v ± %v", what, got, want, tolerance)
	}
}
