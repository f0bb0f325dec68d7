package evidence

import (
	"math"

	"memlab/pkg/dialogue"
)

// depths says for each message how many tokens of the ranked text end with it; a
// message that is not ranked lies beyond every budget. A message is within a budget
// exactly if its depth is, since the text is cut where the first message exceeds it.
func depths(messages []dialogue.Message, chunks []chunk, ranking []int) []int {
	out := make([]int, len(messages))
	for i := range out {
		out[i] = math.MaxInt
	}
	tokens := 0
	for _, place := range ranking {
		for i := chunks[place].first; i < chunks[place].end; i++ {
			tokens += messages[i].Tokens
			out[i] = tokens
		}
	}
	return out
}

// recall is the share of the needs of which the budget holds a message. Each need
// lists messages by their place.
func recall(needs [][]int, depth []int, budget int) float64 {
	found := 0
	for _, need := range needs {
		for _, m := range need {
			if depth[m] <= budget {
				found++
				break
			}
		}
	}
	return float64(found) / float64(len(needs))
}

// needed turns the needs of a question into places of messages.
func needed(q *dialogue.Question, place map[string]int) [][]int {
	needs := make([][]int, len(q.Needs))
	for i, n := range q.Needs {
		for _, id := range n.Messages {
			needs[i] = append(needs[i], place[id])
		}
	}
	return needs
}
