package memory

import (
	"context"
	"time"

	"memlab/pkg/dialogue"
)

// System is the memory of one dialogue. Messages are written in their order, then
// Finish closes the last session, then questions are read; more may be written
// after that.
type System interface {
	// Write enters a message. The message stays valid and unchanged.
	Write(ctx context.Context, m *dialogue.Message) error
	// Finish processes what still waits for a next message. It may be called
	// again.
	Finish(ctx context.Context) error
	// Read collects what the reader sees for a question. It changes nothing
	// that another question could notice.
	Read(ctx context.Context, q dialogue.Query) (Material, error)
	// Fate says what became of a fact that a message stated.
	Fate(message string, f dialogue.Fact) Fate
}

// Material is what a system puts before the reader.
type Material struct {
	Messages []*dialogue.Message `json:"messages,omitempty"` // verbatim, in the order of the prompt
	Memories []Memory            `json:"memories,omitempty"`
	Tokens   int                 `json:"tokens"` // of all prompts that were read for the question, without instructions and question
	Calls    int                 `json:"calls"`  // of a language model, the answering one included
}

// Memory is a fact in a store, with what it came from.
type Memory struct {
	ID   string        `json:"id"`
	Fact dialogue.Fact `json:"fact"`
	Text string        `json:"text"`
	// Time is when it was said last.
	Time    time.Time `json:"time"`
	Sources []string  `json:"sources"` // ids of the messages it came from, oldest first
	Tokens  int       `json:"tokens"`
	// Invalid is when another value took its place; zero while it holds.
	Invalid time.Time `json:"invalid,omitzero"`
}

// Stage is a step on the way from what was said to an answer.
type Stage string

// The stages, in the order in which a fact passes them. A fact that is Held was
// lost at none.
const (
	Held           Stage = ""
	Extract        Stage = "extract"         // was not taken out of its message
	Merge          Stage = "merge"           // was dropped, deleted or overwritten by a decision on another one
	Keep           Stage = "keep"            // was pushed out: truncated, overflowed, evicted
	RetrieveStale  Stage = "retrieve: stale" // an older value was found in its place
	RetrieveAbsent Stage = "retrieve: absent"
	ReadOver       Stage = "read" // was before the reader
)

// Stages lists where a fact can be lost, in their order.
func Stages() []Stage {
	return []Stage{Extract, Merge, Keep, RetrieveStale, RetrieveAbsent, ReadOver}
}

// Fate is where a stated fact is now: held in the system, or lost at Extract,
// Merge or Keep.
type Fate struct {
	Lost   Stage  `json:"lost,omitempty"`
	Detail string `json:"detail,omitempty"` // e.g. the memory that took its place
}
