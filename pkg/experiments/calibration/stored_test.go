package calibration

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration/stored"
)

// near compares bit for bit on one family of processors and to six digits on others.
func near(processor string) cmp.Option {
	if processor == runtime.GOARCH {
		return cmp.Options{}
	}
	return cmpopts.EquateApprox(claims.OtherProcessor, 0)
}

// What is stored is what these subjects are: ranges, budgets, versions.
func TestStoredCalibrationIsOfTheseSubjects(t *testing.T) {
	file := ok(stored.HeldOut())
	if file.Version != Version || file.FirstFitSeed != FirstFitSeed || file.Seed != 0 || len(file.Experiments) != len(Subjects()) {
		t.Fatalf("version %d, seeds %d and from %d, %d experiments: compute anew with memlab claims --heldout --update",
			file.Version, file.Seed, file.FirstFitSeed, len(file.Experiments))
	}
	if diff := cmp.Diff(NotFitted(), file.NotFitted); diff != "" {
		t.Error(diff)
	}
	rows := ok(claims.Rows())
	for i, s := range Subjects() {
		e, now := file.Experiments[i], s.New(s.defaults())
		if e.Name != s.Name || e.Version != now.Version || e.FitSeeds != s.FitSeeds || e.Seeds != s.Seeds || e.Draws != s.Draws || e.Steps != s.Steps {
			t.Errorf("%s: stored otherwise: %+v", s.Name, e)
		}
		if diff := cmp.Diff(s.Ranges, e.Ranges); diff != "" {
			t.Errorf("%s: %s", s.Name, diff)
		}
		// Each fitted row is held out once and fitted once.
		var held, fit []string
		for _, split := range e.Splits {
			for _, r := range split.Held {
				held = append(held, r.ID)
			}
			for _, r := range split.Fit {
				fit = append(fit, r.ID)
			}
		}
		var want []string
		for _, r := range fitted(rows, now) {
			want = append(want, r.ID)
		}
		slices.Sort(held)
		slices.Sort(fit)
		if !slices.Equal(held, want) || !slices.Equal(fit, want) {
			t.Errorf("%s: held out %q, fitted %q, want each of %q once", s.Name, held, fit, want)
		}
	}
}

// The whole search on the cheapest subject comes out again.
func TestStoredCalibrationOfCosts(t *testing.T) {
	file := ok(stored.HeldOut())
	again := ok(HeldOut(t.Context(), ok(claims.Rows()), []Subject{costs()}, file.Seed, nil))
	if diff := cmp.Diff(file.Experiments[0], again.Experiments[0], near(file.Processor)); diff != "" {
		t.Error(diff)
	}
}

// Of an experiment that draws, the predictions of one split under the stored values.
func TestStoredPredictionsOfTheSession(t *testing.T) {
	file, rows := ok(stored.HeldOut()), ok(claims.Rows())
	s, e := sessions(), file.Experiments[1]
	split := e.Splits[0]
	all := fitted(rows, s.New(s.defaults()))
	_, held, err := s.judge(rows, split.Values, all[:1], all[1:], []trial{{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range split.Held {
		i := slices.IndexFunc(held, func(r stored.Row) bool { return r.ID == want.ID })
		if i < 0 {
			continue // the first row of all is in the other list
		}
		got := held[i]
		if got.Hit != want.Hit || math.Abs(got.Mean-want.Mean) > claims.OtherProcessor*math.Abs(want.Mean) || got.Lecture != want.Lecture {
			t.Errorf("%s: %+v, stored %+v", want.ID, got, want)
		}
	}
}

// The parameters that are moved are the free ones of the scoreboard, but for what is
// no number.
func TestSubjectsMoveTheFreeParameters(t *testing.T) {
	noNumber := []string{"length of values"}
	for _, s := range Subjects() {
		var names []string
		for _, r := range s.Ranges {
			names = append(names, r.Name)
		}
		var want []string
		for _, name := range s.New(s.defaults()).Free {
			if !slices.Contains(noNumber, name) {
				want = append(want, name)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s moves %q, free are %q", s.Name, names, want)
		}
		if err := s.check(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// Every experiment with fitted rows is a subject, or it is said why not.
func TestEveryFittedExperimentIsNamed(t *testing.T) {
	named := map[string]bool{}
	for _, s := range Subjects() {
		named[s.Name] = true
	}
	for _, n := range NotFitted() {
		named[n.Experiment] = true
	}
	board := ok(claims.StoredScoreboard())
	for _, e := range board.Edges {
		if e.Basis == claims.Fitted && !named[e.Experiment] {
			t.Errorf("%s has fitted rows and is neither fitted nor named", e.Experiment)
		}
	}
}
