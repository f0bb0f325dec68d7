package multidoc

import (
	"errors"
	"fmt"
)

// ErrConfig is the kind of every error about a number of an experiment that cannot
// be.
var ErrConfig = errors.New("bad configuration")

func bad(format string, args ...any) error {
	return fmt.Errorf("multidoc: %w: %w", ErrConfig, fmt.Errorf(format, args...))
}
