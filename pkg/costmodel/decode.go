package costmodel

// Step is one decode step: every request of the batch gets one token.
type Step struct {
	Batch   int     `json:"batch"`
	Shared  int     `json:"shared_tokens,omitempty"` // stored once for all requests
	Context float64 `json:"context_tokens"`          // private, of each request, on average

	FLOP        float64 `json:"flop"`
	WeightsRead Bytes   `json:"weights_read"` // per GPU
	KVRead      Bytes   `json:"kv_read"`      // per GPU: private, and fixed state read and written
	SharedRead  Bytes   `json:"shared_read"`  // per GPU

	Compute Seconds `json:"compute_seconds"`
	Memory  Seconds `json:"memory_seconds"`
	Fixed   Seconds `json:"fixed_seconds"`
	Time    Seconds `json:"seconds"`
	Bound   Bound   `json:"bound"`

	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

var stepLeftOut = []string{
	"communication between GPUs", "softmax, norms and sampling", "uneven routing of experts",
	"uneven lengths within the batch", "replicated K and V projections",
}

// DecodeStep is the time of one step of a batch whose requests have that many
// tokens of private context each.
//
// Seconds = max(FLOP / achieved FLOP/s, (weights + KV of the batch) / achieved
// bytes/s) + fixed. FLOP = batch x (2 x active parameters + FLOP per pair x
// context). Source: roofline model of Williams et al. 2009 on the shapes of the
// model; the arithmetic hardly ever decides for private contexts. Left out:
// see LeftOut.
func (e *Engine) DecodeStep(batch, context int) (Step, error) {
	return e.DecodeStepShared(batch, 0, context, false)
}

// DecodeStepShared is DecodeStep with a prefix that all requests share and that
// is stored once. Cascade attention reads it once per step for all of them;
// with perRequest each request reads it again. Its arithmetic is done per
// request in both cases, which is what bounds large batches.
func (e *Engine) DecodeStepShared(batch, shared, context int, perRequest bool) (Step, error) {
	if err := firstError(
		tokensOK("decode step", "batch", batch, 1), tokensOK("decode step", "shared", shared, 0), tokensOK("decode step", "context", context, 0),
	); err != nil {
		return Step{}, err
	}
	var s Step
	e.step(&s, batch, float64(shared), float64(context), perRequest)
	s.Warnings = e.model.contextWarning(s.Warnings, shared+context)
	return s, nil
}

func (e *Engine) step(s *Step, batch int, shared, private float64, perRequest bool) {
	b := float64(batch)
	s.Batch, s.Shared, s.Context, s.Fixed, s.LeftOut = batch, int(shared), private, e.params.StepOverhead, stepLeftOut
	var once, each, attn float64
	for i := range e.groups {
		g := &e.groups[i]
		own := min(private, g.window)
		// What a window still reaches of the prefix behind the private part.
		common := min(shared, g.window-own)
		each += g.bytesPerToken * own
		once += g.bytesPerToken * common
		attn += g.decode * (own + common)
	}
	if perRequest {
		once *= b
	}
	weights := e.weightBytes(b)
	kv := b * (each + 2*e.state)
	s.WeightsRead, s.KVRead, s.SharedRead = Bytes(weights), Bytes(kv), Bytes(once)

	linear := 2 * float64(e.model.ActiveParameters) * b
	attn = b * (attn + e.stateFLOP)
	s.FLOP = linear + attn
	s.Compute = Seconds(linear/e.linearRate + attn/e.attnRate)
	s.Memory = Seconds((weights + kv + once) / e.bandwidth)
	s.Time, s.Bound = slower(s.Compute, s.Memory)
	s.Time += s.Fixed
}
