package cartridge

import (
	"math/rand/v2"
)

// Corpus is a document of facts. Fact i says that row i of K means row i of V;
// each is one token of KV. The possible answers to a question are the rows of V.
type Corpus struct {
	K, V Matrix
}

// NewCorpus draws n facts: keys and values are independent vectors of d normal
// numbers, divided by their length.
func NewCorpus(n, d int, rng *rand.Rand) (*Corpus, error) {
	if n < 1 || d < 1 {
		return nil, bad("a corpus of %d facts in %d dimensions: want 1 or more of both", n, d)
	}
	if err := checkSize("a corpus", n, d); err != nil {
		return nil, err
	}
	c := &Corpus{K: NewMatrix(n, d), V: NewMatrix(n, d)}
	for _, m := range []Matrix{c.K, c.V} {
		normal(m.Data, rng)
		for i := range n {
			unit(m.Row(i))
		}
	}
	return c, nil
}

func normal(x []float32, rng *rand.Rand) {
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
}

// Check says what is wrong with a corpus that was put together by hand.
func (c *Corpus) Check() error {
	if c == nil {
		return bad("the corpus is nil")
	}
	if err := c.K.check("keys", 0); err != nil {
		return err
	}
	if err := c.V.check("values", 0); err != nil {
		return err
	}
	if c.K.Rows != c.V.Rows {
		return bad("%d keys and %d values: want as many of both", c.K.Rows, c.V.Rows)
	}
	return nil
}

// Facts is the number of facts, N.
func (c *Corpus) Facts() int { return c.K.Rows }

// Part is the facts from, up to but without to, in the same storage: a chunk, or
// what fits into a window.
func (c *Corpus) Part(from, to int) (*Corpus, error) {
	if c == nil {
		return nil, bad("the corpus is nil")
	}
	if from < 0 || to > c.Facts() || from >= to {
		return nil, bad("facts %d to %d of %d: want a part of the corpus that is not empty", from, to, c.Facts())
	}
	return &Corpus{K: c.K.Slice(from, to), V: c.V.Slice(from, to)}, nil
}

// Join is one document after the other.
func Join(parts ...*Corpus) (*Corpus, error) {
	keys, values := make([]Matrix, len(parts)), make([]Matrix, len(parts))
	for i, c := range parts {
		if err := c.Check(); err != nil {
			return nil, err
		}
		keys[i], values[i] = c.K, c.V
	}
	k, err := Stack(keys...)
	if err != nil {
		return nil, err
	}
	v, err := Stack(values...)
	if err != nil {
		return nil, err
	}
	return &Corpus{K: k, V: v}, nil
}
