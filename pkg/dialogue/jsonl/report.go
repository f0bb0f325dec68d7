package jsonl

import (
	"errors"
	"fmt"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrEmpty: no dialogue could be read.
	ErrEmpty = errors.New("no usable dialogue")
	// ErrWrite: a dialogue cannot be written so that it would be read as it is.
	ErrWrite = errors.New("dialogue cannot be written")
)

// KeepBad is how many bad lines and how many broken pieces of evidence a report
// lists; all are counted.
const KeepBad = 100

// Report is what was read, what was made up for it, and what was wrong.
type Report struct {
	Lines     int `json:"lines"` // that were not blank
	Comments  int `json:"comments"`
	Dialogues int `json:"dialogues"`
	Messages  int `json:"messages"`
	Questions int `json:"questions"`

	BadLines       int              `json:"bad_lines"` // that were left out
	Bad            []LineError      `json:"bad,omitempty"`
	Unknown        []UnknownField   `json:"unknown_fields,omitempty"`
	Evidence       int              `json:"evidence"` // ids of messages that questions name
	BrokenEvidence int              `json:"broken_evidence"`
	Broken         []BrokenEvidence `json:"broken,omitempty"`
	Repeated       int              `json:"repeated_evidence"` // of one question, taken once
	NoEvidence     int              `json:"no_evidence"`       // questions without evidence, or without any usable

	TokensCounted int `json:"tokens_counted"` // messages without tokens: approximated
	RolesGuessed  int `json:"roles_guessed"`  // messages without a role
	Untimed       int `json:"untimed"`        // messages without a time
	Unnamed       int `json:"unnamed"`        // messages without an id
}

// LineError is one line that was left out.
type LineError struct {
	Line    int    `json:"line"`            // from 1
	Field   string `json:"field,omitempty"` // empty if it is about the whole line
	Problem string `json:"problem"`
}

// Error reads like: jsonl: line 7: session: -3: want a whole number from 0.
func (e LineError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("jsonl: line %d: %s", e.Line, e.Problem)
	}
	return fmt.Sprintf("jsonl: line %d: %s: %s", e.Line, e.Field, e.Problem)
}

// UnknownField is a field that the format does not have. It is ignored, and the
// rest of its lines is used.
type UnknownField struct {
	Field string `json:"field"`
	Line  int    `json:"line"` // the first with it
	Lines int    `json:"lines"`
}

// BrokenEvidence is an id that no message of the question's dialogue has.
type BrokenEvidence struct {
	Line     int    `json:"line"`
	Dialogue string `json:"dialogue,omitempty"`
	Question string `json:"question"`
	ID       string `json:"id"`
}
