package rollout

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"memlab/pkg/costmodel"
	"memlab/pkg/random"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func engine(t testing.TB, model string) *costmodel.Engine {
	t.Helper()
	m, err := costmodel.ModelByName(model)
	if err != nil {
		t.Fatal(err)
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		t.Fatal(err)
	}
	e, err := costmodel.NewEngine(m, g, costmodel.DefaultParams())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func setup(t testing.TB) Setup {
	t.Helper()
	s, err := DefaultSetup(engine(t, "llama-3-8b"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func anySetup(t *rapid.T) Setup {
	s := Setup{
		Prompts: rapid.IntRange(1, 7).Draw(t, "prompts"), Samples: rapid.IntRange(1, 5).Draw(t, "samples"),
		Replicas: rapid.IntRange(1, 5).Draw(t, "replicas"), Slots: rapid.IntRange(1, 40).Draw(t, "slots"),
		PromptTokens: rapid.IntRange(0, 20).Draw(t, "prompt"), SharedPrefix: rapid.Bool().Draw(t, "shared"),
		Lengths: Lengths{Shape: Pareto, Median: 30, Spread: 0.8, Prompt: 0.3, Cap: 400},
		Speed:   anySpeed(t), Score: dyadic(50).Draw(t, "score"), Train: dyadic(100).Draw(t, "train"), Move: dyadic(2).Draw(t, "move"),
	}
	s.Speed.PrefillToken = dyadic(10).Draw(t, "prefill")
	return s
}

func draw(t *rapid.T, s Setup, extra int) [][]int {
	s.Samples += extra
	lengths, err := s.Draw(random.Seed(rapid.Uint64().Draw(t, "seed")))
	if err != nil {
		t.Fatal(err)
	}
	return lengths
}

func tokens(lengths [][]int) (n int) {
	for _, answers := range lengths {
		for _, k := range answers {
			n += k
		}
	}
	return n
}

// What holds of every outcome: replicas are busy or idle, a token is trained on
// or thrown away, and the times are in order.
func balanced(t *rapid.T, s Setup, o Outcome) {
	t.Helper()
	if whole := float64(s.Replicas) * o.Iteration; math.Abs(o.Busy+o.Idle-whole) > 1e-8*(1+whole) || o.Idle < 0 || o.Waiting < -1e-8 || o.Waiting > o.Idle+1e-8*(1+whole) {
		t.Fatalf("busy %g + idle %g (%g of it waiting) is not %d replicas x %g", o.Busy, o.Idle, o.Waiting, s.Replicas, o.Iteration)
	}
	spans := 0.0
	for _, r := range o.Replicas {
		spans += r.Many + r.Few + r.Waited + r.Learn
	}
	if o.Iterations == 1 && math.Abs(spans-o.Busy-o.Idle) > 1e-8*(1+spans) {
		t.Fatalf("the spans add up to %g, busy and idle to %g", spans, o.Busy+o.Idle)
	}
	if !(o.Half <= o.Ninety && o.Ninety <= o.NinetyNine && o.NinetyNine <= o.Generation && o.Generation <= o.Iteration+1e-9) {
		t.Fatalf("times out of order: %g, %g, %g, %g, %g", o.Half, o.Ninety, o.NinetyNine, o.Generation, o.Iteration)
	}
}

func TestEveryTokenIsGeneratedOnceUnderEveryPolicy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		lengths := draw(t, s, 0)
		stages := Stages(rapid.IntRange(0, 2).Draw(t, "stages"))
		wait, err := Wait(s, lengths)
		if err != nil {
			t.Fatal(err)
		}
		overlap, err := Overlap(s, lengths, stages)
		if err != nil {
			t.Fatal(err)
		}
		g := Gathering{Left: rapid.Float64Range(0, 1).Draw(t, "left"), Onto: rapid.IntRange(1, s.Replicas).Draw(t, "onto")}
		gather, err := Gather(s, lengths, stages, g)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Outcome{wait, overlap, gather} {
			balanced(t, s, o)
			if n := tokens(lengths); o.Generated != n || o.Trained != n || o.Thrown != 0 || o.Samples != s.Prompts*s.Samples {
				t.Fatalf("%d tokens generated, %d trained on, %d samples; there are %d and %d", o.Generated, o.Trained, o.Samples, n, s.Prompts*s.Samples)
			}
		}
		if overlap.Iteration > wait.Iteration*(1+1e-12) || overlap.Generation != wait.Generation {
			t.Fatalf("overlapping takes %g, waiting %g", overlap.Iteration, wait.Iteration)
		}
		best, _, err := BestGather(s, lengths, stages)
		if err != nil || best.Iteration > overlap.Iteration {
			t.Fatalf("the best gathering takes %g (%v), none takes %g", best.Iteration, err, overlap.Iteration)
		}
	})
}

// Where a step takes the same time whatever is in the batch, moving costs
// nothing and slots are free, gathering delays no answer, and so it is never
// later than to wait.
func TestGatheringForNothingIsNeverLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		s.Speed = Speed{Weights: s.Speed.Weights + 1./1024}
		s.Move, s.Slots = 0, 1000
		lengths := draw(t, s, 0)
		wait, err := Wait(s, lengths)
		if err != nil {
			t.Fatal(err)
		}
		g := Gathering{Left: rapid.Float64Range(0, 1).Draw(t, "left"), Onto: rapid.IntRange(1, s.Replicas).Draw(t, "onto")}
		stages := Stages(rapid.IntRange(0, 2).Draw(t, "stages"))
		gather, err := Gather(s, lengths, stages, g)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(gather.Done, wait.Done) || gather.Iteration > wait.Iteration*(1+1e-12) {
			t.Fatalf("gathering takes %g, waiting %g; answers done %v and %v", gather.Iteration, wait.Iteration, gather.Done, wait.Done)
		}
	})
}

