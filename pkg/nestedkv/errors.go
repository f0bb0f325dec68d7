package nestedkv

import (
	"errors"
	"fmt"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrConfig: a number of an experiment is impossible.
	ErrConfig = errors.New("bad configuration")
	// ErrTask: pairs and order do not make a question with one answer.
	ErrTask = errors.New("bad task")
	// ErrData: a file of the real data is not as it should be.
	ErrData = errors.New("bad data")
)

func fail(kind error, format string, args ...any) error {
	return fmt.Errorf("nestedkv: %w: %s", kind, fmt.Sprintf(format, args...))
}
