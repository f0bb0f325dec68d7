package serving

import (
	"errors"
	"fmt"
	"slices"
)

// ErrCall is the kind of every error about a call that cannot be, e.g. one with
// negative tokens.
var ErrCall = errors.New("bad call")

// Item is a piece of a prompt that is used as a whole: one message, one entry of
// a memory, one bullet. Two items are the same content if all their fields are
// equal. Content that changes keeps its kind and name and gets another version.
type Item struct {
	Kind    string `json:"kind"`
	Name    string `json:"name,omitempty"`
	Version int    `json:"version,omitempty"`
	Tokens  int    `json:"tokens"`
	// IDs are token ids of a real tokenizer, Tokens of them. Without them
	// AppendIDs makes up ids that are equal where the content is.
	IDs []int `json:"ids,omitempty"`
}

// SegmentKind says what a change of a segment means.
type SegmentKind string

// The kinds of segments. A change of a plain one is an edit of it.
const (
	Plain    SegmentKind = ""
	Queue    SegmentKind = "queue"    // items enter at the end and leave at the front: a loss is an eviction
	Snapshot SegmentKind = "snapshot" // rewritten when a queue evicts, and only then
)

// Segment is a part of a prompt with a name that stays from call to call.
type Segment struct {
	Name  string      `json:"name"`
	Kind  SegmentKind `json:"kind,omitempty"`
	Items []Item      `json:"items"`
}

// Prompt is what the model reads in one call.
type Prompt []Segment

// Tokens is the length of the segment.
func (s Segment) Tokens() int { return Tokens(s.Items) }

// Tokens is the length of the prompt.
func (p Prompt) Tokens() int {
	n := 0
	for _, s := range p {
		n += s.Tokens()
	}
	return n
}

// Tokens is the length of items in a row.
func Tokens(items []Item) int {
	n := 0
	for i := range items {
		n += items[i].Tokens
	}
	return n
}

// Check says what is wrong with a prompt.
func (p Prompt) Check() error {
	if err := p.checkSegments(); err != nil {
		return err
	}
	total := 0
	for _, s := range p {
		for j := range s.Items {
			if err := s.Items[j].Check(); err != nil {
				return fmt.Errorf("segment %q: item %d: %w", s.Name, j, err)
			}
			total = min(total+s.Items[j].Tokens, maxTokens+1)
		}
	}
	return checkTotal(total)
}

func checkTotal(tokens int) error {
	if tokens < 1 || tokens > maxTokens {
		return bad("prompt of %d tokens: want 1 to %d", tokens, maxTokens)
	}
	return nil
}

func (p Prompt) checkSegments() error {
	for i, s := range p {
		switch {
		case s.Name == "":
			return bad("segment %d: name is empty", i)
		case slices.ContainsFunc(p[:i], func(o Segment) bool { return o.Name == s.Name }):
			return bad("segment %q: the prompt has two of this name", s.Name)
		case s.Kind != Plain && s.Kind != Queue && s.Kind != Snapshot:
			return bad("segment %q: kind %q: want %q, %q or %q", s.Name, s.Kind, Plain, Queue, Snapshot)
		}
	}
	return nil
}

// maxTokens keeps sums of tokens far from overflow.
const maxTokens = 1 << 30

// Check says what is wrong with an item.
func (it *Item) Check() error {
	switch {
	case it.Kind == "" && it.Name == "":
		return bad("kind and name are empty: want one that tells it from other items")
	case it.Tokens < 1 || it.Tokens > maxTokens:
		return bad("%s: tokens %d: want 1 to %d", it.label(), it.Tokens, maxTokens)
	case it.IDs != nil && len(it.IDs) != it.Tokens:
		return bad("%s: tokens %d, but %d ids: want as many", it.label(), it.Tokens, len(it.IDs))
	}
	return nil
}

func (it *Item) label() string { return fmt.Sprintf("%s %q", it.Kind, it.Name) }

func (it *Item) equal(o *Item) bool {
	return it.Tokens == o.Tokens && it.Version == o.Version && it.Name == o.Name && it.Kind == o.Kind &&
		(it.IDs == nil) == (o.IDs == nil) && slices.Equal(it.IDs, o.IDs)
}

// callError says what is wrong with which field, and is an ErrCall.
type callError string

func (e callError) Error() string { return string(e) }
func (e callError) Unwrap() error { return ErrCall }

func bad(format string, args ...any) error { return callError(fmt.Sprintf(format, args...)) }
