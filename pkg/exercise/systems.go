package exercise

import (
	"fmt"

	"memlab/pkg/experiments/choice"
	"memlab/pkg/serving"
)

// agentPrefill is the prefill of a call of the coding agent with its parts in an
// order; without names in the best one.
func agentPrefill(names ...string) func() (float64, error) {
	return func() (float64, error) {
		var a serving.Arrangement
		var err error
		if len(names) == 0 {
			a, err = serving.Arrange(choice.CodingAgent())
		} else {
			a, err = choice.InOrder(choice.CodingAgent(), names...)
		}
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		return a.Prefill, nil
	}
}

var agentLayout = Exercise{
	ID: "10.7",
	Question: Text{
		EN: "In which order do the parts of the coding agent's prompt cost least? Check the prefill per call of your order.",
		ZH: "编程智能体的提示词，各部分按什么顺序排最省？用你排出的每次 prefill 来检查。",
	},
	Unit:      "tokens",
	Answer:    agentPrefill(),
	Tolerance: 0.01,
	Slips: []Slip{{Value: agentPrefill("instructions", "preferences", "playbook", "code", "history", "task"), Hint: Text{
		EN: "the code is another one in nine calls of ten, and the whole history stands behind it.",
		ZH: "代码片段十次有九次不一样，整段历史却排在它后面。"}}},
	Hints: []Text{
		{EN: "what changes spoils all that stands behind it. Which parts change nearly always?", ZH: "会变的部分会连累排在它后面的一切。哪些部分几乎每次都变？"},
		{EN: "a part that only grows at its end spoils what is behind it, but keeps itself.", ZH: "只在末尾增长的部分会连累后面的，但保得住自己。"},
		{EN: "stable first, then what grows seldom, then what grows always, then what is different each time.", ZH: "稳定的在前，然后是偶尔增长的，再是每次都增长的，最后是每次都不同的。"},
	},
}
