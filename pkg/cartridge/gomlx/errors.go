package gomlx

import "errors"

// ErrNoXLA is what XLA returns in a build without it, and how to make one with it.
var ErrNoXLA = errors.New("gomlx: built without XLA: build with CGO_ENABLED=1 and -tags xla (this needs a C compiler)")

// ErrNoPlugin is what XLA returns if the library is missing that does the work.
var ErrNoPlugin = errors.New("gomlx: no XLA plugin")
