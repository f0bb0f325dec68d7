package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"memlab/pkg/dialogue"
)

// Write writes dialogues so that [Read] gives them again: messages, then questions,
// one dialogue after the other. A dialogue that fails its Check, shares its name with
// another one, or would be read as something else (e.g. because a text is blank or no
// UTF-8) is an error, and nothing is written after it.
func Write(w io.Writer, dialogues []dialogue.Dialogue) error {
	out := bufio.NewWriter(w)
	names := map[string]bool{}
	for i := range dialogues {
		d := &dialogues[i]
		if err := d.Check(); err != nil {
			return fmt.Errorf("jsonl: %w: %w", ErrWrite, err)
		}
		if names[d.Name] {
			return fmt.Errorf("jsonl: %w: two are called %q: want one name each", ErrWrite, d.Name)
		}
		if d.Language == "" {
			return fmt.Errorf("jsonl: %w: dialogue %q: language is empty: want en or zh", ErrWrite, d.Name)
		}
		names[d.Name] = true
		if err := write(out, d); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("jsonl: %w", err)
	}
	return nil
}

type messageLine struct {
	Dialogue string          `json:"dialogue,omitempty"`
	Language string          `json:"language,omitempty"`
	Session  int             `json:"session"`
	Time     string          `json:"time,omitempty"`
	ID       string          `json:"id"`
	Role     dialogue.Role   `json:"role"`
	Speaker  string          `json:"speaker,omitempty"`
	Text     string          `json:"text"`
	Tokens   int             `json:"tokens"`
	Facts    []dialogue.Fact `json:"facts,omitempty"`
}

type questionLine struct {
	Dialogue string        `json:"dialogue,omitempty"`
	ID       string        `json:"id"`
	Question string        `json:"question"`
	Answer   string        `json:"answer,omitempty"`
	Category dialogue.Kind `json:"category"`
	Evidence []any         `json:"evidence,omitempty"`
	Subject  string        `json:"subject,omitempty"`
	Path     []string      `json:"path,omitempty"`
	Past     bool          `json:"past,omitempty"`
	Near     *dialogue.Key `json:"near,omitempty"`
}

func write(out io.Writer, d *dialogue.Dialogue) error {
	for i, m := range d.Messages {
		l := messageLine{
			Dialogue: d.Name, Session: m.Session, ID: m.ID, Role: m.Role, Speaker: m.Speaker,
			Text: m.Text, Tokens: m.Tokens, Facts: m.Facts,
		}
		if i == 0 {
			l.Language = d.Language // once is enough
		}
		if !m.Time.IsZero() {
			l.Time = m.Time.Format(time.RFC3339Nano)
		}
		if err := writeLine(out, d.Name, l, func(got line) bool { return got.message != nil && sameMessage(*got.message, m) }); err != nil {
			return fmt.Errorf("%w (message %q)", err, m.ID)
		}
	}
	for _, q := range d.Questions {
		l := questionLine{
			Dialogue: d.Name, ID: q.ID, Question: q.Text, Answer: q.Answer, Category: q.Kind,
			Subject: q.Subject, Path: q.Path, Past: q.Past, Near: q.Near,
		}
		for j, n := range q.Needs {
			if slices.ContainsFunc(q.Needs[:j], func(o dialogue.Need) bool { return same(o, n) }) {
				return fmt.Errorf("jsonl: %w: dialogue %q: question %q needs the same twice: want it once", ErrWrite, d.Name, q.ID)
			}
			l.Evidence = append(l.Evidence, evidenceOf(n))
		}
		if err := writeLine(out, d.Name, l, func(got line) bool { return got.question != nil && sameQuestion(*got.question, q) }); err != nil {
			return fmt.Errorf("%w (question %q)", err, q.ID)
		}
	}
	return nil
}

// evidenceOf is the shortest way to write a need.
func evidenceOf(n dialogue.Need) any {
	switch {
	case n.Fact != dialogue.Fact{}:
		return n
	case len(n.Messages) == 1:
		return n.Messages[0]
	}
	return n.Messages
}

// writeLine writes a line after reading it back.
func writeLine(out io.Writer, name string, value any, same func(line) bool) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Errorf("jsonl: %w: %w", ErrWrite, err)
	}
	got, _, bad := parse(1, b.Bytes())
	switch {
	case bad != nil && bad.Field != "":
		return fmt.Errorf("jsonl: %w: dialogue %q: %s: %s", ErrWrite, name, bad.Field, bad.Problem)
	case bad != nil:
		return fmt.Errorf("jsonl: %w: dialogue %q: %s", ErrWrite, name, bad.Problem)
	case got.dialogue != name || !same(got):
		return fmt.Errorf("jsonl: %w: dialogue %q: it would be read as something else; want text in UTF-8 and zones of whole minutes", ErrWrite, name)
	}
	if _, err := out.Write(b.Bytes()); err != nil {
		return fmt.Errorf("jsonl: %w", err)
	}
	return nil
}

func sameMessage(a, b dialogue.Message) bool {
	if !a.Time.Equal(b.Time) {
		return false
	}
	a.Time, b.Time = time.Time{}, time.Time{}
	if len(a.Facts) == 0 && len(b.Facts) == 0 {
		a.Facts, b.Facts = nil, nil
	}
	return reflect.DeepEqual(a, b)
}

func sameQuestion(a, b dialogue.Question) bool {
	for _, q := range []*dialogue.Question{&a, &b} {
		if len(q.Needs) == 0 {
			q.Needs = nil
		}
		if len(q.Path) == 0 {
			q.Path = nil
		}
	}
	return reflect.DeepEqual(a, b)
}
