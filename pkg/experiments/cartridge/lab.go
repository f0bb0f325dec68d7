package cartridge

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"memlab/pkg/cartridge"
	"memlab/pkg/cartridge/gomlx"
	"memlab/pkg/random"
)

// lab is one document under one seed, with the questions to test by.
type lab struct {
	ctx    context.Context
	p      Parameters
	seed   random.Seed
	corpus *cartridge.Corpus
	ask    cartridge.Questions // in other words
}

// gradientsAgree runs once in a process: no training by the hand-written gradient
// before it has been compared with the three other sources.
var gradientsAgree = sync.OnceValue(func() error {
	c, err := gomlx.Check(cartridge.SmallProblem())
	if err != nil {
		return err
	}
	return c.Err()
})

// Document draws one document. Under one seed, name and number of facts decide
// which.
func (p Parameters) document(seed random.Seed, name string, facts int) (*cartridge.Corpus, error) {
	return cartridge.NewCorpus(facts, p.Dims, seed.Stream("cartridge", "corpus", name))
}

// open draws a document of that many facts and its questions.
func (p Parameters) open(ctx context.Context, seed int, name string, facts int) (*lab, error) {
	if seed < 0 {
		return nil, bad("seed %d: want 0 or more", seed)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	c, err := p.document(random.Seed(seed), name, facts)
	if err != nil {
		return nil, err
	}
	return p.over(ctx, seed, name, c)
}

// over is a lab with a document that is there.
func (p Parameters) over(ctx context.Context, seed int, name string, c *cartridge.Corpus) (*lab, error) {
	if err := gradientsAgree(); err != nil {
		return nil, fmt.Errorf("the gradient check: %w", err)
	}
	l := &lab{ctx: ctx, p: p, seed: random.Seed(seed), corpus: c}
	times := max(1, p.Questions*p.Facts/c.Facts())
	var err error
	l.ask, err = c.Rephrased(times, p.Distance, cartridge.Anyhow, l.seed.Stream("cartridge", "ask", name))
	return l, err
}

// study is self-study with one answer for each fact.
func (l *lab) study() cartridge.Study {
	return cartridge.Study{Model: l.p.Model(), Corpus: l.corpus, Distance: l.p.Distance, ConstantTargets: true}
}

// objective is a study of the same questions for another purpose.
func (l *lab) objective(o cartridge.Objective) cartridge.Study {
	s := l.study()
	s.Objective = o
	return s
}

// first is the usual start.
func (l *lab) first(slots int) (*cartridge.Cartridge, error) {
	return cartridge.FirstTokens(l.corpus, slots)
}

// train returns the cartridge after each of some numbers of steps.
func (l *lab) train(s cartridge.Lesson, start *cartridge.Cartridge, steps ...int) ([]*cartridge.Cartridge, error) {
	return l.trainBy(cartridge.ByHand, s, start, steps...)
}

func (l *lab) trainBy(e cartridge.NewEngine, s cartridge.Lesson, start *cartridge.Cartridge, steps ...int) ([]*cartridge.Cartridge, error) {
	t := cartridge.Trainer{
		Lesson: s, Engine: e, Steps: slices.Max(steps), Batch: l.p.Batch, Rate: l.p.Rate, Adam: l.p.Adam,
		Seed: l.seed, Snapshots: steps,
	}
	r, err := t.Train(l.ctx, start)
	if err != nil {
		return nil, err
	}
	out := make([]*cartridge.Cartridge, len(steps))
	for i, n := range steps {
		out[i] = r.Snapshots[n]
	}
	return out, nil
}

// trainFirst trains from the usual start and scores on questions in other words.
func (l *lab) trainFirst(s cartridge.Study, slots int, steps ...int) ([]float64, error) {
	start, err := l.first(slots)
	if err != nil {
		return nil, err
	}
	trained, err := l.train(s, start, steps...)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(trained))
	for i, z := range trained {
		if out[i], err = l.score(z); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// score asks in other words, over all candidates of the document.
func (l *lab) score(z *cartridge.Cartridge) (float64, error) { return l.scoreOn(z, l.ask) }

func (l *lab) scoreOn(z *cartridge.Cartridge, ask cartridge.Questions) (float64, error) {
	r, err := l.p.Model().With(z)
	if err != nil {
		return 0, err
	}
	return cartridge.Score(r, ask, l.corpus.V)
}

// truncated is in-context learning with the first facts.
func (l *lab) truncated(facts int) (float64, error) {
	r, err := l.p.Model().Truncated(l.corpus, facts)
	if err != nil {
		return 0, err
	}
	return cartridge.Score(r, l.ask, l.corpus.V)
}
