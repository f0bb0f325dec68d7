package playbook

import (
	"errors"
	"fmt"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrBullet: a bullet, or what would become one, is impossible.
	ErrBullet = errors.New("bad bullet")
	// ErrDuplicate: another bullet has this identity, or this very text.
	ErrDuplicate = errors.New("duplicate")
	// ErrMissing: there is no such bullet, or no more.
	ErrMissing = errors.New("no such bullet")
	// ErrStale: the text was written by a later task.
	ErrStale = errors.New("stale update")
	// ErrDelta: an operation is of no known kind.
	ErrDelta = errors.New("bad delta")
	// ErrText: a line of the text form cannot be read.
	ErrText = errors.New("malformed line")
	// ErrBudget: the budget leaves the playbook no room.
	ErrBudget = errors.New("budget too small")
	// ErrTruncated: a rewritten cheatsheet does not end where it says it would.
	ErrTruncated = errors.New("truncated cheatsheet")
	// ErrOption: a setting is out of range or missing.
	ErrOption = errors.New("bad option")
)

func fail(kind error, format string, args ...any) error {
	return fmt.Errorf("playbook: %w: %s", kind, fmt.Sprintf(format, args...))
}
