package world

import (
	"context"
	"sync"

	"memlab/pkg/claims"
	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// Comparison is one system over seeds.
type Comparison struct {
	Setting  string                        `json:"setting"`
	Seeds    int                           `json:"seeds"`
	Accuracy claims.Mean                   `json:"accuracy"`
	Kinds    map[dialogue.Kind]claims.Mean `json:"kinds"`
	// Against is the accuracy minus that of the first system, paired by seed:
	// both answer the same questions.
	Against     claims.Mean `json:"against_first"`
	TokensEach  claims.Mean `json:"tokens_per_question"`
	CallsEach   claims.Mean `json:"calls_per_question"`
	WriteCalls  claims.Mean `json:"write_calls"`         // per conversation
	WritePrompt claims.Mean `json:"write_prompt_tokens"` // per conversation
	// Lost is the share of questions that each stage lost; with the accuracy
	// the shares add up to 1.
	Lost map[memory.Stage]claims.Mean `json:"lost"`
}

// MaxSeeds bounds how many groups are played at once; each takes some tenths of a
// second for a system.
const MaxSeeds = 1_000_000

// Play evaluates systems on the groups of seeds 0 to seeds-1, two groups at a
// time, and tells of each finished group. The results are by system, over seeds.
func Play(ctx context.Context, p Parameters, seeds int, settings []Setting, done func()) ([][]*Result, error) {
	if seeds < 1 || seeds > MaxSeeds {
		return nil, bad("seeds %d: want 1 to %d", seeds, MaxSeeds)
	}
	if len(settings) == 0 {
		return nil, bad("no system: want one or more of %q", Names())
	}
	out := make([][]*Result, len(settings))
	for i := range out {
		out[i] = make([]*Result, seeds)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		workers.Go(func() {
			for seed := range next {
				err := group(ctx, p, seed, settings, out)
				if err != nil {
					cancel(err)
					continue
				}
				if done != nil {
					mu.Lock()
					done()
					mu.Unlock()
				}
			}
		})
	}
	for seed := range seeds {
		next <- seed
	}
	close(next)
	workers.Wait()
	return out, context.Cause(ctx)
}

func group(ctx context.Context, p Parameters, seed int, settings []Setting, out [][]*Result) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g, err := NewGroup(p, seed, "en")
	if err != nil {
		return err
	}
	for i, s := range settings {
		if out[i][seed], err = g.Evaluate(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// Compare plays systems over seeds and sums up.
func Compare(ctx context.Context, p Parameters, seeds int, settings []Setting, done func()) ([]Comparison, error) {
	results, err := Play(ctx, p, seeds, settings, done)
	if err != nil {
		return nil, err
	}
	out := make([]Comparison, len(settings))
	for i, s := range settings {
		out[i] = sumUp(s.Name, results[i], results[0])
	}
	return out, nil
}

func sumUp(name string, results, first []*Result) Comparison {
	over := func(f func(i int, r *Result) float64) claims.Mean {
		values := make([]float64, len(results))
		for i, r := range results {
			values[i] = f(i, r)
		}
		return claims.MeanOf(values)
	}
	c := Comparison{
		Setting: name, Seeds: len(results), Kinds: map[dialogue.Kind]claims.Mean{}, Lost: map[memory.Stage]claims.Mean{},
		Accuracy:    over(func(_ int, r *Result) float64 { return r.Score.Accuracy() }),
		Against:     over(func(i int, r *Result) float64 { return r.Score.Accuracy() - first[i].Score.Accuracy() }),
		TokensEach:  over(func(_ int, r *Result) float64 { return r.Score.TokensEach() }),
		CallsEach:   over(func(_ int, r *Result) float64 { return r.Score.CallsEach() }),
		WriteCalls:  over(func(_ int, r *Result) float64 { calls, _ := r.Writes(); return calls }),
		WritePrompt: over(func(_ int, r *Result) float64 { _, prompt := r.Writes(); return prompt }),
	}
	for _, k := range dialogue.Kinds() {
		c.Kinds[k] = over(func(_ int, r *Result) float64 { return r.Kinds[k].Accuracy() })
	}
	for _, stage := range memory.Stages() {
		c.Lost[stage] = over(func(_ int, r *Result) float64 {
			return float64(r.Score.Lost[stage]) / float64(max(1, r.Score.Asked))
		})
	}
	return c
}