func TestCuttingTheTailKeepsTheFirstDoneAndCountsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		extra := rapid.IntRange(0, 3).Draw(t, "extra")
		lengths := draw(t, s, extra)
		o, err := CutTail(s, lengths, extra)
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, s, o)
		if o.Samples != s.Prompts*s.Samples || o.Trained+o.Thrown != o.Generated || o.Generated > tokens(lengths) {
			t.Fatalf("%d samples, %d tokens = %d + %d thrown away of %d", o.Samples, o.Generated, o.Trained, o.Thrown, tokens(lengths))
		}
		if s.Slots < 1000 {
			s.Slots = 1000 // all begin together, apart from their prefill
		}
		s.Speed.PrefillToken = 0
		if o, err = CutTail(s, lengths, extra); err != nil {
			t.Fatal(err)
		}
		// Then those kept are the shortest of each prompt, and the others are
		// broken off at the length of the longest of these.
		trained, generated := 0, 0
		for _, answers := range lengths {
			a := slices.Sorted(slices.Values(answers))
			for i, n := range a {
				if i < s.Samples {
					trained += n
				}
				generated += min(n, a[s.Samples-1])
			}
		}
		if o.Trained != trained || o.Generated != generated {
			t.Fatalf("%d of %d tokens kept, want %d of %d", o.Trained, o.Generated, trained, generated)
		}
	})
}

func TestGoingOnNextTimeLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		cut := Cut{Budget: rapid.IntRange(20, 500).Draw(t, "budget"), Iterations: rapid.IntRange(1, 4).Draw(t, "iterations")}
		seed := random.Seed(rapid.Uint64().Draw(t, "seed"))
		o, err := Continue(s, seed, cut)
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, s, o)
		if cut.Budget >= s.Lengths.Cap && (o.Stale != 0 || o.Recomputed != 0 || o.Generated != o.Trained) {
			t.Fatalf("nothing is cut, and %d tokens are stale, %d of context computed again", o.Stale, o.Recomputed)
		}
		if o.Stale > o.Trained {
			t.Fatalf("%d of %d tokens are stale", o.Stale, o.Trained)
		}
		// Run from the first iteration on until nothing is open: what was drawn
		// is what was trained on, answer by answer.
		lengths := draw(t, s, 0)
		var open []answers
		for _, l := range lengths {
			open = append(open, answers{0, l, make([]int, len(l))})
		}
		trained, generated, stale, rounds := 0, 0, 0, 0
		for ; len(open) > 0; rounds++ {
			var o Outcome
			if o, open, err = s.round(open, rounds, cut.Budget); err != nil {
				t.Fatal(err)
			}
			trained, generated, stale = trained+o.Trained, generated+o.Generated, stale+o.Stale
		}
		want := 0 // tokens of earlier iterations than the last of each prompt
		for _, l := range lengths {
			last := (slices.Max(l) - 1) / cut.Budget
			for _, n := range l {
				want += min(n, last*cut.Budget)
			}
		}
		if trained != tokens(lengths) || generated != trained || stale != want {
			t.Fatalf("%d trained, %d generated of %d; %d stale, want %d", trained, generated, tokens(lengths), stale, want)
		}
	})
}

