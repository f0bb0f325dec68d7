package calibration

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration/stored"
)

// A step of a fifth moves a by .6 and b by 1: both out of their own bands of .1, and
// the sum out of its.
func TestSensitivityByHand(t *testing.T) {
	s, _ := linearSubject(math.Inf(1))
	rows := linearRows()
	got := ok(Sensitivity(t.Context(), rows, []Subject{s}, nil)).Experiments[0]
	a, b := []string{"1-a", "3-sum", "5-derived"}, []string{"2-b", "3-sum"}
	want := stored.Moved{
		Name: "linear", Version: 3, Seeds: 2, Rows: 5, Red: []string{"4-other"},
		Parameters: []stored.Parameter{
			{Name: "a", Value: 3, Down: &stored.Move{Value: 3 - Step*3, Red: a}, Up: &stored.Move{Value: 3 + Step*3, Red: a}},
			{Name: "b", Value: 5, Down: &stored.Move{Value: 4, Red: b}, Up: &stored.Move{Value: 6, Red: b}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !got.Parameters[0].Pinned() || (stored.Parameter{Up: &stored.Move{}}).Pinned() {
		t.Error("a is pinned, and nothing without red rows is")
	}
}

func TestStepsStayInTheRange(t *testing.T) {
	for _, c := range []struct {
		r          stored.Range
		sign, want float64
		moves      bool
	}{
		{stored.Range{Low: 0, High: 1, Default: 0.9, Scale: stored.Linear}, 1, 1, true},
		{stored.Range{Low: 0, High: 1, Default: 0.5, Scale: stored.Linear}, -1, 0.4, true},
		{stored.Range{Low: 0, High: 9, Default: 2, Scale: stored.Whole}, 1, 3, true},
		{stored.Range{Low: 0, High: 99, Default: 18, Scale: stored.Whole}, -1, 14, true},
		{stored.Range{Low: 1, High: 9, Default: 1, Scale: stored.Whole}, -1, 1, false},
	} {
		if x, moves := step(c.r, c.sign); math.Abs(x-c.want) > 1e-12 || moves != c.moves {
			t.Errorf("%+v to %g: %g, %v", c.r, c.sign, x, moves)
		}
	}
}

// The cheap experiment comes out again as it is stored.
func TestStoredSensitivity(t *testing.T) {
	file := ok(stored.Sensitivities())
	if file.Version != Version || file.Step != Step || len(file.Experiments) != len(Subjects()) {
		t.Fatalf("version %d, step %g, %d experiments: compute anew with memlab claims --sensitivity --update", file.Version, file.Step, len(file.Experiments))
	}
	for i, s := range Subjects() {
		e := file.Experiments[i]
		if e.Name != s.Name || e.Version != s.New(s.defaults()).Version || e.Seeds != s.SensitivitySeeds || len(e.Parameters) != len(s.Ranges) {
			t.Errorf("%s: stored is %s at version %d with %d seeds", s.Name, e.Name, e.Version, e.Seeds)
			continue
		}
		for j, r := range s.Ranges {
			if p := e.Parameters[j]; p.Name != r.Name || p.Value != r.Default {
				t.Errorf("%s: stored is %s = %g, now %s = %g", s.Name, p.Name, p.Value, r.Name, r.Default)
			}
		}
	}
	again := ok(Sensitivity(t.Context(), ok(claims.Rows()), []Subject{costs()}, nil))
	if diff := cmp.Diff(file.Experiments[0], again.Experiments[0]); diff != "" {
		t.Error(diff)
	}
}
