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
			return unclosedStepper{st}, st.Reset()
		}
		return unclosed{made}, nil
	}
}

// These hide that an engine can be closed.
type (
	unclosed        struct{ cartridge.Engine }
	unclosedStepper struct{ cartridge.Stepper }
)
