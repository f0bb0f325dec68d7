package prefixcache

import (
	"errors"
	"fmt"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrSize: a block size, page size or capacity is not a positive number.
	ErrSize = errors.New("bad size")
	// ErrRequest: a request contradicts itself or lacks what the cache needs.
	ErrRequest = errors.New("bad request")
	// ErrState: the operation does not fit the state of the request or handle,
	// e.g. a decode before its prefill ended, or a second unlock.
	ErrState = errors.New("wrong state")
	// ErrPolicy: no such eviction policy.
	ErrPolicy = errors.New("unknown policy")
)

func fail(kind error, format string, args ...any) error {
	return fmt.Errorf("prefixcache: %w: %s", kind, fmt.Sprintf(format, args...))
}

// checkSize accepts 1 to most.
func checkSize(name string, got, most int) error {
	if got < 1 || got > most {
		return fail(ErrSize, "%s %d: want a number from 1 to %d", name, got, most)
	}
	return nil
}

// RequestError says which request of a replay was malformed.
type RequestError struct {
	Index int // from 0
	Err   error
}

// Error names the request.
func (e *RequestError) Error() string { return fmt.Sprintf("request %d: %v", e.Index, e.Err) }

// Unwrap gives the cause.
func (e *RequestError) Unwrap() error { return e.Err }

func ceilDiv(a, b int) int {
	if a <= 0 {
		return 0
	}
	return (a-1)/b + 1
}
