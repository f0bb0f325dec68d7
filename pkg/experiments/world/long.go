package world

import (
	"context"
	"fmt"
	"math"

	"memlab/pkg/claims"
	"memlab/pkg/dialogue"
)

// Scales are the lengths of demo 4, in dialogues of 26k tokens.
func Scales() []int { return []int{1, 2, 4, 8} }

// Long is demo 4, where dialogues grow, under the default parameters.
func Long() claims.Experiment { return NewLong(DefaultParameters()) }

// NewLong is demo 4 under other parameters.
func NewLong(p Parameters) claims.Experiment {
	var lengths []string
	for _, s := range Scales() {
		lengths = append(lengths, fmt.Sprintf("%d times", s))
	}
	return claims.Experiment{
		Name: "world-long", Version: 1, Seeds: 20, Parameters: p, Free: free,
		Yields: []claims.Yield{
			{ID: "long-mem0g-tokens", Parts: lengths},
			{ID: "long-memgpt-fastest-fall", Why: "the margin is in accuracy lost from the shortest to the longest, to the system that loses next most"},
			{ID: "long-full-context-truncates", Why: "the margin is in accuracy: within the window less beyond it"},
			{ID: "write-calls-linear", Why: "the margin is 10% less the largest deviation of calls per pair from those of the shortest"},
			{ID: "invalid-crowds-out", Why: "the margin is in accuracy on current values, ranked apart less ranked together, at 8 times"},
		},
		Run: func(seed int) (claims.Values, error) { return longValues(p, seed) },
	}
}

func longValues(p Parameters, seed int) (claims.Values, error) {
	specs := []string{"full", "memgpt", "mem0g+graph", "mem0", "mem0g", "mem0g:mixed=1"}
	found := make([]map[string]*Result, len(Scales()))
	for i, scale := range Scales() {
		found[i] = map[string]*Result{}
		scaled := p.Scaled(scale)
		g, err := NewGroup(scaled, seed, "en")
		if err != nil {
			return nil, err
		}
		settings, err := ParseSettings(scaled, specs...)
		if err != nil {
			return nil, err
		}
		for _, s := range settings {
			if found[i][s.Name], err = g.Evaluate(context.Background(), s); err != nil {
				return nil, err
			}
		}
	}
	last := len(found) - 1
	fall := func(name string) float64 { return found[0][name].Score.Accuracy() - found[last][name].Score.Accuracy() }
	var tokens []float64
	linear := 0.10
	perPair := func(i int) float64 { calls, _ := found[i]["mem0"].Writes(); return calls / float64(Scales()[i]) }
	for i := range found {
		tokens = append(tokens, found[i]["mem0g+graph"].Score.TokensEach())
		linear = min(linear, 0.10-math.Abs(perPair(i)/perPair(0)-1))
	}
	current := func(name string) float64 { return found[last][name].Kinds[dialogue.Current].Accuracy() }
	return claims.Values{
		"long-mem0g-tokens":           {Parts: tokens},
		"long-memgpt-fastest-fall":    claims.One(fall("memgpt") - max(fall("full"), fall("mem0g+graph"))),
		"long-full-context-truncates": claims.One(fall("full")),
		"write-calls-linear":          claims.One(linear),
		"invalid-crowds-out":          claims.One(current("mem0g") - current("mem0g:mixed=1")),
	}, nil
}
