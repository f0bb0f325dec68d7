package deepmemory

import (
	"errors"
	"fmt"
)

// ErrConfig is the kind of every error about a number or a name of an experiment
// that cannot be.
var ErrConfig = errors.New("bad configuration")

func bad(format string, args ...any) error {
	return fmt.Errorf("deepmemory: %w: %w", ErrConfig, fmt.Errorf(format, args...))
}

func checkRate(name string, p float64) error {
	if !(p >= 0 && p <= 1) {
		return bad("%s %g: want a probability from 0 to 1", name, p)
	}
	return nil
}
