package gomlx

import "memlab/pkg/cartridge"

// Check compares gradients from all sources: literal loops, central differences,
// the hand-written backward pass, and automatic differentiation of both forms of
// the loss.
func Check(p cartridge.Problem) (cartridge.GradientCheck, error) {
	return cartridge.CheckGradient(p,
		cartridge.GradientSource{Name: "GoMLX", New: Engine},
		cartridge.GradientSource{Name: "GoMLX, plain", New: Plain},
	)
}
