package exercise

import (
	"fmt"
	"sync"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/experiments/world"
)

// The lecture's own round numbers (exercise 2); a simulation gives them within a
// few percent, which the tolerance allows for.
const (
	extractPrompt, extractCalls = 1000 + 430 + 85, 300
	updatePrompt, updateCalls   = 500 + 200, 70
	wholeDialogue               = 26_000
)

func one(x float64) func() (float64, error) { return func() (float64, error) { return x, nil } }

var writePrefill = Exercise{
	ID: "10.2a",
	Question: Text{
		EN: "How many tokens does mem0 prefill to write one conversation: 300 extraction prompts of 1,000 + 430 + 85 tokens, 70 update prompts of 500 + 200?",
		ZH: "mem0 写下一段对话一共要 prefill 多少 token：300 次抽取，每次 1,000 + 430 + 85；70 次更新，每次 500 + 200？",
	},
	Unit:      "tokens",
	Answer:    one(extractPrompt*extractCalls + updatePrompt*updateCalls),
	Tolerance: 0.03,
	Slips: []Slip{
		{Value: one(extractPrompt * extractCalls), Hint: Text{
			EN: "that is the extraction. Each fact found is then compared with what is known: add the updates.",
			ZH: "这是抽取的部分。抽到的每条事实还要和已有的记忆比较：再加上更新。"}},
		{Value: one(extractPrompt + updatePrompt), Hint: Text{
			EN: "that is one call of each sort. How many are there of each?",
			ZH: "这是两种调用各一次。每种有多少次？"}},
	},
	Hints: []Text{
		{EN: "two sorts of calls: calls times prompt for each, then add.", ZH: "有两种调用：各自用次数乘提示词长度，再相加。"},
		{EN: "1,515 tokens, 300 times; 700 tokens, 70 times.", ZH: "1,515 token，300 次；700 token，70 次。"},
	},
}

var breakEvenQuestions = Exercise{
	ID: "10.2b",
	Question: Text{
		EN: "After how many questions has full context, which reads 26,000 tokens each time, read as many tokens as mem0 prefilled to write?",
		ZH: "完整上下文每个问题读 26,000 token；问多少个问题时，它读的 token 与 mem0 写入时 prefill 的一样多？",
	},
	Answer:    one(float64(extractPrompt*extractCalls+updatePrompt*updateCalls) / wholeDialogue),
	Tolerance: 0.06,
	Slips: []Slip{{Value: one(float64(wholeDialogue) / (extractPrompt*extractCalls + updatePrompt*updateCalls)), Hint: Text{
		EN: "upside down: mem0's tokens are the larger number.",
		ZH: "除反了：mem0 的 token 数更大。"}}},
	Hints: []Text{
		{EN: "divide what mem0 prefills once by what full context reads each time.", ZH: "用 mem0 一次性 prefill 的总数除以完整上下文每次读的数。"},
		{EN: "about half a million, divided by 26,000. (mem0's own 200 tokens per question change it by one percent.)", ZH: "约五十万除以 26,000。（mem0 每问的 200 token 只影响百分之一。）"},
	},
}

// copies are those of the conversation that the lesson follows.
var copies = sync.OnceValues(func() (world.Copies, error) {
	p := world.DefaultParameters()
	w, err := toy.New(p.World, 0, 0, "en")
	if err != nil {
		return world.Copies{}, fmt.Errorf("exercise: %w", err)
	}
	m, err := world.Remembered(p, w, true)
	if err != nil {
		return world.Copies{}, fmt.Errorf("exercise: %w", err)
	}
	return world.Count(w, m, world.MostSaid(w)), nil
})

func countCopies(of func(world.Copies) int) func() (float64, error) {
	return func() (float64, error) {
		c, err := copies()
		return float64(of(c)), err
	}
}

var placesToForget = Exercise{
	ID: "10.8",
	Question: Text{
		EN: "In how many messages and memories of mem0g, valid or invalid, is something to be erased, so that the thing followed in 3.1 is forgotten?",
		ZH: "要忘掉 3.1 里跟着走过的那件事，在 mem0g 里一共要抹去多少条消息和记忆（有效和失效的都算）？",
	},
	Answer: countCopies(func(c world.Copies) int { return c.Messages + c.Memories }),
	Slips: []Slip{
		{Value: countCopies(func(c world.Copies) int { return c.Messages }), Hint: Text{
			EN: "those are the messages. The memories made of them are copies too.",
			ZH: "这是消息的条数。由它们得到的记忆也是拷贝。"}},
		{Value: countCopies(func(c world.Copies) int { return c.Memories }), Hint: Text{
			EN: "those are the memories. The messages that they came from are still there.",
			ZH: "这是记忆的条数。它们所出自的消息还在。"}},
		{Value: countCopies(func(c world.Copies) int { return 2 * c.Messages }), Hint: Text{
			EN: "not every message made a memory of its own: a value that is said again goes into the one that says it.",
			ZH: "并不是每条消息都产生一条新记忆：重复说到的值并入已有的那一条。"}},
		{Value: countCopies(func(c world.Copies) int { return c.Messages + c.Memories - c.Invalid }), Hint: Text{
			EN: "an invalid memory still says it.",
			ZH: "失效的记忆仍然写着它。"}},
	},
	Hints: []Text{
		{EN: "the table in 3.1 has a row for each message that says something about it.", ZH: "3.1 的表里，每条说到它的消息占一行。"},
		{EN: "one memory for each different value that was extracted; a repeated value makes no new one.", ZH: "抽取到的每个不同的值有一条记忆；重复的值不会产生新的。"},
	},
}
