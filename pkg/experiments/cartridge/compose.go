package cartridge

import (
	"context"

	"memlab/pkg/cartridge"
	"memlab/pkg/claims"
)

// pair is two documents, A and B, and both as one, whose candidates and questions
// decide every score.
type pair struct {
	*lab // both
	a, b *lab
}

// pair has A of the seed's other experiments in common. B is trained under a seed
// of its own.
func (p Parameters) pair(ctx context.Context, seed int) (*pair, error) {
	a, err := p.open(ctx, seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	b, err := p.open(ctx, seed, "B", p.Facts)
	if err != nil {
		return nil, err
	}
	b.seed = ^b.seed
	both, err := cartridge.Join(a.corpus, b.corpus)
	if err != nil {
		return nil, err
	}
	l, err := p.over(ctx, seed, "A and B", both)
	return &pair{l, a, b}, err
}

// truncatedPair reads the first slots of A and the first of B.
func (d *pair) truncatedPair() (float64, error) {
	a, err := d.a.first(d.p.Slots)
	if err != nil {
		return 0, err
	}
	b, err := d.b.first(d.p.Slots)
	if err != nil {
		return 0, err
	}
	z, err := cartridge.Concat(a, b)
	if err != nil {
		return 0, err
	}
	return d.score(z)
}

// alone trains a cartridge for each document, on its own candidates.
func (d *pair) alone(slots, steps int) (a, b *cartridge.Cartridge, err error) {
	out := [2]*cartridge.Cartridge{}
	for i, l := range []*lab{d.a, d.b} {
		start, err := l.first(slots)
		if err != nil {
			return nil, nil, err
		}
		trained, err := l.train(l.study(), start, steps)
		if err != nil {
			return nil, nil, err
		}
		out[i] = trained[0]
	}
	return out[0], out[1], nil
}

// leak is the share of attention that A's questions give to the slots after the
// first n.
func (d *pair) leak(z *cartridge.Cartridge, n int) (float64, error) {
	s, err := d.p.Model().Attention(d.a.ask.Q, z.K)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i := range s.Rows {
		for _, x := range s.Row(i)[n:] {
			sum += float64(x)
		}
	}
	return sum / float64(s.Rows), nil
}

// composition are the rows of demo 4.
func composition(p Parameters, seed int) (claims.Values, error) {
	d, err := p.pair(context.Background(), seed)
	if err != nil {
		return nil, err
	}
	a, b, err := d.alone(p.Slots, p.Steps)
	if err != nil {
		return nil, err
	}
	z, err := cartridge.Concat(a, b)
	if err != nil {
		return nil, err
	}
	values := claims.Values{}
	for id, z := range map[string]*cartridge.Cartridge{"compose-concat": z, "compose-only-a": a} {
		share, err := d.score(z)
		if err != nil {
			return nil, err
		}
		values[id] = claims.One(share)
	}
	leak, err := d.leak(z, p.Slots)
	if err != nil {
		return nil, err
	}
	values["compose-leak"] = claims.One(leak)
	joint, err := d.trainFirst(d.study(), 2*p.Slots, p.Steps)
	if err != nil {
		return nil, err
	}
	values["compose-joint"] = claims.One(joint[0])
	return values, nil
}
