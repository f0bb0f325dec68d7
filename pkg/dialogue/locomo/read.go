package locomo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"memlab/pkg/dialogue"
)

// Read reads LOCOMO's file: a JSON list of conversations. What is irregular is in
// the report, and the rest is used; an error means that nothing could be, or that r
// failed.
func Read(r io.Reader) ([]dialogue.Dialogue, Report, error) {
	p := parser{report: Report{Kinds: map[dialogue.Kind]int{}}}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, p.report, fmt.Errorf("locomo: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	in := json.NewDecoder(bytes.NewReader(data))
	where := func() int { return 1 + bytes.Count(data[:min(int(in.InputOffset()), len(data))], []byte("\n")) }
	if start, err := in.Token(); err != nil || start != json.Delim('[') {
		return nil, p.report, fmt.Errorf("locomo: line %d: %w: want a JSON list of conversations", where(), ErrFormat)
	}
	for place := 1; ; place++ {
		p.sample = fmt.Sprintf("conversation %d", place)
		var raw json.RawMessage
		if in.More() {
			err = in.Decode(&raw)
		} else if _, err = in.Token(); err == nil { // the closing bracket
			break
		}
		if err != nil {
			p.note("", CutOff, "", fmt.Sprintf("line %d: %v", where(), err))
			break
		}
		p.conversation(raw)
	}
	if len(p.dialogues) == 0 {
		err := fmt.Errorf("locomo: %w", ErrEmpty)
		if list := p.report.Irregularities; len(list) > 0 {
			err = fmt.Errorf("%w: %v", err, list[0])
		}
		return nil, p.report, err
	}
	return p.dialogues, p.report, nil
}

type parser struct {
	dialogues []dialogue.Dialogue
	report    Report
	sample    string // the conversation that is being read
}

func (p *parser) note(place string, problem Problem, value, detail string) {
	p.report.Irregularities = append(p.report.Irregularities, Irregularity{
		Sample: p.sample, Place: place, Problem: problem, Value: value, Detail: detail,
	})
}

// conversation reads one element of the list.
func (p *parser) conversation(raw json.RawMessage) {
	var s struct {
		ID           string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
		Questions    []json.RawMessage          `json:"qa"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		p.note("", BadConversation, "", wrong(err))
		return
	}
	if s.ID != "" {
		p.sample = s.ID
	}
	if slices.ContainsFunc(p.dialogues, func(d dialogue.Dialogue) bool { return d.Name == p.sample }) {
		p.note("", BadConversation, "", "the sample_id is taken by an earlier one")
		return
	}
	d := dialogue.Dialogue{Name: p.sample, Language: "en"}
	d.Messages = p.sessions(s.Conversation)
	if len(d.Messages) == 0 {
		p.note("", BadConversation, "", "no turns: want conversation with session_1, session_2, ...")
		return
	}
	turns := make(map[string]bool, len(d.Messages))
	for i := range d.Messages {
		turns[d.Messages[i].ID] = true
	}
	for i, raw := range s.Questions {
		if q, ok := p.question(fmt.Sprintf("q%d", i+1), raw, turns); ok {
			d.Questions = append(d.Questions, q)
			p.report.Kinds[q.Kind]++
		}
	}
	p.report.Conversations++
	p.report.Turns += len(d.Messages)
	p.report.Questions += len(d.Questions)
	p.dialogues = append(p.dialogues, d)
}

// wrong says what is wrong with JSON in the words of the format.
func wrong(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return fmt.Sprintf("%s is a JSON %s: want %s", t.Field, t.Value, t.Type)
	}
	return err.Error()
}
