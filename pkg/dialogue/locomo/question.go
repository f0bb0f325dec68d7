package locomo

import (
	"encoding/json"
	"fmt"
	"strings"

	"memlab/pkg/dialogue"
)

func (p *parser) question(id string, raw json.RawMessage, turns map[string]bool) (q dialogue.Question, ok bool) {
	var f struct {
		Text        string          `json:"question"`
		Answer      json.RawMessage `json:"answer"`
		Adversarial json.RawMessage `json:"adversarial_answer"`
		Category    int             `json:"category"`
		Evidence    json.RawMessage `json:"evidence"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		p.note(id, BadQuestion, "", wrong(err))
		return q, false
	}
	switch {
	case strings.TrimSpace(f.Text) == "":
		p.note(id, BadQuestion, "", "question is empty")
		return q, false
	case f.Category < 1 || f.Category > len(categories):
		p.note(id, BadQuestion, "", fmt.Sprintf("category %d: want 1 to %d", f.Category, len(categories)))
		return q, false
	}
	q.ID, q.Text, q.Kind = id, f.Text, categories[f.Category-1]
	if q.Answer, ok = p.answer(id, f.Answer); !ok {
		return q, false
	}
	if f.Adversarial != nil {
		p.report.AdversarialAnswers++
	}
	q.Needs = p.evidence(id, f.Evidence, turns)
	return q, true
}

// answer reads a text, or a number as text.
func (p *parser) answer(id string, raw json.RawMessage) (answer string, ok bool) {
	var number json.Number
	switch {
	case raw == nil || string(raw) == "null":
		p.note(id, MissingAnswer, "", "")
		return "", true
	case json.Unmarshal(raw, &answer) == nil:
		return answer, true
	case json.Unmarshal(raw, &number) == nil:
		p.note(id, IntegerAnswer, number.String(), "")
		return number.String(), true
	}
	p.note(id, BadQuestion, string(raw), "answer: want text or a number")
	return "", false
}
