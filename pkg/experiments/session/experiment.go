package session

import (
	"fmt"
	"sync"

	"memlab/pkg/claims"
	"memlab/pkg/memory/memgpt/queue"
)

// Experiment is the experiment under the default parameters.
func Experiment() claims.Experiment { return New(DefaultParameters()) }

// New is the experiment under other parameters.
func New(p Parameters) claims.Experiment {
	yields := []claims.Yield{
		{ID: "session-saved", Beside: []string{"with outputs cached"}},
		{ID: "session-prefill", Beside: []string{"with outputs cached", "read by the summarizer, not in it"}},
		{
			ID:     "session-working-context-share",
			Beside: []string{"counted token by token", "with outputs cached", "with outputs cached, token by token"},
			Why:    "a call's whole prefill counts for the segment where its prompt first changed, as in the lecture",
		},
		{
			ID:     "layout-end-worse",
			Beside: []string{fmt.Sprintf("the margin at %s eviction, where the order turns", percent(p.EvictLess))},
			Why:    fmt.Sprintf("the margin is in prefill tokens of the session at %s eviction", percent(p.Evict)),
		},
		{ID: "layout-append-best", Why: "the margin is in prefill tokens, to the better one of the two others"},
		{
			ID:  "session-evict-each-10",
			Why: "over the calls that an eviction broke; where an edit came between, the call counts as the edit's",
		},
		{ID: "session-evict-each-50", Why: "counted in the same way"},
	}
	for _, id := range []string{
		"session-calls", "session-evictions-50", "session-evictions-10", "session-evictions-75",
		"session-prefill-10", "session-prefill-75", "session-history-10", "session-history-75",
		"layout-end-recompute", "session-working-context-prefill", "session-evict-prefill",
		"session-evict-prefill-10", "session-working-context-prefill-10",
	} {
		yields = append(yields, claims.Yield{ID: id})
	}
	return claims.Experiment{
		Name: "session", Version: 1, Seeds: 100, Yields: yields, Parameters: p, Free: free,
		Run: func(seed int) (claims.Values, error) { return values(p, seed) },
	}
}

func percent(share float64) string { return fmt.Sprintf("%g%%", 100*share) }

// played is a session with its figures.
type played struct {
	*Session
	Figures
	err error
}

// all plays one conversation under several settings, side by side: the sessions
// have nothing in common but the conversation, which they only read.
func all(p Parameters, seed int, settings ...Setting) ([]played, error) {
	turns, err := draw(p, seed)
	if err != nil {
		return nil, err
	}
	out := make([]played, len(settings))
	var sessions sync.WaitGroup
	for i, s := range settings {
		sessions.Go(func() {
			o := &out[i]
			if o.Session, o.err = play(p, seed, s, turns); o.err == nil {
				o.Figures, o.err = o.Session.Figures(false)
			}
		})
	}
	sessions.Wait()
	for _, o := range out {
		if o.err != nil {
			return nil, o.err
		}
	}
	return out, nil
}

// values are the numbers of one seed.
func values(p Parameters, seed int) (claims.Values, error) {
	found, err := all(
		p, seed,
		Setting{p.Evict, queue.Front, p.StoreNow},
		Setting{p.EvictLess, queue.Front, p.StoreNow},
		Setting{p.EvictMore, queue.Front, p.StoreNow},
		Setting{p.Evict, queue.End, p.StoreNow},
		Setting{p.Evict, queue.Log, p.StoreNow},
		Setting{p.EvictLess, queue.End, p.StoreNow},
	)
	if err != nil {
		return nil, err
	}
	half, less, more, end, log, endLess := found[0], found[1], found[2], found[3], found[4], found[5]
	outputs, err := half.Session.Figures(true)
	if err != nil {
		return nil, err
	}

	one := func(n int) claims.Value { return claims.One(float64(n)) }
	beside := func(x float64, more ...float64) claims.Value {
		return claims.Value{Parts: []float64{x}, Beside: more}
	}
	prefill := func(x played) float64 { return float64(x.Totals.Prefilled) }
	return claims.Values{
		"session-calls":   one(half.Totals.Calls),
		"session-saved":   beside(half.Saved, outputs.Saved),
		"session-prefill": beside(prefill(half), float64(outputs.Totals.Prefilled), float64(half.SummarizerPrompt)),
		"session-working-context-share": beside(half.WorkingShare,
			half.ExactWorkingShare, outputs.WorkingShare, outputs.ExactWorkingShare),
		"session-working-context-prefill":    one(half.WorkingPrefill),
		"session-evict-prefill":              one(half.EvictPrefill),
		"session-evictions-50":               one(half.Evictions),
		"session-evictions-10":               one(less.Evictions),
		"session-evictions-75":               one(more.Evictions),
		"session-prefill-10":                 one(less.Totals.Prefilled),
		"session-prefill-75":                 one(more.Totals.Prefilled),
		"session-evict-prefill-10":           one(less.EvictPrefill),
		"session-working-context-prefill-10": one(less.WorkingPrefill),
		"session-history-10":                 claims.One(less.MeanContext),
		"session-history-75":                 claims.One(more.MeanContext),
		"session-evict-each-10":              claims.One(less.PrefillPerEviction),
		"session-evict-each-50":              claims.One(half.PrefillPerEviction),
		"layout-end-worse":                   beside(prefill(end)-prefill(half), prefill(endLess)-prefill(less)),
		"layout-append-best":                 claims.One(min(prefill(end), prefill(half)) - prefill(log)),
		"layout-end-recompute":               claims.One(end.WorkingRecomputed),
	}, nil
}
