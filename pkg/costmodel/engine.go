package costmodel

import (
	"fmt"
	"math"
)

// Bound is the resource that decides a result: twice as much of it would help
// most.
type Bound string

// The resources.
const (
	Compute   Bound = "compute"
	Bandwidth Bound = "bandwidth"
	Capacity  Bound = "capacity"
)

// Engine is a model on a GPU, or on several that share it by tensor
// parallelism. NewEngine makes one; it is immutable and safe for concurrent use.
type Engine struct {
	model  Model
	gpu    GPU
	params Params
	notes  []Warning

	// What follows is per GPU, so that no formula needs the parallelism again.
	plain, routed float64 // bytes of weights outside and inside routed experts
	missed        float64 // log of the chance that a token misses a routed expert
	budget        float64 // bytes that weights and KV may use
	bandwidth     float64 // achieved bytes/s
	linearRate    float64 // achieved FLOP/s of matrix products, all GPUs together
	attnRate      float64 // achieved FLOP/s of attention, all GPUs together
	groups        []groupCost
	growth        float64 // bytes that one more token adds before any window is full
	state         float64 // bytes of fixed state of one sequence
	stateFLOP     float64 // FLOP of the fixed state for one token, all GPUs
}

// groupCost is what a LayerGroup costs: bytes per GPU, FLOP over all GPUs.
type groupCost struct {
	window          float64 // tokens; +Inf for full attention
	bytesPerToken   float64
	prefill, decode float64 // FLOP per query-key pair
}

// NewEngine checks the three parts and whether the weights fit.
func NewEngine(m Model, g GPU, p Params) (*Engine, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.KVDType != "" {
		m.KVDType = p.KVDType
	}
	n := float64(p.TensorParallel)
	e := &Engine{
		model: m, gpu: g, params: p,
		plain: float64(m.WeightBytes-m.RoutedBytes) / n, routed: float64(m.RoutedBytes) / n,
		budget:     float64(g.Memory) * p.MemoryShare,
		bandwidth:  g.Bandwidth * p.BandwidthShare,
		linearRate: n * g.BF16 * p.ComputeShare,
	}
	e.attnRate = e.linearRate
	if m.Experts > 0 {
		e.missed = math.Log1p(-float64(m.ExpertsPerToken) / float64(m.Experts))
	}
	e.fp8()
	for _, l := range m.Attention {
		if err := e.addGroup(l); err != nil {
			return nil, err
		}
	}
	if w := e.plain + e.routed; w >= e.budget {
		return nil, fmt.Errorf("costmodel: %w: %s needs %s of weights per GPU, but %g of the %s of %s are %s (1 GB = 1e9 bytes) with the weights over %s; want more GPUs (tensor_parallel), a larger one, or quantized weights",
			ErrBudget, m.Name, Bytes(w), p.MemoryShare, g.Memory, g.Title, Bytes(e.budget), gpus(p.TensorParallel))
	}
	return e, nil
}

func gpus(n int) string {
	if n == 1 {
		return "1 GPU"
	}
	return fmt.Sprintf("%d GPUs", n)
}

// fp8 sets the rates: matrix products run in FP8 when weights and activations
// are FP8, attention when the KV cache is; both only on a GPU that can.
func (e *Engine) fp8() {
	n := float64(e.params.TensorParallel) * e.params.ComputeShare
	if e.model.FP8Compute {
		if e.gpu.FP8 > 0 {
			e.linearRate = n * e.gpu.FP8
		} else {
			e.notes = append(e.notes, Warning(e.gpu.Title+" has no FP8 matrix units: FP8 weights compute at the BF16 rate"))
		}
	}
	if e.model.KVDType == FP8 && e.gpu.FP8 > 0 {
		e.attnRate = n * e.gpu.FP8
	}
}

