package session

import (
	"fmt"

	"memlab/pkg/claims"
	"memlab/pkg/memory/memgpt/queue"
)

// Point is what a sweep finds at one setting.
type Point struct {
	Setting      Setting `json:"setting"`
	CacheOutputs bool    `json:"cache_outputs"`
	Seeds        int     `json:"seeds"`

	Calls          claims.Mean `json:"calls"`
	Prefilled      claims.Mean `json:"prefilled_tokens"`
	Saved          claims.Mean `json:"saved_share"`
	WorkingPrefill claims.Mean `json:"working_context_prefill_tokens"`
	WorkingShare   claims.Mean `json:"working_context_share"`
	EvictPrefill   claims.Mean `json:"evict_prefill_tokens"`
	MeanContext    claims.Mean `json:"mean_context_tokens"`
	Evictions      claims.Mean `json:"evictions"`
	Edits          claims.Mean `json:"edits"`
	Lost           claims.Mean `json:"facts_lost"`
}

// Grid lists settings: every eviction share with every layout and every
// probability of storing at once.
func Grid(evicts []float64, layouts []queue.Layout, storeNow []float64) []Setting {
	var out []Setting
	for _, e := range evicts {
		for _, l := range layouts {
			for _, now := range storeNow {
				out = append(out, Setting{e, l, now})
			}
		}
	}
	return out
}

// Sweep plays the conversations of seeds 0 to seeds-1 under each setting.
func Sweep(p Parameters, seeds int, cacheOutputs bool, settings []Setting) ([]Point, error) {
	if seeds < 1 {
		return nil, bad("seeds %d: want 1 or more", seeds)
	}
	found := make([][][]float64, len(settings)) // by setting and figure, over seeds
	for seed := range seeds {
		turns, err := draw(p, seed)
		if err != nil {
			return nil, err
		}
		for i, setting := range settings {
			s, err := play(p, seed, setting, turns)
			if err != nil {
				return nil, fmt.Errorf("seed %d, %+v: %w", seed, setting, err)
			}
			f, err := s.Figures(cacheOutputs)
			if err != nil {
				return nil, fmt.Errorf("seed %d, %+v: %w", seed, setting, err)
			}
			if found[i] == nil {
				found[i] = make([][]float64, len(numbers(s, f)))
			}
			for j, x := range numbers(s, f) {
				found[i][j] = append(found[i][j], x)
			}
		}
	}
	points := make([]Point, len(settings))
	for i, setting := range settings {
		points[i] = Point{Setting: setting, CacheOutputs: cacheOutputs, Seeds: seeds}
		for j, m := range points[i].means() {
			*m = claims.MeanOf(found[i][j])
		}
	}
	return points, nil
}

// numbers are the figures of one seed in the order of means.
func numbers(s *Session, f Figures) []float64 {
	return []float64{
		float64(f.Totals.Calls), float64(f.Totals.Prefilled), f.Saved,
		float64(f.WorkingPrefill), f.WorkingShare, float64(f.EvictPrefill), f.MeanContext,
		float64(s.Evictions), float64(s.Edits()), float64(s.Lost),
	}
}

func (p *Point) means() []*claims.Mean {
	return []*claims.Mean{
		&p.Calls, &p.Prefilled, &p.Saved, &p.WorkingPrefill, &p.WorkingShare, &p.EvictPrefill, &p.MeanContext,
		&p.Evictions, &p.Edits, &p.Lost,
	}
}
