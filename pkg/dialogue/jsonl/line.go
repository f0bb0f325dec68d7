package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memlab/pkg/dialogue"
	"memlab/pkg/prefixcache/trace"
)

// Uncategorised is the kind of a question whose line gives no category.
const Uncategorised dialogue.Kind = "uncategorised"

// line is a line that can be used: a message, a question, or neither.
type line struct {
	number             int
	dialogue, language string
	message            *dialogue.Message
	question           *dialogue.Question

	tokensCounted, unnamed bool
}

// parse reads one line. Evidence is checked when all messages are known.
func parse(number int, text []byte) (l line, unknown []string, bad *LineError) {
	f := fields{}
	if problem := f.split(text); problem != "" {
		return l, nil, &LineError{Line: number, Problem: problem}
	}
	l = line{number: number}
	l.dialogue = f.text("dialogue")
	if l.language = f.text("language"); l.language != "" && l.language != "en" && l.language != "zh" {
		f.bad("language", fmt.Sprintf("%q: want en or zh", l.language))
	}
	f.take("comment", new(any), "")
	_, says := f.raw["text"]
	_, asks := f.raw["question"]
	switch {
	case says && asks:
		f.bad("question", "a message (text) and a question in one line: want one of them")
	case says:
		l.readMessage(&f)
	case asks:
		l.readQuestion(&f)
	case !f.only("dialogue", "language", "comment"):
		f.bad("text", "missing: want text for a message or question for a question")
	}
	if f.field != "" {
		return l, nil, &LineError{Line: number, Field: f.field, Problem: f.problem}
	}
	return l, f.unknown(), nil
}

func (l *line) readMessage(f *fields) {
	m := &dialogue.Message{ID: f.text("id"), Speaker: f.text("speaker"), Text: f.text("text"), Role: dialogue.Role(f.text("role"))}
	if strings.TrimSpace(m.Text) == "" {
		f.bad("text", "empty: want what was said")
	}
	if !f.take("session", &m.Session, "a whole number from 0") {
		f.bad("session", "missing: want a whole number from 0")
	} else if m.Session < 0 {
		f.bad("session", fmt.Sprintf("%d: want a whole number from 0", m.Session))
	}
	switch m.Role {
	case dialogue.User, dialogue.Assistant:
	case "":
		if m.Speaker == "" {
			f.bad("speaker", "missing: want the speaker's name, or a role")
		}
	default:
		f.bad("role", fmt.Sprintf("%q: want %s or %s", m.Role, dialogue.User, dialogue.Assistant))
	}
	m.Time = f.time("time")
	if !f.take("tokens", &m.Tokens, "a whole number from 1") {
		m.Tokens, l.tokensCounted = len(trace.Approximate{}.Encode(m.Text)), true
	} else if m.Tokens < 1 {
		f.bad("tokens", fmt.Sprintf("%d: want a whole number from 1, or none to have it approximated", m.Tokens))
	} else if m.Tokens > dialogue.MaxTokens {
		f.bad("tokens", fmt.Sprintf("%d: want at most %d", m.Tokens, dialogue.MaxTokens))
	}
	f.take("facts", &m.Facts, "a list of facts with subject, relation and object")
	if m.ID == "" {
		m.ID, l.unnamed = fmt.Sprintf("L%d", l.number), true
	}
	l.message = m
}

func (l *line) readQuestion(f *fields) {
	q := &dialogue.Question{Kind: dialogue.Kind(f.text("category"))}
	q.ID, q.Text, q.Subject = f.text("id"), f.text("question"), f.text("subject")
	if strings.TrimSpace(q.Text) == "" {
		f.bad("question", "empty: want what is asked")
	}
	if q.ID == "" {
		q.ID = fmt.Sprintf("L%d", l.number)
	}
	if q.Kind == "" {
		q.Kind = Uncategorised
	}
	q.Answer = f.answer("answer")
	f.take("path", &q.Path, "a list of relations")
	f.take("past", &q.Past, "true or false")
	f.take("near", &q.Near, "an object with subject and relation")
	q.Needs = f.needs("evidence")
	l.question = q
}

// fields takes the fields of a line one by one and keeps the first problem.
type fields struct {
	raw            map[string]json.RawMessage
	taken          []string
	field, problem string
}

func (f *fields) split(text []byte) (problem string) {
	if !utf8.Valid(text) {
		return "not UTF-8: want text in UTF-8"
	}
	err := json.Unmarshal(text, &f.raw)
	var syntax *json.SyntaxError
	switch {
	case err == nil && f.raw != nil:
		return ""
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.Contains(err.Error(), "unexpected end"):
		return "cut off in the middle: want one whole JSON object"
	case errors.As(err, &syntax):
		return fmt.Sprintf("no JSON at byte %d: %v", syntax.Offset, err)
	}
	return "want a JSON object with text or question"
}

func (f *fields) bad(field, problem string) {
	if f.field == "" {
		f.field, f.problem = field, problem
	}
}

// take reads a field into to, and says whether it is there; null is not there.
func (f *fields) take(field string, to any, want string) bool {
	f.taken = append(f.taken, field)
	raw, ok := f.raw[field]
	if !ok || string(raw) == "null" {
		return false
	}
	if err := json.Unmarshal(raw, to); err != nil {
		f.bad(field, fmt.Sprintf("%s: want %s", short(raw), want))
	}
	return true
}

func (f *fields) text(field string) (s string) {
	f.take(field, &s, "text in quotes")
	return s
}

// answer reads text, or a number as text.
func (f *fields) answer(field string) string {
	var a any
	f.take(field, &a, "text or a number")
	switch a := a.(type) {
	case nil:
	case string:
		return a
	case float64:
		return string(f.raw[field]) // as it is written
	default:
		f.bad(field, fmt.Sprintf("%s: want text or a number", short(f.raw[field])))
	}
	return ""
}

var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly}

func (f *fields) time(field string) time.Time {
	s := f.text(field)
	if s == "" {
		return time.Time{}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	f.bad(field, fmt.Sprintf("%q: want a time like 2031-03-02T09:10:00Z or 2031-03-02 09:10", s))
	return time.Time{}
}

// needs reads evidence: ids, lists of ids, or needs with their fact.
func (f *fields) needs(field string) []dialogue.Need {
	const want = "a list of message ids, or of lists of ids of which any will do"
	var items []json.RawMessage
	f.take(field, &items, want)
	var needs []dialogue.Need
	for _, item := range items {
		var id string
		var need dialogue.Need
		switch {
		case json.Unmarshal(item, &id) == nil && id != "":
			need.Messages = []string{id}
		case json.Unmarshal(item, &need.Messages) == nil && len(need.Messages) > 0:
		case json.Unmarshal(item, &need) == nil && len(need.Messages) > 0:
		default:
			f.bad(field, fmt.Sprintf("%s: want %s", short(item), want))
		}
		needs = append(needs, need)
	}
	return needs
}

// only says whether the line has no other fields.
func (f *fields) only(names ...string) bool {
	for name := range f.raw {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// unknown lists the fields that nobody took.
func (f *fields) unknown() []string {
	var names []string
	for name := range f.raw {
		if !slices.Contains(f.taken, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// short is the beginning of a value, for messages.
func short(raw json.RawMessage) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw[:most]), "") + "..."
}
