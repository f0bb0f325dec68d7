package locomo

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"memlab/pkg/dialogue"
)

// evidence reads the ids of a question's turns; each is needed.
func (p *parser) evidence(question string, raw json.RawMessage, turns map[string]bool) []dialogue.Need {
	var written []string
	if raw != nil {
		if err := json.Unmarshal(raw, &written); err != nil {
			p.note(question, NoEvidence, strings.Trim(string(raw), `"`), "want a list of ids like D1:3")
			return nil
		}
	}
	var needs []dialogue.Need
	for _, w := range written {
		p.report.Evidence++
		for _, id := range p.ids(question, w, turns) {
			if slices.ContainsFunc(needs, func(n dialogue.Need) bool { return n.Messages[0] == id }) {
				p.note(question, RepeatedEvidence, id, "")
				continue
			}
			needs = append(needs, dialogue.Need{Messages: []string{id}})
		}
	}
	if len(needs) == 0 {
		p.note(question, NoEvidence, "", "")
	}
	return needs
}

// ids are the turns that a string names. A string is right if it is an id as it
// stands; everything else counts as broken, whatever can be made of it.
func (p *parser) ids(question, written string, turns map[string]bool) []string {
	if turns[written] {
		return []string{written}
	}
	p.report.BrokenEvidence++
	parts := strings.FieldsFunc(written, func(r rune) bool { return strings.ContainsRune(";, \t\n", r) })
	if len(parts) > 1 {
		p.note(question, SeveralIDs, written, fmt.Sprintf("taken as %d ids", len(parts)))
	} else {
		parts = []string{written}
	}
	var ids []string
	for _, part := range parts {
		id := part
		if !turns[part] {
			if id = repaired(part); !turns[id] {
				p.note(question, UnknownID, part, "no such turn")
				continue
			}
			p.note(question, MistypedID, part, "taken as "+id)
		}
		ids = append(ids, id)
	}
	return ids
}

var mistyped = regexp.MustCompile(`^\s*[Dd]:?0*([1-9]\d*):0*([1-9]\d*)\s*$`)

// repaired undoes the slips that leave one reading only: a small d, a colon after
// it, zeros before a number, space around. Anything else is "".
func repaired(id string) string {
	m := mistyped.FindStringSubmatch(id)
	if m == nil {
		return ""
	}
	return "D" + m[1] + ":" + m[2]
}
