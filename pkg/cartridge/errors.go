package cartridge

import (
	"errors"
	"fmt"
)

// ErrInput is the kind of every error about an impossible size, shape, number
// or setting.
var ErrInput = errors.New("bad input")

// ErrDiverged is the kind of a training that ended in a loss or gradient that
// is no finite number. The error itself is a *Diverged.
var ErrDiverged = errors.New("training diverged")

func bad(format string, args ...any) error {
	return fmt.Errorf("cartridge: %w: %w", ErrInput, fmt.Errorf(format, args...))
}

// Diverged says when a training broke off. What it had reached is in the Result
// that came with it.
type Diverged struct {
	Step     int // the first bad one; steps count from 1
	What     string
	GoodStep int // of the checkpoint in Result.Cartridge; 0 is the start
}

func (d *Diverged) Error() string {
	return fmt.Sprintf("cartridge: %v at step %d: %s; the checkpoint of step %d is kept; a lower rate or shorter vectors may help",
		ErrDiverged, d.Step, d.What, d.GoodStep)
}

// Is makes errors.Is(err, ErrDiverged) true.
func (d *Diverged) Is(target error) bool { return target == ErrDiverged }
