package cartridge

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"memlab/pkg/claims"
	"memlab/pkg/claims/claimstest"
)

func ok[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// tiny is the whole lab in some tenths of a second. Its numbers mean nothing.
func tiny() Parameters {
	p := DefaultParameters()
	p.Facts, p.Dims, p.Slots, p.FewSlots = 48, 24, 12, 6
	p.Steps, p.EarlySteps, p.LateSteps, p.LongSteps = 60, 20, 90, 80
	p.LongFacts, p.Window, p.LongSlots = 96, 24, 24
	p.TruncatedSlots = []int{1, 3, 6, 12, 24, 48}
	p.Batch, p.Rate = 16, 0.01
	return p
}

func TestExperimentsYieldEveryRowOfTheirSections(t *testing.T) {
	rows := ok(claims.Rows())
	registry := ok(claims.NewRegistry(rows, Experiments()...))
	n := 0
	for _, r := range rows {
		if r.Basis == "quoted" || r.Section != "4.5" && r.Section != "10.6" {
			continue
		}
		n++
		if _, found := registry.Of(r.ID); !found {
			t.Errorf("%s is not computed", r.ID)
		}
	}
	if n != 25 {
		t.Errorf("%d rows in 4.5 and 10.6, want 25", n)
	}
}

func TestTheSameSeedGivesTheSameValues(t *testing.T) {
	for _, e := range New(tiny()) {
		a, b, other := ok(e.Run(1)), ok(e.Run(1)), ok(e.Run(2))
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: seed 1 gives\n%v and\n%v", e.Name, a, b)
		}
		if reflect.DeepEqual(a, other) {
			t.Errorf("%s: seeds 1 and 2 give the same", e.Name)
		}
		if len(a) != len(e.Yields) {
			t.Errorf("%s: %d values of %d rows", e.Name, len(a), len(e.Yields))
		}
		for id, v := range a {
			for _, x := range slices.Concat(v.Parts, v.Beside) {
				if math.IsNaN(x) {
					t.Errorf("%s: %s is NaN", e.Name, id)
				}
			}
		}
	}
}

// What needs no training holds at full size and is cheap.
func TestBaselinesAreReproduced(t *testing.T) {
	rows := ok(claims.Rows())
	registry := ok(claims.NewRegistry(rows, Experiments()[0]))
	for _, j := range ok(claims.JudgeAll(rows, ok(registry.Run(4)))) {
		if _, found := registry.Of(j.ID); found && j.Verdict != claims.Reproduced {
			t.Errorf("%s: %s: %s", j.ID, j.Verdict, j.Reason)
		}
	}
}

// The rows that test parameters are as sensitive as the parameters' comments say.
func TestWrongParametersTurnBaselinesRed(t *testing.T) {
	const seeds = 2
	right := claimstest.Judged(t, Experiments()[0], seeds)
	for name, c := range map[string]struct {
		change func(*Parameters)
		red    []string
	}{
		"questions closer to the text": {func(p *Parameters) { p.Distance = 0.15 }, []string{"rephrase-cosine"}},
		"half the beta":                {func(p *Parameters) { p.Beta = 10 }, []string{"logit-own", "logit-other", "logit-random-init"}},
		"a wider window":               {func(p *Parameters) { p.Window = 1024 }, []string{"chunked-icl"}},
		"more slots":                   {func(p *Parameters) { p.Slots = 128 }, []string{"compose-icl-truncated"}},
		"32 dimensions":                {func(p *Parameters) { p.Dims = 32 }, []string{"linear-memory-tokens", "linear-sum"}},
	} {
		p := DefaultParameters()
		c.change(&p)
		t.Run(name, func(t *testing.T) { claimstest.Red(t, right, claimstest.Judged(t, New(p)[0], seeds), c.red...) })
	}
}

