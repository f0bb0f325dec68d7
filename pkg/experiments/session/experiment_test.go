package session

import (
	"bytes"
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

// The means over 30 seeds, not only their intervals, lie in the bands.
func TestAllRowsOfTheSessionAreReproduced(t *testing.T) {
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	got, want := judged(t, 30, nil), 0
	for _, r := range rows {
		if !strings.HasPrefix(r.ID, "session-") && !strings.HasPrefix(r.ID, "layout-") {
			continue
		}
		want++
		j := got[r.ID]
		if j.Verdict != claims.Reproduced || strings.Contains(j.Reason, "the mean alone would miss it") {
			t.Errorf("%s: %s: %s", r.ID, j.Verdict, j.Reason)
		}
	}
	if len(got) != 20 || want != 20 {
		t.Errorf("%d rows yielded, %d in claims.csv: want 20", len(got), want)
	}
	for id, text := range map[string]string{
		"layout-end-worse":              "the margin at 10% eviction, where the order turns -",
		"session-prefill":               "with outputs cached",
		"session-working-context-share": "counted token by token",
	} {
		if !strings.Contains(got[id].Reason, text) {
			t.Errorf("%s: no %q in %q", id, text, got[id].Reason)
		}
	}
}

// A wrong parameter must be seen. Each case names rows that have to fail.
func TestWrongParametersTurnRowsRed(t *testing.T) {
	right := judged(t, 8, nil)
	for name, c := range map[string]struct {
		change func(*Parameters)
		red    []string
	}{
		"half as many facts again": {func(p *Parameters) { p.Fact *= 1.5 },
			[]string{"session-prefill", "session-working-context-share", "session-working-context-prefill"}},
		"facts are never stored at once": {func(p *Parameters) { p.StoreNow = 0 },
			[]string{"session-working-context-prefill", "session-working-context-prefill-10", "session-prefill"}},
		"a search in every fourth turn": {func(p *Parameters) { p.Search = 0.25 },
			[]string{"session-calls"}},
		"pages of 600 tokens": {func(p *Parameters) { p.Page = 600 },
			[]string{"session-evictions-50", "session-evictions-10", "session-evictions-75"}},
		"users write 80 tokens": {func(p *Parameters) { p.User = 80 },
			[]string{"session-evictions-10", "session-evictions-50"}},
		"replies of 30 tokens": {func(p *Parameters) { p.Reply = 30 },
			[]string{"session-evictions-50", "session-evictions-10"}},
		"instructions of 1,500 tokens": {func(p *Parameters) { p.System = 1500 },
			[]string{"session-evict-each-50", "session-evict-each-10"}},
		"a working context of 1,000": {func(p *Parameters) { p.WorkingCap = 1000 },
			[]string{"layout-end-recompute"}},
		"eviction of 20 instead of 10 percent": {func(p *Parameters) { p.EvictLess = 0.2 },
			[]string{"session-evictions-10", "session-prefill-10", "session-history-10", "session-evict-each-10"}},
		"eviction of 60 instead of 50 percent": {func(p *Parameters) { p.Evict = 0.6 },
			[]string{"session-evictions-50", "session-evict-each-50", "session-evict-prefill"}},
		"a warning at half the window": {func(p *Parameters) { p.Warn = 0.5 },
			[]string{"session-working-context-prefill"}},
		"a window of 10,000": {func(p *Parameters) { p.Window = 10000 },
			[]string{"session-evictions-50", "session-history-10", "session-history-75"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := judged(t, 8, c.change)
			claimstest.Red(t, right, got, c.red...)
		})
	}
}

func TestTwoRunsAreTheSameBytes(t *testing.T) {
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
}

func TestBadParametersStopTheExperiment(t *testing.T) {
	p := DefaultParameters()
	p.Fact = 1.2
	if _, err := New(p).Run(0); err == nil || !strings.Contains(err.Error(), "p_fact 1.2") {
		t.Error(err)
	}
	p = DefaultParameters()
	p.EvictLess = 0
	if _, err := New(p).Run(0); err == nil || !strings.Contains(err.Error(), "share 0") {
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

func BenchmarkSession(b *testing.B) {
	p := DefaultParameters()
	for i := 0; b.Loop(); i++ {
		s, err := Run(p, i%10, p.Setting())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Figures(false); err != nil {
			b.Fatal(err)
		}
	}
}
