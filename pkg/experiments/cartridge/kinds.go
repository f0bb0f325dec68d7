package cartridge

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"memlab/pkg/cartridge"
)

// KindsPoint is a training on some kinds of questions, tested on every kind.
type KindsPoint struct {
	Trained []string `json:"trained"`
	// Anyhow is on questions as users ask them, Own on the kinds trained, Others
	// on those of the five kinds that were not; 0 if there are none.
	Anyhow float64 `json:"anyhow"`
	Own    float64 `json:"own"`
	Others float64 `json:"others"`
}

// Kinds is the toy's ablation of seed prompts: each kind alone, all five, and
// questions that vary everything at once.
func Kinds(ctx context.Context, p Parameters, seed, slots int) ([]KindsPoint, error) {
	l, err := p.open(ctx, seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	asked := map[cartridge.Family]cartridge.Questions{cartridge.Anyhow: l.ask}
	for _, f := range cartridge.Families() {
		asked[f], err = l.corpus.Rephrased(p.Questions, p.Distance, f, l.seed.Stream("cartridge", "ask", f.String()))
		if err != nil {
			return nil, err
		}
	}
	start, err := l.first(slots)
	if err != nil {
		return nil, err
	}
	var sets [][]cartridge.Family
	for _, f := range cartridge.Families() {
		sets = append(sets, []cartridge.Family{f})
	}
	sets = append(sets, cartridge.Families(), []cartridge.Family{cartridge.Anyhow})
	var out []KindsPoint
	for _, set := range sets {
		s := l.study()
		s.Families = set
		trained, err := l.train(s, start, p.Steps)
		if err != nil {
			return nil, err
		}
		at, in := KindsPoint{}, map[cartridge.Family]bool{}
		for _, f := range set {
			at.Trained = append(at.Trained, f.String())
			in[f] = true
		}
		if at.Anyhow, err = l.score(trained[0]); err != nil {
			return nil, err
		}
		var own, others []float64
		for f, ask := range asked {
			share, err := l.scoreOn(trained[0], ask)
			if err != nil {
				return nil, err
			}
			switch {
			case in[f]:
				own = append(own, share)
			case f != cartridge.Anyhow:
				others = append(others, share)
			}
		}
		slices.Sort(others) // a map has no order, and a sum depends on it
		slices.Sort(own)
		at.Own = floats.Sum(own) / float64(len(own))
		if len(others) > 0 {
			at.Others = floats.Sum(others) / float64(len(others))
		}
		out = append(out, at)
	}
	return out, nil
}
