package costmodel

// Prefill is the time to process a prompt, of which a prefix may be cached.
type Prefill struct {
	Batch  int `json:"batch"`
	Cached int `json:"cached_tokens"` // per request: KV already there
	New    int `json:"new_tokens"`    // per request: to be computed

	LinearFLOP    float64 `json:"linear_flop"`
	AttentionFLOP float64 `json:"attention_flop"`
	BytesRead     Bytes   `json:"bytes_read"` // per GPU: weights, cached KV, new KV once

	Linear    Seconds `json:"linear_seconds"`    // grows with the new tokens
	Attention Seconds `json:"attention_seconds"` // grows with new x all tokens
	Memory    Seconds `json:"memory_seconds"`    // to read BytesRead
	Fixed     Seconds `json:"fixed_seconds"`
	Time      Seconds `json:"seconds"`
	Bound     Bound   `json:"bound"`

	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

var prefillLeftOut = []string{
	"writing KV, reading the new KV more than once, activations", "softmax, norms and other element-wise work",
	"communication between GPUs", "queueing, tokenizing and the network",
}

// Prefill is the time until new tokens behind cached ones are processed, for
// one request: the time to first token.
//
// Seconds = max((linear FLOP + attention FLOP) / achieved FLOP/s, bytes read /
// achieved bytes/s) + fixed. Linear FLOP = 2 x active parameters x new tokens.
// Bytes = weights + KV of cached and new tokens.
// Attention FLOP = FLOP per pair x pairs, with new x cached + new^2/2 pairs
// (causal half), fewer under a window. Llama-3-8B: 4 x 4096 x 32 per pair.
// Source: the counts of Kaplan et al. 2020, section 2.1, with all parameters
// counted, input embedding included. Left out: see LeftOut.
func (e *Engine) Prefill(cached, new int) (Prefill, error) {
	return e.PrefillBatch(1, cached, new)
}

// PrefillBatch is Prefill of several equal requests in one pass, which reads
// the weights once.
func (e *Engine) PrefillBatch(batch, cached, new int) (Prefill, error) {
	if err := firstError(
		tokensOK("prefill", "batch", batch, 1), tokensOK("prefill", "cached", cached, 0), tokensOK("prefill", "new", new, 1),
	); err != nil {
		return Prefill{}, err
	}
	var p Prefill
	e.prefill(&p, batch, cached, new)
	p.Warnings = e.model.contextWarning(p.Warnings, cached+new)
	return p, nil
}

// prefill fills in *p, as the other unexported methods do: copying results of
// some hundred bytes through several levels would take most of the time.
func (e *Engine) prefill(p *Prefill, batch, cached, new int) {
	b, c, n := float64(batch), float64(cached), float64(new)
	p.Batch, p.Cached, p.New, p.Fixed, p.LeftOut = batch, cached, new, e.params.StepOverhead, prefillLeftOut
	p.LinearFLOP = 2 * float64(e.model.ActiveParameters) * b * n
	p.AttentionFLOP = b * (e.pairFLOP(c, n) + e.stateFLOP*n)
	read := e.weightBytes(b*n) + b*(e.kvBytes(c)+n*e.growth+e.state)
	p.BytesRead = Bytes(read)
	p.Linear = Seconds(p.LinearFLOP / e.linearRate)
	p.Attention = Seconds(p.AttentionFLOP / e.attnRate)
	p.Memory = Seconds(read / e.bandwidth)
	p.Time, p.Bound = slower(p.Linear+p.Attention, p.Memory)
	p.Time += p.Fixed
}

// pairFLOP is the attention FLOP of n new tokens behind c others: FLOP per pair
// times the integral of min(position, window) over the new positions.
func (e *Engine) pairFLOP(c, n float64) float64 {
	var flop float64
	for i := range e.groups {
		g := &e.groups[i]
		grow := max(min(g.window-c, n), 0) // new tokens before the window is full
		pairs := grow*c + grow*grow/2
		if full := n - grow; full > 0 {
			pairs += full * g.window
		}
		flop += g.prefill * pairs
	}
	return flop
}

// slower is the roofline: the longer of the two times, and its resource.
func slower(compute, memory Seconds) (Seconds, Bound) {
	if compute >= memory {
		return compute, Compute
	}
	return memory, Bandwidth
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
