package playbook

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/claims"
	"memlab/pkg/playbook/toy"
	"memlab/pkg/serving"
)

// curve runs learners over some seeds, by name.
func curve(t *testing.T, learners []Learner) ([]Point, map[string]Point) {
	t.Helper()
	points, err := Curve(8, learners...)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]Point{}
	for _, p := range points {
		if _, taken := named[p.Learner.Name]; taken {
			t.Fatalf("two learners are called %q", p.Learner.Name)
		}
		named[p.Learner.Name] = p
		t.Logf("%-32s accuracy %.3f (%.3f to %.3f), online %.3f, %.0f bullets, %.0f tokens, joined %.1f (in error %.1f), dropped %.1f, refused %.1f, collapses %.1f, reuse %.3f",
			p.Learner.Name, p.Accuracy.Mean, p.Accuracy.Low, p.Accuracy.High, p.Online.Mean, p.Bullets.Mean, p.Tokens.Mean,
			p.Joined.Mean, p.Misjoined.Mean, p.Dropped.Mean, p.Refused.Mean, p.Collapses.Mean, p.Reuse.Mean)
	}
	return points, named
}

// more fails unless a is better than b, seed by seed, with 95% confidence.
func more(t *testing.T, a, b Point) {
	t.Helper()
	d, err := a.Over(b)
	if err != nil {
		t.Fatal(err)
	}
	if d.Low <= 0 {
		t.Errorf("%q over %q: %.3f (%.3f to %.3f)", a.Learner.Name, b.Learner.Name, d.Mean, d.Low, d.High)
	}
}

func TestBrevityCostsAccuracyAndLeavesOneAdviceForAKind(t *testing.T) {
	t.Parallel()
	points, _ := curve(t, Brevity())
	for i := 1; i < len(points); i++ {
		more(t, points[i-1], points[i])
	}
	last := points[len(points)-1]
	if last.Bullets.Mean > float64(last.Learner.World.Kinds) || last.Gain.Mean > last.Learner.World.Generic+1e-9 {
		t.Errorf("%+v", last)
	}
}

// The mechanism alone makes the difference: a rewriter that is always faithful
// learns as much as the playbook.
func TestCollapseComesFromCompression(t *testing.T) {
	t.Parallel()
	_, by := curve(t, Collapse())
	ace, faithful, none := by["ACE"], by["sheet, always faithful"], by["no memory"]
	if d, err := ace.Over(faithful); err != nil || d.High < 0 || d.Low > 0.02 || faithful.Collapses.Mean > 0 || ace.Collapses.Mean > 0 {
		t.Errorf("%+v %v", d, err)
	}
	for _, name := range []string{"sheet, faithful to 250 tokens", "sheet, faithful to 1000 tokens", "sheet, faithful to 2000 tokens"} {
		more(t, ace, by[name])
		if by[name].Collapses.Low < 1 {
			t.Errorf("%s: %+v", name, by[name].Collapses)
		}
	}
	if none.Gain.Mean != 0 || none.Tokens.Mean != 0 {
		t.Errorf("%+v", none)
	}
	more(t, ace, none)
}

// As in the paper's figure: right before its first collapse the sheet is better
// than no context, right after it worse, with a few tokens left.
func TestACollapseFallsBelowNoContext(t *testing.T) {
	t.Parallel()
	l := DefaultLearner()
	l.Memory = Cheatsheet
	paper, err := Quoted("collapse")
	if err != nil || len(paper) != 5 {
		t.Fatal(paper, err)
	}
	value := map[string]float64{}
	for _, p := range paper {
		value[p.Item] = p.Value
	}
	ours := func(f Fall) []float64 {
		return []float64{float64(f.Before.Tokens), f.Before.Accuracy, float64(f.After.Tokens), f.After.Accuracy, f.Unadapted}
	}
	theirs := []float64{value["context at step 60"], value["accuracy at step 60"], value["context after the rewrite"], value["accuracy after the rewrite"], value["accuracy without adaptation"]}
	order := func(x []float64) bool { return x[2] < x[0]/2 && x[1] > x[4] && x[3] < x[4] }
	if !order(theirs) {
		t.Errorf("the paper: %v", theirs)
	}
	for seed := range 8 {
		c, err := Learn(l, seed)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := c.FirstFall()
		if !ok || !order(ours(f)) {
			t.Errorf("seed %d: %v %+v", seed, ok, f)
		}
	}
	stages, err := Series(6, l)
	if err != nil || len(stages) != l.Tasks || stages[0].Tokens.High <= 0 {
		t.Error(err)
	}
}

