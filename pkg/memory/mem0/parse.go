package mem0

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memlab/pkg/dialogue"
)

// number is a number that a model may have put in quotes.
type number struct {
	value int
	given bool
}

// UnmarshalJSON takes 3, "3" and null. Anything else is a number that nothing has.
func (n *number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `" `)
	if text == "null" || text == "" {
		return nil
	}
	n.given = true
	v, err := strconv.Atoi(text)
	if err != nil {
		v = None - 1
	}
	n.value = v
	return nil
}

type factReply struct {
	Source   number `json:"source"`
	Text     string `json:"text"`
	Subject  string `json:"subject"`
	Relation string `json:"relation"`
	Object   string `json:"object"`
	Type     string `json:"type"`
}

func (r factReply) fact() dialogue.Fact {
	f := dialogue.Fact{
		Subject: strings.TrimSpace(r.Subject), Relation: strings.TrimSpace(r.Relation), Object: strings.TrimSpace(r.Object),
		Type: strings.TrimSpace(r.Type),
	}
	if !isTriple(f) {
		return dialogue.Fact{}
	}
	return f
}

type operationReply struct {
	factReply
	Op    string `json:"op"`
	Event string `json:"event"` // what mem0's own prompt calls it
	ID    number `json:"id"`
}

// parseFacts reads {"facts": [...]}, or the list alone. A fact may be a string. What
// is no fact becomes one without words, for the memory to count.
func parseFacts(reply string, pair []*dialogue.Message) ([]Candidate, error) {
	list, err := listIn(reply, "facts")
	if err != nil {
		return nil, err
	}
	out := make([]Candidate, len(list))
	for i, raw := range list {
		var r factReply
		if json.Unmarshal(raw, &r.Text) != nil && json.Unmarshal(raw, &r) != nil {
			continue
		}
		c := Candidate{Fact: r.fact(), Text: strings.TrimSpace(r.Text)}
		switch n := r.Source; {
		case n.given && n.value >= 1 && n.value <= len(pair):
			c.Source = pair[n.value-1].ID
		case n.given:
			c.Source = fmt.Sprintf("no message %d", n.value)
		}
		out[i] = c
	}
	return out, nil
}

// parseOperations reads {"operations": [...]}, the list alone or one operation, and
// mem0's own form. What is no operation becomes an unknown one.
func parseOperations(reply string) ([]Operation, error) {
	list, err := listIn(reply, "operations", "memory")
	if err != nil {
		return nil, err
	}
	out := make([]Operation, len(list))
	for i, raw := range list {
		var r operationReply
		if json.Unmarshal(raw, &r) != nil {
			out[i] = Operation{Op: "unreadable", Index: None}
			continue
		}
		op := Operation{Op: Op(strings.ToUpper(strings.TrimSpace(r.Op + r.Event))), Index: None, Fact: r.fact(), Text: strings.TrimSpace(r.Text)}
		if op.Op == "NONE" {
			op.Op = NOOP
		}
		switch {
		case r.ID.given:
			op.Index = r.ID.value
		case op.Op != NOOP:
			op.Index = None - 1
		}
		if r.ID.given && r.ID.value < 0 {
			op.Index = None - 1
		}
		out[i] = op
	}
	return out, nil
}

// maxStarts bounds how often listIn looks for JSON in one reply, so that a long run of
// brackets costs little.
const maxStarts = 100

// listIn finds the first JSON value in a reply that is a list, has one under a key, or
// is an object with an operation, whatever prose or code fence stands around it.
func listIn(reply string, keys ...string) ([]json.RawMessage, error) {
	rest := []byte(reply)
	for range maxStarts {
		i := bytes.IndexAny(rest, "{[")
		if i < 0 {
			break
		}
		rest = rest[i:]
		var raw json.RawMessage
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&raw) == nil {
			if list, ok := listOf(raw, keys); ok {
				return list, nil
			}
			rest = rest[len(raw):]
			continue
		}
		rest = rest[1:]
	}
	return nil, fmt.Errorf("mem0: %w: no JSON with %q in %d bytes", ErrReply, keys[0], len(reply))
}

func listOf(raw json.RawMessage, keys []string) ([]json.RawMessage, bool) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		return list, !slices.ContainsFunc(list, isScalar)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return nil, false
	}
	for _, key := range keys {
		if value, ok := object[key]; ok && json.Unmarshal(value, &list) == nil {
			return list, true
		}
	}
	if _, ok := object["op"]; ok && keys[0] == "operations" {
		return []json.RawMessage{raw}, true
	}
	return nil, false
}

// isScalar tells a list of replies from one in prose, such as "[1]".
func isScalar(raw json.RawMessage) bool { return raw[0] != '{' && raw[0] != '"' }
