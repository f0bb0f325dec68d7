package cartridge

import (
	"context"
	"math"
)

// SlotUse is what a trained slot is good for.
type SlotUse struct {
	Slot int `json:"slot"`
	// Facts are those whose question in the words of the text gives it more
	// attention than any other slot.
	Facts []int `json:"facts"`
	// Attention is the mean share that all questions give it, Held the mean share
	// that the questions about its Facts do.
	Attention float64 `json:"attention"`
	Held      float64 `json:"held"`
	// Key is the length of its key, Start the cosine of the key with the one that
	// it started from.
	Key   float64 `json:"key_length"`
	Start float64 `json:"cosine_with_start"`
}

// Slots trains one cartridge and says which facts each slot serves.
func Slots(ctx context.Context, p Parameters, seed, slots int) ([]SlotUse, error) {
	l, err := p.open(ctx, seed, "A", p.Facts)
	if err != nil {
		return nil, err
	}
	start, err := l.first(slots)
	if err != nil {
		return nil, err
	}
	trained, err := l.train(l.study(), start, p.Steps)
	if err != nil {
		return nil, err
	}
	z := trained[0]
	attention, err := p.Model().Attention(l.corpus.K, z.K)
	if err != nil {
		return nil, err
	}
	out := make([]SlotUse, slots)
	for i := range out {
		a, b := z.K.Row(i), start.K.Row(i)
		out[i] = SlotUse{Slot: i, Facts: []int{}, Key: math.Sqrt(inner(a, a))}
		out[i].Start = inner(a, b) / math.Sqrt(inner(a, a)*inner(b, b))
	}
	for fact := range attention.Rows {
		best := 0
		for i, x := range attention.Row(fact) {
			out[i].Attention += float64(x) / float64(attention.Rows)
			if x > attention.Row(fact)[best] {
				best = i
			}
		}
		out[best].Facts = append(out[best].Facts, fact)
		out[best].Held += float64(attention.Row(fact)[best])
	}
	for i := range out {
		if n := len(out[i].Facts); n > 0 {
			out[i].Held /= float64(n)
		}
	}
	return out, nil
}

func inner(a, b []float32) float64 {
	sum := 0.0
	for j, x := range a {
		sum += float64(x) * float64(b[j])
	}
	return sum
}
