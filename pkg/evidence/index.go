package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
)

// index is the chunks of a dialogue, searchable by every method that is asked for.
type index struct {
	chunks       []chunk
	lexical, lsa *retrieve.Vectors // nil: not asked for
	words        *retrieve.BM25
}

// newIndex cuts and indexes a dialogue.
func newIndex(ctx context.Context, d *dialogue.Dialogue, size int, o Options, e embedders) (*index, error) {
	x := &index{chunks: cut(d.Messages, size)}
	list := passages(d.Messages, x.chunks)
	var err error
	if x.lexical, err = vectors(ctx, e.lexical, list); err != nil {
		return nil, err
	}
	if x.lsa, err = vectors(ctx, e.lsa, list); err != nil {
		return nil, err
	}
	if o.wants(BM25) || o.wants(Fused) {
		if x.words, err = retrieve.NewBM25(); err != nil {
			return nil, err
		}
		for _, p := range list {
			if err := x.words.Add(p.ID, p.Text); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

func (o Options) wants(m Method) bool { return slices.Contains(o.Methods, m) }

// rank lists chunks for a question, best first, by each of the methods. Chunks that
// a method cannot find are not listed.
func (x *index) rank(q *dialogue.Question, v query, methods []Method) ([][]int, error) {
	lexical, err := search(x.lexical, v.lexical)
	if err != nil {
		return nil, err
	}
	lsa, err := search(x.lsa, v.lsa)
	if err != nil {
		return nil, err
	}
	var words []retrieve.Hit
	if x.words != nil {
		words, err = x.words.Search(q.Text, len(x.chunks), nil)
		if err != nil && !errors.Is(err, retrieve.ErrEmpty) {
			return nil, err
		}
	}
	rankings := make([][]int, len(methods))
	for i, m := range methods {
		var hits []retrieve.Hit
		switch m {
		case Lexical:
			hits = lexical
		case LSA:
			hits = lsa
		case BM25:
			hits = words
		case Fused:
			hits = retrieve.Fuse(retrieve.RankConstant, len(x.chunks), lexical, words)
		}
		if rankings[i], err = places(hits); err != nil {
			return nil, err
		}
	}
	return rankings, nil
}

func search(store *retrieve.Vectors, v []float32) ([]retrieve.Hit, error) {
	if store == nil || store.Len() == 0 || v == nil {
		return nil, nil // finds nothing
	}
	return store.Search(v, store.Len(), nil)
}

func places(hits []retrieve.Hit) ([]int, error) {
	out := make([]int, len(hits))
	for i, h := range hits {
		n, err := strconv.Atoi(h.ID)
		if err != nil {
			return nil, fmt.Errorf("chunk %q: %w", h.ID, err)
		}
		out[i] = n
	}
	return out, nil
}
