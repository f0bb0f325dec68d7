package cartridge

import "fmt"

// Objective is what a training learns to do.
type Objective int

const (
	// Distill learns the teacher's whole distribution on questions in other
	// words: self-study.
	Distill Objective = iota
	// HardLabels learns the right answer alone, on the same questions.
	HardLabels
	// Memorize learns the right answer to the words of the text: prediction of
	// the next token on the document itself.
	Memorize
)

func (o Objective) String() string {
	switch o {
	case Distill:
		return "distill"
	case HardLabels:
		return "hard labels"
	case Memorize:
		return "memorize"
	}
	return fmt.Sprintf("objective %d", int(o))
}
