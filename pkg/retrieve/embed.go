package retrieve

import (
	"context"
	"fmt"
	"math"
)

// Role says what a text is to its reader: an embedder may treat them apart.
type Role string

// The roles of a [Passage].
const (
	Message Role = "message" // as it was said
	Memory  Role = "memory"  // what a memory system wrote down
	Chunk   Role = "chunk"   // several messages in a row
	Query   Role = "query"   // what is looked for
	Entity  Role = "entity"  // a name in a graph
)

// Passage is a text to embed or to find.
type Passage struct {
	ID    string   `json:"id"` // stable identity; a toy embedder draws its noise by it
	Role  Role     `json:"role"`
	Text  string   `json:"text"`
	Parts []string `json:"parts,omitempty"` // ids of the messages that a chunk consists of
}

// Embedder turns passages into unit vectors of Dim numbers, one for each, in
// their order.
type Embedder interface {
	Dim() int
	Embed(ctx context.Context, passages ...Passage) ([][]float32, error)
}

// CheckDim returns [ErrDim] unless e says that its vectors have want numbers. A
// store calls it when it is made, so that a mismatch shows before the first
// insertion. It costs no embedding; [Probe] does not take e's word for it.
func CheckDim(e Embedder, want int) error {
	if e == nil {
		return fail(ErrDim, "no embedder: want one of dimension %d", want)
	}
	if got := e.Dim(); got != want {
		return fail(ErrDim, "the embedder makes vectors of %d numbers, the store holds vectors of %d: use one dimension for both", got, want)
	}
	return nil
}

// Probe embeds a short text and checks what comes back: one unit vector of
// e.Dim() numbers. It costs one call of an endpoint.
func Probe(ctx context.Context, e Embedder) error {
	if e == nil {
		return fail(ErrDim, "no embedder to probe")
	}
	got, err := e.Embed(ctx, Passage{ID: "probe", Role: Query, Text: "test 测试"})
	if err != nil {
		return fmt.Errorf("retrieve: probing the embedder: %w", err)
	}
	if len(got) != 1 {
		return fail(ErrCount, "the embedder returned %d vectors for 1 passage", len(got))
	}
	if len(got[0]) != e.Dim() {
		return fail(ErrDim, "the embedder says %d and returned a vector of %d numbers", e.Dim(), len(got[0]))
	}
	length, err := norm(got[0])
	if err != nil {
		return fmt.Errorf("retrieve: probing the embedder: %w", err)
	}
	if math.Abs(length-1) > 1e-3 {
		return fail(ErrNotUnit, "the embedder returned a vector of length %.4g: want 1", length)
	}
	return nil
}
