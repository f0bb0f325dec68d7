package cartridge

import (
	"context"

	"memlab/pkg/cartridge"
)

// LowRankPoint compares p slots of KV with a change of rank p of the model, which
// has as many parameters.
type LowRankPoint struct {
	Slots int `json:"slots"` // or rank
	// The shares of questions about the document they were trained on.
	KV      float64 `json:"kv"`
	LowRank float64 `json:"low_rank"`
	// The same about another document that is in the context whole: in-context
	// learning alone gives Outside.
	Outside        float64 `json:"outside"`
	KVOutside      float64 `json:"kv_outside"`
	LowRankOutside float64 `json:"low_rank_outside"`
}

// LowRank trains both kinds at several sizes by self-study on document A, and asks
// about A, and about B with B in the context. The change of rank p is added to the
// path from question to answer; it starts as the usual one does, with a random and
// an empty factor.
func LowRank(ctx context.Context, p Parameters, seed int, slots []int) ([]LowRankPoint, error) {
	a, err := p.open(ctx, seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	b, err := p.open(ctx, seed, "B", p.Facts)
	if err != nil {
		return nil, err
	}
	inContext, err := p.Model().Truncated(b.corpus, p.Facts)
	if err != nil {
		return nil, err
	}
	outside, err := cartridge.Score(inContext, b.ask, b.corpus.V)
	if err != nil {
		return nil, err
	}
	out := make([]LowRankPoint, len(slots))
	for i, n := range slots {
		at := LowRankPoint{Slots: n, Outside: outside}
		if err := at.kv(a, b, n); err != nil {
			return nil, err
		}
		if err := at.lowRank(a, b, inContext, n); err != nil {
			return nil, err
		}
		out[i] = at
	}
	return out, nil
}

func (at *LowRankPoint) kv(a, b *lab, slots int) error {
	start, err := a.first(slots)
	if err != nil {
		return err
	}
	trained, err := a.train(a.study(), start, a.p.Steps)
	if err != nil {
		return err
	}
	if at.KV, err = a.score(trained[0]); err != nil {
		return err
	}
	// The cartridge is a prefix, B's own KV comes after it.
	z, err := cartridge.Concat(trained[0], &cartridge.Cartridge{K: b.corpus.K, V: b.corpus.V})
	if err != nil {
		return err
	}
	at.KVOutside, err = b.score(z)
	return err
}

func (at *LowRankPoint) lowRank(a, b *lab, inContext cartridge.Reader, rank int) error {
	start, err := cartridge.RandomVectors(a.corpus, rank, true, a.seed.Stream("cartridge", "low rank"))
	if err != nil {
		return err
	}
	clear(start.V.Data)
	trained, err := a.trainBy(cartridge.LowRank, a.study(), start, a.p.Steps)
	if err != nil {
		return err
	}
	alone, err := cartridge.LowRankReader(trained[0], nil)
	if err != nil {
		return err
	}
	if at.LowRank, err = cartridge.Score(alone, a.ask, a.corpus.V); err != nil {
		return err
	}
	beside, err := cartridge.LowRankReader(trained[0], inContext)
	if err != nil {
		return err
	}
	at.LowRankOutside, err = cartridge.Score(beside, b.ask, b.corpus.V)
	return err
}
