package serving

import (
	"errors"
	"fmt"
	"slices"

	"memlab/pkg/costmodel"
)

// Bill is what calls cost on an engine.
type Bill struct {
	Calls      int               `json:"calls"`
	Prefill    costmodel.Seconds `json:"prefill_seconds"`
	Decode     costmodel.Seconds `json:"decode_seconds"`
	GPUSeconds float64           `json:"gpu_seconds"`
	Money      float64           `json:"money,omitempty"`
	Write      costmodel.Seconds `json:"write_seconds"` // prefill and decode of the write phase
	Read       costmodel.Seconds `json:"read_seconds"`
	// Causes divide Prefill; within a call by tokens.
	Causes []Price `json:"causes"`

	Warnings []costmodel.Warning `json:"warnings,omitempty"`
	LeftOut  []string            `json:"left_out"`
}

// Price is what one cause cost.
type Price struct {
	Cause
	Prefill costmodel.Seconds `json:"prefill_seconds"`
}

var leftOut = []string{
	"batching: every call runs alone, one after the other",
	"embeddings: they are counted and not priced",
	"within a call every prefilled token costs the same, though later ones attend to more",
	"each output token is a decode step, though the prefill already gives the first one",
}

// Price adds up the calls one by one: the prefill of what is not cached behind
// what is, and a decode step at the mean length for each output token.
// GPU seconds = seconds x GPUs.
func (r Replay) Price(e *costmodel.Engine) (Bill, error) {
	b := Bill{LeftOut: leftOut}
	if e == nil {
		return b, errors.New("serving: no engine: want one of costmodel.NewEngine")
	}
	for i := range r.Calls {
		s := &r.Calls[i]
		if s.Refused {
			continue
		}
		prefill, decode, warnings, err := callPrice(e, s)
		if err != nil {
			return b, fmt.Errorf("serving: call %d: %w", s.Index, err)
		}
		b.Calls++
		b.Prefill += prefill
		b.Decode += decode
		if s.Phase == Write {
			b.Write += prefill + decode
		} else {
			b.Read += prefill + decode
		}
		for _, p := range s.Why {
			b.charge(p.Cause, prefill*costmodel.Seconds(p.Tokens)/costmodel.Seconds(s.Prefilled))
		}
		for _, w := range warnings {
			if !slices.Contains(b.Warnings, w) {
				b.Warnings = append(b.Warnings, w)
			}
		}
	}
	slices.SortFunc(b.Causes, func(a, c Price) int { return a.compare(c.Cause) })
	p := e.Params()
	b.GPUSeconds = float64(b.Prefill+b.Decode) * float64(p.TensorParallel)
	b.Money = b.GPUSeconds / 3600 * p.PricePerGPUHour
	return b, nil
}

func callPrice(e *costmodel.Engine, s *Served) (prefill, decode costmodel.Seconds, w []costmodel.Warning, err error) {
	if s.Prefilled > 0 {
		p, err := e.Prefill(s.Cached, s.Prefilled)
		if err != nil {
			return 0, 0, nil, err
		}
		prefill, w = p.Time, p.Warnings
	}
	if s.Output > 0 {
		step, err := e.DecodeStep(1, s.Prompt+s.Output/2)
		if err != nil {
			return 0, 0, nil, err
		}
		decode, w = costmodel.Seconds(s.Output)*step.Time, append(w, step.Warnings...)
	}
	return prefill, decode, w, nil
}

func (b *Bill) charge(c Cause, s costmodel.Seconds) {
	for i := range b.Causes {
		if b.Causes[i].Cause == c {
			b.Causes[i].Prefill += s
			return
		}
	}
	b.Causes = append(b.Causes, Price{c, s})
}
