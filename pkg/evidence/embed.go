package evidence

import (
	"context"
	"errors"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
)

// embedders are fitted once per dialogue, on its messages; chunks of every size and
// the questions go through the same ones. nil: not asked for, or no message has a word.
type embedders struct{ lexical, lsa retrieve.Embedder }

func fit(d *dialogue.Dialogue, o Options) (e embedders, err error) {
	texts := make([]string, len(d.Messages))
	for i := range d.Messages {
		texts[i] = spoken(&d.Messages[i])
	}
	if o.wants(Lexical) || o.wants(Fused) {
		x, err := retrieve.FitLexical(texts, o.Dim)
		switch {
		case err == nil:
			e.lexical = x
		case !errors.Is(err, retrieve.ErrEmpty):
			return e, err
		}
	}
	if o.wants(LSA) {
		x, err := fitTopics(texts, o.Topics)
		switch {
		case err == nil:
			e.lsa = x
		case !errors.Is(err, retrieve.ErrEmpty):
			return e, err
		}
	}
	return e, nil
}

// fitTopics fits as many topics as the texts have, up to most.
func fitTopics(texts []string, most int) (*retrieve.LSA, error) {
	for n := min(most, len(texts)); ; n-- {
		x, err := retrieve.FitLSA(texts, n)
		if n == 1 || !errors.Is(err, retrieve.ErrDim) {
			return x, err
		}
	}
}

// query is a question's vectors; nil: it has no word that the embedder knows.
type query struct{ lexical, lsa []float32 }

func (e embedders) query(ctx context.Context, q *dialogue.Question) (v query, err error) {
	p := retrieve.Passage{ID: q.ID, Role: retrieve.Query, Text: q.Text}
	if v.lexical, err = vector(ctx, e.lexical, p); err != nil {
		return v, err
	}
	v.lsa, err = vector(ctx, e.lsa, p)
	return v, err
}

// vector embeds a text; nil if it has no word that e knows, or its words cancel out.
func vector(ctx context.Context, e retrieve.Embedder, p retrieve.Passage) ([]float32, error) {
	if e == nil {
		return nil, nil
	}
	v, err := e.Embed(ctx, p)
	if errors.Is(err, retrieve.ErrEmpty) || errors.Is(err, retrieve.ErrZero) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// vectors stores the passages that have a vector.
func vectors(ctx context.Context, e retrieve.Embedder, list []retrieve.Passage) (*retrieve.Vectors, error) {
	if e == nil {
		return nil, nil
	}
	store, err := retrieve.NewVectors(e.Dim())
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		v, err := vector(ctx, e, p)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if err := store.Add(p.ID, v); err != nil {
			return nil, err
		}
	}
	return store, nil
}
