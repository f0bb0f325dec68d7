package costmodel

// Throughput is what an engine delivers when its memory is full of equal
// requests.
type Throughput struct {
	Fit     Fit     `json:"fit"`
	Step    Step    `json:"step"`    // of the full batch, at the mean length
	Prefill Prefill `json:"prefill"` // of the full batch

	// Rates are output tokens per second of the whole engine, over all GPUs.
	TokensPerSecond            float64 `json:"tokens_per_second"`              // decode alone
	TokensPerSecondWithPrefill float64 `json:"tokens_per_second_with_prefill"` // prefill counted
	// TokensPerSecondMemoryOnly is decode alone if arithmetic were free, the
	// simpler count of bytes read per step. It differs where many requests
	// attend to one shared context: that is read once but computed for each.
	TokensPerSecondMemoryOnly float64 `json:"tokens_per_second_memory_only"`
	// GPU seconds that fall to one request, prefill counted.
	GPUSecondsPerRequest float64 `json:"gpu_seconds_per_request"`
	MoneyPerRequest      float64 `json:"money_per_request,omitempty"`
	Bound                Bound   `json:"bound"`

	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

var throughputLeftOut = []string{
	"overlap of prefill and decode in one pass", "arrival times: the memory is always full",
	"communication between GPUs", "preemption and eviction",
}

// Throughput is the peak rate under a load, in tokens/s: batch / step, and with
// prefill counted batch x output / (prefill of the batch + output x step). The
// batch is what fits (Fit), the step is taken at the mean length. cached: the
// contexts are in the prefix cache, so that only questions are prefilled. The
// shared context's own prefill is not counted, nor anything in LeftOut.
//
// It is bound by compute if the step is, by capacity if weights and other
// reading that a larger batch would spread take most of it, else by bandwidth.
func (e *Engine) Throughput(l Load, cached bool) (Throughput, error) {
	if err := l.check(); err != nil {
		return Throughput{}, err
	}
	var t Throughput
	e.throughput(&t, l, cached)
	t.Warnings = e.model.contextWarning(t.Fit.Warnings, l.prompt()+l.Output)
	return t, nil
}

func (e *Engine) throughput(t *Throughput, l Load, cached bool) {
	t.LeftOut, t.Bound = throughputLeftOut, Capacity
	e.fit(&t.Fit, l)
	batch := t.Fit.Batch
	if batch == 0 {
		return
	}
	e.loadStep(&t.Step, batch, l)
	e.batchPrefill(&t.Prefill, batch, l, cached)
	b, out := float64(batch), float64(l.Output)
	t.TokensPerSecond = b / float64(t.Step.Time)
	t.TokensPerSecondMemoryOnly = b / float64(t.Step.Memory+t.Step.Fixed)
	wave := float64(t.Prefill.Time) + out*float64(t.Step.Time)
	t.TokensPerSecondWithPrefill = b * out / wave
	t.GPUSecondsPerRequest = wave / b * float64(e.params.TensorParallel)
	t.MoneyPerRequest = e.money(t.GPUSecondsPerRequest)
	switch {
	case t.Step.Bound == Compute:
		t.Bound = Compute
	case t.Step.KVRead >= t.Step.WeightsRead+t.Step.SharedRead:
		t.Bound = Bandwidth
	}
}

// batchPrefill is the prefill of a full batch: the private contexts and
// questions, or with a cache the questions alone. The shared context is there
// already; all requests attend to it, and it is read once.
func (e *Engine) batchPrefill(p *Prefill, batch int, l Load, cached bool) {
	n := l.Context + l.Question
	if cached || n == 0 {
		n = l.fresh()
	}
	e.prefill(p, batch, l.prompt()-n, n)
	if l.Shared > 0 && !l.SharedPerRequest && batch > 1 {
		p.BytesRead -= Bytes(float64(batch-1) * e.commonKV(l.Shared, p.Cached))
		p.Memory = Seconds(float64(p.BytesRead) / e.bandwidth)
		p.Time, p.Bound = slower(p.Linear+p.Attention, p.Memory)
		p.Time += p.Fixed
	}
}

// commonKV is what one request's first new token reads, in bytes per GPU, of a
// shared prefix among the cached tokens: what a window still reaches of it
// behind the private ones.
func (e *Engine) commonKV(shared, cached int) float64 {
	common := float64(min(shared, cached))
	own := float64(cached) - common
	var b float64
	for i := range e.groups {
		g := &e.groups[i]
		b += g.bytesPerToken * min(common, g.window-min(own, g.window))
	}
	return b
}
