package playbook

import (
	"fmt"

	"memlab/pkg/claims"
)

// Point is what one learner came to.
type Point struct {
	Learner Learner `json:"learner"`
	Seeds   int     `json:"seeds"`

	Before    claims.Mean `json:"accuracy_before"`
	Accuracy  claims.Mean `json:"accuracy"` // at the end, on new tasks
	Gain      claims.Mean `json:"gain"`     // accuracy - before, in pairs
	Online    claims.Mean `json:"online_accuracy"`
	Bullets   claims.Mean `json:"bullets"`
	Tokens    claims.Mean `json:"tokens"`
	Joined    claims.Mean `json:"joined"`
	Misjoined claims.Mean `json:"joined_in_error"`
	Dropped   claims.Mean `json:"dropped"`
	Refused   claims.Mean `json:"refused"`
	Collapses claims.Mean `json:"collapses"`
	Reuse     claims.Mean `json:"reuse"` // of the generator's prompts, blocks of one token

	values []float64 // accuracy by seed
}

// Over is the mean difference in accuracy to another point of the same seeds, in
// pairs.
func (p Point) Over(o Point) (claims.Mean, error) {
	if len(p.values) == 0 || len(p.values) != len(o.values) {
		return claims.Mean{}, bad("%q has %d seeds and %q %d: want the same", p.Learner.Name, len(p.values), o.Learner.Name, len(o.values))
	}
	d := make([]float64, len(p.values))
	for i := range d {
		d[i] = p.values[i] - o.values[i]
	}
	return claims.MeanOf(d), nil
}

// Curve runs learners over seeds 0 to seeds-1.
func Curve(seeds int, learners ...Learner) ([]Point, error) {
	if seeds < 1 {
		return nil, bad("seeds %d: want 1 or more", seeds)
	}
	out := make([]Point, len(learners))
	for i, l := range learners {
		p := &out[i]
		p.Learner, p.Seeds = l, seeds
		var found [][]float64
		for seed := range seeds {
			c, err := Learn(l, seed)
			if err != nil {
				return nil, err
			}
			f, err := c.Figures(1)
			if err != nil {
				return nil, err
			}
			end := c.End()
			p.values = append(p.values, end.Accuracy)
			for j, x := range []float64{
				c.Before.Accuracy, end.Accuracy, end.Accuracy - c.Before.Accuracy, c.Online,
				float64(end.Bullets), float64(end.Tokens), float64(c.Joined), float64(c.Misjoined),
				float64(c.Dropped), float64(c.Refused), float64(c.Collapses), f.Reuse,
			} {
				if j == len(found) {
					found = append(found, nil)
				}
				found[j] = append(found[j], x)
			}
		}
		for j, m := range []*claims.Mean{
			&p.Before, &p.Accuracy, &p.Gain, &p.Online, &p.Bullets, &p.Tokens, &p.Joined, &p.Misjoined,
			&p.Dropped, &p.Refused, &p.Collapses, &p.Reuse,
		} {
			*m = claims.MeanOf(found[j])
		}
	}
	return out, nil
}

// vary makes a learner for each value, named by it.
func vary[T any](base Learner, values []T, name string, set func(*Learner, T)) []Learner {
	out := make([]Learner, len(values))
	for i, v := range values {
		out[i] = base
		set(&out[i], v)
		out[i].Name = fmt.Sprintf(name, v)
	}
	return out
}
