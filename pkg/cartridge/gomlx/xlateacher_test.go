//go:build xla && cgo

package gomlx

import (
	"context"
	"errors"
	"math"
	"testing"

	"memlab/pkg/cartridge"
	"memlab/pkg/random"
)

// teacherTolerance is for losses, as a share, and for slots, as a number, after 100
// steps with a teacher in the graph, of those with the same teacher by hand.
const teacherTolerance = 5e-6

// told hides that an engine may answer, so that answers are given to it.
type told struct{ cartridge.Study }

type onlyNext struct{ cartridge.Source }

func (t told) Open(seed random.Seed) (cartridge.Source, error) {
	s, err := t.Study.Open(seed)
	return onlyNext{s}, err
}

func TestXLATeacherInTheGraphAsByHand(t *testing.T) {
	needsPlugin(t)
	constant, c := lesson(96)
	whole, hard, original, top := constant, constant, constant, constant
	whole.ConstantTargets = false
	whole.Model.Beta = 4 // at 20 all attention is on one fact, whatever the context
	chunks, uneven := whole, whole
	chunks.Chunk, uneven.Chunk = 24, 40
	hard.Objective, original.Objective = cartridge.HardLabels, cartridge.Memorize
	top.TopK, top.ConstantTargets = 8, false
	for name, tc := range map[string]struct {
		lesson  cartridge.Lesson
		answers bool
	}{
		"whole document": {whole, true}, "chunks": {chunks, true}, "a last chunk that is smaller": {uneven, true},
		"constant targets": {constant, true}, "hard labels": {hard, true}, "original wording": {original, true},
		"top candidates": {top, false}, "given answers": {told{whole}, false},
	} {
		train := func(e cartridge.NewEngine) *cartridge.Result {
			tr := cartridge.DefaultTrainer(tc.lesson, 100, 3)
			tr.Batch, tr.Engine = 32, e
			return ok(tr.Train(context.Background(), ok(cartridge.FirstTokens(c, 16))))
		}
		answers := false
		want, got := train(cartridge.ByHand), train(func(s cartridge.Setup) (cartridge.Engine, error) {
			e, err := XLA(s)
			answers = e.(cartridge.Stepper).Answers()
			return e, err
		})
		if answers != tc.answers {
			t.Errorf("%s: the engine answers itself: %t: want %t", name, answers, tc.answers)
		}
		for i, loss := range got.Losses {
			if !(math.Abs(loss-want.Losses[i]) <= teacherTolerance*math.Abs(want.Losses[i])) {
				t.Errorf("%s: step %d: loss %g, by hand %g", name, i+1, loss, want.Losses[i])
				break
			}
		}
		for what, pair := range map[string][2]cartridge.Matrix{
			"keys": {want.Cartridge.K, got.Cartridge.K}, "values": {want.Cartridge.V, got.Cartridge.V},
		} {
			apart := 0.0
			for i, x := range pair[0].Data {
				apart = math.Max(apart, math.Abs(float64(x)-float64(pair[1].Data[i])))
			}
			t.Logf("%s: %s are apart by %.2g", name, what, apart)
			if !(apart <= teacherTolerance) {
				t.Errorf("%s: %s are apart by %g: want at most %g", name, what, apart, teacherTolerance)
			}
		}
	}
}

// A cartridge that is trained again by the same engine is the same after a Reset only.
func TestXLAResetStartsAnotherTraining(t *testing.T) {
	needsPlugin(t)
	s, c := lesson(32)
	setup := cartridge.Setup{Model: s.Model, Candidates: c.V, Batch: 8, Slots: 4, KeyDim: 64}
	e := ok(XLA(setup)).(*stepping)
	defer e.Close()
	b := &cartridge.Batch{
		Facts: make([]int, 8), Q: c.K.Slice(8, 16), Mean: c.V.Slice(8, 16), NegEntropy: make([]float32, 8),
	}
	u := cartridge.Update{Adam: cartridge.Adam{Beta1: .9, Beta2: .999, Epsilon: 1e-8}, Rate: .03, Over: 1000}
	step := func() float32 {
		z := ok(cartridge.FirstTokens(c, 4))
		ok(e.Steps(z, []*cartridge.Batch{b}, []cartridge.Update{u}))
		return z.V.Data[0]
	}
	first, second := step(), step()
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	if again := step(); again != first || again == second {
		t.Errorf("steps to %g and %g, after a reset to %g: want the first again", first, second, again)
	}
}

func TestXLARejectsFactsThatTheTeacherHasNot(t *testing.T) {
	needsPlugin(t)
	s, c := lesson(16)
	setup := cartridge.Setup{
		Model: s.Model, Candidates: c.V, Batch: 1, Slots: 4, KeyDim: 64,
		Teacher: &cartridge.Teacher{Keys: c.K, Values: c.V, Chunk: 16},
	}
	e := ok(XLA(setup)).(*stepping)
	defer e.Close()
	for _, fact := range []int{-1, 16} {
		b := &cartridge.Batch{Facts: []int{fact}, Q: c.K.Slice(0, 1), Mean: c.V.Slice(0, 1), NegEntropy: make([]float32, 1)}
		if _, err := e.Steps(ok(cartridge.FirstTokens(c, 4)), []*cartridge.Batch{b}, make([]cartridge.Update, 1)); !errors.Is(err, cartridge.ErrInput) {
			t.Errorf("fact %d of 16: %v", fact, err)
		}
	}
}
