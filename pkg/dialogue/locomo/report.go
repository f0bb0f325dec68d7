package locomo

import (
	"errors"
	"fmt"

	"memlab/pkg/dialogue"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrFormat: the input is no list of LOCOMO's conversations.
	ErrFormat = errors.New("not a LOCOMO file")
	// ErrEmpty: no conversation could be used.
	ErrEmpty = errors.New("no usable conversation")
)

// Report is what was read, and everything that was not as it should be.
type Report struct {
	Conversations int                   `json:"conversations"`
	Turns         int                   `json:"turns"`
	Captions      int                   `json:"captions"` // turns whose text ends with the caption of an image
	Questions     int                   `json:"questions"`
	Kinds         map[dialogue.Kind]int `json:"kinds"`
	// AdversarialAnswers are the wrong answers that questions suggest; a
	// dialogue has no place for them.
	AdversarialAnswers int `json:"adversarial_answers"`
	Evidence           int `json:"evidence"`        // strings that name evidence
	BrokenEvidence     int `json:"broken_evidence"` // of these, not the id of a turn as written
	// Irregularities are in the order of the file.
	Irregularities []Irregularity `json:"irregularities"`
}

// Problem is a kind of irregularity.
type Problem string

// The kinds of irregularities.
const (
	IntegerAnswer    Problem = "integer answer"        // read as text
	MissingAnswer    Problem = "missing answer"        // left empty: nobody said it
	SeveralIDs       Problem = "several evidence ids"  // in one string, taken apart
	MistypedID       Problem = "mistyped evidence id"  // with one possible reading, which was taken
	UnknownID        Problem = "unknown evidence id"   // of no turn, left out
	RepeatedEvidence Problem = "repeated evidence"     // of one question, taken once
	NoEvidence       Problem = "no evidence"           // none given, or none usable
	MissingSession   Problem = "session without turns" // there is a date and nothing else
	BadDate          Problem = "unreadable date"       // the turns have no time
	UnknownSpeaker   Problem = "unknown speaker"       // neither of the two; taken as the assistant
	BadTurn          Problem = "turn skipped"
	BadSession       Problem = "session skipped"
	BadQuestion      Problem = "question skipped"
	BadConversation  Problem = "conversation skipped"
	CutOff           Problem = "file ends in the middle" // what came before was read
)

// Irregularity is one slip of the file.
type Irregularity struct {
	Sample  string  `json:"sample"`          // or the conversation's place in the file, "conversation 3"
	Place   string  `json:"place,omitempty"` // a question ("q38"), a session ("session_4") or one of its turns ("session_4, turn 7")
	Problem Problem `json:"problem"`
	Value   string  `json:"value,omitempty"`  // as it stands in the file
	Detail  string  `json:"detail,omitempty"` // what was made of it, or what would be right
}

func (i Irregularity) String() string {
	s := i.Sample
	if i.Place != "" {
		s += " " + i.Place
	}
	s += ": " + string(i.Problem)
	if i.Value != "" {
		s += fmt.Sprintf(" %q", i.Value)
	}
	if i.Detail != "" {
		s += ": " + i.Detail
	}
	return s
}

// Count is how many irregularities of a kind there are.
func (r *Report) Count(p Problem) int {
	n := 0
	for _, i := range r.Irregularities {
		if i.Problem == p {
			n++
		}
	}
	return n
}
