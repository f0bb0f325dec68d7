package dialogue

import (
	"fmt"
	"time"
)

// Role says who speaks.
type Role string

// The roles of a message.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one utterance.
type Message struct {
	ID      string    `json:"id"`
	Session int       `json:"session"` // counted up; memory systems close what is open between two
	Time    time.Time `json:"time"`
	Role    Role      `json:"role"`
	Speaker string    `json:"speaker,omitempty"`
	Text    string    `json:"text"`
	Tokens  int       `json:"tokens"`
	// Facts is the ground truth: what the message states. It is there for
	// whoever judges or reads in a toy; a memory system never looks at it.
	Facts []Fact `json:"facts,omitempty"`
}

// Fact is a statement as a triple, e.g. user, partner, Alex, in the words of the
// dialogue's language.
type Fact struct {
	Subject  string `json:"subject"`
	Relation string `json:"relation"`
	Object   string `json:"object"`
	Type     string `json:"type,omitempty"` // what the object is: Person, or something else
	Text     string `json:"text,omitempty"` // the fact as a sentence
}

// Me is the subject of what the user says about themself, in every language.
const Me = "user"

// Person is the type of an object about whom there may be facts of their own.
const Person = "person"

// Key is what a fact is about. A relation has one value at a time: a later fact
// of the same key replaces an earlier one.
type Key struct {
	Subject  string `json:"subject"`
	Relation string `json:"relation"`
}

// Key is what the fact is about.
func (f Fact) Key() Key { return Key{f.Subject, f.Relation} }

// Same reports whether two facts state the same triple, in whatever words.
func (f Fact) Same(o Fact) bool { return f.Key() == o.Key() && f.Object == o.Object }

// Text is what one would search for: the relation, with the subject's name in
// front if it is not the user.
func (k Key) Text() string {
	if k.Subject == Me {
		return k.Relation
	}
	return k.Subject + " " + k.Relation
}

func (f Fact) String() string { return fmt.Sprintf("%s —%s→ %s", f.Subject, f.Relation, f.Object) }

// Kind is what a question asks for.
type Kind string

// The kinds of questions about single-valued relations.
const (
	Current  Kind = "current"  // the value that holds at the end
	Previous Kind = "previous" // the value before that one
	TwoHop   Kind = "two-hop"  // a fact about somebody whom the question names by role
	Never    Kind = "never"    // something that was not said, though something near it was
)

// Kinds lists the kinds in the order of tables.
func Kinds() []Kind { return []Kind{Current, Previous, TwoHop, Never} }

// Question is one question with its answer.
type Question struct {
	Query
	Kind   Kind   `json:"kind"`
	Answer string `json:"answer"` // empty if nobody said it
	// Needs are the facts without which the answer cannot be known. None for
	// what was never said.
	Needs []Need `json:"needs,omitempty"`
	// Near is what a hasty reader takes for the answer to what was never said.
	Near *Key `json:"near,omitempty"`
}

// Query is a question as far as whoever answers it may see it.
type Query struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Subject and Path are the question as understood: start at the subject,
	// follow the relations. Two of them are two hops.
	Subject string   `json:"subject,omitempty"`
	Path    []string `json:"path,omitempty"`
	// Past asks for the value before the current one.
	Past bool `json:"past,omitempty"`
}

// Need is a fact and the messages that state it, any of which is enough.
type Need struct {
	Fact     Fact     `json:"fact"`
	Messages []string `json:"messages"`
}

// Dialogue is a conversation and what is asked about it.
type Dialogue struct {
	Name      string     `json:"name"`
	Language  string     `json:"language"` // "en" or "zh"
	Messages  []Message  `json:"messages"`
	Questions []Question `json:"questions"`
}

// Tokens is the length of the dialogue.
func (d *Dialogue) Tokens() int {
	n := 0
	for i := range d.Messages {
		n += d.Messages[i].Tokens
	}
	return n
}
