package rollout

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"memlab/pkg/random"
)

func shapes() []Lengths {
	return []Lengths{
		{Shape: Lognormal, Median: 300, Spread: 0.9, Cap: 4000},
		{Shape: Lognormal, Median: 300, Spread: 0.9, Prompt: 0.5, Cap: 4000},
		{Shape: Lognormal, Median: 300, Spread: 0.9, Prompt: 1, Cap: 4000},
		{Shape: Lognormal, Median: 300, Spread: 0.05, Cap: 4000},
		{Shape: Pareto, Median: 300, Spread: 0.6, Cap: 4000},
		{Shape: Pareto, Median: 300, Spread: 0.6, Prompt: 0.7, Cap: 100_000},
	}
}

// Draws and formulas come from the same distribution: means of 400 batches lie
// within five standard errors, which by chance fails once in two million times.
func TestDrawsFollowTheFormulas(t *testing.T) {
	const prompts, samples, batches = 20, 6, 400
	for _, l := range shapes() {
		var longest, mean, above []float64
		for seed := range batches {
			lengths, err := l.Draw(random.Seed(seed), prompts, samples)
			if err != nil {
				t.Fatal(err)
			}
			sum, long, over := 0, 0, 0
			for _, answers := range lengths {
				long = max(long, slices.Max(answers))
				for _, n := range answers {
					sum += n
					if n > 500 {
						over++
					}
				}
			}
			longest = append(longest, float64(long))
			mean = append(mean, float64(sum)/prompts/samples)
			above = append(above, float64(over)/prompts/samples)
		}
		check := func(what string, drawn []float64, want float64, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			m, sd := stat.MeanStdDev(drawn, nil)
			if math.Abs(m-want) > 5*sd/math.Sqrt(batches)+1e-9 {
				t.Errorf("%+v: %s %g ± %g, the formula says %g", l, what, m, sd/math.Sqrt(batches), want)
			}
		}
		want, err := l.Longest(prompts, samples)
		check("longest", longest, want, err)
		want, err = l.Mean()
		check("mean", mean, want, err)
		want, err = l.Longer(500)
		check("share beyond 500", above, want, err)
	}
}

// The quadrature against the plain sum over every length.
func TestExpectationsEqualThePlainSum(t *testing.T) {
	for _, l := range shapes() {
		mean, longest := 0.0, 0.0
		for k := range l.Cap {
			share, err := l.Longer(k)
			if err != nil {
				t.Fatal(err)
			}
			mean += share
			longest += -math.Expm1(40 * math.Log1p(-share))
		}
		got, err := l.Mean()
		if err != nil || math.Abs(got-mean) > 2e-4*mean {
			t.Errorf("%+v: mean %g, %v, the sum is %g", l, got, err, mean)
		}
		if l.Prompt > 0 {
			continue
		}
		got, err = l.Longest(8, 5)
		if err != nil || math.Abs(got-longest) > 2e-4*longest {
			t.Errorf("%+v: longest %g, %v, the sum is %g", l, got, err, longest)
		}
	}
}

// From outside: the expected maximum of n standard normal draws is 1.02938 for
// n = 4 and 1.42360 for n = 8 (Harter 1961, table 1), so the logarithm of the
// median length's multiple, for a narrow spread, is that times the spread.
func TestLongestOfANarrowSpreadIsHartersTable(t *testing.T) {
	l := Lengths{Shape: Lognormal, Median: 1e6, Spread: 0.001, Cap: 2_000_000}
	for n, want := range map[int]float64{4: 1.02938, 8: 1.42360} {
		got, err := l.Longest(n, 1)
		if err != nil {
			t.Fatal(err)
		}
		if z := (got - 0.5 - l.Median) / l.Median / l.Spread; math.Abs(z-want) > 2e-3 {
			t.Errorf("%d draws: %.5f spreads above the median, want %.5f", n, z, want)
		}
	}
}

func TestMoreAnswersLeaveTheFirstOnesAsTheyWere(t *testing.T) {
	l := DefaultLengths()
	few, err := l.Draw(3, 4, 5)
	if err != nil {
		t.Fatal(err)
	}
	many, err := l.Draw(3, 6, 9)
	if err != nil {
		t.Fatal(err)
	}
	for p := range few {
		if !slices.Equal(few[p], many[p][:5]) {
			t.Errorf("prompt %d: %v, among more %v", p, few[p], many[p])
		}
	}
	other, err := l.Draw(4, 4, 5)
	if err != nil || slices.Equal(few[0], other[0]) {
		t.Errorf("another seed gives %v again (%v)", other[0], err)
	}
}

func TestImpossibleLengthsAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Lengths){
		"shape":         func(l *Lengths) { l.Shape = "normal" },
		"median_tokens": func(l *Lengths) { l.Median = math.NaN() },
		"spread":        func(l *Lengths) { l.Spread = -0.1 },
		"prompt":        func(l *Lengths) { l.Prompt = 1.2 },
		"cap_tokens":    func(l *Lengths) { l.Cap = 0 },
	} {
		l := DefaultLengths()
		change(&l)
		_, err := l.Draw(0, 2, 2)
		refused(t, want, err)
		_, err = l.Mean()
		refused(t, want, err)
		_, err = l.Longest(2, 2)
		refused(t, want, err)
		_, err = l.Longer(10)
		refused(t, want, err)
	}
	_, err := DefaultLengths().Draw(0, 0, 2)
	refused(t, "prompts", err)
	_, err = DefaultLengths().Draw(0, 1<<20, 1<<20)
	refused(t, "prompts x samples", err)
	_, err = DefaultLengths().Longest(1, 0)
	refused(t, "samples", err)
}

func refused(t *testing.T, field string, err error) {
	t.Helper()
	if !errors.Is(err, ErrBadField) || !contains(err.Error(), "rollout: "+field) {
		t.Errorf("error %v: want %s refused", err, field)
	}
}
