package memory

import (
	"memlab/pkg/dialogue"
)

// Score counts the outcomes of questions.
type Score struct {
	Asked  int `json:"asked"`
	Right  int `json:"right"`
	Silent int `json:"silent"` // wrong, and the reader said that it does not know
	Tokens int `json:"tokens"` // read for all questions
	Calls  int `json:"calls"`
	// Lost counts the wrong answers by the stage that lost them; their sum is
	// Asked - Right.
	Lost map[Stage]int `json:"lost,omitempty"`
}

// Score counts the outcomes of some kinds; of the three that the lecture asks
// (all but Never) if none is named.
func (r *Run) Score(kinds ...dialogue.Kind) Score {
	if len(kinds) == 0 {
		kinds = Lecture()
	}
	s := Score{Lost: map[Stage]int{}}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		for _, k := range kinds {
			if o.Question.Kind == k {
				s.add(o)
			}
		}
	}
	return s
}

// Lecture lists the kinds of questions that the lecture asks.
func Lecture() []dialogue.Kind {
	return []dialogue.Kind{dialogue.Current, dialogue.Previous, dialogue.TwoHop}
}

func (s *Score) add(o *Outcome) {
	s.Asked++
	s.Tokens += o.Tokens
	s.Calls += o.Calls
	switch {
	case o.Right:
		s.Right++
		return
	case !o.Answer.Said:
		s.Silent++
	}
	s.Lost[o.Fate.Lost]++
}

// Add adds up scores.
func (s *Score) Add(o Score) {
	s.Asked += o.Asked
	s.Right += o.Right
	s.Silent += o.Silent
	s.Tokens += o.Tokens
	s.Calls += o.Calls
	if s.Lost == nil {
		s.Lost = map[Stage]int{}
	}
	for stage, n := range o.Lost {
		s.Lost[stage] += n
	}
}

// Accuracy is the share of right answers; 0 if nothing was asked.
func (s Score) Accuracy() float64 { return perQuestion(s.Right, s.Asked) }

// TokensEach is the tokens read per question, CallsEach the calls.
func (s Score) TokensEach() float64 { return perQuestion(s.Tokens, s.Asked) }

// CallsEach is the calls per question.
func (s Score) CallsEach() float64 { return perQuestion(s.Calls, s.Asked) }

func perQuestion(n, asked int) float64 {
	if asked == 0 {
		return 0
	}
	return float64(n) / float64(asked)
}
