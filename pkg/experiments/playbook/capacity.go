package playbook

import "memlab/pkg/costmodel"

// Capacity is what a playbook of some length costs at decode, where no prefix
// cache helps: each step reads its KV again, and memory holds fewer requests.
type Capacity struct {
	Playbook int             `json:"playbook_tokens"`
	KV       costmodel.Bytes `json:"kv_bytes"` // of the playbook alone
	// Step is a decode step of one request alone.
	Step costmodel.Seconds `json:"step_seconds"`
	// Private: every user has a playbook of their own. Shared: one for all,
	// stored once and read by each request in each step. Cascade: read once a
	// step for all of them.
	Private Holding `json:"private"`
	Shared  Holding `json:"shared"`
	Cascade Holding `json:"cascade"`
}

// Holding is one way of holding the playbook.
type Holding struct {
	Requests        int               `json:"requests"` // at once
	Step            costmodel.Seconds `json:"step_seconds"`
	TokensPerSecond float64           `json:"tokens_per_second"` // decode alone
}

// Capacities computes that for several lengths. Prompts are cached, so that only
// decode is counted.
func Capacities(p Parameters, e *costmodel.Engine, lengths ...int) ([]Capacity, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	out := make([]Capacity, len(lengths))
	for i, n := range lengths {
		if n < 0 {
			return nil, bad("playbook of %d tokens: want 0 or more", n)
		}
		c := &out[i]
		c.Playbook, c.KV = n, e.Model().KVBytes(n)
		alone, err := e.DecodeStep(1, p.System+n+p.Task+p.Output/2)
		if err != nil {
			return nil, err
		}
		c.Step = alone.Time
		request := costmodel.Load{Question: p.Task, Output: p.Output}
		private, shared, cascade := request, request, request
		private.Context = p.System + n
		cascade.Shared = p.System + n
		shared.Shared, shared.SharedPerRequest = p.System+n, true
		for _, way := range []struct {
			load costmodel.Load
			out  *Holding
		}{{private, &c.Private}, {shared, &c.Shared}, {cascade, &c.Cascade}} {
			t, err := e.Throughput(way.load, true)
			if err != nil {
				return nil, err
			}
			*way.out = Holding{t.Fit.Batch, t.Step.Time, t.TokensPerSecond}
		}
	}
	return out, nil
}
