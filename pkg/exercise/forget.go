package exercise

import (
	"fmt"
	"slices"
	"sync"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/experiments/world"
	"memlab/pkg/random"
)

// talks are the conversations of the toy from which 10.8 draws.
const talks = 40

// untold are those in which a value was not extracted, or merged into another, so
// that the story does not tell how many memories there are.
var untold = []int{14, 17, 18, 20, 23, 25, 27}

// talkOf is the conversation in which something is to be forgotten.
func talkOf(n numbers) int {
	talk := 0
	for n.r != nil {
		if talk = n.r.IntN(talks); !slices.Contains(untold, talk) {
			break
		}
	}
	return talk
}

// Talk is the number of the conversation that exercise 10.8 gives the variant: the
// seed of lesson.Conversation.
func Talk(v Variant) int {
	if v == 0 {
		return talkOf(numbers{})
	}
	return talkOf(v.numbers("10.8"))
}

// copiesIn counts in a conversation. Once counted it is known: a class shares 40.
func copiesIn(talk int) (world.Copies, error) {
	found, _ := counted.LoadOrStore(talk, sync.OnceValues(func() (world.Copies, error) {
		p := world.DefaultParameters()
		w, err := toy.New(p.World, random.Seed(talk), 0, "en")
		if err != nil {
			return world.Copies{}, fmt.Errorf("exercise: %w", err)
		}
		m, err := world.Remembered(p, w, true)
		if err != nil {
			return world.Copies{}, fmt.Errorf("exercise: %w", err)
		}
		return world.Count(w, m, world.MostSaid(w)), nil
	}))
	return found.(func() (world.Copies, error))()
}

var counted sync.Map // of functions, by conversation

func placesToForget(n numbers) Exercise {
	talk := talkOf(n)
	places := func(of func(world.Copies) int) func() (float64, error) {
		return func() (float64, error) {
			c, err := copiesIn(talk)
			return float64(of(c)), err
		}
	}
	return Exercise{
		ID: "10.8",
		Question: both(
			"In conversation %d of the toy, what its user says most about is to be forgotten (lesson.Story follows it; in 3.1 it is conversation 0). In how many messages and memories of mem0g, valid or invalid, is something to be erased?",
			"在玩具世界的第 %d 段对话里，要忘掉用户说得最多的那件事（lesson.Story 跟着它走；3.1 里是第 0 段）。在 mem0g 里一共要抹去多少条消息和记忆（有效和失效的都算）？",
			talk),
		Answer: places(func(c world.Copies) int { return c.Messages + c.Memories }),
		Slips: []Slip{
			{Value: places(func(c world.Copies) int { return c.Messages }), Hint: Text{
				EN: "those are the messages. The memories made of them are copies too.",
				ZH: "这是消息的条数。由它们得到的记忆也是拷贝。"}},
			{Value: places(func(c world.Copies) int { return c.Memories }), Hint: Text{
				EN: "those are the memories. The messages that they came from are still there.",
				ZH: "这是记忆的条数。它们所出自的消息还在。"}},
			{Value: places(func(c world.Copies) int { return 2 * c.Messages }), Hint: Text{
				EN: "not every message made a memory of its own: a value that is said again goes into the one that says it.",
				ZH: "并不是每条消息都产生一条新记忆：重复说到的值并入已有的那一条。"}},
			{Value: places(func(c world.Copies) int { return c.Messages + c.Memories - c.Invalid }), Hint: Text{
				EN: "an invalid memory still says it.",
				ZH: "失效的记忆仍然写着它。"}},
		},
		Hints: []Text{
			{EN: "the table of the story has a row for each message that says something about it.", ZH: "那张表里，每条说到它的消息占一行。"},
			{EN: "one memory for each different value that was extracted; a repeated value makes no new one.", ZH: "抽取到的每个不同的值有一条记忆；重复的值不会产生新的。"},
		},
	}
}
