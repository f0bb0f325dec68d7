package world

import (
	"context"

	"gonum.org/v1/gonum/stat"

	"memlab/pkg/claims"
	"memlab/pkg/dialogue"
)

// Experiment is the lecture's demos 1 to 3 under the default parameters.
func Experiment() claims.Experiment { return New(DefaultParameters()) }

// grid are the chunk sizes and numbers of chunks of demo 2: k = 1 and 2 as in
// mem0's paper, and about 2,000 tokens in every size.
var (
	sizes  = []string{"64", "128", "256", "512", "1024", "2048"}
	budget = []string{"128x16", "256x8", "512x4", "1024x2", "2048x1"}
)

// names are the systems of demos 1 to 3.
var names = struct {
	full, half, one, mem0, vector, graph, memgpt, rag, ragBig string
	perfect, recall, noop                                     string
}{
	"full", "full:alpha=.5", "full:alpha=1", "mem0", "mem0g", "mem0g+graph", "memgpt", "rag:128x16", "rag:2048x1",
	"mem0g+graph:recall=1:noop=0:add=0", "mem0g+graph:recall=.7:noop=0:add=0", "mem0g+graph:recall=1:noop=.6:add=0",
}

// New is the experiment under other parameters.
func New(p Parameters) claims.Experiment {
	const counted = "counted over the 10 conversations of a seed"
	yields := []claims.Yield{
		{ID: "rag-128x16-beats-mem0g", Why: "the margin is in accuracy; the groups where it does not hold are many"},
		{ID: "memgpt-best-system", Why: "the margin is in accuracy, to the better of mem0 and mem0g with graph"},
		{ID: "alpha-05-above-mem0g", Why: "the margin is in accuracy"},
		{ID: "rag-no-u-shape", Why: "the margin is in accuracy: the mean of the medium sizes above the worse of the two ends, the smallest over k = 1, k = 2 and equal budgets"},
		{ID: "memgpt-reads-over-mem0", Beside: []string{"over mem0 without graph"}, Why: "against mem0g with graph"},
		{ID: "mem0-write-prefill", Beside: []string{"the asynchronous summary, not in it"}},
	}
	for _, id := range []string{
		"questions-10-conversations", "full-context-alpha-0", "full-context-alpha-05", "full-context-alpha-1",
		"memgpt-accuracy", "memgpt-two-hop", "memgpt-write-calls", "mem0-current", "mem0-read-tokens", "mem0-previous",
		"mem0g-previous", "two-hop-vector", "two-hop-graph", "mem0g-graph-accuracy", "mem0-write-calls",
		"rag-128x16-tokens", "rag-2048x1", "extract-recall-10", "extract-recall-07", "noop-06",
		"rag-reads-over-mem0g", "rag-full-context-write-calls", "memgpt-calls-per-question",
		"mem0-extract-calls", "mem0-update-calls", "mem0-breakeven-questions",
	} {
		yields = append(yields, claims.Yield{ID: id, Why: why(id, counted)})
	}
	return claims.Experiment{
		Name: "world", Version: 1, Seeds: 100, Yields: yields, Parameters: p, Free: free,
		Run: func(seed int) (claims.Values, error) { return values(p, seed) },
	}
}

func why(id, counted string) string {
	if id == "questions-10-conversations" {
		return counted
	}
	return ""
}

