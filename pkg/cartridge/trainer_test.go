package cartridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/random"
)

// small is a training of some milliseconds.
func small(t testing.TB, steps int) (Trainer, *Cartridge) {
	t.Helper()
	c := corpus(t, 64, 32)
	tr := DefaultTrainer(study(c), steps, 1)
	tr.Batch, tr.Rate = 32, 0.01
	return tr, ok(FirstTokens(c, 16))
}

func bytesOf(t testing.TB, z *Cartridge) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := z.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSelfStudyLearnsWhatTruncationLost(t *testing.T) {
	tr, start := small(t, 400)
	c := tr.Lesson.(Study).Corpus
	before := bytesOf(t, start)
	r := ok(tr.Train(context.Background(), start))
	if !bytes.Equal(before, bytesOf(t, start)) {
		t.Error("training changed its start")
	}
	if a, b := accuracy(t, c, with(t, start)), accuracy(t, c, with(t, r.Cartridge)); a > 0.27 || b < 0.5 {
		t.Errorf("accuracy %.3f before and %.3f after", a, b)
	}
	if len(r.Losses) != 400 || r.Step != 400 || r.Stopped {
		t.Errorf("%d losses, step %d, stopped %t", len(r.Losses), r.Step, r.Stopped)
	}
}

// A KL divergence of what the student cannot tell from the teacher is 0: with all
// facts in the cartridge there is nothing to learn.
func TestTheWholeDocumentHasLossZero(t *testing.T) {
	tr, _ := small(t, 1)
	c := tr.Lesson.(Study).Corpus
	r := ok(tr.Train(context.Background(), ok(FirstTokens(c, 64))))
	if math.Abs(r.Losses[0]) > 1e-5 {
		t.Errorf("loss %g", r.Losses[0])
	}
}

func TestSameSeedSameBytesAnotherSeedOthers(t *testing.T) {
	run := func(seed random.Seed) []byte {
		tr, start := small(t, 20)
		tr.Seed = seed
		return bytesOf(t, ok(tr.Train(context.Background(), start)).Cartridge)
	}
	if a, b := run(1), run(1); !bytes.Equal(a, b) {
		t.Error("the same seed gives other bytes")
	}
	if a, b := run(1), run(2); bytes.Equal(a, b) {
		t.Error("another seed gives the same bytes")
	}
}

// All forms of the kernels do the same operations in the same order.
func TestTrainingIsTheSameWithoutSIMD(t *testing.T) {
	tr, start := small(t, 50)
	a := bytesOf(t, ok(tr.Train(context.Background(), start)).Cartridge)
	for _, f := range forms() {
		back := f.use()
		if b := bytesOf(t, ok(tr.Train(context.Background(), start)).Cartridge); !bytes.Equal(a, b) {
			t.Errorf("%v: other bytes", f)
		}
		back()
	}
}

// Keys and values of one's own need not have the same length.
func TestValuesOfAnotherLength(t *testing.T) {
	c := &Corpus{K: corpus(t, 64, 32).K, V: corpus(t, 64, 20).V}
	tr := DefaultTrainer(study(c), 200, 1)
	tr.Batch, tr.Rate = 32, 0.01
	r := ok(tr.Train(context.Background(), ok(FirstTokens(c, 16))))
	if a := accuracy(t, c, with(t, r.Cartridge)); a < 0.4 {
		t.Errorf("accuracy %.3f", a)
	}
}

func TestFrozenSlotsStay(t *testing.T) {
	tr, start := small(t, 20)
	for _, frozen := range []int{0, 1, 16} {
		z := ok(start.Freeze(frozen))
		got := ok(tr.Train(context.Background(), z)).Cartridge
		if got.Frozen != frozen {
			t.Errorf("%d frozen slots became %d", frozen, got.Frozen)
		}
		for i := range 16 {
			same := slices.Equal(got.K.Row(i), start.K.Row(i)) && slices.Equal(got.V.Row(i), start.V.Row(i))
			if same != (i < frozen) {
				t.Errorf("%d frozen: slot %d unchanged: %t", frozen, i, same)
			}
		}
	}
}

