package cartridge

import (
	"context"
	"testing"

	"memlab/pkg/claims"
	"memlab/pkg/claims/claimstest"
)

// The experiments that train, with trainings cut short: the rows that
// print an accuracy after so many steps have to notice. What they are after all
// steps is stored, and CI computes it again.
func TestTooFewStepsTurnTrainedRowsRed(t *testing.T) {
	p := DefaultParameters()
	p.EarlySteps, p.Steps, p.LateSteps, p.LongSteps = 40, 60, 80, 70
	for _, e := range New(p)[1:] {
		red := map[string][]string{
			"cartridge-training": {
				"selfstudy-steps-1000", "selfstudy-rephrased-8x", "selfstudy-steps-8000",
				"memorize-original-16x", "init-random",
			},
			"cartridge-composition":   {"compose-concat", "compose-only-a", "compose-joint"},
			"cartridge-long-document": {"chunked-p256-3000", "chunked-p256-6000", "chunked-whole-teacher-3000"},
		}[e.Name]
		t.Run(e.Name, func(t *testing.T) {
			claimstest.Red(t, claimstest.Stored(t, e.Name, 1), claimstest.Judged(t, e, 1), red...)
		})
	}
}

// The row that a training of 1,000 steps decides, alone and at full size: one that
// takes a second or two.
func TestWrongParametersTurnSelfStudyRed(t *testing.T) {
	const row = "selfstudy-steps-1000"
	experiment := func(change func(*Parameters)) claims.Experiment {
		p := DefaultParameters()
		change(&p)
		return claims.Experiment{
			Name: "self-study", Version: 1, Seeds: 1, Yields: []claims.Yield{{ID: row}},
			Run: func(seed int) (claims.Values, error) {
				l, err := p.open(context.Background(), seed, "A", p.Facts)
				if err != nil {
					return nil, err
				}
				share, err := l.trainFirst(l.study(), p.Slots, p.EarlySteps)
				if err != nil {
					return nil, err
				}
				return claims.Values{row: claims.One(share[0])}, nil
			},
		}
	}
	right := claimstest.Judged(t, experiment(func(*Parameters) {}), 1)
	if a, b := *right[row].Value, *claimstest.Stored(t, "cartridge-training", 1)[row].Value; a < b-0.01 || a > b+0.01 {
		t.Errorf("alone it is %g, with the other rows %g", a, b)
	}
	for name, change := range map[string]func(*Parameters){
		"gamma of 5":          func(p *Parameters) { p.Gamma = 5 },
		"a third of the rate": func(p *Parameters) { p.Rate = 0.001 },
		"half the slots":      func(p *Parameters) { p.Slots = 32 },
		"32 dimensions":       func(p *Parameters) { p.Dims = 32 },
		"a batch of 32":       func(p *Parameters) { p.Batch = 32 },
	} {
		t.Run(name, func(t *testing.T) { claimstest.Red(t, right, claimstest.Judged(t, experiment(change), 1), row) })
	}
}
