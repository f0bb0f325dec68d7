package costmodel

import (
	"errors"
	"fmt"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrUnknownArchitecture: the model_type of a config.json is not known.
	ErrUnknownArchitecture = errors.New("unknown architecture")
	// ErrMissingField: a field is absent that has no documented default.
	ErrMissingField = errors.New("missing field")
	// ErrBadField: a field, parameter or argument has an impossible value.
	ErrBadField = errors.New("bad value")
	// ErrBudget: the weights do not fit into the usable memory.
	ErrBudget = errors.New("weights do not fit")
	// ErrUnknownName: no such model or GPU in the catalogue.
	ErrUnknownName = errors.New("unknown name")
)

// FieldError says what is wrong with which field and what would be right.
type FieldError struct {
	Where   string // e.g. `config.json of "llama"`, "params", "load"
	Field   string
	Problem string // the value found, or "missing"
	Want    string
	Kind    error // ErrMissingField, ErrBadField or ErrUnknownArchitecture
}

// Error reads like: costmodel: head_dim 0: want a positive integer (config.json of "x").
func (e *FieldError) Error() string {
	return fmt.Sprintf("costmodel: %s %s: want %s (%s)", e.Field, e.Problem, e.Want, e.Where)
}

// Unwrap gives the kind of error.
func (e *FieldError) Unwrap() error { return e.Kind }

// Warning is a remark on a result that is valid but may not be what was asked
// for, e.g. a context longer than the model was trained for.
type Warning string

// Error makes a Warning usable as an error for callers who prefer to stop.
func (w Warning) Error() string { return string(w) }

func badArgument(where, field string, value any, want string) error {
	return &FieldError{Where: where, Field: field, Problem: fmt.Sprint(value), Want: want, Kind: ErrBadField}
}
