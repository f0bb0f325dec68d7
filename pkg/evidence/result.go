package evidence

import (
	"fmt"
	"slices"

	"memlab/pkg/dialogue"
)

// Result is evidence recall, as shares from 0 to 1.
type Result struct {
	Dialogues []Asked `json:"dialogues"`
	Kinds     []Asked `json:"kinds"` // by name
	Total     Asked   `json:"total"`
	Cells     []Cell  `json:"cells"`
	// Differences compare every two methods at each chunk and budget, over all
	// questions.
	Differences []Difference `json:"differences"`
	Warnings    []string     `json:"warnings,omitempty"`
}

// Asked counts the questions of a dialogue, of a category, or all.
type Asked struct {
	Name      string `json:"name"`
	Messages  int    `json:"messages,omitempty"`
	Tokens    int    `json:"tokens,omitempty"`
	Questions int    `json:"questions"`
	// WithoutEvidence are questions that name no message; recall leaves them out.
	WithoutEvidence int `json:"without_evidence"`
}

// Interval is a mean over dialogues with its 95% interval (Student's t). One dialogue
// has none: low and high are the mean.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Cell is the recall of one way to retrieve: the mean over dialogues of the mean over
// a dialogue's questions.
type Cell struct {
	Method Method        `json:"method"`
	Chunk  int           `json:"chunk_tokens"` // Turn: single messages
	Budget int           `json:"budget_tokens"`
	Kind   dialogue.Kind `json:"kind,omitempty"` // empty: all
	Recall Interval      `json:"recall"`
	// Questions and Dialogues are what the recall is of: those with evidence.
	Questions int `json:"questions"`
	Dialogues int `json:"dialogues"`
}

// Difference is how much more evidence one method finds than another, in the same
// dialogues: the mean over dialogues of the difference within each. Methods whose own
// intervals overlap may still differ clearly here, as what makes a dialogue hard is
// hard for both.
type Difference struct {
	Method  Method   `json:"method"`
	Against Method   `json:"against"`
	Chunk   int      `json:"chunk_tokens"`
	Budget  int      `json:"budget_tokens"`
	Recall  Interval `json:"recall"`
}

// Cell finds a cell.
func (r *Result) Cell(m Method, chunk, budget int, kind dialogue.Kind) (Cell, bool) {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool {
		return c.Method == m && c.Chunk == chunk && c.Budget == budget && c.Kind == kind
	})
	if i < 0 {
		return Cell{}, false
	}
	return r.Cells[i], true
}

// Best is the way with the highest recall over all questions at a budget, of equal
// ones the first. It is chosen on the questions that it is measured on, so that its
// own recall is somewhat flattered where many ways are close.
func (r *Result) Best(budget int) (best Cell, ok bool) {
	for _, c := range r.Cells {
		if c.Budget == budget && c.Kind == "" && (!ok || c.Recall.Mean > best.Recall.Mean) {
			best, ok = c, true
		}
	}
	return best, ok
}

// ChunkName is how tables write a chunk size.
func ChunkName(chunk int) string {
	if chunk == Turn {
		return "turn"
	}
	return fmt.Sprint(chunk)
}
