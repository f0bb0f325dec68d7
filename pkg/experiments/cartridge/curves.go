package cartridge

import (
	"context"

	"memlab/pkg/cartridge"
)

// SlotsPoint is what p slots are good for, as a share of questions answered.
// Steps is that of all trainings.
type SlotsPoint struct {
	Slots             int     `json:"slots"`
	Truncated         float64 `json:"truncated"`
	SelfStudy         float64 `json:"self_study"`
	HardLabels        float64 `json:"hard_labels"`
	MemorizeOriginal  float64 `json:"memorize_original"`
	MemorizeRephrased float64 `json:"memorize_rephrased"`
	// ICL, LinearSum and LinearLeastSquares do not depend on p; the matrices
	// occupy as much as LinearTokens slots.
	ICL                float64 `json:"icl"`
	LinearSum          float64 `json:"linear_sum"`
	LinearLeastSquares float64 `json:"linear_least_squares"`
	LinearTokens       float64 `json:"linear_tokens"`
}

// OverSlots compares all methods at several sizes. Questions are in other words
// except where a name says otherwise. With DefaultParameters a size takes about ten
// seconds.
func OverSlots(ctx context.Context, p Parameters, seed int, slots []int) ([]SlotsPoint, error) {
	l, err := p.open(ctx, seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	var common SlotsPoint
	if common.ICL, err = l.truncated(p.Facts); err != nil {
		return nil, err
	}
	sum, err := cartridge.LinearSum(l.corpus)
	if err != nil {
		return nil, err
	}
	squares, err := cartridge.LinearLeastSquares(l.corpus)
	if err != nil {
		return nil, err
	}
	common.LinearTokens = sum.Tokens()
	if common.LinearSum, err = cartridge.Score(sum, l.ask, l.corpus.V); err != nil {
		return nil, err
	}
	if common.LinearLeastSquares, err = cartridge.Score(squares, l.ask, l.corpus.V); err != nil {
		return nil, err
	}
	out := make([]SlotsPoint, len(slots))
	for i, n := range slots {
		at := common
		at.Slots = n
		if at.Truncated, err = l.truncated(n); err != nil {
			return nil, err
		}
		study, err := l.trainFirst(l.study(), n, p.Steps)
		if err != nil {
			return nil, err
		}
		hard, err := l.trainFirst(l.objective(cartridge.HardLabels), n, p.Steps)
		if err != nil {
			return nil, err
		}
		at.SelfStudy, at.HardLabels = study[0], hard[0]
		if at.MemorizeOriginal, at.MemorizeRephrased, err = l.memorize(n, p.Steps); err != nil {
			return nil, err
		}
		out[i] = at
	}
	return out, nil
}

// StepsPoint is what a training has reached after some steps.
type StepsPoint struct {
	Steps             int     `json:"steps"`
	SelfStudy         float64 `json:"self_study"`
	MemorizeOriginal  float64 `json:"memorize_original"`
	MemorizeRephrased float64 `json:"memorize_rephrased"`
	RandomVectors     float64 `json:"random_vectors"` // self-study from standard normal slots
	RandomTokens      float64 `json:"random_tokens"`  // self-study from random facts
}

// OverSteps looks at four trainings of some slots on their way. 0 steps is the
// start.
func OverSteps(ctx context.Context, p Parameters, seed, slots int, steps []int) ([]StepsPoint, error) {
	l, err := p.open(ctx, seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	if len(steps) == 0 {
		return nil, bad("no steps to look at")
	}
	first, err := l.first(slots)
	if err != nil {
		return nil, err
	}
	vectors, err := cartridge.RandomVectors(l.corpus, slots, false, l.seed.Stream("cartridge", "vectors"))
	if err != nil {
		return nil, err
	}
	tokens, err := cartridge.RandomTokens(l.corpus, slots, l.seed.Stream("cartridge", "tokens"))
	if err != nil {
		return nil, err
	}
	out := make([]StepsPoint, len(steps))
	for _, run := range []struct {
		study             cartridge.Study
		start             *cartridge.Cartridge
		original, another func(*StepsPoint) *float64
	}{
		{l.study(), first, nil, func(s *StepsPoint) *float64 { return &s.SelfStudy }},
		{
			l.objective(cartridge.Memorize), first,
			func(s *StepsPoint) *float64 { return &s.MemorizeOriginal },
			func(s *StepsPoint) *float64 { return &s.MemorizeRephrased },
		},
		{l.study(), vectors, nil, func(s *StepsPoint) *float64 { return &s.RandomVectors }},
		{l.study(), tokens, nil, func(s *StepsPoint) *float64 { return &s.RandomTokens }},
	} {
		trained, err := l.train(run.study, run.start, steps...)
		if err != nil {
			return nil, err
		}
		for i, z := range trained {
			out[i].Steps = steps[i]
			if *run.another(&out[i]), err = l.score(z); err != nil {
				return nil, err
			}
			if run.original == nil {
				continue
			}
			if *run.original(&out[i]), err = l.scoreOn(z, l.corpus.Original()); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
