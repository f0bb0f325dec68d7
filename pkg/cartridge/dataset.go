package cartridge

import (
	"strconv"

	"memlab/pkg/random"
)

// Dataset is a number of questions with the teacher's answers that are used again
// and again, in a new order each time.
type Dataset struct {
	model      Model
	candidates Matrix
	all        Batch
}

// Generate asks n questions once.
func (s Study) Generate(n int, seed random.Seed) (*Dataset, error) {
	if n < 1 {
		return nil, bad("a data set of %d questions: want 1 or more", n)
	}
	src, err := s.Open(seed)
	if err != nil {
		return nil, err
	}
	if err := checkSize("a data set", n, max(s.Corpus.K.Cols, s.Corpus.V.Cols)); err != nil {
		return nil, err
	}
	d := &Dataset{model: s.Model, candidates: s.Corpus.V}
	all := newBatch(n, s.Corpus.K.Cols, s.Corpus.V.Cols)
	const block = 256 // bounds the memory of the teacher's distributions
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		part := Batch{
			Facts: all.Facts[from:to], Q: all.Q.Slice(from, to), Mean: all.Mean.Slice(from, to),
			NegEntropy: all.NegEntropy[from:to],
		}
		if err := src.Next(&part); err != nil {
			return nil, err
		}
	}
	d.all = *all
	return d, nil
}

// Len is the number of questions.
func (d *Dataset) Len() int { return len(d.all.Facts) }

// Shape is that of the study it came from.
func (d *Dataset) Shape() (m Model, candidates Matrix, keyDim int) {
	return d.model, d.candidates, d.all.Q.Cols
}

// Open goes through all questions in a new order each time.
func (d *Dataset) Open(seed random.Seed) (Source, error) {
	if d == nil || d.Len() == 0 {
		return nil, bad("an empty data set")
	}
	return &epochs{data: d, seed: seed}, nil
}

type epochs struct {
	data  *Dataset
	seed  random.Seed
	epoch int
	order []int
}

func (e *epochs) Next(b *Batch) error {
	for i := range b.Facts {
		if len(e.order) == 0 {
			e.order = e.seed.Stream("cartridge", "order", strconv.Itoa(e.epoch)).Perm(e.data.Len())
			e.epoch++
		}
		at := e.order[0]
		e.order = e.order[1:]
		b.Facts[i] = e.data.all.Facts[at]
		copy(b.Q.Row(i), e.data.all.Q.Row(at))
		copy(b.Mean.Row(i), e.data.all.Mean.Row(at))
		b.NegEntropy[i] = e.data.all.NegEntropy[at]
	}
	return nil
}
