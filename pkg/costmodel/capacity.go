package costmodel

import (
	"fmt"
	"math"
)

// Fit is how many requests fit into memory at once.
type Fit struct {
	Load       Load  `json:"load"`
	Budget     Bytes `json:"budget_bytes"`      // per GPU: usable memory
	Weights    Bytes `json:"weight_bytes"`      // per GPU
	Free       Bytes `json:"free_bytes"`        // per GPU: what is left for KV
	SharedKV   Bytes `json:"shared_bytes"`      // per GPU: held once
	PerRequest Bytes `json:"per_request_bytes"` // per GPU
	Batch      int   `json:"batch"`             // 0: not one fits
	Bound      Bound `json:"bound"`

	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

// Fit is the batch that fits: floor((usable memory - weights - shared KV) / KV
// of context + question + output), all per GPU. Every request is counted at
// its full length, as an engine that never preempts must. Source: the
// lecture's section 1.2 and exercise 1. It leaves out block padding and activations beyond the share that Params
// does not let be used.
func (e *Engine) Fit(l Load) (Fit, error) {
	if err := l.check(); err != nil {
		return Fit{}, err
	}
	var f Fit
	e.fit(&f, l)
	f.Warnings = e.model.contextWarning(f.Warnings, l.prompt()+l.Output)
	return f, nil
}

func (e *Engine) fit(f *Fit, l Load) {
	f.Load, f.Bound, f.LeftOut = l, Capacity, kvLeftOut
	f.Budget, f.Weights = Bytes(e.budget), Bytes(e.plain+e.routed)
	f.PerRequest = Bytes(e.held(float64(l.Context + l.Question + l.Output)))
	f.Free = f.Budget - f.Weights
	if l.Shared > 0 {
		f.SharedKV = Bytes(e.held(float64(l.Shared)))
	}
	if room := f.Free - f.SharedKV; room >= f.PerRequest {
		f.Batch = int(min(math.Floor(float64(room/f.PerRequest)), maxTokens))
		return
	}
	f.Warnings = append(f.Warnings, Warning(fmt.Sprintf("not one request fits: it needs %s per GPU and %s are free beside weights of %s", f.PerRequest+f.SharedKV, f.Free, f.Weights)))
}

// RoomTokens is how many tokens of KV fit beside the weights, over all GPUs
// and however they are divided among requests. Layers whose window is full are
// counted as if they still grew, so that it is a lower bound for models with
// sliding layers; fixed state is left out.
func (e *Engine) RoomTokens() int {
	if e.growth == 0 {
		return 0
	}
	return int(min((e.budget-e.plain-e.routed)/e.growth, maxTokens))
}
