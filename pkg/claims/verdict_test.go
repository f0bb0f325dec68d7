package claims

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The intervals are mean ± 2.4841 for three seeds that are 1 apart.
func TestVerdictsByHand(t *testing.T) {
	for _, c := range []struct {
		name          string
		row           Row
		values        *StoredRow
		deterministic bool
		want          Verdict
		alone         float64 // share of single seeds
		says          string
	}{
		{"one value inside", row(t, "abs", 8.8, 0.1), seeds(8.85), true, Reproduced, 1, "8.85 s lies in 8.8 ± 0.1; deterministic"},
		{"one value on the edge", row(t, "abs", 8.8, 0.1), seeds(8.9), true, Reproduced, 1, "lies in"},
		{"one value outside", row(t, "abs", 8.8, 0.1), seeds(8.91), true, NotReproduced, 0, "8.91 s lies outside 8.8 ± 0.1"},
		{"mean inside", row(t, "abs", 2, 1), seeds(1, 2, 3), false, Reproduced, 1, "mean 2 s, 95% interval -0.4841 to 4.484 over 3 seeds, meets 2 ± 1"},
		{"mean inside, every seed outside", row(t, "abs", 2, 0.5), seeds(1, 3, 1, 3), false, Reproduced, 0, "meets"},
		{"mean outside, interval reaches in", row(t, "abs", 5, 1), seeds(1, 2, 3), false, Reproduced, 0, "the mean alone would miss it"},
		{"a wide interval is said to be wide", row(t, "abs", 5, 1), seeds(1, 2, 3), false, Reproduced, 0, "wider than the band"},
		{"interval outside", row(t, "abs", 6, 1), seeds(1, 2, 3), false, NotReproduced, 0, "misses 6 ± 1"},
		{"one seed of several passes", row(t, "abs", 6, 3), seeds(1, 2, 3), false, Reproduced, 1. / 3, "meets"},
		{"exact", row(t, "exact", 7, 0), seeds(7, 7), false, Reproduced, 1, "is exactly 7"},
		{"exact in all seeds but one", row(t, "exact", 7, 0), seeds(7, 7, 7, 8), false, NotReproduced, 0.75, "is not exactly 7"},
		{"exact but for the last bit of a sum", row(t, "exact", 0.3, 0), seeds(math.Nextafter(0.3, 1)), true, Reproduced, 1, ""},
		{"below", row(t, "below 2", 1, 1), seeds(1.99), true, Reproduced, 1, "is below 2"},
		{"below excludes its limit", row(t, "below 2", 1, 1), seeds(2), true, NotReproduced, 0, "is not below 2"},
		{"between includes its limits", row(t, "between 20 30", 25, 0), seeds(30), true, Reproduced, 1, "lies in 20 to 30"},
		{"order holds in the mean", row(t, "holds", 1, 0), seeds(-1, 1, 1, 1), false, Reproduced, 0.75, "the seeds do not settle it"},
		{"order holds in each seed", row(t, "holds", 1, 0), seeds(2, 2.1, 2.2), false, Reproduced, 1, "the order holds: margin mean 2.1"},
		{"order does not hold", row(t, "holds", 1, 0), seeds(-1, -1, 1), false, NotReproduced, 1. / 3, "does not hold"},
		{"a tie is no order", row(t, "holds", 1, 0), seeds(0), true, NotReproduced, 0, "does not hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := judge(c.row, c.values, c.deterministic)
			if j.Verdict != c.want || *j.SingleSeedShare != c.alone || !strings.Contains(j.Reason, c.says) {
				t.Errorf("got %s, alone %v, %q; want %s, %v, %q", j.Verdict, *j.SingleSeedShare, j.Reason, c.want, c.alone, c.says)
			}
		})
	}
}

