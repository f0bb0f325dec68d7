package cartridge

import (
	"context"

	"memlab/pkg/cartridge"
)

// SensitivityPoint is self-study under another model.
type SensitivityPoint struct {
	Beta     float64 `json:"beta"`
	Gamma    float64 `json:"gamma"`
	ICL      float64 `json:"icl"`
	Accuracy float64 `json:"accuracy"`
}

// Sensitivity trains under each beta with each gamma; the other parameters, the
// rate among them, stay.
func Sensitivity(ctx context.Context, p Parameters, seed int, betas, gammas []float64) ([]SensitivityPoint, error) {
	var out []SensitivityPoint
	for _, beta := range betas {
		for _, gamma := range gammas {
			p.Beta, p.Gamma = beta, gamma
			l, err := p.open(ctx, seed, "A", p.Facts)
			if err != nil {
				return nil, err
			}
			at := SensitivityPoint{Beta: beta, Gamma: gamma}
			if at.ICL, err = l.truncated(p.Facts); err != nil {
				return nil, err
			}
			// The teacher's attention is not always on one fact here.
			s := l.study()
			s.ConstantTargets = false
			trained, err := l.trainFirst(s, p.Slots, p.Steps)
			if err != nil {
				return nil, err
			}
			at.Accuracy = trained[0]
			out = append(out, at)
		}
	}
	return out, nil
}

// DistancePoint is how far questions may be from the text.
type DistancePoint struct {
	Distance  float64 `json:"distance"`
	Cosine    float64 `json:"cosine"`
	ICL       float64 `json:"icl"`
	SelfStudy float64 `json:"self_study"`
	Memorize  float64 `json:"memorize"`
	// Matched is self-study on questions of that distance.
	Matched float64 `json:"matched"`
}

// Distances asks questions at several distances of cartridges that were trained at
// the usual one, of one that memorised the text, and of one trained for each
// distance.
func Distances(ctx context.Context, p Parameters, seed, slots int, distances []float64) ([]DistancePoint, error) {
	l, err := p.open(ctx, seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	start, err := l.first(slots)
	if err != nil {
		return nil, err
	}
	usual, err := l.train(l.study(), start, p.Steps)
	if err != nil {
		return nil, err
	}
	memorized, err := l.train(l.objective(cartridge.Memorize), start, p.Steps)
	if err != nil {
		return nil, err
	}
	out := make([]DistancePoint, len(distances))
	for i, distance := range distances {
		s := l.study()
		s.Distance = distance
		matched, err := l.train(s, start, p.Steps)
		if err != nil {
			return nil, err
		}
		ask, err := l.corpus.Rephrased(p.Questions, distance, cartridge.Anyhow, l.seed.Stream("cartridge", "ask", "distance"))
		if err != nil {
			return nil, err
		}
		at := DistancePoint{Distance: distance, Cosine: meanCosine(l.corpus, ask)}
		if at.ICL, err = l.inContext(ask); err != nil {
			return nil, err
		}
		for z, to := range map[*cartridge.Cartridge]*float64{
			usual[0]: &at.SelfStudy, memorized[0]: &at.Memorize, matched[0]: &at.Matched,
		} {
			if *to, err = l.scoreOn(z, ask); err != nil {
				return nil, err
			}
		}
		out[i] = at
	}
	return out, nil
}

func meanCosine(c *cartridge.Corpus, ask cartridge.Questions) float64 {
	sum := 0.0
	for i, fact := range ask.Facts {
		key := c.K.Row(fact)
		for j, x := range ask.Q.Row(i) {
			sum += float64(x) * float64(key[j])
		}
	}
	return sum / float64(len(ask.Facts))
}
