package playbook

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"memlab/pkg/claims"
	"memlab/pkg/claims/claimstest"
)

// judged runs the experiment under some parameters and judges its rows.
func judged(t *testing.T, seeds int, change func(*Parameters)) map[string]claims.Judged {
	t.Helper()
	p := DefaultParameters()
	if change != nil {
		change(&p)
	}
	return claimstest.Judged(t, New(p), seeds)
}

// The means over 100 seeds, not only their intervals, lie in the bands.
func TestAllRowsOfThePlaybookAreReproduced(t *testing.T) {
	t.Parallel()
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	got, want := judged(t, 100, nil), 0
	for _, r := range rows {
		if (r.Section != "5.4" && r.Section != "10.5") || r.Kind == claims.Paper {
			continue
		}
		want++
		j := got[r.ID]
		if j.Verdict != claims.Reproduced || strings.Contains(j.Reason, "the mean alone would miss it") {
			t.Errorf("%s: %s: %s", r.ID, j.Verdict, j.Reason)
			continue
		}
		t.Logf("%s: %.5g (%.5g to %.5g), lecture %s, %.2f of single seeds", r.ID, *j.Value, *j.Low, *j.High, r.Lecture, *j.SingleSeedShare)
	}
	if len(got) != 9 || want != 9 {
		t.Errorf("%d rows yielded, %d in claims.csv: want 9", len(got), want)
	}
}

// A wrong parameter must be seen. Each case names rows that have to fail.
func TestWrongParametersTurnRowsRed(t *testing.T) {
	right := judged(t, 5, nil)
	for name, c := range map[string]struct {
		change func(*Parameters)
		red    []string
	}{
		"a bullet with every task":          {func(p *Parameters) { p.Add = 1 }, []string{"ace-rewrite-output", "playbook-mean", "playbook-end", "ace-rewrite-gpu-ratio", "ace-reuse-append"}},
		"bullets of 60 tokens":              {func(p *Parameters) { p.Bullet = 60 }, []string{"ace-rewrite-output", "playbook-mean", "ace-reuse-append"}},
		"one counter":                       {func(p *Parameters) { p.Counters = 1 }, []string{"ace-reuse-counters", "first-change-position", "ace-reuse-estimate"}},
		"tasks of 600 tokens":               {func(p *Parameters) { p.Task = 600 }, []string{"ace-reuse-append", "ace-reuse-estimate"}},
		"answers of 150 tokens":             {func(p *Parameters) { p.Output = 150 }, []string{"ace-rewrite-gpu-ratio"}},
		"system of 1,500 tokens":            {func(p *Parameters) { p.System = 1500 }, []string{"ace-reuse-counters", "ace-reuse-append"}},
		"200 tasks":                         {func(p *Parameters) { p.Tasks = 200 }, []string{"ace-rewrite-output", "playbook-end", "playbook-mean"}},
		"half of the bullets every 5 tasks": {func(p *Parameters) { p.DedupEvery, p.DedupShare = 5, 0.5 }, []string{"ace-dedup-small"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := judged(t, 5, c.change)
			claimstest.Red(t, right, got, c.red...)
		})
	}
}

func TestTwoRunsAreTheSameBytesAndAnotherSeedIsNot(t *testing.T) {
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	registry, err := claims.NewRegistry(rows, Experiment())
	if err != nil {
		t.Fatal(err)
	}
	var text [2]bytes.Buffer
	for i := range text {
		r, err := registry.Run(2)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Write(&text[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(text[0].Bytes(), text[1].Bytes()) {
		t.Error("two runs are not the same bytes")
	}
	a, err := Experiment().Run(0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Experiment().Run(1)
	if err != nil {
		t.Fatal(err)
	}
	if a["playbook-mean"].Parts[0] == b["playbook-mean"].Parts[0] {
		t.Error("two seeds, one run")
	}
}

func TestBadParametersAreNamed(t *testing.T) {
	for want, change := range map[string]func(*Parameters){
		"tasks 0: want 1":        func(p *Parameters) { p.Tasks = 0 },
		"p_add 1.2: want 0 to 1": func(p *Parameters) { p.Add = 1.2 },
		"bullet_tokens 5: want":  func(p *Parameters) { p.Bullet = 5 },
		"counters -1: want":      func(p *Parameters) { p.Counters = -1 },
		"remove_share -1: want":  func(p *Parameters) { p.DedupShare = -1 },
		"dedup_every 0: want 1":  func(p *Parameters) { p.DedupEvery = 0 },
		"block_tokens 0: want 1": func(p *Parameters) { p.Block = 0 },
		"llama-9":                func(p *Parameters) { p.Model = "llama-9" },
		"abacus":                 func(p *Parameters) { p.GPU = "abacus" },
	} {
		p := DefaultParameters()
		change(&p)
		if _, err := New(p).Run(0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := Serve(DefaultParameters(), -1, Append); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
	if _, err := Serve(DefaultParameters(), 0, "pile"); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), `"pile"`) {
		t.Error(err)
	}
}

func BenchmarkSeed(b *testing.B) {
	e := Experiment()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.Run(i % 10); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkServe(b *testing.B) {
	for _, v := range Variants() {
		b.Run(string(v), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s, err := Serve(DefaultParameters(), i%10, v)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Figures(1, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
