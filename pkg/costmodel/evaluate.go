package costmodel

// Result is everything about one load, for tables, sweeps and JSON. The
// numbers at the top repeat the most asked-for ones of the parts below.
type Result struct {
	Model string `json:"model"`
	GPU   string `json:"gpu"`
	GPUs  int    `json:"gpus"`
	Load  Load   `json:"load"`

	Parameters       int64 `json:"parameters"`
	ActiveParameters int64 `json:"active_parameters"`

	// Of one request's shared and private context without question and
	// output, all layers, not split over GPUs; fixed state included.
	KVBytes         Bytes `json:"kv_bytes"`
	KVBytesPerToken Bytes `json:"kv_bytes_per_token"`
	KVBytesFixed    Bytes `json:"kv_bytes_fixed"`

	TTFT       Seconds `json:"ttft_seconds"`        // nothing cached
	TTFTCached Seconds `json:"ttft_cached_seconds"` // all but the question cached
	DecodeStep Seconds `json:"decode_step_seconds"` // one request alone
	Answer     Seconds `json:"answer_seconds"`      // alone, nothing cached

	Batch                      int     `json:"batch"`
	TokensPerSecond            float64 `json:"tokens_per_second"` // decode alone
	TokensPerSecondWithPrefill float64 `json:"tokens_per_second_with_prefill"`
	GPUSecondsPerRequest       float64 `json:"gpu_seconds_per_request"` // at full load, nothing cached
	MoneyPerRequest            float64 `json:"money_per_request,omitempty"`
	Bound                      Bound   `json:"bound"` // of the throughput

	Prefill       Prefill    `json:"prefill"`
	CachedPrefill Prefill    `json:"cached_prefill"`
	Step          Step       `json:"step"` // one request alone
	Full          Throughput `json:"full"` // memory full of such requests

	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

// Evaluate computes everything about one load. It allocates only if there is
// something to warn of; the LeftOut lists are shared and must not be changed.
func (e *Engine) Evaluate(l Load) (r Result, err error) {
	if err := l.check(); err != nil {
		return Result{}, err
	}
	context := l.Shared + l.Context
	r.Model, r.GPU, r.GPUs, r.Load = e.model.Name, e.gpu.Name, e.params.TensorParallel, l
	r.Parameters, r.ActiveParameters = e.model.Parameters, e.model.ActiveParameters
	r.KVBytes, r.KVBytesPerToken, r.KVBytesFixed = e.model.KVBytes(context), e.model.KVBytesPerToken(context), e.model.KVBytesFixed()
	e.loadPrefill(&r.Prefill, l, false)
	e.loadPrefill(&r.CachedPrefill, l, true)
	e.loadStep(&r.Step, 1, l)
	e.throughput(&r.Full, l, false)
	r.LeftOut = throughputLeftOut
	r.TTFT, r.TTFTCached, r.DecodeStep = r.Prefill.Time, r.CachedPrefill.Time, r.Step.Time
	r.Answer = r.TTFT + Seconds(l.Output)*r.DecodeStep
	r.Batch, r.Bound = r.Full.Fit.Batch, r.Full.Bound
	r.TokensPerSecond, r.TokensPerSecondWithPrefill = r.Full.TokensPerSecond, r.Full.TokensPerSecondWithPrefill
	r.GPUSecondsPerRequest, r.MoneyPerRequest = r.Full.GPUSecondsPerRequest, r.Full.MoneyPerRequest
	r.Warnings = e.model.contextWarning(r.Full.Fit.Warnings, l.prompt()+l.Output)
	switch {
	case len(r.Warnings) == 0:
		r.Warnings = e.notes[:len(e.notes):len(e.notes)]
	case len(e.notes) > 0:
		r.Warnings = append(r.Warnings, e.notes...)
	}
	return r, nil
}
