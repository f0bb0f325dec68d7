package costmodel

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestModelsMadeByHandAreChecked(t *testing.T) {
	for field, change := range map[string]func(*LayerGroup){
		"attention[0].prefill_flop_per_pair NaN":                func(g *LayerGroup) { g.PrefillFLOPPerPair = math.NaN() },
		"attention[0].prefill_flop_per_pair -1":                 func(g *LayerGroup) { g.PrefillFLOPPerPair = -1 },
		"attention[0].decode_flop_per_pair +Inf":                func(g *LayerGroup) { g.DecodeFLOPPerPair = math.Inf(1) },
		"attention[0].decode_flop_per_pair 1e+300":              func(g *LayerGroup) { g.DecodeFLOPPerPair = 1e300 },
		"attention[0].state_bytes":                              func(g *LayerGroup) { g.StateBytes = -1 },
		"attention[0].state_flop_per_token NaN":                 func(g *LayerGroup) { g.StateFLOPPerToken = math.NaN() },
		`attention[0].kind "telepathy": want full, sliding or `: func(g *LayerGroup) { g.Kind = "telepathy" },
		"attention[0].window 0":                                 func(g *LayerGroup) { g.Kind = SlidingAttention },
		"attention[0].kv_heads 0":                               func(g *LayerGroup) { g.KVHeads = 0 },
		"attention[0].layers -1":                                func(g *LayerGroup) { g.Layers = -1 },
		"attention[0].state_heads 0":                            func(g *LayerGroup) { g.Kind = LinearAttention },
	} {
		m := model(t, "llama-3-8b")
		m.Attention = slices.Clone(m.Attention)
		change(&m.Attention[0])
		if _, err := NewEngine(m, gpu(t, "h100"), DefaultParams()); !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v, want an error about %s", err, field)
		}
	}
}

func TestSharesTooSmallToMeanAnything(t *testing.T) {
	m, g := model(t, "llama-3-8b"), gpu(t, "h100")
	for name, share := range map[string]func(*Params) *float64{
		"compute_share":   func(p *Params) *float64 { return &p.ComputeShare },
		"bandwidth_share": func(p *Params) *float64 { return &p.BandwidthShare },
		"memory_share":    func(p *Params) *float64 { return &p.MemoryShare },
	} {
		p := DefaultParams()
		*share(&p) = 1e-300
		if _, err := NewEngine(m, g, p); !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), name+" 1e-300: want a share from 1e-6 to 1") {
			t.Errorf("%s: got %v", name, err)
		}
		*share(&p) = 1e-6
		if _, err := NewEngine(m, g, p); errors.Is(err, ErrBadField) {
			t.Errorf("%s: a share of 1e-6 is refused: %v", name, err)
		}
	}
}

func TestTheBudgetErrorIsOfThisGPU(t *testing.T) {
	_, err := NewEngine(model(t, "llama-3-70b"), gpu(t, "l4"), DefaultParams())
	if !errors.Is(err, ErrBudget) || strings.Contains(err.Error(), "80 GB") || !strings.Contains(err.Error(), "over 1 GPU;") || strings.Contains(err.Error(), "tensor_parallel 1") {
		t.Errorf("got %v", err)
	}
}

// The private KV is read by every request, however large the shared context:
// a window that it fills in part reaches only the rest of the shared one.
func TestPrefillBehindASharedContextReadsThePrivateOne(t *testing.T) {
	for name, e := range propertyEngines(t) {
		for _, context := range []int{0, 1, 100, 2000, 4095, 4096, 9000} {
			for _, shared := range []int{1, 1000, 100000} {
				l := Load{Shared: shared, Context: context, Question: 1, Output: 200}
				p := must(e.Throughput(l, true))(t).Prefill
				if p.Batch < 2 {
					continue
				}
				// A decode step over the same context reads the same weights
				// and KV; a prefill adds its own token, and state once, not twice.
				s := must(e.DecodeStepShared(p.Batch, shared, context, false))(t)
				want := float64(s.WeightsRead+s.KVRead+s.SharedRead) + float64(p.Batch)*(e.growth-e.state)
				near(t, name, float64(p.BytesRead)/want, 1, 1e-9)
			}
		}
	}
	e := engine(t, model(t, "mistral-7b"), "h100")
	e.params.Question = 1
	l := e.Load(2000)
	l.Shared = 100000
	r := must(e.Throughput(l, true))(t)
	near(t, "bytes of the prefill, GB", float64(r.Prefill.BytesRead)/1e9, 66.4, 0.3)
	same(t, "and their time", float64(r.Prefill.Memory), float64(r.Prefill.BytesRead)/e.bandwidth)
	if r.Prefill.Time < r.Prefill.Memory {
		t.Errorf("the prefill takes %s, reading alone %s", r.Prefill.Time, r.Prefill.Memory)
	}
}