// All answers alike: every replica does the same number of steps with the same
// batch, nobody waits, and the time is an arithmetic series.
func TestEqualLengthsInClosedForm(t *testing.T) {
	s := setup(t)
	s.Lengths.Spread = 0
	lengths, err := s.Draw(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Wait(s, lengths)
	if err != nil {
		t.Fatal(err)
	}
	batch, n := float64(s.Prompts*s.Samples/s.Replicas), s.Lengths.Median
	context := batch * (float64(s.PromptTokens) + (n-1)/2) // mean over the steps; memory decides throughout
	want := n*(s.Speed.Weights+s.Speed.KV*context+s.Speed.Fixed) + 8*s.Speed.Prefill(s.PromptTokens)
	if math.Abs(o.Generation-want) > 1e-9*want || o.Idle != 0 || o.Half != o.NinetyNine {
		t.Errorf("generation takes %g and %g idle, want %g and 0", o.Generation, o.Idle, want)
	}
	if learned := o.Iteration - o.Generation; math.Abs(learned-512*n*(s.Score+s.Train)/8) > 1e-9 {
		t.Errorf("scoring and training take %g", learned)
	}
}

// Tasks by hand. Replica 0 is free at 0, replica 1 at 4; 6 s of work come at 1
// and 2 s at 8. Of the six, replica 0 does three alone until 4, and both the
// other three until 5.5; from 8 on each does one.
func TestLearningByHand(t *testing.T) {
	end, worked := learn([]float64{0, 4}, []task{{8, 2}, {1, 6}})
	if end != 9 || !slices.Equal(worked, []float64{5.5, 2.5}) {
		t.Errorf("end %g, worked %v: want 9 and 5.5, 2.5", end, worked)
	}
}

func TestSpeedIsTheEngines(t *testing.T) {
	e := engine(t, "llama-3-8b")
	s, err := SpeedOf(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]int{{1, 1}, {64, 3000}, {256, 100}, {3, 100_000}} {
		want, err := e.DecodeStep(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Step(c[0], c[0]*c[1]); math.Abs(got-float64(want.Time)) > 1e-9*got {
			t.Errorf("a step of %v takes %g, the engine says %g", c, got, want.Time)
		}
	}
	want, err := e.Prefill(0, 5000)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Prefill(5000) + s.Fixed; math.Abs(got-float64(want.Time)) > 1e-9*got {
		t.Errorf("a prompt of 5000 takes %g, the engine says %g", got, want.Time)
	}
	if _, err := SpeedOf(nil); err == nil {
		t.Error("no engine is accepted")
	}
}

func TestWhatTheRoomDoesNotHoldIsWarnedOf(t *testing.T) {
	s := setup(t)
	s.Room = 10_000
	lengths, err := s.Draw(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Wait(s, lengths)
	if err != nil || len(o.Warnings) != 1 || !contains(o.Warnings[0], "room for 10000") {
		t.Errorf("warnings %v, %v", o.Warnings, err)
	}
}

func TestSameSeedSameOutcomeAndAnotherSeedAnother(t *testing.T) {
	for _, p := range Policies() {
		a, err := p.Run(setup(t), 5)
		if err != nil {
			t.Fatal(err)
		}
		b, err := p.Run(setup(t), 5)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Run(setup(t), 6)
		if err != nil {
			t.Fatal(err)
		}
		if a.Iteration != b.Iteration || a.Busy != b.Busy || !slices.Equal(a.Done, b.Done) || a.Iteration == c.Iteration {
			t.Errorf("%s: %g, again %g, another seed %g", p.Name, a.Iteration, b.Iteration, c.Iteration)
		}
	}
}

func TestImpossibleSetupsAreRefused(t *testing.T) {
	good := setup(t)
	for want, change := range map[string]func(*Setup){
		"prompts":                 func(s *Setup) { s.Prompts = 0 },
		"samples":                 func(s *Setup) { s.Samples = -1 },
		"replicas":                func(s *Setup) { s.Replicas = 0 },
		"replicas 65537":          func(s *Setup) { s.Replicas = 1<<16 + 1 },
		"slots":                   func(s *Setup) { s.Slots = 0 },
		"room_tokens":             func(s *Setup) { s.Room = -1 },
		"prompt_tokens":           func(s *Setup) { s.PromptTokens = -1 },
		"score_seconds_per_token": func(s *Setup) { s.Score = math.NaN() },
		"train_seconds_per_token": func(s *Setup) { s.Train = -1 },
		"move_seconds_per_token":  func(s *Setup) { s.Move = math.Inf(1) },
		"kv_seconds":              func(s *Setup) { s.Speed.KV = -1 },
		"speed":                   func(s *Setup) { s.Speed = Speed{KV: 1} },
		"spread":                  func(s *Setup) { s.Lengths.Spread = -1 },
	} {
		s := good
		change(&s)
		for _, p := range Policies() {
			_, err := p.Run(s, 0)
			refused(t, want, err)
		}
	}
	lengths, err := good.Draw(0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Wait(good, lengths[:3])
	refused(t, "lengths of 3 prompts", err)
	_, err = CutTail(good, lengths, 1)
	refused(t, "lengths of prompt 0 for 8 answers", err)
	_, err = CutTail(good, lengths, -1)
	refused(t, "extra", err)
	_, err = Overlap(good, lengths, 7)
	refused(t, "stages", err)
	_, err = Gather(good, lengths, Scoring, Gathering{Left: 2, Onto: 1})
	refused(t, "left", err)
	_, err = Gather(good, lengths, Scoring, Gathering{Left: 0.1, Onto: 9})
	refused(t, "onto", err)
	_, err = Continue(good, 0, Cut{Iterations: 1})
	refused(t, "budget_tokens", err)
	_, err = Continue(good, 0, Cut{Budget: 1, Iterations: 1})
	refused(t, "budget_tokens 1: bad value: want at least 1/1000 of the cap", err)
	_, err = Continue(good, 0, Cut{Budget: 40_000, Iterations: 1 << 25})
	refused(t, "iterations", err)
	_, err = Continue(good, 0, Cut{Budget: 1000})
	refused(t, "iterations", err)
	lengths[2][1] = 0
	_, err = Wait(good, lengths)
	refused(t, "length of answer 1 to prompt 2", err)
	_, err = ByName("hope")
	if err == nil || !contains(err.Error(), "Wait for all") {
		t.Errorf("an unknown policy: %v", err)
	}
	_, err = SpeedOf(mixture(t))
	refused(t, "model", err)
}

// mixture is an engine whose step reads more weights the larger the batch is.
func mixture(t *testing.T) *costmodel.Engine {
	t.Helper()
	m, err := costmodel.ModelByName("mixtral-8x7b")
	if err != nil {
		t.Fatal(err)
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		t.Fatal(err)
	}
	p := costmodel.DefaultParams()
	p.TensorParallel = 2
	e, err := costmodel.NewEngine(m, g, p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// One step a second, two replicas, lengths 10 and 20, 10 and 60.
//
// Scoring at a second per token: replica 0 is free at 20 and has 10 + 10 tokens to
// score by then and 20 more, which takes it to 60; then two score 60 tokens in 30 s.
//
// Training at a second per token: the first prompt is whole at 20, its 30 tokens take
// replica 0 to 50; ten seconds later the second is whole, and takes two replicas 35 s.
//
// Gathered when half of the answers are left, at 10 s: the last answer leaves
// replica 1 with 10 tokens of KV, 5 s under way, and ends at 15 + 50. Replica 1
// scores 20 tokens until 30, then 20 until 50, and waits for 15 s; 30 s follow.
func TestStagesAndGatheringByHand(t *testing.T) {
	s := Setup{Prompts: 2, Samples: 2, Replicas: 2, Slots: 9, Lengths: Lengths{Shape: Lognormal, Median: 10, Cap: 99}, Speed: Speed{Fixed: 1}}
	lengths := [][]int{{10, 20}, {10, 60}}
	scoring, training := s, s
	scoring.Score, training.Train, scoring.Move = 1, 1, 0.5
	for name, c := range map[string]struct {
		run                         func() (Outcome, error)
		generation, iteration, idle float64
		moved                       int
	}{
		"wait":             {func() (Outcome, error) { return Wait(scoring, lengths) }, 60, 110, 40, 0},
		"overlap scoring":  {func() (Outcome, error) { return Overlap(scoring, lengths, Scoring) }, 60, 90, 0, 0},
		"overlap training": {func() (Outcome, error) { return Overlap(training, lengths, Training) }, 60, 95, 10, 0},
		"gather":           {func() (Outcome, error) { return Gather(scoring, lengths, Scoring, Gathering{Left: 0.5, Onto: 1}) }, 65, 95, 15, 10},
	} {
		o, err := c.run()
		if err != nil || o.Generation != c.generation || o.Iteration != c.iteration || o.Idle != c.idle || o.Moved != c.moved {
			t.Errorf("%s: %g, %g, %g idle, %d moved (%v): want %g, %g, %g, %d", name, o.Generation, o.Iteration, o.Idle, o.Moved, err, c.generation, c.iteration, c.idle, c.moved)
		}
	}
}
