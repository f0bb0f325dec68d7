//go:build !race

// Worlds are drawn here by the dozen, which takes minutes under the race detector
// and shares nothing between goroutines.

package world

import (
	"testing"

	"memlab/pkg/claims"
	"memlab/pkg/claims/claimstest"
)

func judged(t *testing.T, seeds int, change func(*Parameters)) map[string]claims.Judged {
	t.Helper()
	p := DefaultParameters()
	if change != nil {
		change(&p)
	}
	return claimstest.Judged(t, New(p), seeds)
}

// A wrong parameter must be seen. Each case names rows that have to fail.
func TestWrongParametersTurnRowsRed(t *testing.T) {
	const seeds = 3
	right := judged(t, seeds, nil)
	for name, c := range map[string]struct {
		change func(*Parameters)
		red    []string
	}{
		"an extraction that finds half": {func(p *Parameters) { p.Recall = 0.5 },
			[]string{"mem0-update-calls", "mem0-write-calls", "mem0-current", "mem0g-graph-accuracy"}},
		"half of the changes taken for known": {func(p *Parameters) { p.NoopError = 0.5 }, []string{"mem0g-previous", "mem0g-graph-accuracy"}},
		"half of the changes added beside":    {func(p *Parameters) { p.AddError = 0.5 }, []string{"mem0-previous"}},
		"a queue of half the length":          {func(p *Parameters) { p.FIFO = 3200 }, []string{"memgpt-reads-over-mem0"}},
		"room for three facts":                {func(p *Parameters) { p.Entries = 3 }, []string{"memgpt-calls-per-question"}},
		"pages of 40 messages":                {func(p *Parameters) { p.Page = 40 }, []string{"memgpt-accuracy"}},
		"a reader that is lost at 3,000":      {func(p *Parameters) { p.HalfLength = 3000 }, []string{"full-context-alpha-1", "full-context-alpha-05"}},
		"a window of 10,000":                  {func(p *Parameters) { p.Window = 10_000 }, []string{"full-context-alpha-0", "mem0-breakeven-questions"}},
		"nothing is said again":               {func(p *Parameters) { p.World.Restated = 0 }, []string{"mem0-update-calls"}},
		"types that do not count":             {func(p *Parameters) { p.World.TypeWeight = 0 }, []string{"two-hop-vector"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claimstest.Red(t, right, judged(t, seeds, c.change), c.red...)
		})
	}
}

// Demo 4 with one conversation a seed, which is a third of the work.
func TestWrongParametersTurnLongRowsRed(t *testing.T) {
	const seeds = 2
	run := func(change func(*Parameters)) map[string]claims.Judged {
		p := DefaultParameters()
		p.LongConversations = 1
		change(&p)
		return claimstest.Judged(t, NewLong(p), seeds)
	}
	right := run(func(*Parameters) {})
	for name, c := range map[string]struct {
		change func(*Parameters)
		red    []string
	}{
		"a window for everything":       {func(p *Parameters) { p.Window = 1_000_000 }, []string{"long-full-context-truncates"}},
		"pages of 300 messages":         {func(p *Parameters) { p.Page = 300 }, []string{"long-memgpt-fastest-fall"}},
		"an extraction that finds half": {func(p *Parameters) { p.Recall = 0.4 }, []string{"long-mem0g-tokens"}},
	} {
		t.Run(name, func(t *testing.T) { claimstest.Red(t, right, run(c.change), c.red...) })
	}
}
