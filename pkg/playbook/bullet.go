package playbook

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Others is the section of bullets that name none, as in ACE.
const Others = "OTHERS"

// Bullet is one small unit of knowledge: a strategy, a concept, a mistake to avoid.
type Bullet struct {
	ID      string `json:"id"` // e.g. "shr-00001"; never used again
	Section string `json:"section"`
	Text    string `json:"text"`
	// Helpful and Harmful are how often it was marked so.
	Helpful int `json:"helpful"`
	Harmful int `json:"harmful"`
	// Created, Updated and Used are numbers of tasks: the one that it comes
	// from, the last that wrote its text and the last that marked it.
	Created int `json:"created"`
	Updated int `json:"updated"`
	Used    int `json:"used"`
}

// Net is how much more helpful than harmful the bullet was.
func (b Bullet) Net() int { return b.Helpful - b.Harmful }

// Touched is the last task that had anything to do with the bullet.
func (b Bullet) Touched() int { return max(b.Created, b.Updated, b.Used) }

// maxCount keeps sums of counts far from overflow.
const maxCount = 1 << 53

// Check says what is wrong with a bullet.
func (b Bullet) Check() error {
	if b.ID == "" || !validID(b.ID) {
		return fail(ErrBullet, "identity %q: want letters, digits, - and _ and the like, without spaces and brackets", b.ID)
	}
	if b.Section == "" {
		return fail(ErrBullet, "%s: section is empty: want a name, e.g. %q", b.ID, Others)
	}
	return b.checkRest()
}

// checkRest checks all but identity and section.
func (b Bullet) checkRest() error {
	switch {
	case !utf8.ValidString(b.Section) || !utf8.ValidString(b.Text):
		return fail(ErrBullet, "%s: section %q or text %q is not UTF-8", b.ID, b.Section, b.Text)
	case strings.TrimSpace(b.Text) == "":
		return fail(ErrBullet, "%s: text %q is empty", b.ID, b.Text)
	case b.Helpful < 0 || b.Harmful < 0:
		return fail(ErrBullet, "%s: helpful %d, harmful %d: want 0 or more", b.ID, b.Helpful, b.Harmful)
	case b.Helpful > maxCount || b.Harmful > maxCount:
		return fail(ErrBullet, "%s: helpful %d, harmful %d: want at most %d", b.ID, b.Helpful, b.Harmful, maxCount)
	case b.Created < 0 || b.Updated < 0 || b.Used < 0:
		return fail(ErrBullet, "%s: created %d, updated %d, used %d: want numbers of tasks, 0 or more", b.ID, b.Created, b.Updated, b.Used)
	}
	return nil
}

func validID(id string) bool {
	if strings.Contains(id, "::") {
		return false
	}
	for _, r := range id {
		if r == '[' || r == ']' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// slug is what the identities of a section begin with: the initials of its words,
// or the beginning of its only word.
func slug(section string) string {
	words := strings.FieldsFunc(strings.ToLower(section), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch len(words) {
	case 0:
		return "item"
	case 1:
		return string(firstRunes(words[0], 4))
	}
	var s []rune
	for _, w := range words[:min(4, len(words))] {
		s = append(s, firstRunes(w, 1)...)
	}
	return string(s)
}

func firstRunes(s string, n int) []rune {
	r := []rune(s)
	return r[:min(n, len(r))]
}
