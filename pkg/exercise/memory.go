package exercise

import (
	"math"

	"memlab/pkg/costmodel"
)

const (
	context128k = 128_000 // tokens: a year of chat
	context50k  = 50_000
)

// kvGB returns the KV cache of a context in GB, scaled by what a slip gets
// wrong.
func kvGB(model string, context int, factor float64) func() (float64, error) {
	return func() (float64, error) {
		m, err := costmodel.ModelByName(model)
		if err != nil {
			return 0, err
		}
		return factor * float64(m.KVBytes(context)) / 1e9, nil
	}
}

var onlyOneOfTwo = Text{
	EN: "that is half of it. Each token leaves a key and a value.",
	ZH: "只算了一半：每个 token 留下的是一个键和一个值。",
}

func firstCheck(numbers) Exercise {
	return Exercise{
		ID: "0.1",
		Question: Text{
			EN: "How many GB of KV cache do 8,000 tokens need in Llama-3-8B?",
			ZH: "Llama-3-8B 的 8,000 个 token 需要多少 GB 的 KV cache？",
		},
		Unit:      "GB",
		Answer:    kvGB("llama-3-8b", 8_000, 1),
		Tolerance: 0.02,
		Slips:     []Slip{{Value: kvGB("llama-3-8b", 8_000, 0.5), Hint: onlyOneOfTwo}},
		Hints: []Text{
			{EN: "you have just seen what one token needs.", ZH: "一个 token 要多少，上面刚刚看到过。"},
			{EN: "multiply the bytes of one token by the number of tokens; 1 GB is 1,000,000,000 bytes.", ZH: "用一个 token 的字节数乘以 token 数；1 GB 是 1,000,000,000 字节。"},
		},
	}
}

func context70B(numbers) Exercise {
	return Exercise{
		ID: "1.1",
		Question: Text{
			EN: "How many GB of KV cache does one context of 128,000 tokens need in Llama-3-70B?",
			ZH: "在 Llama-3-70B 里，一份 128,000 token 的上下文需要多少 GB 的 KV cache？",
		},
		Unit:      "GB",
		Answer:    kvGB("llama-3-70b", context128k, 1),
		Tolerance: 0.01,
		Slips: []Slip{
			{Value: kvGB("llama-3-70b", context128k, 0.5), Hint: onlyOneOfTwo},
			{Value: kvGB("llama-3-70b", context128k, 8), Hint: Text{
				EN: "that counts all 64 query heads. Only the 8 KV heads are stored: the others share them.",
				ZH: "这是把 64 个查询头都算上了。存下来的只有 8 个 KV 头，其余的头共用它们。"}},
			{Value: kvGB("llama-3-8b", context128k, 1), Hint: Text{
				EN: "that is the 8B model. The 70B model has more layers.",
				ZH: "这是 8B 模型的数。70B 模型的层数更多。"}},
			{Value: kvGB("llama-3-70b", context128k, 1e9/(1<<30)), Hint: Text{
				EN: "that is in GiB, 2^30 bytes. In this lab 1 GB is 10^9 bytes, as on the data sheet of a GPU.",
				ZH: "这是以 GiB（2^30 字节）计的。本实验室里 1 GB = 10^9 字节，与 GPU 规格表一致。"}},
		},
		Hints: []Text{
			{EN: "count layers first, then KV heads: it has 80 and 8.", ZH: "先数层数，再数 KV 头：分别是 80 和 8。"},
			{EN: "layers x KV heads x 128 numbers x 2 (key and value) x 2 bytes, for each token.", ZH: "每个 token：层数 × KV 头数 × 128 个数 × 2（键和值）× 2 字节。"},
			{EN: "one token needs 80 x 8 x 128 x 2 x 2 bytes; now the tokens, and 1 GB is 10^9 bytes.", ZH: "一个 token 要 80 × 8 × 128 × 2 × 2 字节；再乘以 token 数，1 GB 是 10^9 字节。"},
		},
	}
}

// llamaOnH100 is the engine of section 1, with what a slip has changed.
func llamaOnH100(change func(*costmodel.Model, *costmodel.Params)) (*costmodel.Engine, error) {
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		return nil, err
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		return nil, err
	}
	p := costmodel.DefaultParams()
	if change != nil {
		change(&m, &p)
	}
	return costmodel.NewEngine(m, g, p)
}

// requestsThatFit is how many requests with that private context fit at once.
func requestsThatFit(context int, change func(*costmodel.Model, *costmodel.Params)) func() (float64, error) {
	return func() (float64, error) {
		e, err := llamaOnH100(change)
		if err != nil {
			return 0, err
		}
		fit, err := e.Fit(e.Load(context))
		return float64(fit.Batch), err
	}
}

// roomForRequests is the quotient before it is rounded, to two decimals, as
// people type it.
func roomForRequests(context int) func() (float64, error) {
	return func() (float64, error) {
		e, err := llamaOnH100(nil)
		if err != nil {
			return 0, err
		}
		fit, err := e.Fit(e.Load(context))
		return math.Round(100*float64(fit.Free/fit.PerRequest)) / 100, err
	}
}

func friendsOnOneCard(numbers) Exercise {
	return Exercise{
		ID: "1.2",
		Question: Text{
			EN: "How many people with a private context of 50,000 tokens each fit on one H100 beside Llama-3-8B (90% of 80 GB usable, 250 more tokens for question and answer)?",
			ZH: "一块 H100（80 GB 里能用 90%）装下 Llama-3-8B 之后，还能同时容纳多少位各带 50,000 token 私有上下文的用户（问题和回答另占 250 token）？",
		},
		Answer:    requestsThatFit(context50k, nil),
		Tolerance: 0,
		Slips: []Slip{
			{Value: roomForRequests(context50k), Hint: Text{
				EN: "only whole people fit: round down.",
				ZH: "人只能是整数：向下取整。"}},
			{Value: requestsThatFit(context50k, func(_ *costmodel.Model, p *costmodel.Params) { p.MemoryShare = 1 }), Hint: Text{
				EN: "that uses all of the memory. A tenth is kept for activations and the runtime.",
				ZH: "这是把显存全用上了。有十分之一要留给激活值和运行时。"}},
			{Value: requestsThatFit(context50k, func(m *costmodel.Model, _ *costmodel.Params) { m.WeightBytes = 1 }), Hint: Text{
				EN: "the weights lie on the same card.",
				ZH: "权重也放在同一块卡上。"}},
		},
		Hints: []Text{
			{EN: "what is left on the card once the weights are there?", ZH: "权重放好之后，卡上还剩多少？"},
			{EN: "72 GB minus the weights, divided by the KV cache of 50,250 tokens.", ZH: "72 GB 减去权重，再除以 50,250 个 token 的 KV cache。"},
		},
	}
}
