package cartridge

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"

	"memlab/pkg/cartridge"
	"memlab/pkg/claims"
)

// baselines are the rows that need no training.
func baselines(p Parameters, seed int) (claims.Values, error) {
	l, err := p.open(context.Background(), seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	values := claims.Values{}
	original, err := l.inContext(l.corpus.Original())
	if err != nil {
		return nil, err
	}
	rephrased, err := l.truncated(p.Facts)
	if err != nil {
		return nil, err
	}
	values["icl-accuracy"] = claims.Value{Parts: []float64{original, rephrased}}
	var truncated []float64
	for _, slots := range p.TruncatedSlots {
		share, err := l.truncated(slots)
		if err != nil {
			return nil, err
		}
		truncated = append(truncated, share)
	}
	values["truncation-p-over-n"] = claims.Value{Parts: truncated}
	if err := l.linear(values); err != nil {
		return nil, err
	}
	if err := l.logits(values); err != nil {
		return nil, err
	}

	long, err := p.open(context.Background(), seed, "long", p.LongFacts)
	if err != nil {
		return nil, err
	}
	share, err := long.truncated(p.Window)
	if err != nil {
		return nil, err
	}
	values["chunked-icl"] = claims.One(share)

	pair, err := p.pair(context.Background(), seed)
	if err != nil {
		return nil, err
	}
	half, err := pair.truncatedPair()
	values["compose-icl-truncated"] = claims.One(half)
	return values, err
}

func (l *lab) inContext(ask cartridge.Questions) (float64, error) {
	r, err := l.p.Model().Truncated(l.corpus, l.corpus.Facts())
	if err != nil {
		return 0, err
	}
	return cartridge.Score(r, ask, l.corpus.V)
}

// linear scores the matrices on questions in other words; what they know of the
// original ones stands beside.
func (l *lab) linear(values claims.Values) error {
	for id, make := range map[string]func(*cartridge.Corpus) (cartridge.Linear, error){
		"linear-sum": cartridge.LinearSum, "linear-lstsq": cartridge.LinearLeastSquares,
	} {
		m, err := make(l.corpus)
		if err != nil {
			return err
		}
		share, err := cartridge.Score(m, l.ask, l.corpus.V)
		if err != nil {
			return err
		}
		original, err := cartridge.Score(m, l.corpus.Original(), l.corpus.V)
		if err != nil {
			return err
		}
		values[id] = claims.Value{Parts: []float64{share}, Beside: []float64{original}}
		values["linear-memory-tokens"] = claims.One(m.Tokens())
	}
	return nil
}

// logits are those of exercise 6.
func (l *lab) logits(values claims.Values) error {
	n := l.corpus.Facts()
	random, err := cartridge.RandomVectors(l.corpus, min(n, l.p.Slots), false, l.seed.Stream("cartridge", "vectors"))
	if err != nil {
		return err
	}
	var own, other, slots []float64
	for i := range n { // one question for each fact
		q := l.ask.Q.Row(i)
		for j := range n {
			x := inner(q, l.corpus.K.Row(j))
			if j == l.ask.Facts[i] {
				own = append(own, x)
			} else {
				other = append(other, l.p.Beta*x)
			}
		}
		for j := range random.Slots() {
			slots = append(slots, l.p.Beta*inner(q, random.K.Row(j)))
		}
	}
	cosine, spread := stat.MeanStdDev(own, nil)
	values["rephrase-cosine"] = claims.Value{Parts: []float64{cosine}, Beside: []float64{spread}}
	values["logit-own"] = claims.One(l.p.Beta * cosine)
	values["logit-other"] = claims.One(rms(other))
	values["logit-random-init"] = claims.One(rms(slots))
	return nil
}

// rms is the deviation from 0, the mean that both have.
func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}
