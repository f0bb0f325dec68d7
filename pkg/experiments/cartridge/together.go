package cartridge

import (
	"context"

	"memlab/pkg/cartridge"
)

// LeakPoint is composition at one size of cartridges.
type LeakPoint struct {
	Slots int `json:"slots"` // of each document
	// OnlyA, Concatenated and Truncated are scores on both documents; Best is A's
	// and B's mean, each read alone by its own questions over all candidates: what
	// is left if nothing leaks.
	OnlyA        float64 `json:"only_a"`
	Concatenated float64 `json:"concatenated"`
	Truncated    float64 `json:"truncated"`
	Best         float64 `json:"best"`
	// Leak is the share of attention that A's questions give to B's slots.
	Leak float64 `json:"leak"`
}

// Leaks composes two cartridges that were trained apart, at several sizes.
func Leaks(ctx context.Context, p Parameters, seed int, slots []int) ([]LeakPoint, error) {
	out := make([]LeakPoint, len(slots))
	for i, n := range slots {
		p.Slots = n
		d, err := p.pair(ctx, seed)
		if err != nil {
			return nil, err
		}
		at := LeakPoint{Slots: n}
		a, b, err := d.alone(n, p.Steps)
		if err != nil {
			return nil, err
		}
		z, err := cartridge.Concat(a, b)
		if err != nil {
			return nil, err
		}
		if at.OnlyA, err = d.score(a); err != nil {
			return nil, err
		}
		onlyB, err := d.score(b)
		if err != nil {
			return nil, err
		}
		at.Best = at.OnlyA + onlyB // each answers the half that it knows
		if at.Concatenated, err = d.score(z); err != nil {
			return nil, err
		}
		if at.Truncated, err = d.truncatedPair(); err != nil {
			return nil, err
		}
		if at.Leak, err = d.leak(z, n); err != nil {
			return nil, err
		}
		out[i] = at
	}
	return out, nil
}

// JointPoint is joint training on two documents after some steps.
type JointPoint struct {
	Steps int `json:"steps"`
	// FromParts starts with the two cartridges that were trained apart,
	// FromTokens with the first facts of A and B.
	FromParts  float64 `json:"from_parts"`
	FromTokens float64 `json:"from_tokens"`
	Leak       float64 `json:"leak"` // of FromParts
}

// Jointly trains on both documents after composition: how few steps mend it?
func Jointly(ctx context.Context, p Parameters, seed int, steps []int) ([]JointPoint, error) {
	d, err := p.pair(ctx, seed)
	if err != nil {
		return nil, err
	}
	if len(steps) == 0 {
		return nil, bad("no steps to look at")
	}
	a, b, err := d.alone(p.Slots, p.Steps)
	if err != nil {
		return nil, err
	}
	z, err := cartridge.Concat(a, b)
	if err != nil {
		return nil, err
	}
	parts, err := d.train(d.study(), z, steps...)
	if err != nil {
		return nil, err
	}
	tokens, err := d.trainFirst(d.study(), 2*p.Slots, steps...)
	if err != nil {
		return nil, err
	}
	out := make([]JointPoint, len(steps))
	for i, n := range steps {
		out[i] = JointPoint{Steps: n, FromTokens: tokens[i]}
		if out[i].FromParts, err = d.score(parts[i]); err != nil {
			return nil, err
		}
		if out[i].Leak, err = d.leak(parts[i], p.Slots); err != nil {
			return nil, err
		}
	}
	return out, nil
}
