package retrieve

import (
	"errors"
	"fmt"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrDuplicate: the id is in the index already; remove it first.
	ErrDuplicate = errors.New("duplicate id")
	// ErrUnknown: the id is not in the index.
	ErrUnknown = errors.New("unknown id")
	// ErrDim: a vector or an embedder has another dimension than the index.
	ErrDim = errors.New("wrong dimension")
	// ErrNotFinite: a number of a vector is NaN or infinite.
	ErrNotFinite = errors.New("not a finite number")
	// ErrZero: all numbers of a vector are 0, so it has no direction.
	ErrZero = errors.New("zero vector")
	// ErrNotUnit: an embedder returned a vector whose length is not 1.
	ErrNotUnit = errors.New("not a unit vector")
	// ErrEmpty: a text has nothing to search by or to embed.
	ErrEmpty = errors.New("empty text")
	// ErrCount: a number of hits, a page size or a number of vectors is wrong.
	ErrCount = errors.New("wrong count")
	// ErrPage: there is no such page.
	ErrPage = errors.New("no such page")
	// ErrOption: a parameter of BM25 or Endpoint is out of range.
	ErrOption = errors.New("bad option")
	// ErrEndpoint: the embeddings endpoint failed or answered nonsense.
	ErrEndpoint = errors.New("embeddings endpoint")
)

func fail(kind error, format string, args ...any) error {
	return fmt.Errorf("retrieve: %w: %s", kind, fmt.Sprintf(format, args...))
}

func checkCount(name string, got int) error {
	if got < 1 {
		return fail(ErrCount, "%s %d: want at least 1", name, got)
	}
	return nil
}

// maxDim is far above any embedding, and low enough that sizes never overflow.
const maxDim = 1 << 20

func checkDim(got int) error {
	if got < 1 || got > maxDim {
		return fail(ErrDim, "dimension %d: want a number from 1 to %d", got, maxDim)
	}
	return nil
}
