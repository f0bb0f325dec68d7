package cost

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/claims"
	"memlab/pkg/claims/claimstest"
)

func judged(t *testing.T, change func(*Parameters)) map[string]claims.Judged {
	t.Helper()
	p := DefaultParameters()
	if change != nil {
		change(&p)
	}
	return claimstest.Judged(t, New(p), 0)
}

func TestAllRowsOfItsSectionsAreReproduced(t *testing.T) {
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	got, want := judged(t, nil), 0
	for _, r := range rows {
		if r.Kind != claims.Own || !slices.Contains([]string{"1.2", "4.6", "10.1", "10.4"}, r.Section) {
			continue
		}
		want++
		if j := got[r.ID]; j.Verdict != claims.Reproduced {
			t.Errorf("%s: %s: %s", r.ID, j.Verdict, j.Reason)
		}
	}
	if len(got) != 21 || want != 21 {
		t.Errorf("%d rows yielded, %d in the sections: want 21", len(got), want)
	}
}

// A wrong parameter must be seen. Each case names the rows that have to fail.
func TestWrongParametersTurnRowsRed(t *testing.T) {
	right := judged(t, nil)
	for name, c := range map[string]struct {
		change func(*Parameters)
		red    []string
	}{
		"compute share 10% lower": {func(p *Parameters) { p.Params.ComputeShare *= 0.9 },
			[]string{"prefill-128k", "prefill-128k-attention"}},
		"compute share 10% higher": {func(p *Parameters) { p.Params.ComputeShare *= 1.1 },
			[]string{"prefill-128k", "prefill-128k-attention", "prefill-250"}},
		"bandwidth share 10% lower": {func(p *Parameters) { p.Params.BandwidthShare *= 0.9 },
			[]string{"ttft-cached-128k", "decode-200-at-250", "decode-200-at-128k", "decode-step-full-memory", "breakeven-128k", "breakeven-128k-both"}},
		"bandwidth share 10% higher": {func(p *Parameters) { p.Params.BandwidthShare *= 1.1 },
			[]string{"ttft-cached-128k", "decode-200-at-250", "decode-200-at-128k", "breakeven-128k"}},
		"memory share 10% lower": {func(p *Parameters) { p.Params.MemoryShare *= 0.9 },
			[]string{"throughput-drop-private", "kv-room-70b-8xh100", "copies-128k-70b", "exercise-1-memory"}},
		"memory share .95": {func(p *Parameters) { p.Params.MemoryShare = 0.95 },
			[]string{"kv-room-70b-8xh100", "copies-128k-70b", "exercise-1-memory"}},
		"200 us for each step": {func(p *Parameters) { p.Params.StepOverhead = 200e-6 },
			[]string{"decode-200-at-250", "decode-200-at-128k"}},
		"100 tokens of question": {func(p *Parameters) { p.Params.Question = 100 },
			[]string{"prefill-250"}},
		"150 tokens of output": {func(p *Parameters) { p.Params.Output = 150 },
			[]string{"decode-200-at-250", "decode-200-at-128k", "breakeven-128k"}},
		"another GPU": {func(p *Parameters) { p.GPU = "h200" },
			[]string{"decode-200-at-128k", "kv-room-70b-8xh100", "exercise-1-memory", "copies-128k-70b"}},
		"another model": {func(p *Parameters) { p.Model = "qwen2.5-7b" },
			[]string{"kv-bytes-llama3-8b", "throughput-drop-private"}},
		"training five times cheaper": {func(p *Parameters) { p.CheaperTraining = 5 },
			[]string{"breakeven-128k-train-10x", "breakeven-128k-both"}},
		"half the price at night": {func(p *Parameters) { p.NightPrice = 0.5 },
			[]string{"breakeven-128k-night", "breakeven-128k-both"}},
		"documents from short to long": {func(p *Parameters) { slices.Reverse(p.Documents) },
			[]string{"breakeven-monotone"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := judged(t, c.change)
			claimstest.Red(t, right, got, c.red...)
		})
	}
}

func TestStoredResultsAreAFreshRun(t *testing.T) {
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := claims.StoredResults()
	if err != nil {
		t.Fatal(err)
	}
	registry, err := claims.NewRegistry(rows, Experiment())
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := registry.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range claims.Compare(rows, stored, fresh) {
		t.Error(d)
	}
	again, err := registry.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	var a, b bytes.Buffer
	if fresh.Write(&a) != nil || again.Write(&b) != nil || a.String() != b.String() {
		t.Error("two runs are not the same bytes")
	}
}

func TestSharedContextShowsBothDefinitions(t *testing.T) {
	reason := judged(t, nil)["throughput-shared"].Reason
	for _, want := range []string{"1k private tokens", "with nothing private but question and output", "almost unaffected", "by bytes read alone"} {
		if !strings.Contains(reason, want) {
			t.Errorf("no %q in %q", want, reason)
		}
	}
}

func TestBadParametersAreNamed(t *testing.T) {
	for want, change := range map[string]func(*Parameters){
		"compute_share":                func(p *Parameters) { p.Params.ComputeShare = 1.2 },
		"llama-9":                      func(p *Parameters) { p.Model = "llama-9" },
		"h900":                         func(p *Parameters) { p.GPU = "h900" },
		"for 1 tokens never pays back": func(p *Parameters) { p.Documents = []int{64_000, 1} },
		"not one request of 128250":    func(p *Parameters) { p.Model = "llama-2-7b" },
	} {
		p := DefaultParameters()
		change(&p)
		if _, err := New(p).Run(0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error that names %s", err, want)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	e := Experiment()
	for b.Loop() {
		if _, err := e.Run(0); err != nil {
			b.Fatal(err)
		}
	}
}
