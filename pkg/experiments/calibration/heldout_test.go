package calibration

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration/stored"
)

func ok[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// linearRows are fitted rows on a = 3 and b = 5; the last one is not what those give.
func linearRows() []claims.Row {
	return ok(claims.ReadRows("c.csv", strings.NewReader("id,section,quantity,unit,lecture,lecture_value,tolerance,kind,judged,basis,note\n"+
		"1-a,1.2,q,s,3,3,0.1,own,abs,fitted,\n"+
		"2-b,1.2,q,s,5,5,0.1,own,abs,fitted,\n"+
		"3-sum,1.2,q,s,8,8,0.1,own,abs,fitted,\n"+
		"4-other,1.2,q,s,99,99,0.1,own,abs,fitted,\n"+
		"5-derived,1.2,q,s,3,3,0.1,own,abs,derived,\n")))
}

// numbers are the parameters of an experiment of sums and differences. Above limit
// it refuses a.
type numbers struct{ A, B, limit float64 }

// linearSubject counts the seeds that it is run under.
func linearSubject(limit float64) (s Subject, seeds func() []int) {
	var lock sync.Mutex
	var seen []int
	experiment := func(p numbers) claims.Experiment {
		return claims.Experiment{
			Name: "linear", Version: 3, Seeds: 5,
			Yields: []claims.Yield{{ID: "1-a"}, {ID: "2-b"}, {ID: "3-sum"}, {ID: "4-other"}, {ID: "5-derived"}},
			Run: func(seed int) (claims.Values, error) {
				lock.Lock()
				seen = append(seen, seed)
				lock.Unlock()
				if p.A > p.limit {
					return nil, errors.New("a is too large")
				}
				noise := 0.01 * float64(seed%2) // the mean over an even number of seeds is .005 off
				return claims.Values{
					"1-a": claims.One(p.A + noise), "2-b": claims.One(p.B), "3-sum": claims.One(p.A + p.B),
					"4-other": claims.One(p.A - p.B), "5-derived": claims.One(p.A),
				}, nil
			},
		}
	}
	s = subject(
		Subject{Name: "linear", FitSeeds: 2, Seeds: 4, SensitivitySeeds: 2, Draws: 20, Steps: 200},
		numbers{3, 5, limit}, experiment, nil,
		linear("a", 0, 10, "anything", func(p *numbers) *float64 { return &p.A }),
		linear("b", 0, 10, "anything", func(p *numbers) *float64 { return &p.B }),
	)
	return s, func() []int { return seen }
}

// a and a + b determine both, so that b comes out; a row that is wrong in the lecture
// does not, and does not disturb the others while it is held out.
func TestHeldOutRowsOfALinearExperiment(t *testing.T) {
	s, seeds := linearSubject(math.Inf(1))
	c := ok(HeldOut(t.Context(), linearRows(), []Subject{s}, 0, nil))
	e := c.Experiments[0]
	first := e.Splits[0]
	if e.Version != 3 || e.Impossible != 0 || len(e.Splits) != 2 || len(first.Fit) != 2 || first.Fit[0].ID != "1-a" || first.Fit[1].ID != "3-sum" {
		t.Fatalf("%+v", e)
	}
	if first.Loss > 1e-2 || first.Loss > first.DrawnLoss || math.Abs(first.Values[0]-3) > 0.03 || math.Abs(first.Values[1]-5) > 0.06 {
		t.Errorf("loss %g from %g, values %g: want 3 and 5", first.Loss, first.DrawnLoss, first.Values)
	}
	if b, other := first.Held[0], first.Held[1]; !b.Hit || other.Hit || math.Abs(other.Mean+2) > 0.1 || stored.Hits(first.Held) != 1 {
		t.Errorf("held out: %+v, %+v", b, other)
	}
	// Of the second split the wrong row is in the fit: nothing can be right.
	if second := e.Splits[1]; second.Loss < 100 || stored.Hits(second.Fit) == 2 {
		t.Errorf("a contradiction was fitted: %+v", second)
	}
	// The calibrated values are off by what the noise adds to a alone: (.005/.1)².
	if math.Abs(first.OurLoss-0.0025) > 1e-9 {
		t.Errorf("loss of the calibrated values %g, want .0025", first.OurLoss)
	}
	for _, r := range slices.Concat(first.Held, first.Fit) {
		if r.Null < 0 || r.Null > 0.3 {
			t.Errorf("%s: %g of random draws between 0 and 10 come within .1", r.ID, r.Null)
		}
	}
	// Nothing but the verdicts on the two splits is under the seeds from 0.
	runs := map[int]int{}
	for _, seed := range seeds() {
		runs[seed]++
	}
	want := map[int]int{}
	for seed := range s.Seeds {
		want[seed] = 2
	}
	for seed := range s.FitSeeds {
		want[FirstFitSeed+seed] = s.Draws + 1 + 2*s.Steps
	}
	if diff := cmp.Diff(want, runs); diff != "" {
		t.Errorf("runs by seed: %s", diff)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	run := func(seed int) string {
		s, _ := linearSubject(math.Inf(1))
		s.Draws, s.Steps = 3, 5
		costs := costs()
		costs.Draws, costs.Steps = 4, 6
		a := ok(HeldOut(t.Context(), linearRows(), []Subject{s}, seed, nil))
		b := ok(HeldOut(t.Context(), ok(claims.Rows()), []Subject{costs}, seed, nil))
		return string(ok(stored.Marshal(a))) + string(ok(stored.Marshal(b)))
	}
	a := run(0)
	if diff := cmp.Diff(a, run(0)); diff != "" {
		t.Error(diff)
	}
	if a == run(1) {
		t.Error("seeds 0 and 1 draw the same")
	}
}

func TestRefusedValuesAreCountedAndLeft(t *testing.T) {
	s, _ := linearSubject(5)
	e := ok(HeldOut(t.Context(), linearRows(), []Subject{s}, 0, nil)).Experiments[0]
	if e.Impossible < 3 || e.Impossible > 17 || e.Splits[0].Loss > 0.1 {
		t.Errorf("%d of %d draws refused, loss %g", e.Impossible, e.Draws, e.Splits[0].Loss)
	}
	s, _ = linearSubject(3.5)
	s.Draws, s.Steps = 1, 0
	for seed := range 20 {
		if _, err := HeldOut(t.Context(), linearRows(), []Subject{s}, seed, nil); err != nil {
			if !strings.Contains(err.Error(), "all 1 random draws were refused") {
				t.Error(err)
			}
			return
		}
	}
	t.Error("no draw of 20 was refused")
}

func TestWhatCannotBeFittedIsAnError(t *testing.T) {
	for want, change := range map[string]func(*Subject, *[]claims.Row){
		"0 draws":                         func(s *Subject, _ *[]claims.Row) { s.Draws = 0 },
		"-1 steps":                        func(s *Subject, _ *[]claims.Row) { s.Steps = -1 },
		"at most 100 seeds":               func(s *Subject, _ *[]claims.Row) { s.Seeds = 101 },
		"want a smaller number first":     func(s *Subject, _ *[]claims.Row) { s.Ranges[0].High = -1 },
		"does not hold the default 3":     func(s *Subject, _ *[]claims.Row) { s.Ranges[0].Low = 4 },
		"positive numbers on a log":       func(s *Subject, _ *[]claims.Row) { s.Ranges[0].Scale = stored.Log },
		"what the range stands for":       func(s *Subject, _ *[]claims.Row) { s.Ranges[1].Means = "" },
		"1 fitted rows: want two or more": func(_ *Subject, rows *[]claims.Row) { *rows = (*rows)[3:] },
		`yields "1-a", which is no row`:   func(_ *Subject, rows *[]claims.Row) { *rows = (*rows)[1:] },
		"a is too large":                  func(s *Subject, _ *[]claims.Row) { *s, _ = linearSubject(2) },
	} {
		s, _ := linearSubject(math.Inf(1))
		s.Draws, s.Steps = 2, 2
		rows := linearRows()
		change(&s, &rows)
		if _, err := HeldOut(t.Context(), rows, []Subject{s}, 0, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := HeldOut(t.Context(), linearRows(), nil, -1, nil); err == nil {
		t.Error("seed -1: want an error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, _ := linearSubject(math.Inf(1))
	if _, err := HeldOut(ctx, linearRows(), []Subject{s}, 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Sensitivity(ctx, linearRows(), []Subject{s}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPlacesInARange(t *testing.T) {
	for _, c := range []struct {
		r       stored.Range
		u, want float64
	}{
		{stored.Range{Low: 2, High: 6, Scale: stored.Linear}, 0.25, 3},
		{stored.Range{Low: 2, High: 6, Scale: stored.Linear}, -0.25, 3}, // folded back
		{stored.Range{Low: 2, High: 6, Scale: stored.Linear}, 1.25, 5},
		{stored.Range{Low: 2, High: 6, Scale: stored.Linear}, 2.25, 3},
		{stored.Range{Low: 1, High: 100, Scale: stored.Log}, 0.5, 10},
		{stored.Range{Low: 1, High: 3, Scale: stored.Whole}, 0, 1},
		{stored.Range{Low: 1, High: 3, Scale: stored.Whole}, 0.5, 2},
		{stored.Range{Low: 1, High: 3, Scale: stored.Whole}, 1, 3},
	} {
		if got := value(c.r, c.u); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g of %+v is %g, want %g", c.u, c.r, got, c.want)
		}
	}
}

// By hand: (3.2 - 3)/.1 is 2, its square 4; an order that does not hold is 1; of two
// numbers the mean.
func TestLossByHand(t *testing.T) {
	rows := ok(claims.ReadRows("c.csv", strings.NewReader("id,section,quantity,unit,lecture,lecture_value,tolerance,kind,judged,basis,note\n"+
		"a,1.2,q,s,3,3,0.1,own,abs,fitted,\n"+
		"o,1.2,q,order,1,1,0,own,holds,fitted,\n"+
		"p,1.2,q,s,1 / 2,,,own,parts 1 1 / 2 2,fitted,\n")))
	got := loss(means{"a": {3.2}, "o": {-0.5}, "p": {3, 2}}, rows)
	if want := 4. + 1 + (4.+0)/2; math.Abs(got-want) > 1e-9 {
		t.Errorf("loss %g, want %g", got, want)
	}
	if got := loss(means{"a": {3}, "o": {0.1}, "p": {1, 2}}, rows); got > 1e-9 {
		t.Errorf("loss %g of what is all right", got)
	}
	if got := loss(nil, rows); got != impossible {
		t.Errorf("loss %g of what was refused", got)
	}
}
