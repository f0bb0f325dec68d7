package rag

import (
	"context"
	"errors"
	"fmt"

	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
)

// Method is how chunks are ranked.
type Method string

// The methods.
const (
	Vector Method = "vector" // cosine of embeddings
	BM25   Method = "bm25"   // words
	Fused  Method = "fused"  // both, by reciprocal rank fusion
)

// Methods lists the methods.
func Methods() []Method { return []Method{Vector, BM25, Fused} }

// Options are how chunks are made and found.
type Options struct {
	// Chunk closes a chunk as soon as it has that many tokens; K chunks are read.
	Chunk, K int
	// SplitSessions ends a chunk with its session. The lecture's do not.
	SplitSessions bool
	Method        Method
	// Embedder makes vectors; not needed for BM25.
	Embedder retrieve.Embedder
	Account  *memory.Account
	// Instructions and Question are tokens around the chunks, Output the length
	// of an answer; for the account.
	Instructions, Question, Output int
}

// Defaults is 16 chunks of 128 tokens by their vectors.
func Defaults(e retrieve.Embedder) Options {
	return Options{
		Chunk: 128, K: 16, Method: Vector, Embedder: e, Account: &memory.Account{},
		Instructions: 200, Question: 20, Output: 20,
	}
}

// ErrOption is the kind of every error about options that cannot be.
var ErrOption = errors.New("bad option")

func (o Options) check(ctx context.Context) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("rag: %w: %w", ErrOption, fmt.Errorf(format, args...))
	}
	switch {
	case o.Chunk < 1:
		return bad("chunk %d: want 1 or more tokens", o.Chunk)
	case o.K < 1:
		return bad("k %d: want 1 or more chunks", o.K)
	case o.Method != Vector && o.Method != BM25 && o.Method != Fused:
		return bad("method %q: want one of %q", o.Method, Methods())
	case o.Method != BM25 && o.Embedder == nil:
		return bad("method %q without an embedder", o.Method)
	case o.Account == nil:
		return bad("account is nil")
	case o.Instructions < 1 || o.Question < 1 || o.Output < 0:
		return bad("instructions %d, question %d, output %d: want 1 or more tokens, and 0 or more of output",
			o.Instructions, o.Question, o.Output)
	}
	if o.Method == BM25 {
		return nil
	}
	return retrieve.Probe(ctx, o.Embedder)
}
