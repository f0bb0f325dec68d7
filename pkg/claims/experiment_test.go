package claims

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawing yields row a of abRows; its numbers stand for draws.
func drawing() Experiment {
	return Experiment{
		Name: "e", Version: 1, Seeds: 4, Parameters: map[string]int{"x": 1}, Free: []string{"x"},
		Yields: []Yield{{ID: "a", Beside: []string{"twice"}}},
		Run: func(seed int) (Values, error) {
			x := 8.75 + 0.01*float64(seed)
			return Values{"a": {Parts: []float64{x}, Beside: []float64{2 * x}}}, nil
		},
	}
}

// fixed yields row b.
func fixed() Experiment {
	return Experiment{
		Name: "d", Version: 1, Seeds: 1, Deterministic: true,
		Yields: []Yield{{ID: "b", Parts: []string{"one", "two"}}},
		Run:    func(int) (Values, error) { return Values{"b": {Parts: []float64{1, 2}}}, nil },
	}
}

func registry(t *testing.T, experiments ...Experiment) *Registry {
	t.Helper()
	r, err := NewRegistry(abRows(t), experiments...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func run(t *testing.T, r *Registry, n int) Results {
	t.Helper()
	results, err := r.Run(n)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestRegistryRejectsWhatDoesNotFit(t *testing.T) {
	for want, change := range map[string]func(*Experiment){
		"want a name of its own":             func(e *Experiment) { e.Name = "" },
		"version 0":                          func(e *Experiment) { e.Version = 0 },
		"0 seeds":                            func(e *Experiment) { e.Seeds = 0 },
		"4 seeds: want 1 or more, and 1 for": func(e *Experiment) { e.Deterministic = true },
		"Run is nil":                         func(e *Experiment) { e.Run = nil },
		`yields "c", which is no row`:        func(e *Experiment) { e.Yields[0].ID = "c" },
		"a quoted row is not computed":       func(e *Experiment) { e.Yields[0].ID = "p" },
		"2 computed numbers: want one":       func(e *Experiment) { e.Yields[0].Parts = []string{"x", "y"} },
		`which "e" yields already`:           func(e *Experiment) { e.Yields = append(e.Yields, Yield{ID: "a"}) },
	} {
		e := drawing()
		change(&e)
		if _, err := NewRegistry(abRows(t), e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := NewRegistry(abRows(t), drawing(), drawing()); err == nil || !strings.Contains(err.Error(), "name of its own") {
		t.Errorf("the same experiment twice: got %v", err)
	}
}

func TestRunRejectsWhatWasNotPromised(t *testing.T) {
	broken := errors.New("broken")
	for want, run := range map[string]func(int) (Values, error){
		"seed 0: broken":                        func(int) (Values, error) { return nil, broken },
		`"a" was not computed`:                  func(int) (Values, error) { return Values{}, nil },
		`"a" has 1 numbers and 0 beside: want`:  func(int) (Values, error) { return Values{"a": One(1)}, nil },
		`"a" is NaN`:                            func(int) (Values, error) { return Values{"a": {[]float64{math.NaN()}, []float64{1}}}, nil },
		`"b" was computed but is not among the`: func(int) (Values, error) { return Values{"a": {[]float64{1}, []float64{1}}, "b": One(1)}, nil },
	} {
		e := drawing()
		e.Run = run
		if _, err := registry(t, e).Run(0); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `experiment "e"`) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := registry(t, drawing()).Run(-1); err == nil {
		t.Error("-1 seeds: want an error")
	}
}

func TestRunUsesSeedsFromZero(t *testing.T) {
	r := run(t, registry(t, drawing(), fixed()), 0)
	want := []StoredRow{
		{ID: "a", Experiment: "e", Verdict: Reproduced, Beside: []string{"twice"},
			Values:       [][]float64{{8.75}, {8.75 + 0.01}, {8.75 + 0.02}, {8.75 + 0.01*3}},
			BesideValues: [][]float64{{17.5}, {2 * (8.75 + 0.01)}, {2 * (8.75 + 0.02)}, {2 * (8.75 + 0.01*3)}}},
		{ID: "b", Experiment: "d", Verdict: Reproduced, Parts: []string{"one", "two"}, Values: [][]float64{{1, 2}}},
	}
	near := cmp.Comparer(func(a, b float64) bool { return same(a, b, 1e-12) })
	if diff := cmp.Diff(want, r.Rows, near); diff != "" {
		t.Error(diff)
	}
	two := run(t, registry(t, drawing(), fixed()), 2)
	if diff := cmp.Diff(r.Rows[0].Values[:2], two.Rows[0].Values); diff != "" || two.Experiments[0].Seeds != 2 || two.Experiments[1].Seeds != 1 {
		t.Errorf("two seeds: %s", diff)
	}
}

func TestForKeepsWhatTheRowsNeed(t *testing.T) {
	all := registry(t, drawing(), fixed())
	some := all.For(abRows(t)[1:])
	if _, ok := some.Of("a"); ok {
		t.Error("row a is not wanted")
	}
	if name, ok := some.Of("b"); !ok || name != "d" {
		t.Errorf("row b comes from %q", name)
	}
	if r := run(t, some, 0); len(r.Experiments) != 1 || r.Experiments[0].Name != "d" {
		t.Errorf("ran %v", r.Experiments)
	}
}

func TestCompareFindsNothingWhereNothingChanged(t *testing.T) {
	r := registry(t, drawing(), fixed())
	stored := run(t, r, 0)
	for _, n := range []int{0, 1, 3} {
		if d := Compare(r.Rows(), stored, run(t, r, n)); d != nil {
			t.Errorf("%d seeds: %v", n, d)
		}
	}
	if d := r.Stale(stored); d != nil {
		t.Errorf("stale: %v", d)
	}
}

func TestCompareFindsEveryChange(t *testing.T) {
	other := "arm64"
	if runtime.GOARCH == other {
		other = "amd64"
	}
	last := math.Nextafter(8.75, 9)
	for name, c := range map[string]struct {
		change func(*Results)
		seeds  int
		want   string // "" for no difference
	}{
		"the last bit":                       {func(r *Results) { r.Rows[0].Values[0][0] = last }, 0, "seed 0: stored 8.75"},
		"the last bit of another processor":  {func(r *Results) { r.Rows[0].Values[0][0] = last; r.Experiments[0].Processor = other }, 0, ""},
		"the fifth digit of another":         {func(r *Results) { r.Rows[0].Values[0][0] = 8.7501; r.Experiments[0].Processor = other }, 0, "seed 0: stored 8.7501"},
		"two seeds":                          {func(r *Results) { r.Rows[0].Values[0][0] = 8.7; r.Rows[0].Values[2][0] = 8.7 }, 0, "(and 1 more)"},
		"a seed that is not run":             {func(r *Results) { r.Rows[0].Values[2][0] = 8.7 }, 2, ""},
		"a number beside":                    {func(r *Results) { r.Rows[0].BesideValues[1][0] = 0 }, 0, "beside it, seed 1"},
		"the version":                        {func(r *Results) { r.Experiments[0].Version = 2 }, 0, "stored by version 2, now at version 1"},
		"the parameters":                     {func(r *Results) { r.Experiments[0].Parameters = []byte(`{"x": 2}`) }, 0, "other parameters"},
		"the free parameters":                {func(r *Results) { r.Experiments[0].Free = nil }, 0, "other parameters"},
		"spaces in the parameters":           {func(r *Results) { r.Experiments[0].Parameters = []byte("{\n\"x\": 1}") }, 0, ""},
		"an experiment is missing":           {func(r *Results) { r.Experiments = r.Experiments[1:] }, 0, "no results of this experiment"},
		"a row is missing":                   {func(r *Results) { r.Rows = r.Rows[1:] }, 0, "computed by e, but not stored"},
		"a row too many":                     {func(r *Results) { r.Rows = append(r.Rows, StoredRow{ID: "z", Experiment: "e"}) }, 0, "does not compute it any more"},
		"fewer seeds stored":                 {func(r *Results) { r.Experiments[0].Seeds = 3; r.Rows[0].Values = r.Rows[0].Values[:3] }, 0, "3 seeds are stored, fewer than 4"},
		"the verdict":                        {func(r *Results) { r.Rows[0].Verdict = NotReproduced }, 0, "stored as not reproduced, but by claims.csv it is reproduced"},
		"a verdict of the unchanged results": {func(*Results) {}, 0, ""},
	} {
		r := registry(t, drawing(), fixed())
		stored := run(t, r, 0)
		c.change(&stored)
		d := Compare(r.Rows(), stored, run(t, r, c.seeds))
		if c.want == "" && d != nil || c.want != "" && (len(d) == 0 || !strings.Contains(d[0].Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, d, c.want)
		}
	}
}

func TestCompareFindsARowThatNoLongerHolds(t *testing.T) {
	r := registry(t, drawing(), fixed())
	stored := run(t, r, 0)
	rows := abRows(t)
	rows[0] = row(t, "abs", 8.8, 0.001)
	rows[0].ID = "a" // the mean is 8.765 ± 0.021
	d := Compare(rows, stored, run(t, r, 0))
	if len(d) != 1 || !strings.Contains(d[0].Text, "stored as reproduced, but by claims.csv it is not reproduced") {
		t.Errorf("got %v", d)
	}
}

func TestSameIsBitForBitOnOneProcessorFamily(t *testing.T) {
	for _, c := range []struct {
		a, b, tolerance float64
		want            bool
	}{
		{1, 1, SameProcessor, true},
		{1, math.Nextafter(1, 2), SameProcessor, false},
		{0, math.Copysign(0, -1), SameProcessor, false},
		{0, math.Copysign(0, -1), OtherProcessor, true},
		{123456.1, 123456.2, OtherProcessor, true},
		{123456, 123457, OtherProcessor, false},
		{-1, 1, OtherProcessor, false},
	} {
		if got := same(c.a, c.b, c.tolerance); got != c.want {
			t.Errorf("%v and %v within %v: %v, want %v", c.a, c.b, c.tolerance, got, c.want)
		}
	}
}

func TestStaleNeedsNoRun(t *testing.T) {
	r := registry(t, drawing(), fixed())
	stored := run(t, r, 0)
	stored.Experiments[0].Version = 7
	if d := r.Stale(stored); len(d) != 1 || d[0].ID != "e" {
		t.Errorf("got %v", d)
	}
}
