package playbook

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is the playbook in the text form of ACE, one line for each bullet:
//
//	## STRATEGIES AND HARD RULES
//	[sahr-00001] helpful=3 harmful=0 :: Read the page count before the pages.
//
// The order is that of arrival, so that a section may have several headings.
// Line ends and other invisible characters inside a text, spaces at its ends and
// backslashes are escaped: a bullet is one line, whatever its text looks like.
// Parse reads it back. Times are in JSON only.
func (p *Playbook) Text() string {
	var s strings.Builder
	section := ""
	for b := range p.All() {
		if b.Section != section {
			if section != "" {
				s.WriteByte('\n')
			}
			section = b.Section
			s.WriteString(heading(section))
			s.WriteByte('\n')
		}
		s.WriteString(line(b))
		s.WriteByte('\n')
	}
	return s.String()
}

// Rejected is a line that Parse could not read.
type Rejected struct {
	Line    int    `json:"line"` // from 1
	Text    string `json:"text"` // as it stands there
	Message string `json:"message"`
	Err     error  `json:"-"`
}

// Error names the line.
func (r Rejected) Error() string { return fmt.Sprintf("line %d: %v: %q", r.Line, r.Err, r.Text) }

// Unwrap gives the kind of error.
func (r Rejected) Unwrap() error { return r.Err }

// Parsed is what Parse made of a text. Each line of it is a heading, a bullet,
// blank, or rejected.
type Parsed struct {
	Playbook *Playbook
	Rejected []Rejected
}

// Err is nil if every line was read.
func (p Parsed) Err() error {
	if len(p.Rejected) == 0 {
		return nil
	}
	errs := []error{fmt.Errorf("playbook: %d lines cannot be read", len(p.Rejected))}
	for _, r := range p.Rejected {
		errs = append(errs, r)
	}
	return errors.Join(errs...)
}

// Parse reads the text form, of Text or of ACE. What cannot be read is listed
// with its line, and the rest is there all the same. Bullets above the first
// heading are in the section Others.
func Parse(text string, count Counter) Parsed {
	p := New(count)
	out := Parsed{Playbook: p}
	section, n := Others, 0
	for l := range strings.SplitSeq(text, "\n") {
		n++
		var err error
		switch trimmed := strings.TrimSpace(l); {
		case trimmed == "":
		case strings.HasPrefix(trimmed, "#"):
			name := unescape(strings.TrimSpace(strings.TrimLeft(trimmed, "#")))
			if name == "" || !utf8.ValidString(name) {
				err = fail(ErrText, "a heading without a name: want ## and a name")
				break
			}
			section = name
		default:
			var b Bullet
			if b, err = parseLine(l); err == nil {
				b.Section = section
				_, err = p.insert(b)
			}
		}
		if err != nil {
			out.Rejected = append(out.Rejected, Rejected{n, l, err.Error(), err})
		}
	}
	return out
}

const lineWant = "want [slug-00001] helpful=0 harmful=0 :: text"

func parseLine(l string) (Bullet, error) {
	head, text, ok := strings.Cut(l, "::")
	fields := strings.Fields(head)
	if !ok || len(fields) != 3 {
		return Bullet{}, fail(ErrText, "not a bullet: %s", lineWant)
	}
	id, open := strings.CutPrefix(fields[0], "[")
	id, closed := strings.CutSuffix(id, "]")
	if !open || !closed || id == "" {
		return Bullet{}, fail(ErrText, "identity %q: %s", fields[0], lineWant)
	}
	b := Bullet{ID: id, Text: unescape(strings.TrimRightFunc(strings.TrimPrefix(text, " "), unicode.IsSpace))}
	for i, c := range []struct {
		name string
		at   *int
	}{{"helpful", &b.Helpful}, {"harmful", &b.Harmful}} {
		value, ok := strings.CutPrefix(fields[i+1], c.name+"=")
		if !ok {
			return b, fail(ErrText, "%q: %s", fields[i+1], lineWant)
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return b, fail(ErrText, "%s %q: want a number", c.name, value)
		}
		*c.at = n
	}
	return b, nil
}
