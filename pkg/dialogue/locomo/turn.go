package locomo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/prefixcache/trace"
)

// dateLayout is how the file writes a session's date and time.
const dateLayout = "3:04 pm on 2 January, 2006"

// speakers are the two who talk.
type speakers struct{ a, b string }

// sessions reads the turns in the order of the sessions' numbers.
func (p *parser) sessions(fields map[string]json.RawMessage) []dialogue.Message {
	var who speakers
	_ = json.Unmarshal(fields["speaker_a"], &who.a) // a speaker who is missing shows at each turn
	_ = json.Unmarshal(fields["speaker_b"], &who.b)
	numbers := map[int]bool{}
	for name := range fields {
		if n, ok := sessionNumber(name); ok {
			numbers[n] = true
		}
	}
	order := make([]int, 0, len(numbers))
	for n := range numbers {
		order = append(order, n)
	}
	slices.Sort(order)
	var messages []dialogue.Message
	taken := map[string]bool{}
	for _, n := range order {
		place := fmt.Sprintf("session_%d", n)
		at, problem := date(fields[place+"_date_time"])
		raw, there := fields[place]
		if !there {
			p.note(place, MissingSession, at.Format(time.DateTime), "")
			continue
		}
		if problem != "" {
			p.note(place, BadDate, strings.Trim(string(fields[place+"_date_time"]), `"`), problem)
		}
		var turns []json.RawMessage
		if err := json.Unmarshal(raw, &turns); err != nil {
			p.note(place, BadSession, "", wrong(err))
			continue
		}
		for i, raw := range turns {
			m, ok := p.turn(fmt.Sprintf("%s, turn %d", place, i+1), raw, who, taken)
			if !ok {
				continue
			}
			m.Session, m.Time = n, at
			taken[m.ID] = true
			messages = append(messages, m)
		}
	}
	return messages
}

// sessionNumber is 4 for session_4 and session_4_date_time.
func sessionNumber(field string) (int, bool) {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(field, "_date_time"), "session_")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && strconv.Itoa(n) == digits
}

func date(raw json.RawMessage) (at time.Time, problem string) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return at, "want text like 1:56 pm on 8 May, 2023"
	}
	at, err := time.Parse(dateLayout, text)
	if err != nil {
		return time.Time{}, "want a date like 1:56 pm on 8 May, 2023"
	}
	return at, ""
}

func (p *parser) turn(place string, raw json.RawMessage, who speakers, taken map[string]bool) (m dialogue.Message, ok bool) {
	var t struct {
		ID      string  `json:"dia_id"`
		Speaker string  `json:"speaker"`
		Text    string  `json:"text"`
		Caption *string `json:"blip_caption"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		p.note(place, BadTurn, "", wrong(err))
		return m, false
	}
	text := t.Text
	if t.Caption != nil {
		text = strings.TrimLeft(text+" [image: "+*t.Caption+"]", " ")
	}
	switch {
	case t.ID == "":
		p.note(place, BadTurn, "", "no dia_id: want one like D1:3")
		return m, false
	case taken[t.ID]:
		p.note(place, BadTurn, t.ID, "the dia_id is taken by an earlier turn")
		return m, false
	case strings.TrimSpace(text) == "":
		p.note(place, BadTurn, t.ID, "neither text nor blip_caption")
		return m, false
	}
	if t.Caption != nil {
		p.report.Captions++
	}
	role := dialogue.Assistant
	switch t.Speaker {
	case who.a:
		role = dialogue.User
	case who.b:
	default:
		p.note(place, UnknownSpeaker, t.Speaker, fmt.Sprintf("want %q or %q; taken as the assistant", who.a, who.b))
	}
	return dialogue.Message{
		ID: t.ID, Role: role, Speaker: t.Speaker, Text: text, Tokens: len(trace.Approximate{}.Encode(text)),
	}, true
}
