package retrieve

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// LSA embeds texts by latent semantic analysis (Deerwester et al. 1990): TF-IDF
// of the terms of a corpus, projected on its Dim strongest directions, and
// scaled to length 1. Words that keep the same company in the corpus come
// close, which is as near as counting gets to synonyms.
//
// What it cannot do: it knows only the words of its corpus, and needs hundreds
// of texts to learn their company; words that never share a neighbour stay
// apart, whatever they mean; order and negation are lost as in [Lexical].
type LSA struct {
	dim      int
	column   map[string]int
	idf      []float64
	topics   *mat.Dense // terms x dim, orthonormal columns
	strength []float64  // singular values of the corpus, falling
}

// FitLSA learns from texts; those without a term are no part of the corpus. dim
// is at most the rank of the corpus (the number of texts that are not mixtures
// of others), else [ErrDim] tells the rank. The time grows with dim*dim times
// the number of distinct terms: about a second for 1,000 messages and 128.
func FitLSA(texts []string, dim int) (*LSA, error) {
	if err := checkDim(dim); err != nil {
		return nil, err
	}
	corpus, err := countCorpus(texts, termCounts)
	if err != nil {
		return nil, err
	}
	x := &LSA{dim: dim, column: map[string]int{}}
	in := frequencies(corpus)
	for _, c := range corpus {
		for _, name := range c.names {
			if _, seen := x.column[name]; !seen {
				x.column[name] = len(x.idf)
				x.idf = append(x.idf, smoothIDF(len(corpus), in[name]))
			}
		}
	}
	a := sparse{columns: len(x.idf)}
	for _, c := range corpus {
		a.rows = append(a.rows, x.weights(c))
	}
	if most := min(len(a.rows), a.columns); dim > most {
		return nil, fail(ErrDim, "dimension %d for %d texts with %d distinct terms: want at most %d", dim, len(a.rows), a.columns, most)
	}
	return x, x.decompose(a)
}

// weights is the TF-IDF row of a text, of length 1; empty where it shares no
// term with the corpus.
func (x *LSA) weights(c counts) []cell {
	var row []cell
	var ws []float64
	for _, name := range c.names {
		if column, ok := x.column[name]; ok {
			row = append(row, cell{column: column})
			ws = append(ws, weigh(name, c.times[name], x.idf[column]))
		}
	}
	if len(row) == 0 {
		return nil
	}
	length := mat.Norm(mat.NewVecDense(len(ws), ws), 2)
	for i := range row {
		row[i].weight = ws[i] / length
	}
	return row
}

const (
	oversample = 10 // directions more than asked for, against chance
	sweeps     = 6  // power iterations
)

// decompose finds the strongest directions by randomised subspace iteration
// (Halko, Martinsson and Tropp, SIAM Review 53(2), 2011, algorithm 4.4), which
// is exact where dim+oversample reaches the number of texts or terms. The
// random start is the same every time.
func (x *LSA) decompose(a sparse) error {
	width := min(x.dim+oversample, len(a.rows), a.columns)
	r := rand.New(rand.NewPCG(1, 2))
	start := mat.NewDense(a.columns, width, nil)
	for i := range a.columns {
		for j := range width {
			start.Set(i, j, r.NormFloat64())
		}
	}
	basis, ok := orthonormal(a.times(start))
	for range sweeps {
		if ok {
			basis, ok = orthonormal(a.transposedTimes(basis))
		}
		if ok {
			basis, ok = orthonormal(a.times(basis))
		}
	}
	var svd mat.SVD
	if !ok || !svd.Factorize(a.transposedTimes(basis), mat.SVDThin) {
		return fail(ErrDim, "the singular value decomposition of %d texts with %d terms does not converge", len(a.rows), a.columns)
	}
	x.strength = svd.Values(nil)
	rank := 0
	for rank < len(x.strength) && x.strength[rank] > 1e-7*x.strength[0] {
		rank++
	}
	if x.dim > rank {
		return fail(ErrDim, "dimension %d for a corpus of rank %d: want at most %d", x.dim, rank, rank)
	}
	var u mat.Dense
	svd.UTo(&u)
	x.strength = x.strength[:x.dim]
	x.topics = mat.DenseCopyOf(u.Slice(0, a.columns, 0, x.dim))
	return nil
}

// orthonormal returns an orthonormal basis of the columns of m, which has at
// least as many rows as columns, and whether it was found.
func orthonormal(m *mat.Dense) (*mat.Dense, bool) {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThinU) {
		return m, false
	}
	var u mat.Dense
	svd.UTo(&u)
	return &u, true
}

// Dim is how many numbers a vector has.
func (x *LSA) Dim() int { return x.dim }

// Embed returns one unit vector for each passage, from its Text alone. A text
// without a letter, digit or symbol, or without any term of the corpus, is
// [ErrEmpty].
func (x *LSA) Embed(ctx context.Context, passages ...Passage) ([][]float32, error) {
	out := make([][]float32, len(passages))
	for i, p := range passages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := termCounts(p.Text)
		if len(c.names) == 0 {
			return nil, emptyPassage(i, p)
		}
		row := x.weights(c)
		if len(row) == 0 {
			return nil, fail(ErrEmpty, "passage %d, id %q: text %q has no term of the corpus", i, p.ID, p.Text)
		}
		v := make([]float64, x.dim)
		for _, c := range row {
			for j, topic := range x.topics.RawRowView(c.column) {
				v[j] += float64(c.weight * topic)
			}
		}
		var err error
		if out[i], err = unitOf(v); err != nil {
			return nil, fmt.Errorf("retrieve: passage %d, id %q: %w: no direction of the corpus has its terms", i, p.ID, err)
		}
	}
	return out, nil
}
