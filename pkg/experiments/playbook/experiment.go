package playbook

import (
	"fmt"
	"sync"

	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/serving"
)

// Experiment is the experiment under the default parameters.
func Experiment() claims.Experiment { return New(DefaultParameters()) }

// New is the experiment under other parameters.
func New(p Parameters) claims.Experiment {
	e, _ := p.Estimate() // Run says what is wrong with parameters
	block := fmt.Sprintf("with blocks of %d tokens", serving.DefaultBlock)
	const learning = "the agent that learns in the toy"
	return claims.Experiment{
		Name: "playbook", Version: 1, Seeds: 100, Free: free,
		Parameters: struct {
			Parameters
			Learner Learner `json:"learner"` // whose reuse stands beside
		}{p, DefaultLearner()},
		Yields: []claims.Yield{
			{
				ID: "ace-reuse-append", Beside: []string{block, learning},
				Why: "the longest common prefix over all prompt tokens of the generator; what it writes is not counted",
			},
			{ID: "ace-reuse-counters", Beside: []string{block, learning}},
			{ID: "ace-rewrite-output", Why: "the sheet without its tags; the answers to the tasks are not in it"},
			{
				ID: "ace-rewrite-gpu-ratio", Beside: []string{"generated tokens alone"},
				Why: "neither side has a reflector, and a curator's prompt is the generator's",
			},
			{
				ID: "ace-dedup-small", Beside: []string{"reuse with deduplication"},
				Why: fmt.Sprintf("every %d tasks %g%% of the bullets go, which is our choice: the lecture says neither", p.DedupEvery, 100*p.DedupShare),
			},
			{ID: "ace-reuse-estimate", Beside: []string{"with the mean over seeds, by hand"}},
			{
				ID:  "playbook-mean",
				Why: fmt.Sprintf("in the prompts of all tasks; the lecture's numbers come from one run, the expectations are %.0f and %.0f at the end", e.Mean, e.End),
			},
			{ID: "playbook-end", Why: "in the prompt of the last task"},
			{
				ID: "first-change-position", Beside: []string{"the least of that many uniform places"},
				Why: "tokens in front of the first marked bullet over tokens of the playbook, over all tasks",
			},
		},
		Run: func(seed int) (claims.Values, error) { return values(p, seed) },
	}
}

// values are the numbers of one seed.
func values(p Parameters, seed int) (claims.Values, error) {
	e, err := p.Engine()
	if err != nil {
		return nil, err
	}
	estimate, err := p.Estimate()
	if err != nil {
		return nil, err
	}
	runs, err := runAll(p, seed, e)
	if err != nil {
		return nil, err
	}
	one := func(x float64, beside ...float64) claims.Value {
		return claims.Value{Parts: []float64{x}, Beside: beside}
	}
	grown, rewritten := runs[Append].served, runs[Rewrite].served
	mean := average(grown.Tokens)
	system, share := float64(p.System), estimate.FirstChange
	seconds := func(v Variant) float64 { return runs[v].found.Bill.GPUSeconds }
	output := func(v Variant) float64 { return float64(runs[v].found.Totals.Output) }
	return claims.Values{
		"ace-reuse-append":      one(runs[Append].found.Reuse, runs[Append].blocks.Reuse, runs[Append].learned.Reuse),
		"ace-reuse-counters":    one(runs[Counters].found.Reuse, runs[Counters].blocks.Reuse, runs[Counters].learned.Reuse),
		"ace-rewrite-output":    one(float64(rewritten.Written)),
		"ace-rewrite-gpu-ratio": one(seconds(Rewrite)/seconds(Append), output(Rewrite)/output(Append)),
		"ace-dedup-small":       one(runs[Append].found.Reuse-runs[Dedup].found.Reuse, runs[Dedup].found.Reuse),
		"ace-reuse-estimate":    one((system+share*mean)/(system+mean+float64(p.Task)), estimate.Exercise),
		"playbook-mean":         one(mean),
		"playbook-end":          one(float64(grown.Tokens[len(grown.Tokens)-1])),
		"first-change-position": one(average(grown.FirstChanged)/mean, share),
	}, nil
}

// run is what becomes of one seed under one variant.
type run struct {
	served        *Served
	found, blocks Figures // under the block of the parameters, and under vLLM's
	learned       Figures
	err           error
}

// runAll runs the variants side by side, and the agent that learns under those
// that it stands beside.
func runAll(p Parameters, seed int, e *costmodel.Engine) (map[Variant]*run, error) {
	runs := map[Variant]*run{}
	var wait sync.WaitGroup
	for _, v := range Variants() {
		r := &run{}
		runs[v] = r
		wait.Go(func() { r.err = r.do(p, seed, v, e) })
	}
	wait.Wait()
	for _, v := range Variants() {
		if runs[v].err != nil {
			return nil, runs[v].err
		}
	}
	return runs, nil
}

func (r *run) do(p Parameters, seed int, v Variant, e *costmodel.Engine) (err error) {
	if r.served, err = Serve(p, seed, v); err != nil {
		return err
	}
	if r.found, err = r.served.Figures(p.Block, e); err != nil {
		return err
	}
	if v != Append && v != Counters {
		return nil
	}
	if r.blocks, err = r.served.Figures(serving.DefaultBlock, nil); err != nil {
		return err
	}
	l := DefaultLearner()
	l.Tasks, l.Layout.Counters = p.Tasks, v == Counters
	c, err := Learn(l, seed)
	if err != nil {
		return err
	}
	r.learned, err = c.Figures(p.Block)
	return err
}

func average(xs []int) float64 {
	sum := 0
	for _, x := range xs {
		sum += x
	}
	return float64(sum) / float64(len(xs))
}
