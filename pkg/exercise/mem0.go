package exercise

import "math"

// writing is what mem0 does to write one conversation, and what full context reads
// of it: the lecture's own round numbers (exercise 2), which a simulation gives within
// a few percent.
type writing struct {
	extractFixed, recent, pair   float64 // tokens of an extraction prompt
	extracts                     float64 // calls, one for each pair of messages
	updateFixed, updateRetrieved float64 // tokens of an update prompt
	updates                      float64 // calls
	whole                        float64 // tokens of the conversation
	questions, question          float64 // how many are asked, and the tokens of one
}

func writingOf(n numbers) writing {
	w := writing{
		extractFixed:    pick(n, 1000., 600, 800, 1200, 1500, 2000),
		pair:            pick(n, 85., 60, 70, 100, 120, 150),
		extracts:        pick(n, 300., 200, 240, 360, 400, 500),
		updateFixed:     pick(n, 500., 300, 400, 600, 800),
		updateRetrieved: pick(n, 200., 100, 150, 250, 300),
		updates:         pick(n, 70., 40, 50, 60, 90, 110, 130),
		questions:       pick(n, 200., 100, 120, 150, 250, 300),
		question:        pick(n, 50., 30, 40, 60, 80),
	}
	w.recent = 10 * math.Round(5*w.pair/10) // ten messages are five pairs
	w.whole = 1000 * math.Round(w.extracts*w.pair/1000)
	return w
}

func (w writing) extract() float64 { return w.extractFixed + w.recent + w.pair }
func (w writing) update() float64  { return w.updateFixed + w.updateRetrieved }
func (w writing) prefill() float64 { return w.extract()*w.extracts + w.update()*w.updates }

func writePrefill(n numbers) Exercise {
	w := writingOf(n)
	return Exercise{
		ID: "10.2a",
		Question: both(
			"How many tokens does mem0 prefill to write one conversation: %s extraction prompts of %s + %s + %s tokens (fixed, recent messages, the new pair), %s update prompts of %s + %s (fixed, memories found)?",
			"mem0 写下一段对话一共要 prefill 多少 token：%s 次抽取，每次 %s + %s + %s（固定部分、最近的消息、新的一对）；%s 次更新，每次 %s + %s（固定部分、找到的记忆）？",
			count(w.extracts), count(w.extractFixed), count(w.recent), count(w.pair), count(w.updates), count(w.updateFixed), count(w.updateRetrieved)),
		Unit:      "tokens",
		Answer:    one(w.prefill()),
		Tolerance: 0.01,
		Slips: []Slip{
			{Value: one(w.extract() * w.extracts), Hint: Text{
				EN: "that is the extraction. Each fact found is then compared with what is known: add the updates.",
				ZH: "这是抽取的部分。抽到的每条事实还要和已有的记忆比较：再加上更新。"}},
			{Value: one(w.extract() + w.update()), Hint: Text{
				EN: "that is one call of each sort. How many are there of each?",
				ZH: "这是两种调用各一次。每种有多少次？"}},
		},
		Hints: []Text{
			{EN: "two sorts of calls: calls times prompt for each, then add.", ZH: "有两种调用：各自用次数乘提示词长度，再相加。"},
			both("%s tokens, %s times; %s tokens, %s times.", "%s token，%s 次；%s token，%s 次。",
				count(w.extract()), count(w.extracts), count(w.update()), count(w.updates)),
		},
	}
}

func breakEvenQuestions(n numbers) Exercise {
	w := writingOf(n)
	return Exercise{
		ID: "10.2b",
		Question: both(
			"After how many questions has full context, which reads %s tokens each time, read as many tokens as mem0 prefilled to write (a)?",
			"完整上下文每个问题读 %s token；问多少个问题时，它读的 token 与 mem0 写入时 prefill 的（a）一样多？",
			count(w.whole)),
		Answer:    one(w.prefill() / w.whole),
		Tolerance: 0.05, // people answer in whole questions
		Slips: []Slip{{Value: one(w.whole / w.prefill()), Hint: Text{
			EN: "upside down: mem0's tokens are the larger number.",
			ZH: "除反了：mem0 的 token 数更大。"}}},
		Hints: []Text{
			{EN: "divide what mem0 prefills once by what full context reads each time.", ZH: "用 mem0 一次性 prefill 的总数除以完整上下文每次读的数。"},
			both("your answer to (a), divided by %s. (mem0's own 200 tokens per question change it by one percent.)",
				"用 (a) 的答案除以 %s。（mem0 每问的 200 token 只影响百分之一。）", count(w.whole)),
		},
	}
}

func cachedReading(n numbers) Exercise {
	w := writingOf(n)
	return Exercise{
		ID: "10.2c",
		Question: both(
			"Now a prefix cache keeps the conversation of %s tokens between questions. How many tokens does full context prefill in all for %s questions of %s tokens each?",
			"现在前缀缓存在问题之间保住这段 %s token 的对话。问 %s 个问题、每个 %s token，完整上下文一共要 prefill 多少 token？",
			count(w.whole), count(w.questions), count(w.question)),
		Unit:      "tokens",
		Answer:    one(w.whole + w.questions*w.question),
		Tolerance: 0.01,
		Slips: []Slip{
			{Value: one(w.questions * (w.whole + w.question)), Hint: Text{
				EN: "that is without the cache. What is the same in every prompt?",
				ZH: "这是没有缓存的数。每个提示词里哪一部分相同？"}},
			{Value: one(w.questions * w.question), Hint: Text{
				EN: "the first question still has to have the conversation prefilled.",
				ZH: "第一个问题仍要把整段对话 prefill 一遍。"}},
			{Value: one(w.whole), Hint: Text{
				EN: "that is the conversation. A question is new each time.",
				ZH: "这是对话的部分。每个问题都是新的。"}},
		},
		Hints: []Text{
			{EN: "the conversation stands in front and does not change; only what is behind it is new.", ZH: "对话排在前面、不变；只有它后面的是新的。"},
			{EN: "the conversation once, and each question.", ZH: "对话一遍，加上每个问题。"},
		},
	}
}