func TestImpossibleParametersAreErrors(t *testing.T) {
	for name, change := range map[string]func(*Parameters){
		"p above N":     func(p *Parameters) { p.Slots = 1000 },
		"p = 0":         func(p *Parameters) { p.FewSlots = 0 },
		"window":        func(p *Parameters) { p.Window = 5000 },
		"truncated":     func(p *Parameters) { p.TruncatedSlots = []int{0} },
		"rate":          func(p *Parameters) { p.Rate = math.NaN() },
		"gamma":         func(p *Parameters) { p.Gamma = -1 },
		"steps":         func(p *Parameters) { p.Steps = p.LateSteps + 1 },
		"steps of long": func(p *Parameters) { p.LongSteps = 10 },
	} {
		p := DefaultParameters()
		change(&p)
		for _, e := range New(p) {
			if _, err := e.Run(0); !errors.Is(err, ErrParameter) {
				t.Errorf("%s: %s: %v", name, e.Name, err)
			}
		}
	}
	if _, err := New(tiny())[0].Run(-1); !errors.Is(err, ErrParameter) {
		t.Errorf("seed -1: %v", err)
	}
	p := tiny()
	p.FewSlots = 1000
	for name, do := range curves(p) {
		if _, err := do(context.Background()); !errors.Is(err, ErrParameter) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// curves are all of them, small.
func curves(p Parameters) map[string]func(context.Context) (any, error) {
	return map[string]func(context.Context) (any, error){
		"over slots":  func(ctx context.Context) (any, error) { return OverSlots(ctx, p, 1, []int{4, 12}) },
		"over steps":  func(ctx context.Context) (any, error) { return OverSteps(ctx, p, 1, 12, []int{0, 30, 60}) },
		"leaks":       func(ctx context.Context) (any, error) { return Leaks(ctx, p, 1, []int{6, 12}) },
		"slots":       func(ctx context.Context) (any, error) { return Slots(ctx, p, 1, 12) },
		"sensitivity": func(ctx context.Context) (any, error) { return Sensitivity(ctx, p, 1, []float64{5, 20}, []float64{10}) },
		"jointly":     func(ctx context.Context) (any, error) { return Jointly(ctx, p, 1, []int{0, 30}) },
		"distances":   func(ctx context.Context) (any, error) { return Distances(ctx, p, 1, 12, []float64{0, 0.5}) },
		"kinds":       func(ctx context.Context) (any, error) { return Kinds(ctx, p, 1, 12) },
		"low rank":    func(ctx context.Context) (any, error) { return LowRank(ctx, p, 1, []int{6, 12}) },
	}
}

func TestCurvesAreDeterministicAndCanBeCancelled(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for name, do := range curves(tiny()) {
		a, b := ok(do(context.Background())), ok(do(context.Background()))
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v and then %+v", name, a, b)
		}
		t.Logf("%s: %+v", name, a)
		if _, err := do(done); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", name, err)
		}
	}
}

func TestCurvesSayWhatTheyShould(t *testing.T) {
	ctx, p := context.Background(), tiny()
	p.Steps = 300
	p.LateSteps, p.LongSteps = 300, 300
	over := ok(OverSlots(ctx, p, 1, []int{4, 12, 48}))
	if last := over[2]; last.Truncated != last.ICL || last.SelfStudy < 0.9*last.ICL {
		t.Errorf("with all facts: %+v", last)
	}
	if !(over[0].SelfStudy < over[1].SelfStudy && over[1].Truncated < over[1].SelfStudy) || over[1].HardLabels == over[1].SelfStudy {
		t.Errorf("more slots, or training, do not help: %+v", over)
	}
	steps := ok(OverSteps(ctx, p, 1, 12, []int{0, 300}))
	if steps[0].SelfStudy != over[1].Truncated || steps[1].SelfStudy != over[1].SelfStudy || steps[1].MemorizeOriginal != over[1].MemorizeOriginal {
		t.Errorf("the same trainings give %+v and %+v", steps, over[1])
	}
	if steps[0].RandomVectors >= steps[0].RandomTokens || steps[0].RandomTokens != 0.25 {
		t.Errorf("random starts: %+v", steps[0])
	}
	joint := ok(Jointly(ctx, p, 1, []int{0, 300}))
	leaks := ok(Leaks(ctx, p, 1, []int{12}))
	if joint[0].FromParts != leaks[0].Concatenated || joint[0].Leak != leaks[0].Leak || joint[1].FromParts <= joint[0].FromParts {
		t.Errorf("joint training %+v does not start from, or does not mend, %+v", joint, leaks)
	}
	if l := leaks[0]; !(l.Leak < 0.5 && l.OnlyA < l.Concatenated && l.Concatenated < l.Best && l.Best < 1) {
		t.Errorf("%+v", l)
	}
	facts, share := 0, 0.0
	for _, s := range ok(Slots(ctx, p, 1, 12)) {
		facts += len(s.Facts)
		share += s.Attention
		if len(s.Facts) > 0 && s.Held < 2*s.Attention {
			t.Errorf("slot %d holds less of its own facts than of others: %+v", s.Slot, s)
		}
	}
	if facts != p.Facts || math.Abs(share-1) > 1e-5 {
		t.Errorf("slots serve %d facts with %g of the attention", facts, share)
	}
	kinds := ok(Kinds(ctx, p, 1, 12))
	if len(kinds) != 7 || kinds[5].Others != 0 || kinds[0].Others == 0 || kinds[6].Anyhow != over[1].SelfStudy || kinds[6].Own != kinds[6].Anyhow {
		t.Errorf("%+v", kinds)
	}
	d := ok(Distances(ctx, p, 1, 12, []float64{p.Distance, 1}))
	if d[0].SelfStudy != d[0].Matched || d[1].SelfStudy == d[1].Matched || d[1].Cosine > 0.75 {
		t.Errorf("the usual distance and another: %+v", d)
	}
	if s := ok(Sensitivity(ctx, p, 1, []float64{20}, []float64{2, 20})); s[0].Accuracy >= s[1].Accuracy {
		t.Errorf("gamma does not count: %+v", s)
	}
}