func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		s     Schedule
		step  int
		share float64
	}{
		{Schedule{}, 1, 1}, {Schedule{}, 100, 1},
		{Schedule{WarmUp: 10}, 1, 0.1}, {Schedule{WarmUp: 10}, 10, 1}, {Schedule{WarmUp: 10}, 11, 1},
		{Schedule{Cosine: true}, 50, 0.5}, {Schedule{Cosine: true}, 100, 0},
		{Schedule{WarmUp: 20, Cosine: true}, 20, 1}, {Schedule{WarmUp: 20, Cosine: true}, 60, 0.5},
		{Schedule{WarmUp: 200}, 100, 0.5},
	} {
		if got := c.s.rate(c.step, 100); math.Abs(got-c.share) > 1e-9 {
			t.Errorf("%+v: step %d of 100 has %g of the rate, want %g", c.s, c.step, got, c.share)
		}
	}
}

// One parameter by hand: g = 2 gives m = .2, v = .004; corrected 2 and 4, so that
// the first step is the rate, whatever the gradient.
func TestAdamByHand(t *testing.T) {
	z, g := Matrix{1, 1, []float32{1}}, Matrix{1, 1, []float32{2}}
	s := newMoments(z)
	a := Adam{}.orDefault()
	a.update(z, g, 0, s, 1, 0.5)
	if got := z.Data[0]; math.Abs(float64(got)-0.5) > 1e-6 {
		t.Errorf("after one step %g, want .5", got)
	}
	g.Data[0] = 0 // m = .18, v = .003996; corrected by .19 and .001999
	a.update(z, g, 0, s, 2, 0.5)
	want := 0.5 - 0.5*(0.18/0.19)/math.Sqrt(0.003996/0.001999)
	if got := z.Data[0]; math.Abs(float64(got)-want) > 1e-5 {
		t.Errorf("after two steps %g, want %g", got, want)
	}
}

func TestValidationStopsAndKeepsTheBest(t *testing.T) {
	tr, start := small(t, 400)
	few := ok(tr.Lesson.(Study).Generate(64, 5)) // is learned by heart
	held := tr.Lesson
	tr.Lesson = few
	tr.Validation = &Validation{Lesson: held, Questions: 256, Every: 10, Patience: 3}
	r := ok(tr.Train(context.Background(), start))
	if !r.Stopped || len(r.Losses) == 400 {
		t.Fatalf("not stopped: %+v", r.Validation)
	}
	best := slices.MinFunc(r.Validation, func(a, b Measured) int { return int(math.Copysign(1, a.Loss-b.Loss)) })
	if r.Step != best.Step || len(r.Losses) != best.Step+30 {
		t.Errorf("step %d is returned after %d steps, the best is %+v", r.Step, len(r.Losses), best)
	}
	tr.Validation.Patience = 0
	if r := ok(tr.Train(context.Background(), start)); r.Stopped || len(r.Losses) != 400 || len(r.Validation) != 40 {
		t.Errorf("without patience: %d steps, %d measurements", len(r.Losses), len(r.Validation))
	}
}

func TestValidationAsksOtherQuestionsThanTraining(t *testing.T) {
	tr, _ := small(t, 1)
	v := ok(Validation{Questions: 32}.open(tr, ByHand, Setup{Model: tr.Lesson.(Study).Model, Candidates: tr.Lesson.(Study).Corpus.V, Batch: 32, Slots: 16, KeyDim: 32}))
	if first := next(t, tr.Lesson, 32, tr.Seed); slices.Equal(v.batch.Facts, first.Facts) || slices.Equal(v.batch.Q.Data, first.Q.Data) {
		t.Error("validation asks what the first step asks")
	}
}

func TestSnapshotsAndProgress(t *testing.T) {
	tr, start := small(t, 25)
	tr.Snapshots = []int{0, 10, 25}
	var seen []Progress
	tr.ProgressEvery = 10
	tr.Progress = func(p Progress) { seen = append(seen, p) }
	r := ok(tr.Train(context.Background(), start))
	if !bytes.Equal(bytesOf(t, r.Snapshots[0]), bytesOf(t, start)) || !bytes.Equal(bytesOf(t, r.Snapshots[25]), bytesOf(t, r.Cartridge)) {
		t.Error("the first and the last snapshot are not start and end")
	}
	tr.Steps = 10
	tr.Snapshots = nil
	if got := ok(tr.Train(context.Background(), start)); !bytes.Equal(bytesOf(t, r.Snapshots[10]), bytesOf(t, got.Cartridge)) {
		t.Error("the snapshot of step 10 is not a training of 10 steps")
	}
	mean := 0.0
	for _, l := range r.Losses[20:] {
		mean += l / 5
	}
	if len(seen) != 4 || seen[2].Step != 25 || seen[2].Steps != 25 || math.Abs(seen[2].Loss-mean) > 1e-9 {
		t.Errorf("%+v", seen)
	}
}

