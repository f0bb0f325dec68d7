package serving

import (
	"errors"
	"fmt"
	"slices"
)

// ErrCall: a call or a prompt that cannot be, e.g. with negative tokens.
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
	total := 0
	for i, s := range p {
		if s.Name == "" {
			return bad("segment %d: name is empty", i)
		}
		if slices.ContainsFunc(p[:i], func(o Segment) bool { return o.Name == s.Name }) {
			return bad("segment %q: the prompt has two of this name", s.Name)
		}
		if s.Kind != Plain && s.Kind != Queue && s.Kind != Snapshot {
			return bad("segment %q: kind %q: want %q, %q or %q", s.Name, s.Kind, Plain, Queue, Snapshot)
		}
		for j := range s.Items {
			if err := s.Items[j].check(); err != nil {
				return fmt.Errorf("segment %q: item %d: %w", s.Name, j, err)
			}
			total += s.Items[j].Tokens
		}
		if total > maxTokens {
			return bad("segment %q: the prompt exceeds %d tokens", s.Name, maxTokens)
		}
	}
	if total == 0 {
		return bad("prompt without tokens: want 1 or more")
	}
	return nil
}

// maxTokens keeps sums of tokens far from overflow.
const maxTokens = 1 << 30

func (it *Item) check() error {
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
	return it.Name == o.Name && it.Version == o.Version && it.Tokens == o.Tokens && it.Kind == o.Kind &&
		(it.IDs == nil) == (o.IDs == nil) && slices.Equal(it.IDs, o.IDs)
}

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCall, fmt.Errorf(format, args...))
}
