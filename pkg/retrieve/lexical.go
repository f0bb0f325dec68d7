package retrieve

import (
	"context"
	"fmt"
)

// Lexical embeds texts by their spelling, without a model: words, pieces of
// words and pairs of Chinese or Japanese characters are hashed to one of Dim
// numbers with a sign each, counted sublinearly, and scaled to length 1. The
// cosine of two texts tells how many words and pieces they share.
//
// What it cannot do: it knows no meaning. "doctor" and "physician", 喜欢 and 爱,
// or an English text and its translation come out unrelated; "dog bites man" and
// "man bites dog" come out equal; a negation counts as one more word. Two
// features may share a number: with 256 numbers unrelated texts score up to
// about ±0.2, with 4,096 less than ±0.05.
type Lexical struct {
	dim   int
	texts int            // of the corpus; 0: no idf
	in    map[string]int // texts of the corpus with each feature
}

// NewLexical weighs all features alike.
func NewLexical(dim int) (*Lexical, error) {
	if err := checkDim(dim); err != nil {
		return nil, err
	}
	return &Lexical{dim: dim}, nil
}

// FitLexical weighs features by how rare they are among texts, so that "the" and
// 的 count little. Texts without a term are no part of the corpus.
func FitLexical(texts []string, dim int) (*Lexical, error) {
	x, err := NewLexical(dim)
	if err != nil {
		return nil, err
	}
	corpus, err := countCorpus(texts, gramCounts)
	if err != nil {
		return nil, err
	}
	x.texts, x.in = len(corpus), frequencies(corpus)
	return x, nil
}

func countCorpus(texts []string, count func(string) counts) ([]counts, error) {
	var corpus []counts
	for _, text := range texts {
		if c := count(text); len(c.names) > 0 {
			corpus = append(corpus, c)
		}
	}
	if len(corpus) == 0 {
		return nil, fail(ErrEmpty, "a corpus of %d texts, none of which has a letter, digit or symbol", len(texts))
	}
	return corpus, nil
}

// Dim is how many numbers a vector has.
func (x *Lexical) Dim() int { return x.dim }

// Embed returns one unit vector for each passage, from its Text alone. A text
// without a letter, digit or symbol is [ErrEmpty]; one whose features cancel out,
// which takes a tiny Dim, is [ErrZero].
func (x *Lexical) Embed(ctx context.Context, passages ...Passage) ([][]float32, error) {
	out := make([][]float32, len(passages))
	for i, p := range passages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := gramCounts(p.Text)
		if len(c.names) == 0 {
			return nil, emptyPassage(i, p)
		}
		v := make([]float64, x.dim)
		for _, name := range c.names {
			idf := 1.0
			if x.texts > 0 {
				idf = smoothIDF(x.texts, x.in[name])
			}
			h := hash(name)
			w := weigh(name, c.times[name], idf)
			if h>>63 == 1 {
				w = -w
			}
			v[h%uint64(x.dim)] += w
		}
		var err error
		if out[i], err = unitOf(v); err != nil {
			return nil, fmt.Errorf("retrieve: passage %d, id %q: %w: use a larger dimension than %d", i, p.ID, err, x.dim)
		}
	}
	return out, nil
}

func emptyPassage(i int, p Passage) error {
	return fail(ErrEmpty, "passage %d, id %q, role %q: text %q has no letter, digit or symbol to embed", i, p.ID, p.Role, p.Text)
}

// hash is FNV-1a of 64 bits with the finalizer of SplitMix64, which lets
// every bit of the sum reach the sign and the remainder.
func hash(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
