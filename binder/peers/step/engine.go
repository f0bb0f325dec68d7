package main

import (
	"runtime"
	"runtime/debug"
	"strings"

	"memlab/pkg/cartridge"
	"memlab/pkg/cartridge/gomlx"
)

// engine is one way to train, and the library that it is measured with, as
// versions call it and as its module is called.
type engine struct {
	name            string
	new             cartridge.NewEngine
	library, module string
}

var engines = []engine{
	{"hand", cartridge.ByHand, "", ""},
	{"gomlx", gomlx.Engine, "GoMLX", "github.com/gomlx/gomlx"},
	{"xla", gomlx.XLA, "go-xla", "github.com/gomlx/go-xla"},
}

func (e engine) versions() map[string]string {
	release, _, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go"), "-X:") // without its experiments
	v := map[string]string{"Go": release}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == e.module {
				v[e.library] = m.Version
			}
		}
	}
	return v
}

// kept makes the engine once, for all repeats: compiling a graph is no part of a step.
func (e engine) kept() cartridge.NewEngine {
	var made cartridge.Engine
	return func(s cartridge.Setup) (_ cartridge.Engine, err error) {
		if made == nil {
			if made, err = e.new(s); err != nil {
				return nil, err
			}
		}
		if st, ok := made.(cartridge.Stepper); ok {
			return unclosedStepper{st}, forget(st, s)
		}
		return unclosed{made}, nil
	}
}

// These hide that an engine can be closed.
type (
	unclosed        struct{ cartridge.Engine }
	unclosedStepper struct{ cartridge.Stepper }
)

// forget sets the moments of Adam back to nothing, or a Stepper would serve one
// training only. With both betas 0 they become the gradient and its square, which
// are 0 but for rounding if slots and questions are 0 and the teacher's mean value
// is that of all candidates. It costs less than a step in 200.
func forget(st cartridge.Stepper, s cartridge.Setup) error {
	d := s.Candidates.Cols
	mean := make([]float64, d)
	for i, x := range s.Candidates.Data {
		mean[i%d] += float64(x) / float64(s.Candidates.Rows)
	}
	b := &cartridge.Batch{
		Facts: make([]int, s.Batch), Q: cartridge.NewMatrix(s.Batch, s.KeyDim), Mean: cartridge.NewMatrix(s.Batch, d),
		NegEntropy: make([]float32, s.Batch),
	}
	for i := range b.Mean.Data {
		b.Mean.Data[i] = float32(mean[i%d])
	}
	z := &cartridge.Cartridge{K: cartridge.NewMatrix(s.Slots, s.KeyDim), V: cartridge.NewMatrix(s.Slots, d)}
	_, err := st.Steps(z, []*cartridge.Batch{b}, []cartridge.Update{{Adam: cartridge.Adam{Epsilon: 1e-8}, Over: 1}})
	return err
}
