package exercise

import (
	"fmt"
	"math"

	"memlab/pkg/costmodel"
)

// server is a model spread over the GPUs of a server, and the private context that
// each user brings.
type server struct {
	model, gpu    string
	gpus, context int
	usable        float64 // share of the memory, for weights and KV cache
}

func serverOf(n numbers) server {
	return server{
		model:   pick(n, "llama-3-70b", "qwen2.5-72b", "qwen3-32b", "mixtral-8x22b"),
		gpu:     pick(n, "h100", "a100-80", "h200", "b200", "mi300x"),
		gpus:    8,
		context: pick(n, context128k, 32_000, 48_000, 64_000, 80_000, 96_000, 100_000, 120_000),
		usable:  pick(n, 0.9, 0.8, 0.85, 0.95),
	}
}

func (s server) engine() (*costmodel.Engine, error) {
	p := costmodel.DefaultParams()
	p.TensorParallel, p.MemoryShare = s.gpus, s.usable
	return machine{s.model, s.gpu, p}.engine()
}

// of is a number of the server.
func (s server) of(f func(*costmodel.Engine) float64) func() (float64, error) {
	return func() (float64, error) {
		e, err := s.engine()
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		return f(e), nil
	}
}

// memory is what weights and KV cache may use, in bytes: all of it times share.
func (s server) memory(e *costmodel.Engine, share float64) float64 {
	return share * float64(s.gpus) * float64(e.GPU().Memory)
}

func perToken(e *costmodel.Engine) float64 { return float64(e.Model().KVBytesPerToken(0)) }

func weights(e *costmodel.Engine) float64 { return float64(e.Model().WeightBytes) }

// facts states what the student needs to know, for both languages. The numbers
// come from config.json and the data sheet; a model that is not there leaves the
// text without them, and Answer says what is wrong.
func (s server) facts() Text {
	e, err := s.engine()
	if err != nil {
		return Text{EN: s.model, ZH: s.model}
	}
	m, a := e.Model(), e.Model().Attention[0]
	args := []any{
		m.Name, m.Layers, a.KVHeads, a.KVElements / a.KVHeads / 2, weights(e) / 1e9,
		s.gpus, e.GPU().Title, float64(e.GPU().Memory) / 1e9, 100 * s.usable,
	}
	return both(
		"%s (%d layers, %d KV heads of %d numbers, 2 bytes each; weights of %.1f GB) runs on %d × %s (%.0f GB each, %.0f%% of it usable).",
		"%s（%d 层、%d 个 KV 头、每头 %d 个数、每个数 2 字节；权重 %.1f GB）跑在 %d 块 %s 上（每块 %.0f GB，能用 %.0f%%）。",
		args...)
}

func roomFor70B(n numbers) Exercise {
	s := serverOf(n)
	facts := s.facts()
	return Exercise{
		ID: "10.1a",
		Question: Text{
			EN: facts.EN + " How many million tokens of KV fit beside the weights?",
			ZH: facts.ZH + "权重之外还能放下多少百万 token 的 KV？",
		},
		Unit:      "million tokens",
		Answer:    s.of(func(e *costmodel.Engine) float64 { return float64(e.RoomTokens()) / 1e6 }),
		Tolerance: 0.01,
		Slips: []Slip{
			{Value: s.of(func(e *costmodel.Engine) float64 { return (s.memory(e, 1) - weights(e)) / perToken(e) / 1e6 }), Hint: Text{
				EN: "that uses all of the memory. A part is kept for activations and the runtime.",
				ZH: "这是把显存全用上了。有一部分要留给激活值和运行时。"}},
			{Value: s.of(func(e *costmodel.Engine) float64 { return s.memory(e, s.usable) / perToken(e) / 1e6 }), Hint: Text{
				EN: "the weights lie on the same GPUs: take them off first.",
				ZH: "权重也放在这些卡上：先减掉它。"}},
			{Value: s.of(func(e *costmodel.Engine) float64 { return 2 * float64(e.RoomTokens()) / 1e6 }), Hint: Text{
				EN: "each token leaves a key and a value: twice as many bytes, half as many tokens.",
				ZH: "每个 token 留下一个键和一个值：字节数翻倍，token 数减半。"}},
			{Value: s.of(func(e *costmodel.Engine) float64 {
				return (s.memory(e, s.usable) - float64(s.gpus)*weights(e)) / perToken(e) / 1e6
			}), Hint: Text{
				EN: "that puts a whole copy of the weights on each GPU. Tensor parallelism splits one copy over all of them.",
				ZH: "这是每块卡上都放一整份权重。张量并行是把一份权重切到所有卡上。"}},
		},
		Hints: []Text{
			{EN: "how many bytes are left when the weights are in place?", ZH: "权重放好之后，还剩多少字节？"},
			{EN: "one token takes layers × KV heads × numbers per head × 2 (key and value) × 2 bytes.", ZH: "一个 token 要：层数 × KV 头数 × 每头的数 × 2（键和值）× 2 字节。"},
			{EN: "usable memory minus weights, divided by the bytes of a token.", ZH: "可用显存减去权重，再除以一个 token 的字节数。"},
		},
	}
}

