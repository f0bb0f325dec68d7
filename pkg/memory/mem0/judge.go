package mem0

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
)

// Judge decides what the paper leaves to a language model. It keeps nothing of what
// it is given.
type Judge interface {
	// Extract takes the facts out of a pair of messages.
	Extract(ctx context.Context, e Extraction) ([]Candidate, error)
	// Update says what to do about a fact, given memories that resemble it.
	Update(ctx context.Context, u Update) ([]Operation, error)
	// Summarize makes the summary of the dialogue anew, and says its length.
	Summarize(ctx context.Context, d Digest) (text string, tokens int, err error)
}

// ErrReply is what a judge returns if a model's reply cannot be read at all. It is
// counted and costs that reply; every other error stops the writing.
var ErrReply = errors.New("unreadable reply")

// Extraction is what a judge sees of a pair of messages.
type Extraction struct {
	Summary string
	Recent  []*dialogue.Message // before the pair, oldest first
	Pair    []*dialogue.Message // one or two
}

// Candidate is a fact that was extracted. A model may leave the triple out.
type Candidate struct {
	Source string        `json:"source"` // id of a message of the pair; "" is the first
	Fact   dialogue.Fact `json:"fact"`
	Text   string        `json:"text"` // as a sentence; "" is the fact's
}

// Update is what a judge sees of a candidate and the memories most like it, the most
// similar one first.
type Update struct {
	// ID is what the candidate's memory would be called; a simulated judge draws
	// by it, so that its errors are the same in every language.
	ID        string
	Candidate Candidate
	Existing  []memory.Memory
}

// Op is what to do.
type Op string

// The operations. Where a graph is kept, DELETE marks as invalid, and UPDATE marks
// as invalid and adds.
const (
	ADD    Op = "ADD"
	UPDATE Op = "UPDATE"
	DELETE Op = "DELETE"
	NOOP   Op = "NOOP"
)

// None is the index of an operation without a memory.
const None = -1

// Operation is one decision. Index counts in Update.Existing; a NOOP names the memory
// that says the same, or None if the candidate is to be dropped. Fact and Text are
// what an UPDATE writes; empty, it is the candidate.
type Operation struct {
	Op    Op            `json:"op"`
	Index int           `json:"index"`
	Fact  dialogue.Fact `json:"fact,omitzero"`
	Text  string        `json:"text,omitempty"`
}

// Digest is what a judge makes a summary from.
type Digest struct {
	Previous string
	Messages []*dialogue.Message // since the previous summary
	// Memories are all valid ones, in place of the previous summary, after
	// something was forgotten.
	Memories []memory.Memory
}

// sentence is the text of a fact: its own, or its triple.
func sentence(text string, f dialogue.Fact) string {
	switch {
	case text != "":
		return text
	case f.Text != "":
		return f.Text
	case isTriple(f):
		return f.Subject + " " + f.Relation + " " + f.Object
	}
	return ""
}

func isTriple(f dialogue.Fact) bool {
	return strings.TrimSpace(f.Subject) != "" && strings.TrimSpace(f.Relation) != "" && strings.TrimSpace(f.Object) != ""
}

// states reports whether a memory states the fact, in whatever words: by the
// triples, or where there are none by the terms of both texts.
func states(m *memory.Memory, f dialogue.Fact, text string) bool {
	if isTriple(m.Fact) && isTriple(f) {
		return m.Fact.Same(f)
	}
	terms := retrieve.Terms(text)
	return len(terms) > 0 && slices.Equal(terms, retrieve.Terms(m.Text))
}
