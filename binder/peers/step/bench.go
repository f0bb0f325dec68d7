package main

import (
	"context"

	"memlab/binder/peers/runner"
	"memlab/pkg/cartridge"
	"memlab/pkg/random"
)

// bench trains for 200 steps. With the exact teacher, its answers are part of a
// step; with constant targets they are looked up. The check is the loss of the last
// batch, before its update.
func (s size) bench(folder string, constant bool, e engine) runner.Bench {
	name := "cartridge/step/" + s.String() + "/exact"
	if constant {
		name = "cartridge/step/" + s.String() + "/constant"
	}
	var corpus *cartridge.Corpus
	b := runner.Bench{Name: name, New: func() (runner.Work, error) {
		d, err := s.read(folder)
		if err != nil {
			return nil, err
		}
		corpus = d.corpus
		start, err := cartridge.FirstTokens(d.corpus, s.slots)
		if err != nil {
			return nil, err
		}
		lesson, err := s.lesson(d, constant)
		if err != nil {
			return nil, err
		}
		t := cartridge.DefaultTrainer(lesson, steps, seed)
		t.Batch, t.Engine = s.batch, e.kept()
		return func() (int, any, error) {
			r, err := t.Train(context.Background(), start)
			if err != nil {
				return 0, nil, err
			}
			return steps, r.Losses[steps-1], nil
		}, nil
	}}
	if !constant {
		b.Off = func() (runner.Work, error) { return s.drawing(corpus) }
	}
	return b
}

// lesson gives the batches of the file. Only a Study has the exact teacher, and it
// draws the questions anew, the same ones; see drawing.
func (s size) lesson(d *data, constant bool) (cartridge.Lesson, error) {
	l := study(d.corpus, constant)
	if !constant {
		return l, nil
	}
	source, err := l.Open(seed)
	if err != nil {
		return nil, err
	}
	r := replay{
		Study: l, data: d, mean: cartridge.NewMatrix(s.facts, dims), negEntropy: make([]float32, s.facts),
	}
	b := s.newBatch()
	for range steps {
		if err := source.Next(b); err != nil {
			return nil, err
		}
		for i, fact := range b.Facts {
			copy(r.mean.Row(fact), b.Mean.Row(i))
			r.negEntropy[fact] = b.NegEntropy[i]
		}
	}
	return r, nil
}

// drawing draws the questions of a repeat, and does next to nothing else.
func (s size) drawing(c *cartridge.Corpus) (runner.Work, error) {
	lesson := study(c, true)
	lesson.Objective = cartridge.HardLabels // no teacher
	b := s.newBatch()
	return func() (int, any, error) {
		source, err := lesson.Open(seed)
		for i := 0; i < steps && err == nil; i++ {
			err = source.Next(b)
		}
		return steps, nil, err
	}, nil
}

// replay is a Study whose questions have been drawn, and whose teacher gives one
// answer for each fact.
type replay struct {
	cartridge.Study
	data       *data
	mean       cartridge.Matrix // facts x dims
	negEntropy []float32
}

func (r replay) Open(random.Seed) (cartridge.Source, error) { return &replaying{replay: r}, nil }

type replaying struct {
	replay
	at int // of the next question
}

func (r *replaying) Teacher() *cartridge.Teacher {
	return &cartridge.Teacher{Mean: r.mean, NegEntropy: r.negEntropy}
}

func (r *replaying) Next(b *cartridge.Batch) error {
	if err := r.Ask(b); err != nil {
		return err
	}
	for i, fact := range b.Facts {
		copy(b.Mean.Row(i), r.mean.Row(fact))
		b.NegEntropy[i] = r.negEntropy[fact]
	}
	return nil
}

func (r *replaying) Ask(b *cartridge.Batch) error {
	n := len(b.Facts)
	copy(b.Q.Data, r.data.q.Slice(r.at, r.at+n).Data)
	for i, fact := range r.data.facts[r.at : r.at+n] {
		b.Facts[i] = int(fact)
	}
	r.at += n
	return nil
}
