package rollout

import (
	"fmt"
	"math"

	"memlab/pkg/costmodel"
)

// Speed is the roofline of one replica, in seconds. A decode step of a batch
// of b sequences with c tokens of context between them takes
//
//	max(Sequence b + Attention c, Weights + KV c) + Fixed.
//
// It leaves out what costmodel.Step leaves out.
type Speed struct {
	Sequence  float64 `json:"sequence_seconds"`  // arithmetic of one sequence beside attention
	Attention float64 `json:"attention_seconds"` // arithmetic per token of context
	Weights   float64 `json:"weights_seconds"`   // to read the weights
	KV        float64 `json:"kv_seconds"`        // to read the KV of one token
	Fixed     float64 `json:"fixed_seconds"`

	// A prompt of n tokens takes PrefillToken n + PrefillPair n^2; the time to
	// read the weights is left out, which only prompts of some hundred tokens
	// notice.
	PrefillToken float64 `json:"prefill_token_seconds"`
	PrefillPair  float64 `json:"prefill_pair_seconds"`
}

// SpeedOf takes the roofline from an engine. Models whose step is not linear in
// batch and context (routed experts, sliding windows) are refused.
func SpeedOf(e *costmodel.Engine) (Speed, error) {
	if e == nil || e.Params().TensorParallel == 0 {
		return Speed{}, bad("engine", "is nil", "one of costmodel.NewEngine")
	}
	const far = 1 << 20
	empty, err := e.DecodeStep(1, 0)
	if err != nil {
		return Speed{}, fmt.Errorf("rollout: %w", err)
	}
	full, err := e.DecodeStep(1, far)
	if err != nil {
		return Speed{}, fmt.Errorf("rollout: %w", err)
	}
	prompt, err := e.Prefill(0, far)
	if err != nil {
		return Speed{}, fmt.Errorf("rollout: %w", err)
	}
	s := Speed{
		Sequence: float64(empty.Compute), Attention: float64(full.Compute-empty.Compute) / far,
		Weights: float64(empty.Memory), KV: float64(full.Memory-empty.Memory) / far,
		Fixed:        float64(empty.Fixed),
		PrefillToken: float64(prompt.Linear) / far, PrefillPair: float64(prompt.Attention) / far / far,
	}
	for _, probe := range [][2]int{{7, 1000}, {64, 20_000}, {300, 300}} {
		want, err := e.DecodeStep(probe[0], probe[1])
		if err != nil {
			return Speed{}, fmt.Errorf("rollout: %w", err)
		}
		if got := s.Step(probe[0], probe[0]*probe[1]); math.Abs(got-float64(want.Time)) > 1e-9*got {
			return Speed{}, bad("model", e.Model().Name, "a dense model with full attention, whose step is linear in batch and context")
		}
	}
	return s, nil
}

// Check reports the first field that is impossible.
func (s Speed) Check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"sequence_seconds", s.Sequence}, {"attention_seconds", s.Attention}, {"weights_seconds", s.Weights}, {"kv_seconds", s.KV},
		{"fixed_seconds", s.Fixed}, {"prefill_token_seconds", s.PrefillToken}, {"prefill_pair_seconds", s.PrefillPair},
	} {
		if err := amount(f.name, f.value); err != nil {
			return err
		}
	}
	if s.Weights+s.Fixed == 0 && s.Sequence == 0 {
		return bad("speed", "of no time at all", "seconds above 0 for the weights, a sequence or each step")
	}
	return nil
}

// Step is the time of one decode step, in seconds.
func (s Speed) Step(batch, context int) float64 {
	b, c := float64(batch), float64(context)
	return max(s.Sequence*b+s.Attention*c, s.Weights+s.KV*c) + s.Fixed
}

// Prefill is the time to process a prompt, in seconds.
func (s Speed) Prefill(tokens int) float64 {
	n := float64(tokens)
	return s.PrefillToken*n + s.PrefillPair*n*n
}

// steps is the time of n steps of a batch that starts with that context and
// grows by one token per sequence in each. Both sides of the roofline grow
// linearly, so they cross at most once; each side of the crossing is an
// arithmetic series.
func (s Speed) steps(batch, context, n int) float64 {
	b, c := float64(batch), float64(context)
	compute, memory := s.Sequence*b+s.Attention*c, s.Weights+s.KV*c
	computeGrowth, memoryGrowth := s.Attention*b, s.KV*b
	lead, gain := compute-memory, computeGrowth-memoryGrowth // compute decides where lead + i gain > 0
	first := 0                                               // steps before the crossing
	if gain != 0 {
		first = int(max(0, min(math.Ceil(-lead/gain), float64(n))))
		// A quotient rounded the wrong way is one step off, where both sides are equal.
	}
	computeFirst := lead > 0
	if first == 0 {
		computeFirst = lead > 0 || lead == 0 && gain > 0
	}
	side := func(computeBound bool, from, to int) float64 {
		at, growth := memory, memoryGrowth
		if computeBound {
			at, growth = compute, computeGrowth
		}
		k := float64(to - from)
		return k*(at+growth*float64(from)) + growth*(k*(k-1)/2) + k*s.Fixed
	}
	if first == 0 || first == n {
		return side(computeFirst, 0, n)
	}
	return side(computeFirst, 0, first) + side(!computeFirst, first, n)
}