func TestCancelledTrainingsReturnWhatTheyReached(t *testing.T) {
	tr, start := small(t, 1000)
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	tr.ProgressEvery = 1
	tr.Progress = func(p Progress) {
		if p.Step == 7 {
			cancel(why)
		}
	}
	r, err := tr.Train(ctx, start)
	if !errors.Is(err, why) || r.Step != 7 || len(r.Losses) != 7 || r.Cartridge.Check() != nil {
		t.Errorf("%v, %+v", err, r)
	}
}

// fails returns a NaN from one step on.
type fails struct {
	Engine
	step *int
	what string
}

func (f fails) Gradient(z *Cartridge, b *Batch, g *Gradient) (float64, error) {
	loss, err := f.Engine.Gradient(z, b, g)
	if *f.step++; *f.step < 26 {
		return loss, err
	}
	switch f.what {
	case "loss":
		return math.NaN(), nil
	case "gradient":
		g.K.Data[3] = float32(math.Inf(1))
		return loss, err
	}
	return 0, errors.New(f.what)
}

func TestDivergenceNamesItsStepAndKeepsTheLastGoodCheckpoint(t *testing.T) {
	for what, step := range map[string]int{"loss": 26, "gradient": 27} {
		tr, start := small(t, 100)
		saved := map[int][]byte{}
		tr.CheckpointEvery = 10
		tr.Checkpoint = func(step int, z *Cartridge) error { saved[step] = bytesOf(t, z); return nil }
		tr.Engine = func(s Setup) (Engine, error) { return fails{ok(ByHand(s)), new(int), what}, nil }
		r, err := tr.Train(context.Background(), start)
		var d *Diverged
		if !errors.As(err, &d) || !errors.Is(err, ErrDiverged) || d.Step != step || d.GoodStep != 20 || !strings.Contains(err.Error(), fmt.Sprint("step ", step)) {
			t.Fatalf("%s: %v", what, err)
		}
		if r.Step != 20 || !bytes.Equal(bytesOf(t, r.Cartridge), saved[20]) || len(saved) != 3 {
			t.Errorf("%s: step %d of %d checkpoints", what, r.Step, len(saved))
		}
	}
}

// Where already the first loss is none, the start is what is left.
func TestDivergenceInTheFirstStep(t *testing.T) {
	tr, start := small(t, 10)
	for i := range start.V.Data {
		start.V.Data[i] *= 1e38
	}
	r, err := tr.Train(context.Background(), start)
	var d *Diverged
	if !errors.As(err, &d) || d.Step != 1 || r.Step != 0 || !bytes.Equal(bytesOf(t, r.Cartridge), bytesOf(t, start)) {
		t.Errorf("%v, step %d", err, r.Step)
	}
}

// In the last step no further loss could show it.
func TestDivergenceInTheLastStep(t *testing.T) {
	tr, start := small(t, 26)
	tr.Engine = func(s Setup) (Engine, error) { return fails{ok(ByHand(s)), new(int), "gradient"}, nil }
	r, err := tr.Train(context.Background(), start)
	if !errors.Is(err, ErrDiverged) || r.Step != 0 || r.Cartridge.Check() != nil {
		t.Errorf("%v, step %d", err, r.Step)
	}
}

func TestARateFarTooHighIsNoPanic(t *testing.T) {
	tr, start := small(t, 300)
	tr.Rate = 1e38
	r, err := tr.Train(context.Background(), start)
	if !errors.Is(err, ErrDiverged) || r.Cartridge.Check() != nil {
		t.Errorf("%v", err)
	}
}

func TestErrorsOfOthersEndATraining(t *testing.T) {
	tr, start := small(t, 100)
	tr.Engine = func(s Setup) (Engine, error) { return fails{ok(ByHand(s)), new(int), "out of order"}, nil }
	r, err := tr.Train(context.Background(), start)
	if err == nil || err.Error() != "cartridge: step 26: out of order" || r.Step != 25 || r.Cartridge.Check() != nil {
		t.Errorf("engine: %v, step %d", err, r.Step)
	}
	tr, start = small(t, 100)
	full := errors.New("disk full")
	tr.Checkpoint = func(int, *Cartridge) error { return full }
	if _, err := tr.Train(context.Background(), start); !errors.Is(err, full) {
		t.Errorf("checkpoint: %v", err)
	}
}

