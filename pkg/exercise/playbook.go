package exercise

import (
	"fmt"

	"memlab/pkg/experiments/playbook"
)

func playbookOf(n numbers) playbook.Parameters {
	p := playbook.DefaultParameters()
	p.Counters = pick(n, p.Counters, 2, 4, 5, 6, 7, 9)
	p.System = pick(n, p.System, 300, 400, 600, 800)
	p.Task = pick(n, p.Task, 200, 400, 500, 600)
	p.Bullet = pick(n, p.Bullet, 30, 50, 60)
	p.Add = pick(n, p.Add, 0.4, 0.5, 0.75, 0.8)
	p.Tasks = pick(n, p.Tasks, 200, 250, 400, 500)
	return p
}

// estimated is a number of the closed forms for a playbook.
func estimated(p playbook.Parameters, of func(playbook.Estimate) float64) func() (float64, error) {
	return func() (float64, error) {
		e, err := p.Estimate()
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		return of(e), nil
	}
}

func firstChange(n numbers) Exercise {
	p := playbookOf(n)
	first := func(e playbook.Estimate) float64 { return e.FirstChange }
	return Exercise{
		ID: "10.5a",
		Question: both(
			"Each task changes %d bullets, each equally likely to stand anywhere. At what share of the playbook does the first of them stand, on average?",
			"每个任务改动 %d 条要点，位置均匀分布。平均来说，第一处改动在手册的几分之几处？", p.Counters),
		Answer:    estimated(p, first),
		Tolerance: 0.02,
		Slips: []Slip{
			{Value: one(0.5), Hint: both(
				"that is where one change stands on average. The cache breaks at the first of %d.",
				"这是一处改动的平均位置。缓存断在 %d 处里最靠前的那一处。", p.Counters)},
			{Value: one(1 / float64(p.Counters)), Hint: both(
				"%d changes cut the playbook into %d pieces, not %[1]d.",
				"%d 处改动把手册切成 %d 段，不是 %[1]d 段。", p.Counters, p.Counters+1)},
			{Value: estimated(p, func(e playbook.Estimate) float64 { return 1 - e.FirstChange }), Hint: Text{
				EN: "that is where the last one stands; the cache breaks at the first.",
				ZH: "这是最后一处的位置；缓存断在第一处。"}},
		},
		Hints: []Text{
			both("%d points on a line: how long are the pieces between them, on average?",
				"一条线上随机 %d 个点：平均来说，切出来的每一段有多长？", p.Counters),
			{EN: "no piece is special, so all of them are equally long on average. How many are there?", ZH: "哪一段都不特殊，所以平均长度相同。一共有几段？"},
		},
	}
}

func reuseWithCounts(n numbers) Exercise {
	p := playbookOf(n)
	e, err := p.Estimate()
	if err != nil {
		e = playbook.Estimate{} // Answer says what is wrong
	}
	return Exercise{
		ID: "10.5b",
		Question: both(
			"With %s tokens of system instructions, %s of the task and a playbook of %s on average (%d × %g × %d / 2), what share of the prompt does the cache reuse?",
			"系统指令 %s token，任务 %s token，手册平均 %s token（%d × %g × %d / 2），缓存复用了提示词的多大比例？",
			count(p.System), count(p.Task), count(e.Mean), p.Bullet, p.Add, p.Tasks-1),
		Answer:    estimated(p, func(e playbook.Estimate) float64 { return e.Exercise }),
		Tolerance: 0.012, // simulated: .315 with the lecture's numbers
		Slips: []Slip{
			{Value: estimated(p, func(e playbook.Estimate) float64 { return e.Append }), Hint: Text{
				EN: "that is the playbook that only grows. Here the cache breaks at the first change.",
				ZH: "这是只追加的手册。这里缓存断在第一处改动。"}},
			{Value: estimated(p, func(e playbook.Estimate) float64 { return 1 - e.Exercise }), Hint: Text{
				EN: "that is what has to be prefilled. The rest is reused.",
				ZH: "这是要重算的部分。其余的才是复用的。"}},
			{Value: estimated(p, func(e playbook.Estimate) float64 { return e.Mean * e.FirstChange / e.Prompt }), Hint: Text{
				EN: "the system instructions stand before the playbook and never change: they are reused too.",
				ZH: "系统指令在手册前面，从不改变：也能复用。"}},
			{Value: estimated(p, func(e playbook.Estimate) float64 {
				return (float64(p.System) + e.Mean*e.FirstChange) / (float64(p.System) + e.Mean)
			}), Hint: Text{
				EN: "the task is part of the prompt, and new each time: it belongs below the line.",
				ZH: "任务也在提示词里，每次都是新的：分母里要算上它。"}},
		},
		Hints: []Text{
			{EN: "what stands before the first change, over the whole prompt.", ZH: "第一处改动之前的部分，除以整个提示词。"},
			{EN: "before it stand the system instructions and the share of the playbook from (a).", ZH: "它之前有系统指令，加上 (a) 里算出的那一部分手册。"},
			both("%s + %s/%d, over %[1]s + %[2]s + %[4]s.", "%s + %s/%d，除以 %[1]s + %[2]s + %[4]s。",
				count(p.System), count(e.Mean), p.Counters+1, count(p.Task)),
		},
	}
}
