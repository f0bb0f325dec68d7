package main

import (
	"math"
	"testing"

	"memlab/binder/peers/runner"
	"memlab/pkg/cartridge"
)

// stepper is Adam over the hand-written gradient, with moments that it keeps.
type stepper struct {
	cartridge.Engine
	g      *cartridge.Gradient
	m1, m2 []float64
}

func newStepper(s cartridge.Setup) (cartridge.Engine, error) {
	e, err := cartridge.ByHand(s)
	n := s.Slots * (s.KeyDim + s.Candidates.Cols)
	g := &cartridge.Gradient{K: cartridge.NewMatrix(s.Slots, s.KeyDim), V: cartridge.NewMatrix(s.Slots, s.Candidates.Cols)}
	return &stepper{e, g, make([]float64, n), make([]float64, n)}, err
}

func (s *stepper) StepsPerCall() int { return 1 }

func (s *stepper) Answers() bool { return false }

func (s *stepper) Reset() error {
	clear(s.m1)
	clear(s.m2)
	return nil
}

func (s *stepper) Steps(z *cartridge.Cartridge, b []*cartridge.Batch, u []cartridge.Update) ([]float64, error) {
	loss, err := s.Gradient(z, b[0], s.g)
	i := 0
	for _, part := range []struct{ z, g cartridge.Matrix }{{z.K, s.g.K}, {z.V, s.g.V}} {
		for j, g := range part.g.Data {
			s.m1[i] = u[0].Beta1*s.m1[i] + (1-u[0].Beta1)*float64(g)
			s.m2[i] = u[0].Beta2*s.m2[i] + (1-u[0].Beta2)*float64(g)*float64(g)
			part.z.Data[j] -= float32(float64(u[0].Rate) * s.m1[i] / (math.Sqrt(s.m2[i]*float64(u[0].Over)) + u[0].Epsilon))
			i++
		}
	}
	return []float64{loss}, err
}

// TestAStepperStartsEachRepeatAnew: what it had learned in the repeat before is forgotten.
func TestAStepperStartsEachRepeatAnew(t *testing.T) {
	folder, _ := written(t)
	loss := func(e engine) (work runner.Work, loss float64) {
		t.Helper()
		work, err := tiny.bench(folder, true, e).New()
		if err != nil {
			t.Fatal(err)
		}
		_, check, err := work()
		if err != nil {
			t.Fatal(err)
		}
		return work, check.(float64)
	}
	_, want := loss(engines[0])
	work, first := loss(engine{name: "stepper", new: newStepper})
	_, again, err := work()
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []float64{first, again.(float64)} {
		if math.Abs(got-want) > 1e-5*want {
			t.Errorf("the losses are %g and %g: want %g", first, again, want)
			break
		}
	}
}
