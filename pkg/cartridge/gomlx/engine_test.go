package gomlx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/gobackend"

	"memlab/pkg/cartridge"
	"memlab/pkg/random"
)

func ok[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

var engines = map[string]cartridge.NewEngine{"fast": Engine, "plain": Plain}

func lesson(n int) (cartridge.Study, *cartridge.Corpus) {
	c := ok(cartridge.NewCorpus(n, 64, random.Seed(1).Stream("corpus")))
	return cartridge.Study{Model: cartridge.DefaultModel(), Corpus: c, Distance: cartridge.DefaultDistance, ConstantTargets: true}, c
}

func TestFourSourcesAgree(t *testing.T) {
	small := cartridge.SmallProblem()
	hard, one, whole := small, small, small
	hard.Objective = cartridge.HardLabels
	one.Batch, one.Slots = 1, 1
	whole.Chunk, whole.Seed = 0, 7
	for name, p := range map[string]cartridge.Problem{"small": small, "hard labels": hard, "one slot": one, "teacher of all": whole} {
		c, err := Check(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(c.Pairs) != 10 {
			t.Errorf("%s: %d pairs of five sources", name, len(c.Pairs))
		}
		t.Logf("%s: %+v", name, c)
	}
}

// A wrong model must be seen by autodiff too.
func TestAnotherBetaIsFound(t *testing.T) {
	wrong := func(s cartridge.Setup) (cartridge.Engine, error) {
		s.Model.Beta++
		return Engine(s)
	}
	c := ok(cartridge.CheckGradient(cartridge.SmallProblem(), cartridge.GradientSource{Name: "wrong", New: wrong}))
	if c.Err() == nil {
		t.Error("not found")
	}
}

// Five digits after 200 steps.
func TestSameLossesAsByHand(t *testing.T) {
	s, c := lesson(256)
	train := func(e cartridge.NewEngine) []float64 {
		tr := cartridge.DefaultTrainer(s, 200, 1)
		tr.Batch, tr.Engine = 64, e
		return ok(tr.Train(context.Background(), ok(cartridge.FirstTokens(c, 32)))).Losses
	}
	want := train(cartridge.ByHand)
	for name, e := range engines {
		for i, loss := range train(e) {
			if math.Abs(loss-want[i]) > 5e-6*want[i] {
				t.Errorf("%s: step %d: loss %g, by hand %g", name, i+1, loss, want[i])
				break
			}
		}
	}
}

func TestEnginesRejectWhatDoesNotFit(t *testing.T) {
	s, c := lesson(16)
	z := ok(cartridge.FirstTokens(c, 4))
	for name, e := range engines {
		if _, err := e(cartridge.Setup{}); !errors.Is(err, cartridge.ErrInput) {
			t.Errorf("%s: no setup: %v", name, err)
		}
		engine := ok(e(cartridge.Setup{Model: s.Model, Candidates: c.V, Batch: 2, Slots: 5, KeyDim: 64}))
		if _, err := engine.Gradient(z, &cartridge.Batch{}, cartridge.NewGradient(z)); !errors.Is(err, cartridge.ErrInput) {
			t.Errorf("%s: other shapes: %v", name, err)
		}
	}
}

// A NaN that arises on the way ends the training, as with the other engine.
func TestDivergenceIsSeen(t *testing.T) {
	s, c := lesson(32)
	for name, e := range engines {
		tr := cartridge.DefaultTrainer(s, 50, 1)
		tr.Engine, tr.Batch, tr.Rate = e, 8, 1e38
		r, err := tr.Train(context.Background(), ok(cartridge.FirstTokens(c, 4)))
		if !errors.Is(err, cartridge.ErrDiverged) || r.Cartridge.Check() != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A backend that the caller brought outlives the engines on it.
func TestEnginesOnABackendOfTheCaller(t *testing.T) {
	backend := ok(gobackend.New(""))
	defer backend.Finalize()
	s, c := lesson(32)
	var losses [2]float64
	for i := range losses {
		tr := cartridge.DefaultTrainer(s, 5, 1)
		tr.Engine, tr.Batch = On(backend), 8
		losses[i] = ok(tr.Train(context.Background(), ok(cartridge.FirstTokens(c, 4)))).Losses[4]
	}
	if losses[0] != losses[1] || losses[0] == 0 {
		t.Errorf("losses %v", losses)
	}
}

func BenchmarkStep(b *testing.B) {
	for _, size := range [][2]int{{512, 64}, {2048, 256}} {
		s, c := lesson(size[0])
		for name, e := range engines {
			b.Run(fmt.Sprintf("N=%d/p=%d/%s", size[0], size[1], name), func(b *testing.B) {
				tr := cartridge.DefaultTrainer(s, b.N, 1)
				tr.Engine = e
				ok(tr.Train(context.Background(), ok(cartridge.FirstTokens(c, size[1]))))
			})
		}
	}
}
