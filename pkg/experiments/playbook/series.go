package playbook

import "memlab/pkg/claims"

// Fall is a rewrite after which less than half of the context was left.
type Fall struct {
	Task   int    `json:"task"`
	Before Moment `json:"before"`
	After  Moment `json:"after"`
	// Unadapted is the accuracy without any context.
	Unadapted float64 `json:"unadapted"`
}

// FirstFall is the first collapse of a course; false if there was none.
func (c *Course) FirstFall() (Fall, bool) {
	for i := 1; i < len(c.Moments); i++ {
		if c.Moments[i].Tokens < c.Moments[i-1].Tokens/2 {
			return Fall{i, c.Moments[i-1], c.Moments[i], c.Before.Accuracy}, true
		}
	}
	return Fall{}, false
}

// Stage is the state after one task, over seeds.
type Stage struct {
	Bullets  claims.Mean `json:"bullets"`
	Tokens   claims.Mean `json:"tokens"`
	Accuracy claims.Mean `json:"accuracy"`
}

// Series is the course of one learner over seeds 0 to seeds-1, task by task.
func Series(seeds int, l Learner) ([]Stage, error) {
	if seeds < 1 {
		return nil, bad("seeds %d: want 1 or more", seeds)
	}
	courses := make([]*Course, seeds)
	for seed := range courses {
		var err error
		if courses[seed], err = Learn(l, seed); err != nil {
			return nil, err
		}
	}
	out := make([]Stage, len(courses[0].Moments))
	bullets, tokens, accuracy := make([]float64, seeds), make([]float64, seeds), make([]float64, seeds)
	for i := range out {
		for j, c := range courses {
			m := c.Moments[i]
			bullets[j], tokens[j], accuracy[j] = float64(m.Bullets), float64(m.Tokens), m.Accuracy
		}
		out[i] = Stage{claims.MeanOf(bullets), claims.MeanOf(tokens), claims.MeanOf(accuracy)}
	}
	return out, nil
}
