package jsonl

import (
	"fmt"
	"slices"
	"unicode"

	"memlab/pkg/dialogue"
)

// draft is a dialogue whose lines are still coming in.
type draft struct {
	name, language string
	lines, asked   []line
	messages       map[string]int // line of each id
	questions      map[string]int
}

// say notes the language; what the first line says holds.
func (d *draft) say(language string) {
	if d.language == "" {
		d.language = language
	}
}

func (d *draft) add(l line, number int) *LineError {
	if l.language != "" && d.language != "" && l.language != d.language {
		return &LineError{number, "language", fmt.Sprintf("%s: the dialogue is in %s by an earlier line", l.language, d.language)}
	}
	id, ids, list := "", d.messages, &d.lines
	if l.message != nil {
		id = l.message.ID
	} else {
		id, ids, list = l.question.ID, d.questions, &d.asked
	}
	if earlier, taken := ids[id]; taken {
		return &LineError{number, "id", fmt.Sprintf("%q is taken by line %d: want one of its own", id, earlier)}
	}
	ids[id] = number
	*list = append(*list, l)
	return nil
}

// ordered are the messages session by session.
func (d *draft) ordered() []dialogue.Message {
	messages := make([]dialogue.Message, len(d.lines))
	for i, l := range d.lines {
		messages[i] = *l.message
	}
	slices.SortStableFunc(messages, func(a, b dialogue.Message) int { return a.Session - b.Session })
	return messages
}

// giveRoles gives the messages without a role one, and each without a speaker none;
// it returns how many roles were guessed.
func (d *draft) giveRoles(messages []dialogue.Message) (guessed int) {
	roles := map[string]dialogue.Role{}
	for i := range messages {
		if m := &messages[i]; m.Role != "" && m.Speaker != "" && roles[m.Speaker] == "" {
			roles[m.Speaker] = m.Role
		}
	}
	if first := messages[0].Speaker; roles[first] == "" {
		roles[first] = dialogue.User
	}
	for i := range messages {
		m := &messages[i]
		if m.Role != "" {
			continue
		}
		if m.Role = roles[m.Speaker]; m.Role == "" {
			m.Role = dialogue.Assistant
		}
		guessed++
	}
	return guessed
}

// spoken is the language: as given, or Chinese if a fifth of the letters is. Chinese
// text that quotes English names and terms has far more, English with a Chinese name
// far less.
func (d *draft) spoken() string {
	if d.language != "" {
		return d.language
	}
	letters, chinese := 0, 0
	for _, l := range d.lines {
		for _, r := range l.message.Text {
			if unicode.IsLetter(r) {
				letters++
				if unicode.Is(unicode.Han, r) {
					chinese++
				}
			}
		}
	}
	if chinese > 0 && 5*chinese >= letters {
		return "zh"
	}
	return "en"
}
