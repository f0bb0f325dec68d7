package lesson_test

import (
	"strings"
	"testing"

	"memlab/pkg/lesson"
	"memlab/pkg/rollout"
	"memlab/pkg/table"
)

func rollouts(t testing.TB) rollout.Setup {
	t.Helper()
	s, err := rollout.DefaultSetup(engine(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSection12DrawsInBothLanguages(t *testing.T) {
	s := rollouts(t)
	g := &gallery{t: t}
	figure, tab := g.figure, g.table
	runs, err := lesson.PolicyRuns(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	figure(lesson.RolloutLengths(s, 0))
	figure(lesson.RunningFigure(s, 0, "Wait for all", "Ask for more, cut the tail"))
	for _, p := range rollout.Policies() {
		figure(lesson.ReplicaFigure(s, p.Name, 0))
	}
	figure(lesson.LongestFigure(s, 3, 1, 16))
	figure(lesson.PolicyFigure(runs))
	figure(lesson.HeavinessFigure(s, 2, 0.3, 0.9))
	tab(lesson.TailTable(s, 0))
	tab(lesson.PolicyTable(runs, s))
	tab(lesson.ExtraTable(s, 2, 0, 2))
	tab(lesson.BudgetTable(s, 2, 4000))
	tab(lesson.PrefixTable(engine(t), s))
	tab(lesson.RoomTable(s))
	g.inBothLanguages()
}

// The text of notebook 12 states these in words.
func TestWhatNotebook12Says(t *testing.T) {
	s := rollouts(t)
	says := func(ok bool, what string, args ...any) {
		t.Helper()
		if !ok {
			t.Errorf("the text says that "+what, args...)
		}
	}
	lengths, err := s.Draw(0)
	if err != nil {
		t.Fatal(err)
	}
	total, long, tokens, longTokens := 0, 0, 0, 0
	for _, answers := range lengths {
		for _, n := range answers {
			total, tokens = total+1, tokens+n
			if n > 8192 {
				long, longTokens = long+1, longTokens+n
			}
		}
	}
	says(near(float64(long)/float64(total), 0.07, 0.005) && float64(longTokens) > 0.25*float64(tokens), "7 in 100 answers hold more than a quarter of the tokens: %d of %d, %d of %d", long, total, longTokens, tokens)

	above, aboveTokens := 0, 0
	for _, answers := range lengths {
		for _, n := range answers {
			if n > 4096 {
				above, aboveTokens = above+1, aboveTokens+n
			}
		}
	}
	says(near(float64(above)/float64(total), 0.25, 0.01) && near(float64(aboveTokens)/float64(tokens), 0.6, 0.02), "a quarter of the answers hold three fifths of the tokens: %d, %d", above, aboveTokens)

	wait, err := rollout.Wait(s, lengths)
	if err != nil {
		t.Fatal(err)
	}
	says(wait.Ninety < wait.Generation/4, "nine tenths are done in less than a quarter of the time: %g of %g", wait.Ninety, wait.Generation)
	last := wait.Generation - wait.NinetyNine
	says(last > 0.45*wait.Generation && last < 0.5*wait.Generation, "the last hundredth takes nearly half: %g of %g", last, wait.Generation)
	waiting := 0
	for _, r := range wait.Replicas {
		if r.Waited > 1 {
			waiting++
		}
	}
	says(waiting == 7, "seven replicas wait: %d do", waiting)

	iteration := func(o rollout.Outcome) float64 { return o.Iteration }
	length := rollout.Outcome.MeanTrained
	runs, err := lesson.PolicyRuns(s, 20)
	if err != nil {
		t.Fatal(err)
	}
	all, overlap, gather, cut, on := runs[0], runs[1], runs[2], runs[3], runs[4]
	learning := all.Mean(func(o rollout.Outcome) float64 { return o.Iteration - o.Generation })
	says(near(all.Mean(iteration)-overlap.Mean(iteration), learning, 0.15*learning), "overlapping saves what scoring and training take")
	says(overlap.Mean(iteration)-gather.Mean(iteration) < 0.01*all.Mean(iteration), "gathering adds nothing to speak of")
	says(near(cut.Mean(iteration)/all.Mean(iteration), 2./3, 0.04), "cutting saves a third: %g of %g", cut.Mean(iteration), all.Mean(iteration))
	says(near(cut.Mean(length)/all.Mean(length), 0.75, 0.02), "what is kept is a quarter shorter")
	thrown := cut.Mean(func(o rollout.Outcome) float64 { return float64(o.Thrown) / float64(o.Generated) })
	says(near(thrown, 0.3, 0.03), "three tenths are thrown away: %g", thrown)
	speed := on.Mean(rollout.Outcome.TokensPerSecond) / all.Mean(rollout.Outcome.TokensPerSecond)
	says(near(speed, 2.5, 0.1), "going on is two and a half times as fast: %g", speed)
	stale := on.Mean(func(o rollout.Outcome) float64 { return float64(o.Stale) / float64(o.Trained) })
	says(near(stale, 0.75, 0.03), "three quarters are stale: %g", stale)

	short := s
	short.Samples, short.Lengths.Spread = 16, 0.5
	runs, err = lesson.PolicyRuns(short, 20)
	if err != nil {
		t.Fatal(err)
	}
	best := runs[2].Mean(iteration)
	says(best < runs[0].Mean(iteration) && best < runs[1].Mean(iteration)-5 && best < runs[3].Mean(iteration), "gathering is the best of those on policy")

	independent := s
	independent.Lengths.Prompt = 0
	alone, err := lesson.PolicyRuns(independent, 20)
	if err != nil {
		t.Fatal(err)
	}
	says(alone[3].Mean(iteration) < alone[0].Mean(iteration)/2, "with independent answers cutting takes less than half")

	even := s
	even.Lengths.Spread, even.Lengths.Median = 0.1, 2974
	runs, err = lesson.PolicyRuns(even, 10)
	if err != nil {
		t.Fatal(err)
	}
	says(runs[3].Mean(iteration) > runs[0].Mean(iteration), "asking for more is pure loss when all are alike")
	mean, err := s.Lengths.Mean()
	if err != nil {
		t.Fatal(err)
	}
	says(s.Room/(s.Lengths.Cap+s.PromptTokens) == 12 && s.Room/(int(mean)+s.PromptTokens) > 100, "a dozen fit, or a hundred")
}

func near(got, want, by float64) bool { return got > want-by && got < want+by }

func TestSection12RefusesWhatCannotBe(t *testing.T) {
	s := rollouts(t)
	broken := s
	broken.Lengths.Prompt = 1.2
	for want, err := range map[string]error{
		"prompt 1.2":           second(lesson.RolloutLengths(broken, 0)),
		"two seeds":            second(lesson.LongestFigure(s, 1, 1, 2)),
		"want two or more":     second(lesson.LongestFigure(s, 2, 1)),
		`policy "hope"`:        second(lesson.ReplicaFigure(s, "hope", 0)),
		"no policies":          second(lesson.RunningFigure(s, 0)),
		"no runs":              second(lesson.PolicyFigure(nil)),
		"0 outcomes":           second(lesson.PolicyTable([]lesson.Runs{{Name: "x"}}, s)),
		"spreads":              second(lesson.HeavinessFigure(s, 2, 1)),
		"no median":            second(lesson.HeavinessFigure(s, 2, 1, 9)),
		"extra -1":             second(lesson.ExtraTable(s, 2, -1)),
		"budget_tokens 0":      second(lesson.BudgetTable(s, 2, 0)),
		"no engine":            second(lesson.PrefixTable(nil, s)),
		"prompt 1.2:":          second(lesson.RoomTable(broken)),
		"prompt 1.2: bad":      second(lesson.TailTable(broken, 0)),
		"at least two seeds, ": second(lesson.PolicyRuns(s, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}

// A knob turned to its end still leaves numbers that say something: an iteration of a
// tenth of a second is not 0 s, and one of twenty minutes has its thousands parted.
func TestTimesOfExtremeRolloutsCanBeRead(t *testing.T) {
	first := func(x table.Table, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x.Rows[0]
	}
	for cap, unit := range map[int]string{1: " ms", 32_768: " s"} {
		s := rollouts(t)
		s.Lengths.Cap = cap
		if cap > 1 {
			s.Replicas, s.Lengths.Spread = 1, 5 // everything waits for the cap
		}
		after := first(lesson.TailTable(s, 0))[1]
		took := first(lesson.ExtraTable(s, 2, 0))[2]
		for _, text := range []string{after, took} {
			if !strings.HasSuffix(text, unit) && !strings.HasSuffix(text, " 0 s") || strings.HasPrefix(text, "0 ") {
				t.Errorf("cap %d: %q, want a time in%s", cap, text, unit)
			}
		}
		if cap > 1 && !strings.Contains(took, ",") {
			t.Errorf("cap %d: %q, want thousands parted", cap, took)
		}
	}
}
