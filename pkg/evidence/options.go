package evidence

import (
	"errors"
	"fmt"
	"slices"
)

// Method is how chunks are ranked.
type Method string

// The methods.
const (
	Lexical Method = "lexical" // cosine of hashed words and pieces of words, weighed by their rarity in the dialogue
	LSA     Method = "lsa"     // cosine of topics that the dialogue's messages have
	BM25    Method = "bm25"
	Fused   Method = "fused" // Lexical and BM25 by reciprocal rank
)

// Methods lists the methods.
func Methods() []Method { return []Method{Lexical, LSA, BM25, Fused} }

// Turn is the chunk size of single messages.
const Turn = 0

// Options say what to compare. The zero value is what Defaults returns.
type Options struct {
	Methods []Method
	Chunks  []int // tokens at which a chunk is closed; Turn for single messages
	Budgets []int // tokens of retrieved text
	Dim     int   // numbers of a lexical vector
	Topics  int   // numbers of an LSA vector; fewer if the dialogue has no more
	Workers int   // dialogues at once
}

// Defaults are the methods without LSA, which takes longer to fit than the rest to
// run, and vectors so long that hashing hardly mixes words up.
func Defaults() Options {
	return Options{
		Methods: []Method{Lexical, BM25, Fused},
		Chunks:  []int{Turn, 128, 256, 512},
		Budgets: []int{500, 1000, 2000, 4000},
		Dim:     4096,
		Topics:  128,
		Workers: 2,
	}
}

// ErrOption is the kind of every error about options that cannot be.
var ErrOption = errors.New("bad option")

// complete fills in what is not given and checks the rest.
func (o Options) complete() (Options, error) {
	d := Defaults()
	if len(o.Methods) == 0 {
		o.Methods = d.Methods
	}
	if len(o.Chunks) == 0 {
		o.Chunks = d.Chunks
	}
	if len(o.Budgets) == 0 {
		o.Budgets = d.Budgets
	}
	for n, usual := range map[*int]int{&o.Dim: d.Dim, &o.Topics: d.Topics, &o.Workers: d.Workers} {
		if *n == 0 {
			*n = usual
		}
	}
	return o, o.check()
}

func (o Options) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("evidence: %w: %s", ErrOption, fmt.Sprintf(format, args...))
	}
	for i, m := range o.Methods {
		if !slices.Contains(Methods(), m) {
			return bad("method %q: want one of %q", m, Methods())
		}
		if slices.Contains(o.Methods[:i], m) {
			return bad("method %q is given twice", m)
		}
	}
	for i, n := range o.Chunks {
		if n < 0 {
			return bad("chunk %d: want tokens from 1, or %d for single messages", n, Turn)
		}
		if slices.Contains(o.Chunks[:i], n) {
			return bad("chunk %d is given twice", n)
		}
	}
	for i, n := range o.Budgets {
		if n < 1 {
			return bad("budget %d: want 1 token or more", n)
		}
		if slices.Contains(o.Budgets[:i], n) {
			return bad("budget %d is given twice", n)
		}
	}
	switch {
	case o.Dim < 1:
		return bad("dim %d: want 1 or more", o.Dim)
	case o.Topics < 1:
		return bad("topics %d: want 1 or more", o.Topics)
	case o.Workers < 1:
		return bad("workers %d: want 1 or more", o.Workers)
	}
	return nil
}
