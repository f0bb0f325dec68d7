package exercise

import (
	"fmt"

	"memlab/pkg/experiments/playbook"
)

// estimated is a number of the closed forms for the lecture's playbook.
func estimated(of func(playbook.Parameters, playbook.Estimate) float64) func() (float64, error) {
	return func() (float64, error) {
		p := playbook.DefaultParameters()
		e, err := p.Estimate()
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		return of(p, e), nil
	}
}

var firstChange = Exercise{
	ID: "10.5a",
	Question: Text{
		EN: "Three bullets change with each task, each equally likely to stand anywhere. At what share of the playbook does the first of them stand, on average?",
		ZH: "每个任务改动 3 条要点，位置均匀分布。平均来说，第一处改动在手册的几分之几处？",
	},
	Answer:    estimated(func(_ playbook.Parameters, e playbook.Estimate) float64 { return e.FirstChange }),
	Tolerance: 0.02,
	Slips: []Slip{
		{Value: one(0.5), Hint: Text{
			EN: "that is where one change stands on average. The cache breaks at the first of three.",
			ZH: "这是一处改动的平均位置。缓存断在三处里最靠前的那一处。"}},
		{Value: estimated(func(p playbook.Parameters, _ playbook.Estimate) float64 { return 1 / float64(p.Counters) }), Hint: Text{
			EN: "three changes cut the playbook into four pieces, not three.",
			ZH: "三处改动把手册切成四段，不是三段。"}},
		{Value: estimated(func(_ playbook.Parameters, e playbook.Estimate) float64 { return 1 - e.FirstChange }), Hint: Text{
			EN: "that is where the last one stands; the cache breaks at the first.",
			ZH: "这是最后一处的位置；缓存断在第一处。"}},
	},
	Hints: []Text{
		{EN: "three points on a line: how long are the pieces between them, on average?", ZH: "一条线上随机三个点：平均来说，切出来的每一段有多长？"},
		{EN: "no piece is special, so all of them are equally long on average. How many are there?", ZH: "哪一段都不特殊，所以平均长度相同。一共有几段？"},
	},
}

var reuseWithCounts = Exercise{
	ID: "10.5b",
	Question: Text{
		EN: "With 500 tokens of system instructions, 300 of the task and a playbook of 3,588 on average (40 tokens × 0.6 × 299 / 2), what share of the prompt does the cache reuse?",
		ZH: "系统指令 500 token，任务 300 token，手册平均 3,588 token（40 × 0.6 × 299 / 2），缓存复用了提示词的多大比例？",
	},
	Answer:    estimated(func(_ playbook.Parameters, e playbook.Estimate) float64 { return e.Exercise }),
	Tolerance: 0.025,
	Slips: []Slip{
		{Value: estimated(func(_ playbook.Parameters, e playbook.Estimate) float64 { return e.Append }), Hint: Text{
			EN: "that is the playbook that only grows. Here the cache breaks at the first change.",
			ZH: "这是只追加的手册。这里缓存断在第一处改动。"}},
		{Value: estimated(func(_ playbook.Parameters, e playbook.Estimate) float64 { return 1 - e.Exercise }), Hint: Text{
			EN: "that is what has to be prefilled. The rest is reused.",
			ZH: "这是要重算的部分。其余的才是复用的。"}},
		{Value: estimated(func(_ playbook.Parameters, e playbook.Estimate) float64 { return e.Mean * e.FirstChange / e.Prompt }), Hint: Text{
			EN: "the system instructions stand before the playbook and never change: they are reused too.",
			ZH: "系统指令在手册前面，从不改变：也能复用。"}},
		{Value: estimated(func(p playbook.Parameters, e playbook.Estimate) float64 {
			return (float64(p.System) + e.Mean*e.FirstChange) / (float64(p.System) + e.Mean)
		}), Hint: Text{
			EN: "the task is part of the prompt, and new each time: it belongs below the line.",
			ZH: "任务也在提示词里，每次都是新的：分母里要算上它。"}},
	},
	Hints: []Text{
		{EN: "what stands before the first change, over the whole prompt.", ZH: "第一处改动之前的部分，除以整个提示词。"},
		{EN: "before it stand the system instructions and the share of the playbook from (a).", ZH: "它之前有系统指令，加上 (a) 里算出的那一部分手册。"},
		{EN: "500 + a quarter of 3,588, over 500 + 3,588 + 300.", ZH: "500 加 3,588 的四分之一，除以 500 + 3,588 + 300。"},
	},
}
