package costmodel

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestNothingFits(t *testing.T) {
	e := engine(t, model(t, "llama-3.1-8b"), "l4")
	r := must(e.Evaluate(e.Load(100000)))(t)
	if r.Batch != 0 || r.TokensPerSecond != 0 || len(r.Warnings) != 1 || !strings.Contains(string(r.Warnings[0]), "not one request fits") {
		t.Errorf("got batch %d, %g tokens/s, %q", r.Batch, r.TokensPerSecond, r.Warnings)
	}
	b := must(e.BreakEven(PaperCartridge(100000), 50, 200))(t)
	if b.Cached.Pays || len(b.Warnings) == 0 {
		t.Errorf("nothing to pay back against, got %+v", b.Cached)
	}
}

func TestACartridgeThatSavesNothingNeverPays(t *testing.T) {
	e := lectureEngine(t)
	c := PaperCartridge(5000)
	c.Compression = 1
	b := must(e.BreakEven(c, 50, 200))(t)
	if b.Cached.Pays || b.Cached.Queries != 0 {
		t.Errorf("got %+v", b.Cached)
	}
	if _, err := json.Marshal(b); err != nil {
		t.Errorf("not JSON: %v", err)
	}
}

func TestBudgetBelowTheWeights(t *testing.T) {
	_, err := NewEngine(model(t, "llama-3-70b"), gpu(t, "h100"), DefaultParams())
	if !errors.Is(err, ErrBudget) || !strings.Contains(err.Error(), "141 GB") || !strings.Contains(err.Error(), "72.0 GB") {
		t.Errorf("got %v, want ErrBudget with both sizes", err)
	}
	p := DefaultParams()
	p.TensorParallel = 2 // 70.6 GB of 72 GB: fits
	if _, err := NewEngine(model(t, "llama-3-70b"), gpu(t, "h100"), p); err != nil {
		t.Error(err)
	}
}

func TestBadParams(t *testing.T) {
	m, g := model(t, "llama-3-8b"), gpu(t, "h100")
	for name, change := range map[string]func(*Params){
		"compute_share":         func(p *Params) { p.ComputeShare = math.NaN() },
		"bandwidth_share":       func(p *Params) { p.BandwidthShare = 1.2 },
		"memory_share":          func(p *Params) { p.MemoryShare = 0 },
		"step_overhead_seconds": func(p *Params) { p.StepOverhead = -1 },
		"tensor_parallel":       func(p *Params) { p.TensorParallel = 0 },
		"tensor_parallel 3":     func(p *Params) { p.TensorParallel = 3 },
		"kv_dtype":              func(p *Params) { p.KVDType = "fp7" },
		"price_per_gpu_hour":    func(p *Params) { p.PricePerGPUHour = math.Inf(1) },
		"question_tokens":       func(p *Params) { p.Question = -1 },
		"output_tokens":         func(p *Params) { p.Output = math.MaxInt },
	} {
		p := DefaultParams()
		change(&p)
		if _, err := NewEngine(m, g, p); !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "want") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := NewEngine(Model{}, g, DefaultParams()); !errors.Is(err, ErrBadField) {
		t.Errorf("an empty model: got %v", err)
	}
	if _, err := NewEngine(m, GPU{}, DefaultParams()); !errors.Is(err, ErrBadField) {
		t.Errorf("an empty GPU: got %v", err)
	}
	if _, err := NewEngine(m, g, Params{}); !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), "DefaultParams") {
		t.Errorf("empty params: got %v", err)
	}
}

func TestBadArguments(t *testing.T) {
	e := lectureEngine(t)
	for name, call := range map[string]func() error{
		"negative cached":   func() error { _, err := e.Prefill(-1, 1); return err },
		"nothing new":       func() error { _, err := e.Prefill(1, 0); return err },
		"batch 0":           func() error { _, err := e.DecodeStep(0, 1); return err },
		"absurd context":    func() error { _, err := e.DecodeStep(1, math.MaxInt); return err },
		"negative shared":   func() error { _, err := e.Evaluate(Load{Shared: -1, Context: 2, Output: 1}); return err },
		"no output":         func() error { _, err := e.Evaluate(Load{Context: 2}); return err },
		"empty load":        func() error { _, err := e.Throughput(Load{Output: 1}, false); return err },
		"negative question": func() error { _, err := e.Fit(Load{Context: 1, Question: -5, Output: 1}); return err },
		"negative context":  func() error { _, err := e.Answer(Load{Context: -1, Question: 5, Output: 1}, true); return err },
		"empty document":    func() error { _, err := e.BreakEven(PaperCartridge(0), 50, 200); return err },
		"no compression":    func() error { _, err := e.BreakEven(Cartridge{Document: 1, TrainingPrice: 1}, 50, 200); return err },
		"NaN training": func() error {
			_, err := e.BreakEven(Cartridge{Document: 1, Compression: 2, TrainingGPUSeconds: math.NaN(), TrainingPrice: 1}, 50, 200)
			return err
		},
		"free training": func() error {
			_, err := e.BreakEven(Cartridge{Document: 1, Compression: 2, TrainingGPUSeconds: 1}, 50, 200)
			return err
		},
	} {
		if err := call(); !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), "want") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestTheLargestLoadStaysFinite(t *testing.T) {
	for name, e := range propertyEngines(t) {
		r, err := e.Evaluate(Load{Shared: maxTokens, Context: maxTokens, Question: maxTokens, Output: maxTokens})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(r); err != nil { // NaN and Inf are not JSON
			t.Errorf("%s: %v", name, err)
		}
	}
}
