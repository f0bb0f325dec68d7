package exercise

import (
	"fmt"

	"memlab/pkg/experiments/choice"
	"memlab/pkg/serving"
)

// Agent is the prompt of the coding agent that exercise 10.7 gives the variant, its
// parts in no good order. Tokens, and how often a call finds a part changed.
func Agent(v Variant) []serving.Habit {
	if v == 0 {
		return agentOf(numbers{})
	}
	return agentOf(v.numbers("10.7"))
}

func agentOf(n numbers) []serving.Habit {
	parts := choice.CodingAgent()
	for i, others := range [][]float64{
		{1000, 1500, 3000}, {200, 600, 800}, {3000, 4000, 8000, 9000}, {6000, 8000, 16_000, 20_000}, {3000, 4000, 7000, 8000}, {200, 400, 500},
	} {
		parts[i].Tokens = pick(n, parts[i].Tokens, others...)
	}
	parts[1].Change = pick(n, parts[1].Change, 0.02, 0.04)
	parts[2].Change = pick(n, parts[2].Change, 0.02, 0.1, 0.2)
	parts[4].Change = pick(n, parts[4].Change, 0.7, 0.8)
	parts[5].Change = pick(n, parts[5].Change, 0.2, 0.4, 0.5)
	return parts
}

// arranged is the prefill of a call with the parts in an order; without names in
// the best one.
func arranged(parts []serving.Habit, names ...string) func() (float64, error) {
	return func() (float64, error) {
		var a serving.Arrangement
		var err error
		if len(names) == 0 {
			a, err = serving.Arrange(parts)
		} else {
			a, err = choice.InOrder(parts, names...)
		}
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		return a.Prefill, nil
	}
}

func agentLayout(n numbers) Exercise {
	parts := agentOf(n)
	return Exercise{
		ID: "10.7",
		Question: Text{
			EN: "In which order do the parts of the coding agent's prompt cost least? Check the prefill per call of your order.",
			ZH: "编程智能体的提示词，各部分按什么顺序排最省？用你排出的每次 prefill 来检查。",
		},
		Unit:      "tokens",
		Answer:    arranged(parts),
		Tolerance: 0.001, // of a number that is computed: the second best order is not within it
		Slips: []Slip{{Value: arranged(parts, "instructions", "preferences", "playbook", "code", "history", "task"), Hint: Text{
			EN: "the code is nearly always another one, and the whole history stands behind it.",
			ZH: "代码片段几乎每次都不一样，整段历史却排在它后面。"}}},
		Hints: []Text{
			{EN: "what changes spoils all that stands behind it. Which parts change nearly always?", ZH: "会变的部分会连累排在它后面的一切。哪些部分几乎每次都变？"},
			{EN: "a part that only grows at its end spoils what is behind it, but keeps itself.", ZH: "只在末尾增长的部分会连累后面的，但保得住自己。"},
			{EN: "stable first, then what grows seldom, then what grows always, then what is different each time.", ZH: "稳定的在前，然后是偶尔增长的，再是每次都增长的，最后是每次都不同的。"},
		},
	}
}
