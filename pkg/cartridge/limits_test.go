package cartridge

import (
	"context"
	"errors"
	"math"
	"testing"

	"memlab/pkg/random"
)

// manySteps would take any number of steps in a call, but has no loss to tell.
type manySteps struct {
	Engine
	taken *[]int
}

func (manySteps) StepsPerCall() int { return math.MaxInt }

func (manySteps) Answers() bool { return false }

func (manySteps) Reset() error { return nil }

func (m manySteps) Steps(_ *Cartridge, b []*Batch, _ []Update) ([]float64, error) {
	*m.taken = append(*m.taken, len(b))
	return make([]float64, len(b)), nil
}

func TestTheLargestIntIsARhythmLikeAnyOther(t *testing.T) {
	c := corpus(t, 16, 8)
	start := ok(FirstTokens(c, 4))
	tr := DefaultTrainer(study(c), 5, random.Seed(1))
	tr.Batch, tr.CheckpointEvery, tr.ProgressEvery = 4, math.MaxInt, math.MaxInt
	tr.Validation = &Validation{Questions: 4, Every: math.MaxInt}
	if r, err := tr.Train(context.Background(), start); err != nil || len(r.Losses) != 5 {
		t.Errorf("by hand: %v", err)
	}
	var taken []int
	tr.Engine = func(s Setup) (Engine, error) { return manySteps{ok(ByHand(s)), &taken}, nil }
	if _, err := tr.Train(context.Background(), start); err != nil || len(taken) != 1 || taken[0] != 5 {
		t.Errorf("all at once: calls of %d steps, %v", taken, err)
	}
	tr.Engine = func(Setup) (Engine, error) { return nil, nil }
	if _, err := tr.Train(context.Background(), start); !errors.Is(err, ErrInput) {
		t.Errorf("no engine: %v", err)
	}
}