// addGroup divides a group of layers over the GPUs. Heads are divided whole;
// KV heads beyond their number are replicated, as engines do; a latent is
// needed by every head and so is held by every GPU.
func (e *Engine) addGroup(l LayerGroup) error {
	n, layers := e.params.TensorParallel, float64(l.Layers)
	if l.QueryHeads%n != 0 {
		return badArgument("params", "tensor_parallel", n, fmt.Sprintf("a divisor of the %d query heads of %s", l.QueryHeads, e.model.Name))
	}
	if l.Kind == LinearAttention {
		if l.StateHeads%n != 0 {
			return badArgument("params", "tensor_parallel", n, fmt.Sprintf("a divisor of the %d key heads of the linear layers of %s", l.StateHeads, e.model.Name))
		}
		e.state += layers * float64(l.StateBytes) / float64(n)
		e.stateFLOP += layers * l.StateFLOPPerToken
		return nil
	}
	split := float64(min(n, l.KVHeads))
	switch {
	case l.Latent:
		split = 1
		if n > 1 {
			e.notes = append(e.notes, Warning(fmt.Sprintf("the latent KV of %s is held by each of the %d GPUs", e.model.Name, n)))
		}
	case l.KVHeads%n != 0 && n%l.KVHeads != 0:
		return badArgument("params", "tensor_parallel", n, fmt.Sprintf("a divisor or a multiple of the %d KV heads of %s", l.KVHeads, e.model.Name))
	case n > l.KVHeads:
		e.notes = append(e.notes, Warning(fmt.Sprintf("each of the %d KV heads of %s is held by %d GPUs", l.KVHeads, e.model.Name, n/l.KVHeads)))
	}
	c := groupCost{
		window:        math.Inf(1),
		bytesPerToken: layers * float64(l.KVElements) * e.model.KVDType.Bytes() / split,
		prefill:       layers * l.PrefillFLOPPerPair,
		decode:        layers * l.DecodeFLOPPerPair,
	}
	if l.Kind == SlidingAttention {
		c.window = float64(l.Window)
	}
	e.groups = append(e.groups, c)
	e.growth += c.bytesPerToken
	return nil
}

// Model is the model as the engine runs it (with the KV dtype of Params).
func (e *Engine) Model() Model { return e.model }

// GPU is the accelerator.
func (e *Engine) GPU() GPU { return e.gpu }

// Params are the parameters.
func (e *Engine) Params() Params { return e.params }

// Notes are remarks on the arrangement, e.g. KV heads that are replicated.
func (e *Engine) Notes() []Warning { return append([]Warning(nil), e.notes...) }

// Load is a request with that much private context and the question and output
// of Params.
func (e *Engine) Load(context int) Load {
	return Load{Context: context, Question: e.params.Question, Output: e.params.Output}
}

// weightBytes is what one forward pass over that many tokens reads of the
// weights, per GPU: everything but the routed experts that no token visits.
// With k of E experts per token and tokens that choose independently and
// evenly, a share 1-(1-k/E)^tokens of the experts is visited. It leaves out
// that real routers are uneven, and counts the whole input embedding. Source:
// the expectation of distinct draws; at one token it is the active parameters.
func (e *Engine) weightBytes(tokens float64) float64 {
	if e.routed == 0 {
		return e.plain
	}
	return e.plain + e.routed*-math.Expm1(tokens*e.missed)
}

// kvBytes is what attention reads of a context, in bytes per GPU: see
// Model.KVBytes, divided as addGroup says, without fixed state.
func (e *Engine) kvBytes(tokens float64) float64 {
	var b float64
	for i := range e.groups {
		b += e.groups[i].bytesPerToken * min(tokens, e.groups[i].window)
	}
	return b
}

// held is what one sequence of that length occupies, per GPU.
func (e *Engine) held(tokens float64) float64 { return e.kvBytes(tokens) + e.state }

// money is the price of that many GPU seconds.
func (e *Engine) money(gpuSeconds float64) float64 {
	return gpuSeconds / 3600 * e.params.PricePerGPUHour
}

func tokensOK(where, name string, v, least int) error {
	if v < least || v > maxTokens {
		return badArgument(where, name, v, fmt.Sprintf("a number from %d to 2^40", least))
	}
	return nil
}