func TestATruncatedSheetThatIsAcceptedCostsAccuracy(t *testing.T) {
	t.Parallel()
	_, by := curve(t, Truncation())
	for _, p := range []string{"0.02", "0.05", "0.1"} {
		refused, accepted := by[p+" broken off, refused"], by[p+" broken off, accepted"]
		more(t, refused, accepted)
		if refused.Refused.Mean == 0 || accepted.Refused.Mean > 0 || accepted.Tokens.High > refused.Tokens.Low {
			t.Errorf("%s: %+v %+v", p, refused, accepted)
		}
	}
	if d, err := by["0 broken off, refused"].Over(by["0 broken off, accepted"]); err != nil || d.Mean != 0 {
		t.Error(d, err)
	}
}

func TestReflectionAndEpochsHelp(t *testing.T) {
	t.Parallel()
	points, _ := curve(t, Reflection())
	for i := 1; i < len(points); i++ {
		more(t, points[i], points[i-1])
	}
	points, _ = curve(t, Epochs())
	for i := 1; i < len(points); i++ {
		more(t, points[i], points[i-1])
	}
	_, by := curve(t, Ablation())
	more(t, by["reflector and epochs"], by["reflector alone"])
	more(t, by["reflector and epochs"], by["epochs alone"])
	more(t, by["reflector alone"], by["neither"])
	more(t, by["epochs alone"], by["neither"])
}

// Better feedback, better playbook; and from some error on, worse than none.
func TestBadFeedbackPollutes(t *testing.T) {
	t.Parallel()
	labels, _ := curve(t, Pollution(toy.Labels))
	execution, _ := curve(t, Pollution(toy.Execution))
	for i := range labels {
		more(t, labels[i], execution[i])
		if i > 0 {
			more(t, labels[i-1], labels[i])
			more(t, execution[i-1], execution[i])
		}
	}
	if labels[0].Gain.Low < 0.3 || execution[0].Gain.Low < 0 || labels[len(labels)-1].Gain.High > 0 || execution[len(execution)-1].Gain.High > -0.1 {
		t.Errorf("gains: labels %+v to %+v, execution %+v to %+v", labels[0].Gain, labels[len(labels)-1].Gain, execution[0].Gain, execution[len(execution)-1].Gain)
	}
}

// At 0.9 only paraphrases are joined, and nothing is lost; a low threshold joins
// what is about different things.
func TestDedupThresholds(t *testing.T) {
	t.Parallel()
	_, by := curve(t, Thresholds())
	never, nine, half := by["never joined"], by["joined from cosine 0.9"], by["joined from cosine 0.5"]
	if d, err := nine.Over(never); err != nil || d.Mean < -0.002 || nine.Misjoined.Mean > 0 || nine.Joined.Low < 5 || nine.Tokens.High > never.Tokens.Low {
		t.Errorf("%+v %v %+v", d, err, nine)
	}
	more(t, never, half)
	if half.Misjoined.Low < 50 {
		t.Errorf("%+v", half)
	}
}

// The less room, the worse; deduplication before the cut saves some of it.
func TestBudgetsCostAccuracy(t *testing.T) {
	t.Parallel()
	points, by := curve(t, Budgets())
	for _, p := range points {
		room := float64(p.Learner.Budget.Tokens - p.Learner.System - p.Learner.World.Task)
		if p.Tokens.Mean > room {
			t.Errorf("%s: %g tokens", p.Learner.Name, p.Tokens.Mean)
		}
	}
	for i := 1; i < 4; i++ {
		more(t, points[i], points[i-1])
		more(t, points[4+i], points[4+i-1])
	}
	more(t, by["room for 2000 tokens, joined first"], by["room for 2000 tokens"])
}

