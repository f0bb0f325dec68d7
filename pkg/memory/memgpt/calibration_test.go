package memgpt_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/random"
)

// totals add up runs of conversations.
type totals struct {
	all, twoHop   memory.Score
	conversations int
	writes        int
}

// evaluate asks one conversation of the toy.
func evaluate(t testing.TB, seed random.Seed, number int, change func(*memgpt.Options)) (memory.Run, *memgpt.Memory) {
	t.Helper()
	w, err := toy.New(toy.DefaultParameters(), seed, number, "en")
	if err != nil {
		t.Fatal(err)
	}
	return evaluateWorld(t, w, change)
}

func evaluateWorld(t testing.TB, w *toy.World, change func(*memgpt.Options)) (memory.Run, *memgpt.Memory) {
	t.Helper()
	judge, err := memgpt.NewRuleJudge(memgpt.DefaultRates(), w.Stream)
	if err != nil {
		t.Fatal(err)
	}
	o := memgpt.Defaults(w.Embedder(), judge)
	if change != nil {
		change(&o)
	}
	m, err := memgpt.New(o)
	if err != nil {
		t.Fatal(err)
	}
	run, err := memory.Evaluate(context.Background(), &w.Dialogue, m, o.Account, memory.Strict{})
	if err != nil {
		t.Fatal(err)
	}
	return run, m
}

func (s *totals) add(r *memory.Run) {
	s.all.Add(r.Score())
	s.twoHop.Add(r.Score(dialogue.TwoHop))
	s.conversations++
	for _, spent := range r.Write {
		if spent.Purpose == "memory" {
			s.writes += spent.Calls
		}
	}
}

// The toy is calibrated: over 20 groups of 10 conversations these are the
// lecture's numbers (§3.3) within its tolerances, and those of another
// implementation within four standard errors.
func TestTheToyGivesTheLecturesNumbers(t *testing.T) {
	const groups = 20
	s := groupsOf10(t, groups, nil)
	for _, c := range []struct {
		name                    string
		got, lecture, tolerance float64
		reference, sd           float64
	}{
		{"accuracy", s.all.Accuracy(), 0.902, 0.04, 0.898, 0.019},
		{"accuracy of two hops", s.twoHop.Accuracy(), 0.887, 0.05, 0.927, 0.039},
		{"calls per question", s.all.CallsEach(), 1.31, 0.1, 1.371, 0.017},
		{"write calls per conversation", float64(s.writes) / float64(s.conversations), 52, 6, 54.6, 2.1},
		{"tokens per question", s.all.TokensEach(), 6813, 50, 6813, 20},
	} {
		t.Logf("%-30s %.4f", c.name, c.got)
		if math.Abs(c.got-c.lecture) > c.tolerance {
			t.Errorf("%s: %.4f, the lecture has %.4f ± %.4f", c.name, c.got, c.lecture, c.tolerance)
		}
		if math.Abs(c.got-c.reference) > 4*c.sd*math.Sqrt(2.0/groups) {
			t.Errorf("%s: %.4f, elsewhere %.4f with a standard deviation of %.4f", c.name, c.got, c.reference, c.sd)
		}
	}
}

func groupsOf10(t *testing.T, groups int, change func(*memgpt.Options)) totals {
	var s totals
	for seed := range random.Seed(groups) {
		for number := range 10 {
			run, _ := evaluate(t, seed, number, change)
			s.add(&run)
		}
	}
	return s
}

// With MemGPT's own eviction, half of the window at once, more is written and less
// is read; a larger working context answers more from view.
func TestEvictingHalfTheWindow(t *testing.T) {
	const groups = 3
	sliding := groupsOf10(t, groups, nil)
	var last totals
	for _, entries := range []int{18, 40} {
		s := groupsOf10(t, groups, func(o *memgpt.Options) {
			*o = memgpt.Batch(o.Embedder, o.Judge, 0.5)
			o.Entries = entries
		})
		writes := float64(s.writes) / float64(s.conversations)
		t.Logf("%d entries: accuracy %.3f, calls %.3f, writes %.1f, tokens %.0f", entries, s.all.Accuracy(), s.all.CallsEach(), writes, s.all.TokensEach())
		if a := s.all.Accuracy(); a < 0.85 || a > 0.93 || writes < 55 || writes > 62 || s.all.TokensEach() > sliding.all.TokensEach()-500 || s.writes <= sliding.writes {
			t.Errorf("%d entries: %+v", entries, s)
		}
		if entries == 40 && (s.all.CallsEach() > last.all.CallsEach()-0.1 || s.all.Right <= last.all.Right) {
			t.Errorf("%+v, with 18 entries %+v", s.all, last.all)
		}
		last = s
	}
}

// Both languages are one world.
func TestLanguagesGiveTheSame(t *testing.T) {
	var scores []memory.Score
	for _, language := range toy.Languages() {
		w, err := toy.New(toy.DefaultParameters(), 5, 1, language)
		if err != nil {
			t.Fatal(err)
		}
		run, _ := evaluateWorld(t, w, nil)
		scores = append(scores, run.Score(dialogue.Kinds()...))
	}
	if !reflect.DeepEqual(scores[0], scores[1]) {
		t.Errorf("%+v, in Chinese %+v", scores[0], scores[1])
	}
}

// What was never said is searched for once, and then not answered.
func TestWhatWasNeverSaid(t *testing.T) {
	run, _ := evaluate(t, 0, 0, nil)
	if s := run.Score(dialogue.Never); s.Asked == 0 || s.Right != s.Asked || s.Calls != 2*s.Asked {
		t.Errorf("%+v", s)
	}
}
