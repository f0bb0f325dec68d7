package cartridge

import (
	"context"

	"memlab/pkg/cartridge"
	"memlab/pkg/claims"
)

// trainings are the rows of demos 1 and 2. All runs of a seed see the same
// questions, so that objectives and starts are compared in pairs.
func trainings(p Parameters, seed int) (claims.Values, error) {
	l, err := p.open(context.Background(), seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	study, err := l.trainFirst(l.study(), p.Slots, p.EarlySteps, p.Steps, p.LateSteps)
	if err != nil {
		return nil, err
	}
	few, err := l.trainFirst(l.study(), p.FewSlots, p.Steps)
	if err != nil {
		return nil, err
	}
	hard, err := l.trainFirst(l.objective(cartridge.HardLabels), p.Slots, p.Steps)
	if err != nil {
		return nil, err
	}
	hardFew, err := l.trainFirst(l.objective(cartridge.HardLabels), p.FewSlots, p.Steps)
	if err != nil {
		return nil, err
	}
	original, rephrased, err := l.memorize(p.FewSlots, p.Steps)
	if err != nil {
		return nil, err
	}
	random, err := l.randomStart(p.Slots, p.Steps)
	if err != nil {
		return nil, err
	}
	return claims.Values{
		"selfstudy-steps-1000":   claims.One(study[0]),
		"selfstudy-rephrased-8x": claims.One(study[1]),
		"selfstudy-steps-8000":   claims.One(study[2]),
		"distill-vs-hard":        {Parts: []float64{study[1] - hard[0], few[0] - hardFew[0]}},
		"memorize-original-16x":  claims.One(original),
		"memorize-rephrased-16x": claims.One(rephrased),
		"init-random":            claims.One(random),
	}, nil
}

// memorize trains on the words of the text and asks in them and in others.
func (l *lab) memorize(slots, steps int) (original, rephrased float64, err error) {
	start, err := l.first(slots)
	if err != nil {
		return 0, 0, err
	}
	z, err := l.train(l.objective(cartridge.Memorize), start, steps)
	if err != nil {
		return 0, 0, err
	}
	if original, err = l.scoreOn(z[0], l.corpus.Original()); err != nil {
		return 0, 0, err
	}
	rephrased, err = l.score(z[0])
	return original, rephrased, err
}

// randomStart is self-study from standard normal vectors.
func (l *lab) randomStart(slots, steps int) (float64, error) {
	start, err := cartridge.RandomVectors(l.corpus, slots, false, l.seed.Stream("cartridge", "vectors"))
	if err != nil {
		return 0, err
	}
	z, err := l.train(l.study(), start, steps)
	if err != nil {
		return 0, err
	}
	return l.score(z[0])
}

// chunked are the rows of demo 3. Here teachers answer each question anew: what a
// teacher sees is what is compared.
func chunked(p Parameters, seed int) (claims.Values, error) {
	l, err := p.open(context.Background(), seed, "long", p.LongFacts)
	if err != nil {
		return nil, err
	}
	whole := l.study()
	whole.ConstantTargets = false
	parts := whole
	parts.Chunk = p.Window
	inParts, err := l.trainFirst(parts, p.LongSlots, p.Steps, p.LongSteps)
	if err != nil {
		return nil, err
	}
	atOnce, err := l.trainFirst(whole, p.LongSlots, p.Steps)
	if err != nil {
		return nil, err
	}
	return claims.Values{
		"chunked-p256-3000":          claims.One(inParts[0]),
		"chunked-p256-6000":          claims.One(inParts[1]),
		"chunked-whole-teacher-3000": claims.One(atOnce[0]),
	}, nil
}