func copiesBeside70B(n numbers) Exercise {
	s := serverOf(n)
	fit := func(round func(float64) float64) func() (float64, error) {
		return s.of(func(e *costmodel.Engine) float64 { return round(float64(e.RoomTokens()) / float64(s.context)) })
	}
	return Exercise{
		ID: "10.1b",
		Question: both(
			"How many private contexts of %s tokens fit on the server of (a) at once?",
			"(a) 的服务器上能同时放下几份各 %s token 的私有上下文？", count(s.context)),
		Answer:    fit(math.Floor),
		Tolerance: 0,
		Slips: []Slip{
			{Value: fit(func(x float64) float64 { return math.Round(100*x) / 100 }), Hint: onlyWhole},
			{Value: fit(math.Ceil), Hint: onlyWhole},
			{Value: s.of(func(e *costmodel.Engine) float64 {
				return math.Floor(s.memory(e, s.usable) / perToken(e) / float64(s.context))
			}), Hint: Text{
				EN: "the weights lie on the same GPUs: take them off first.",
				ZH: "权重也放在这些卡上：先减掉它。"}},
		},
		Hints: []Text{
			{EN: "you have the room in tokens from (a), or the room in bytes.", ZH: "(a) 已经算出能放多少 token，或者说多少字节。"},
			{EN: "divide the room by the length of one context, and round down.", ZH: "用能放的 token 数除以一份上下文的长度，向下取整。"},
		},
	}
}

var onlyWhole = Text{
	EN: "only whole contexts fit: round down.",
	ZH: "只能放整份：向下取整。",
}

func oneOfTheWeights(n numbers) Exercise {
	s := serverOf(n)
	share := s.of(func(e *costmodel.Engine) float64 { return float64(e.Model().KVBytes(s.context)) / weights(e) })
	return Exercise{
		ID: "10.1c",
		Question: both(
			"What share of the weights of (a) does the KV of one context of %s tokens weigh (0.5 for half)?",
			"一份 %s token 的上下文，KV 有 (a) 里权重的几分之几重（一半写 0.5）？", count(s.context)),
		Answer:    share,
		Tolerance: 0.01,
		Slips: []Slip{
			{Value: func() (float64, error) { x, err := share(); return 1 / x, err }, Hint: Text{
				EN: "upside down: how often the context goes into the weights.",
				ZH: "除反了：这是权重等于几份上下文。"}},
			{Value: func() (float64, error) { x, err := share(); return x / 2, err }, Hint: onlyOneOfTwo},
			{Value: s.of(func(e *costmodel.Engine) float64 {
				return float64(e.Model().KVBytes(s.context)) / (s.memory(e, s.usable) - weights(e))
			}), Hint: Text{
				EN: "that is its share of the room beside the weights.",
				ZH: "这是它占权重之外空间的比例。"}},
		},
		Hints: []Text{
			{EN: "bytes of a token times tokens, over the bytes of the weights.", ZH: "一个 token 的字节数乘以 token 数，再除以权重的字节数。"},
			{EN: "the weights are given; a token takes layers × KV heads × numbers per head × 4 bytes.", ZH: "权重已给出；一个 token 要：层数 × KV 头数 × 每头的数 × 4 字节。"},
		},
	}
}