// A change of the model that has hardly been trained changes nothing, a trained
// one harms what is outside, and so do slots where attention is not sharp.
func TestLowRankComparison(t *testing.T) {
	ctx, p := context.Background(), tiny()
	if x := ok(LowRank(ctx, p, 1, []int{12}))[0]; x.Outside != 1 || x.KVOutside != 1 || x.LowRankOutside == 1 || x.LowRankOutside < 0.3 || x.LowRank < 0.3 {
		t.Errorf("trained: %+v", x)
	}
	p.Steps, p.EarlySteps = 1, 1
	if x := ok(LowRank(ctx, p, 1, []int{48}))[0]; x.LowRankOutside != x.Outside {
		t.Errorf("after one step: %+v", x)
	}
	p = tiny()
	p.Beta = 2
	if x := ok(LowRank(ctx, p, 1, []int{12}))[0]; x.KVOutside > 0.9*x.Outside {
		t.Errorf("with attention that is not sharp: %+v", x)
	}
}

// The rows are what the curves say, and of the objectives and teachers that they
// name.
func TestRowsAgreeWithCurves(t *testing.T) {
	ctx, p := context.Background(), tiny()
	leaks := ok(Leaks(ctx, p, 1, []int{p.Slots}))[0]
	rows := ok(composition(p, 1))
	for id, want := range map[string]float64{
		"compose-concat": leaks.Concatenated, "compose-only-a": leaks.OnlyA, "compose-leak": leaks.Leak,
		"compose-joint": ok(Jointly(ctx, p, 1, []int{p.Steps}))[0].FromTokens,
	} {
		if got := rows[id].Parts[0]; got != want {
			t.Errorf("%s is %g, the curve has %g", id, got, want)
		}
	}
	if d := ok(p.pair(ctx, 1)); d.a.seed == d.b.seed {
		t.Error("A and B are trained under the same draws")
	}
	p.Steps, p.LateSteps, p.LongSteps = 200, 200, 200
	rows = ok(trainings(p, 1))
	over := ok(OverSlots(ctx, p, 1, []int{p.Slots, p.FewSlots}))
	for id, want := range map[string][]float64{
		"selfstudy-rephrased-8x": {over[0].SelfStudy},
		"distill-vs-hard":        {over[0].SelfStudy - over[0].HardLabels, over[1].SelfStudy - over[1].HardLabels},
		"memorize-original-16x":  {over[1].MemorizeOriginal}, "memorize-rephrased-16x": {over[1].MemorizeRephrased},
	} {
		if got := rows[id].Parts; !slices.Equal(got, want) {
			t.Errorf("%s is %v, the curve has %v", id, got, want)
		}
	}
	// Where a teacher's attention is not sharp, it matters how much it sees.
	p.Beta = 3
	if rows := ok(chunked(p, 1)); rows["chunked-p256-3000"].Parts[0] == rows["chunked-whole-teacher-3000"].Parts[0] {
		t.Errorf("teachers of chunks and of all teach the same: %v", rows)
	}
	p = tiny()
	p.Distance = 2
	if icl := ok(baselines(p, 1))["icl-accuracy"].Parts; icl[0] != 1 || icl[1] > 0.9 {
		t.Errorf("ICL on original and far questions: %v", icl)
	}
}

// One answer for each fact in place of the teacher's own: the accuracy after some
// hundred steps is the same within a few questions.
func TestConstantTargetsTrainAlike(t *testing.T) {
	p := DefaultParameters()
	p.Facts, p.Slots, p.FewSlots, p.TruncatedSlots = 128, 16, 8, nil
	l := ok(p.open(context.Background(), 0, "A", p.Facts))
	exact := l.study()
	exact.ConstantTargets = false
	a, b := ok(l.trainFirst(l.study(), 16, 400)), ok(l.trainFirst(exact, 16, 400))
	const tolerance = 0.02
	if math.Abs(a[0]-b[0]) > tolerance || a[0] < 0.2 {
		t.Errorf("accuracy %.4f with constant targets and %.4f with the teacher's", a[0], b[0])
	}
}
