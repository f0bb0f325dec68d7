package playbook

import (
	"fmt"

	"memlab/pkg/claims"
)

// Cost is one number of ACE's paper on cost with the one computed here.
type Cost struct {
	Quantity string             `json:"quantity"`
	Quoted   claims.PaperResult `json:"quoted"`
	Ours     *claims.Mean       `json:"ours,omitempty"` // in the same unit; nil: not computed
	Why      string             `json:"why"`            // what ours is, or why there is none
}

// Costs holds the four numbers of the paper (§5.3) against the scripted agent's,
// over seeds 0 to seeds-1. They were measured on other tasks with other models:
// what agrees is the mechanism.
func Costs(p Parameters, seeds int) ([]Cost, error) {
	if seeds < 1 {
		return nil, bad("seeds %d: want 1 or more", seeds)
	}
	e, err := p.Engine()
	if err != nil {
		return nil, err
	}
	out := []Cost{
		{Quantity: "adaptation latency saved over GEPA", Why: "not computed: GEPA's cost is in its rollouts, which are not modelled"},
		{Quantity: "adaptation latency saved over Dynamic Cheatsheet", Why: "1 - GPU time of incremental updates / of rewriting"},
		{Quantity: "input tokens served from cache"},
		{Quantity: "billed input cost saved"},
	}
	for i, at := range [][2]string{
		{"ace-latency", "over GEPA (AppWorld, offline)"}, {"ace-latency", "over Dynamic Cheatsheet (FiNER, online)"},
		{"ace-cached", "input tokens served from cache"}, {"ace-cached", "billed input cost saved"},
	} {
		if out[i].Quoted, err = quoted(at[0], at[1]); err != nil {
			return nil, err
		}
	}
	// saved = cached x (1 - price), in the paper as here.
	price := 1 - out[3].Quoted.Value/out[2].Quoted.Value
	out[2].Why = "reuse of the append-only playbook"
	out[3].Why = fmt.Sprintf("cached tokens at %.2f of the price of others, which the paper's two numbers imply", price)
	var latency, cached, billed []float64
	for seed := range seeds {
		seconds := map[Variant]float64{}
		for _, v := range []Variant{Append, Rewrite} {
			s, err := Serve(p, seed, v)
			if err != nil {
				return nil, err
			}
			f, err := s.Figures(p.Block, e)
			if err != nil {
				return nil, err
			}
			seconds[v] = f.Bill.GPUSeconds
			if v == Append {
				cached = append(cached, 100*f.Reuse)
				billed = append(billed, 100*f.Reuse*(1-price))
			}
		}
		latency = append(latency, 100*(1-seconds[Append]/seconds[Rewrite]))
	}
	for i, xs := range [][]float64{latency, cached, billed} {
		m := claims.MeanOf(xs)
		out[i+1].Ours = &m
	}
	return out, nil
}