// values are the numbers of one seed.
func values(p Parameters, seed int) (claims.Values, error) {
	g, err := NewGroup(p, seed, "en")
	if err != nil {
		return nil, err
	}
	found := map[string]*Result{}
	see := func(specs ...string) error {
		for _, spec := range specs {
			if found[spec] != nil {
				continue
			}
			s, err := ParseSetting(spec, p)
			if err != nil {
				return err
			}
			if found[spec], err = g.Evaluate(context.Background(), s); err != nil {
				return err
			}
		}
		return nil
	}
	n := names
	if err := see(n.full, n.half, n.one, n.mem0, n.vector, n.graph, n.memgpt, n.rag, n.ragBig, n.perfect, n.recall, n.noop); err != nil {
		return nil, err
	}
	margin := 1.0
	for _, row := range [][]string{ragSpecs(sizes, "1"), ragSpecs(sizes, "2"), prefixed(budget)} {
		if err := see(row...); err != nil {
			return nil, err
		}
		var accuracies []float64
		for _, spec := range row {
			accuracies = append(accuracies, found[spec].Score.Accuracy())
		}
		margin = min(margin, noU(accuracies))
	}
	accuracy := func(name string) float64 { return found[name].Score.Accuracy() }
	of := func(name string, k dialogue.Kind) claims.Value { return claims.One(found[name].Kinds[k].Accuracy()) }
	tokens := func(name string) float64 { return found[name].Score.TokensEach() }
	calls := func(name string, purposes ...string) float64 { c, _ := found[name].Writes(purposes...); return c }
	_, prefill := found[n.mem0].Writes()
	one := claims.One
	return claims.Values{
		"questions-10-conversations":   one(float64(found[n.full].Score.Asked)),
		"full-context-alpha-0":         one(accuracy(n.full)),
		"full-context-alpha-05":        one(accuracy(n.half)),
		"full-context-alpha-1":         one(accuracy(n.one)),
		"memgpt-accuracy":              one(accuracy(n.memgpt)),
		"memgpt-two-hop":               of(n.memgpt, dialogue.TwoHop),
		"memgpt-calls-per-question":    one(found[n.memgpt].Score.CallsEach()),
		"memgpt-write-calls":           one(calls(n.memgpt)),
		"memgpt-best-system":           one(accuracy(n.memgpt) - max(accuracy(n.mem0), accuracy(n.graph))),
		"memgpt-reads-over-mem0":       {Parts: []float64{tokens(n.memgpt) / tokens(n.graph)}, Beside: []float64{tokens(n.memgpt) / tokens(n.mem0)}},
		"mem0-current":                 of(n.mem0, dialogue.Current),
		"mem0-previous":                of(n.mem0, dialogue.Previous),
		"mem0-read-tokens":             one(tokens(n.mem0)),
		"mem0g-previous":               of(n.graph, dialogue.Previous),
		"two-hop-vector":               of(n.vector, dialogue.TwoHop),
		"two-hop-graph":                of(n.graph, dialogue.TwoHop),
		"mem0g-graph-accuracy":         one(accuracy(n.graph)),
		"mem0-write-calls":             one(calls(n.mem0)),
		"mem0-extract-calls":           one(calls(n.mem0, "extract")),
		"mem0-update-calls":            one(calls(n.mem0, "update")),
		"mem0-write-prefill":           {Parts: []float64{prefill}, Beside: []float64{summaries(found[n.mem0])}},
		"mem0-breakeven-questions":     one(prefill / tokens(n.full)),
		"rag-128x16-beats-mem0g":       one(accuracy(n.rag) - accuracy(n.graph)),
		"rag-128x16-tokens":            one(tokens(n.rag)),
		"rag-2048x1":                   one(accuracy(n.ragBig)),
		"rag-reads-over-mem0g":         one(tokens(n.rag) / tokens(n.graph)),
		"rag-no-u-shape":               one(margin),
		"rag-full-context-write-calls": one(calls(n.rag) + calls(n.full)),
		"extract-recall-10":            one(accuracy(n.perfect)),
		"extract-recall-07":            one(accuracy(n.recall)),
		"noop-06":                      one(accuracy(n.noop)),
		"alpha-05-above-mem0g":         one(accuracy(n.half) - accuracy(n.graph)),
	}, nil
}

func prefixed(grid []string) []string {
	out := make([]string, len(grid))
	for i, g := range grid {
		out[i] = "rag:" + g
	}
	return out
}

func ragSpecs(sizes []string, k string) []string {
	out := make([]string, len(sizes))
	for i, size := range sizes {
		out[i] = "rag:" + size + "x" + k
	}
	return out
}

// noU is by how much the medium sizes are above the worse of the two ends, in the
// mean over them: a U would have them below. The smallest of them would be below
// by chance alone, as the least of several noisy numbers.
func noU(accuracies []float64) float64 {
	last := len(accuracies) - 1
	return stat.Mean(accuracies[1:last], nil) - min(accuracies[0], accuracies[last])
}

func summaries(r *Result) float64 {
	prompt := 0
	for _, s := range r.Spent {
		if s.Purpose == Summary {
			prompt += s.Prompt
		}
	}
	return float64(prompt) / float64(r.Conversations)
}
