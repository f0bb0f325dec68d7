package costmodel

import "math"

// maxTokens bounds contexts, batches and outputs: far beyond any use, and small
// enough that products of them stay exact enough in a float64.
const maxTokens = 1 << 40

// minShare is the smallest share that is still believable: with less, times
// would leave the range of a float64 before they meant anything.
const minShare = 1e-6

const tokensWant = "tokens from 0 to 2^40"

// Params is how well and in which arrangement a model runs on a GPU. The values
// of DefaultParams are calibrated: chosen so that the lecture's numbers for
// Llama-3-8B on one H100 come out, not measured.
type Params struct {
	// ComputeShare is the achieved share of peak FLOP/s in prefill. Pinned by
	// the lecture's 8.8 s for 128k tokens, about 6 s of them attention: .722
	// to .738 stay within its tolerance; prefill time goes as its inverse.
	ComputeShare float64 `json:"compute_share"`
	// BandwidthShare is the achieved share of peak memory bandwidth. Pinned by
	// the 25 ms step with full memory and by 2.47 s for 200 tokens at 128k:
	// .793 to .802; decode time goes as its inverse.
	BandwidthShare float64 `json:"bandwidth_share"`
	// MemoryShare is the part of memory that weights and KV cache may use,
	// the rest being activations and the runtime. Exercise 1 states 90%; the
	// 107-fold drop of throughput holds from .83 to .98, where 3 contexts of
	// 120k fit, and would jump with a fourth.
	MemoryShare float64 `json:"memory_share"`
	// StepOverhead is the fixed time of each forward pass: launch, sampling,
	// scheduling. Pinned weakly, by 200 steps taking 1.22 s: 13 to 160 us stay
	// within the tolerance; it matters for short contexts and small models.
	StepOverhead Seconds `json:"step_overhead_seconds"`

	// TensorParallel is the number of GPUs that hold one copy of the model.
	TensorParallel int `json:"tensor_parallel"`
	// KVDType is the format of the KV cache; "" takes the model's.
	KVDType DType `json:"kv_dtype,omitempty"`
	// PricePerGPUHour turns GPU seconds into money, in any currency; 0: unknown.
	PricePerGPUHour float64 `json:"price_per_gpu_hour,omitempty"`

	// Question and Output are the tokens of a request beside its context that
	// Engine.Load fills in. Pinned by 7 ms, 12 ms and 1.22 s; the decode time
	// goes as Output, the time to first token of a short context as Question.
	Question int `json:"question_tokens"`
	Output   int `json:"output_tokens"`
}

// DefaultParams are the calibrated parameters of the lecture, on one GPU.
func DefaultParams() Params {
	return Params{
		ComputeShare: 0.73, BandwidthShare: 0.80, MemoryShare: 0.90, StepOverhead: 45e-6,
		TensorParallel: 1, Question: 50, Output: 200,
	}
}

// IdealParams are a roofline: the vendor's peaks, all memory, no overhead. No
// measurement can be better, which is what they are for.
func IdealParams() Params {
	p := DefaultParams()
	p.ComputeShare, p.BandwidthShare, p.MemoryShare, p.StepOverhead = 1, 1, 1, 0
	return p
}

func (p Params) check() error {
	const where = "params"
	for _, s := range []struct {
		name  string
		value float64
	}{{"compute_share", p.ComputeShare}, {"bandwidth_share", p.BandwidthShare}, {"memory_share", p.MemoryShare}} {
		if !(s.value >= minShare && s.value <= 1) {
			return badArgument(where, s.name, s.value, "a share from 1e-6 to 1; start from DefaultParams")
		}
	}
	if !(p.StepOverhead >= 0 && p.StepOverhead <= 60) {
		return badArgument(where, "step_overhead_seconds", float64(p.StepOverhead), "seconds from 0 to 60")
	}
	if p.TensorParallel < 1 || p.TensorParallel > 1<<16 {
		return badArgument(where, "tensor_parallel", p.TensorParallel, "a number of GPUs from 1 to 65536")
	}
	if !(p.PricePerGPUHour >= 0) || math.IsInf(p.PricePerGPUHour, 0) {
		return badArgument(where, "price_per_gpu_hour", p.PricePerGPUHour, "a price, or 0 for unknown")
	}
	if p.KVDType != "" && p.KVDType.Bytes() == 0 {
		return badArgument(where, "kv_dtype", p.KVDType, "one of float32, bfloat16, float16, fp8, int8, int4, or empty for the model's")
	}
	if p.Question < 0 || p.Question > maxTokens {
		return badArgument(where, "question_tokens", p.Question, tokensWant)
	}
	if p.Output < 0 || p.Output > maxTokens {
		return badArgument(where, "output_tokens", p.Output, tokensWant)
	}
	return nil
}