func TestIntervalOfAVerdict(t *testing.T) {
	j := judge(row(t, "abs", 2, 1), seeds(1, 2, 3), false)
	near(t, "value", *j.Value, 2, 1e-12)
	near(t, "low", *j.Low, -0.4841, 1e-4)
	near(t, "high", *j.High, 4.4841, 1e-4)

	if j := judge(row(t, "abs", 2, 1), seeds(2), true); *j.Low != 2 || *j.High != 2 || *j.Seeds != 1 {
		t.Errorf("deterministic: [%v, %v]: want zero width", *j.Low, *j.High)
	}
	j = judge(row(t, "abs", 2, 1), seeds(2), false)
	if j.Low != nil || j.High != nil || !strings.Contains(j.Reason, "one seed: no interval") {
		t.Errorf("one seed of an experiment that draws: got an interval, %q", j.Reason)
	}
	// Margin 0.5 ± 1.59: holds in the mean, not at the lower end.
	j = judge(row(t, "holds", 1, 0), seeds(-1, 1, 1, 1), false)
	if *j.Value != 1 || *j.Low != 0 || *j.High != 1 {
		t.Errorf("order: got %v [%v, %v], want 1 [0, 1]", *j.Value, *j.Low, *j.High)
	}
}

func TestRowsWithSeveralNumbers(t *testing.T) {
	two := func(a, b float64) *StoredRow {
		return &StoredRow{ID: "x", Parts: []string{"first", "second"}, Values: [][]float64{{a, b}}}
	}
	each := row(t, "each abs", 25, 2)
	if j := judge(each, two(24, 26.5), true); j.Verdict != Reproduced || *j.Value != 26.5 || !strings.Contains(j.Reason, "second, nearest to failing") {
		t.Errorf("both inside: %s, value %v, %q", j.Verdict, *j.Value, j.Reason)
	}
	if j := judge(each, two(28, 25), true); j.Verdict != NotReproduced || *j.Value != 28 || !strings.Contains(j.Reason, "1 of 2 miss 25 ± 2 (value: first, the worst)") {
		t.Errorf("one outside: %s, value %v, %q", j.Verdict, *j.Value, j.Reason)
	}
	parts := row(t, "parts 576 0 / 435 1", 1, 1)
	if j := judge(parts, two(576, 434.9), true); j.Verdict != Reproduced || *j.Value != 434.9 {
		t.Errorf("both parts: %s, value %v", j.Verdict, *j.Value)
	}
	if j := judge(parts, two(575, 435), true); j.Verdict != NotReproduced || *j.Value != 575 || *j.SingleSeedShare != 0 {
		t.Errorf("first part off: %s, value %v", j.Verdict, *j.Value)
	}
	// A part that fails is shown even if another is as far out with a wide interval.
	seeded := &StoredRow{ID: "x", Parts: []string{"wide", "narrow"}, Values: [][]float64{{20, 28}, {40, 28.1}}}
	if j := judge(each, seeded, false); j.Verdict != NotReproduced || !strings.Contains(j.Reason, "narrow, the worst") {
		t.Errorf("%s: %q", j.Verdict, j.Reason)
	}
}

func TestWiderToleranceNeverHurts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		values := seeds(normal(rng, 1+rng.IntN(12), rng.NormFloat64(), rng.ExpFloat64())...)
		value, deterministic := rng.NormFloat64(), len(values.Values) == 1
		before := judge(row(t, "abs", value, 0), values, deterministic)
		for _, tolerance := range []float64{0.01, 0.1, 0.5, 1, 3, 10} {
			now := judge(row(t, "abs", value, tolerance), values, deterministic)
			if before.Verdict == Reproduced && now.Verdict != Reproduced || *now.SingleSeedShare < *before.SingleSeedShare {
				t.Fatalf("%v ± %v: %s after %s (%q)", value, tolerance, now.Verdict, before.Verdict, now.Reason)
			}
			if !(*now.Low <= *now.Value && *now.Value <= *now.High) {
				t.Fatalf("%v outside [%v, %v]", *now.Value, *now.Low, *now.High)
			}
			before = now
		}
	}
}

func TestOrderOfSeedsDecidesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		values := normal(rng, 9, 0, 1)
		a := judge(row(t, "abs", 0.5, 0.2), seeds(values...), false)
		slices.Reverse(values)
		b := judge(row(t, "abs", 0.5, 0.2), seeds(values...), false)
		if a.Verdict != b.Verdict || *a.SingleSeedShare != *b.SingleSeedShare {
			t.Fatalf("%s %v, reversed %s %v", a.Verdict, *a.SingleSeedShare, b.Verdict, *b.SingleSeedShare)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		131072: "131072", 8.80217: "8.802", 434.892: "434.9", 0.9: "0.9", 0.2304: "0.2304", 8912.6: "8913",
		-0.00012345: "-0.0001234", 0.00001: "1e-05", 0: "0", 1e15: "1e+15", 99999.5: "100000",
	} {
		if got := Number(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}