// The learner's own prompts: the order of the lecture, whatever the numbers.
func TestReuseOfTheLearnersPrompts(t *testing.T) {
	t.Parallel()
	_, by := curve(t, Kept())
	reuse := func(name string) claims.Mean {
		p, ok := by[name]
		if !ok {
			t.Fatalf("no %q", name)
		}
		return p.Reuse
	}
	for _, pair := range [][2]string{
		{"append", "grouped by section"}, {"append", "counters"}, {"append", "dedup every 50"}, {"dedup every 50", "grouped by section"},
		{"grouped by section", "counters"}, {"counters", "rewrite"},
	} {
		if a, b := reuse(pair[0]), reuse(pair[1]); a.Low <= b.High {
			t.Errorf("%v: %+v, %+v", pair, a, b)
		}
	}
}

func TestALearnerIsTheSameTwiceAndAnotherWithAnotherSeed(t *testing.T) {
	for _, memory := range []Memory{Playbook, Cheatsheet, Nothing} {
		l := DefaultLearner()
		l.Memory, l.DedupEvery = memory, 10
		run := func(seed int) (*Course, serving.Replay) {
			c, err := Learn(l, seed)
			if err != nil {
				t.Fatal(err)
			}
			r, err := c.Ledger.Replay(serving.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return c, r
		}
		a, x := run(1)
		b, y := run(1)
		c, _ := run(2)
		if d := cmp.Diff(a.Moments, b.Moments); d != "" || a.Text() != b.Text() || !cmp.Equal(x.Calls, y.Calls) || a.Problems > 0 {
			t.Errorf("%s: one seed, two courses: %s", memory, d)
		}
		if a.Online == c.Online && cmp.Equal(a.Moments, c.Moments) {
			t.Errorf("%s: two seeds, one course", memory)
		}
	}
}

func TestBadLearnersAreNamed(t *testing.T) {
	for want, change := range map[string]func(*Learner){
		"tasks 0":                         func(l *Learner) { l.Tasks = 0 },
		"epochs 0":                        func(l *Learner) { l.Epochs = 0 },
		`memory "paper"`:                  func(l *Learner) { l.Memory = "paper" },
		"base 3":                          func(l *Learner) { l.World.Base = 3 },
		`signal "none"`:                   func(l *Learner) { l.Feedback.Signal = "none" },
		"threshold 2":                     func(l *Learner) { l.DedupEvery, l.Threshold = 1, 2 },
		"of which 800 are not":            func(l *Learner) { l.Budget.Tokens = 700 },
		"system_tokens 0: want 1 or more": func(l *Learner) { l.System = 0 },
	} {
		l := DefaultLearner()
		change(&l)
		if _, err := Learn(l, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := Curve(1, l); err == nil {
			t.Error("no error")
		}
	}
	for _, err := range []error{
		func() error { _, err := Curve(0, DefaultLearner()); return err }(),
		func() error { _, err := Series(0, DefaultLearner()); return err }(),
		func() error { _, err := Costs(DefaultParameters(), 0); return err }(),
		func() error { _, err := Quoted("nothing"); return err }(),
		func() error { _, err := Point{}.Over(Point{}); return err }(),
		func() error { _, err := Learn(DefaultLearner(), -1); return err }(),
	} {
		if !errors.Is(err, ErrParameter) {
			t.Error(err)
		}
	}
}

func BenchmarkLearn(b *testing.B) {
	for _, every := range []int{0, 1} {
		for _, memory := range []Memory{Playbook, Cheatsheet} {
			l := DefaultLearner()
			l.Memory, l.DedupEvery = memory, every
			b.Run(string(memory)+map[int]string{0: "", 1: " dedup each"}[every], func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					c, err := Learn(l, i%10)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := c.Figures(1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