func TestImpossibleTrainingsAreErrors(t *testing.T) {
	for name, change := range map[string]func(*Trainer, *Cartridge){
		"steps":            func(tr *Trainer, _ *Cartridge) { tr.Steps = 0 },
		"batch":            func(tr *Trainer, _ *Cartridge) { tr.Batch = -1 },
		"rate":             func(tr *Trainer, _ *Cartridge) { tr.Rate = math.NaN() },
		"warm-up":          func(tr *Trainer, _ *Cartridge) { tr.Schedule.WarmUp = -1 },
		"Adam":             func(tr *Trainer, _ *Cartridge) { tr.Adam = Adam{Beta1: 1, Beta2: 0.9, Epsilon: 1} },
		"lesson":           func(tr *Trainer, _ *Cartridge) { tr.Lesson = nil },
		"snapshot":         func(tr *Trainer, _ *Cartridge) { tr.Snapshots = []int{101} },
		"checkpoint every": func(tr *Trainer, _ *Cartridge) { tr.CheckpointEvery = -1 },
		"validation":       func(tr *Trainer, _ *Cartridge) { tr.Validation = &Validation{} },
		"validation of another document": func(tr *Trainer, _ *Cartridge) {
			tr.Validation = &Validation{Lesson: study(corpus(t, 32, 32)), Questions: 1, Every: 1}
		},
		"frozen above p":     func(_ *Trainer, z *Cartridge) { z.Frozen = 17 },
		"NaN in keys":        func(_ *Trainer, z *Cartridge) { z.K.Data[0] = float32(math.NaN()) },
		"p = 0":              func(_ *Trainer, z *Cartridge) { *z = Cartridge{} },
		"another shape":      func(_ *Trainer, z *Cartridge) { *z = *ok(FirstTokens(corpus(t, 20, 8), 4)) },
		"study without keys": func(tr *Trainer, _ *Cartridge) { tr.Lesson = Study{Model: DefaultModel(), Corpus: &Corpus{}} },
	} {
		tr, start := small(t, 100)
		change(&tr, start)
		if r, err := tr.Train(context.Background(), start); !errors.Is(err, ErrInput) || r != nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

func TestEnginesRejectWhatTheyWereNotMadeFor(t *testing.T) {
	tr, z := small(t, 1)
	s := Setup{Model: DefaultModel(), Candidates: tr.Lesson.(Study).Corpus.V, Batch: 32, Slots: 16, KeyDim: 32}
	b, g := next(t, tr.Lesson, 32, 1), NewGradient(z)
	e := ok(ByHand(s))
	for name, do := range map[string]func() error{
		"batch": func() error { _, err := e.Gradient(z, next(t, tr.Lesson, 31, 1), g); return err },
		"slots": func() error {
			_, err := e.Gradient(&Cartridge{K: z.K.Slice(0, 2), V: z.V.Slice(0, 2)}, b, g)
			return err
		},
		"gradient":  func() error { _, err := e.Gradient(z, b, &Gradient{K: g.K}); return err },
		"entropies": func() error { _, err := e.Gradient(z, &Batch{Q: b.Q, Mean: b.Mean}, g); return err },
		"setup":     func() error { _, err := ByHand(Setup{Model: DefaultModel()}); return err },
		"low rank":  func() error { _, err := LowRankReader(nil, nil); return err },
	} {
		if err := do(); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLowRankChangeAnswersByAMatrix(t *testing.T) {
	tr, _ := small(t, 300)
	c := tr.Lesson.(Study).Corpus
	tr.Engine = LowRank
	start := ok(RandomVectors(c, 16, true, random.Seed(1).Stream("init")))
	clear(start.V.Data)
	r := ok(tr.Train(context.Background(), start))
	alone := ok(LowRankReader(r.Cartridge, nil))
	if a := accuracy(t, c, alone); a < 0.5 {
		t.Errorf("accuracy %.3f", a)
	}
	icl := ok(DefaultModel().Truncated(c, 64))
	both := ok(ok(LowRankReader(r.Cartridge, icl)).Read(c.K))
	x, y := ok(alone.Read(c.K)), ok(icl.Read(c.K))
	for i, v := range both.Data {
		if math.Abs(float64(v-x.Data[i]-y.Data[i])) > 1e-6 {
			t.Fatal("the two are not added up")
		}
	}
}
