package main

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"memlab/binder/peers/runner"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/retrieve"
)

// scanning is what a search by brute force cannot do without: the dot product of a query
// with the vector of every message, by gonum's matrix-vector product. It counts queries.
func scanning(times int) (runner.Work, error) {
	l, err := newLife(times)
	if err != nil {
		return nil, err
	}
	m := blas32.General{Rows: len(l.dialogue.Messages), Cols: toy.Dim, Stride: toy.Dim}
	for i := range l.dialogue.Messages {
		v, err := l.Embed(context.Background(), retrieve.Passage{ID: l.dialogue.Messages[i].ID, Role: retrieve.Message, Text: "x"})
		if err != nil {
			return nil, err
		}
		m.Data = append(m.Data, v[0]...)
	}
	query := blas32.Vector{N: toy.Dim, Inc: 1, Data: m.Data[:toy.Dim]}
	scores := blas32.Vector{N: m.Rows, Inc: 1, Data: make([]float32, m.Rows)}
	return func() (int, any, error) {
		const queries = 20
		for range queries {
			blas32.Gemv(blas.NoTrans, 1, m, query, 0, scores)
		}
		if scores.Data[0] < 0.99 {
			return 0, nil, errors.New("a vector is not like itself")
		}
		return queries, nil, nil
	}, nil
}
