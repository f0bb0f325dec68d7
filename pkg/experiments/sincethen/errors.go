package sincethen

import (
	"errors"
	"fmt"
	"math"

	"memlab/pkg/costmodel"
)

// ErrInput is the kind of every error about an impossible number.
var ErrInput = errors.New("bad input")

func bad(format string, args ...any) error {
	return fmt.Errorf("sincethen: %w: %w", ErrInput, fmt.Errorf(format, args...))
}

func checkEngine(e *costmodel.Engine) error {
	if e == nil || e.Params().TensorParallel == 0 { // a zero Engine computes on no GPU
		return bad("no engine: want one of costmodel.NewEngine")
	}
	return nil
}

// field is a number with the bounds of what it can be.
type field struct {
	name       string
	value      float64
	least, top float64
	want       string
}

func checkFields(fields ...field) error {
	for _, f := range fields {
		if !(f.value >= f.least && f.value <= f.top) || math.IsInf(f.value, 0) {
			return bad("%s %g: want %s", f.name, f.value, f.want)
		}
	}
	return nil
}

// maxTokens bounds every number of tokens, so that sums of some stay exact.
const maxTokens = 1e9
