package playbook

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape writes a text in one line: \n and \r, \\ for a backslash, \s for a space
// at either end, \u{hex} for other characters that cannot be seen or that some
// programs take for the end of a line.
func escape(s string) string {
	if plain(s) {
		return s
	}
	var out strings.Builder
	for i, r := range s {
		switch {
		case r == '\\':
			out.WriteString(`\\`)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r == ' ' && (i == 0 || i == len(s)-1):
			out.WriteString(`\s`)
		case hidden(r):
			fmt.Fprintf(&out, `\u{%x}`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// plain: nothing is to be escaped.
func plain(s string) bool {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' {
		return s == ""
	}
	for _, r := range s {
		if r == '\\' || hidden(r) {
			return false
		}
	}
	return true
}

// hidden: a control character, or a space other than the usual one. Joiners of
// emoji and of Indic scripts stay.
func hidden(r rune) bool {
	if r < 0x80 {
		return r < ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || unicode.IsSpace(r) || r == '\ufeff'
}

// unescape reads what escape writes. A backslash before anything else stays, so
// that texts that nobody escaped keep theirs.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case '\\':
			out.WriteByte('\\')
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case 's':
			out.WriteByte(' ')
		case 'u':
			if r, n := code(s[i+1:]); n > 0 {
				out.WriteRune(r)
				i += n
				continue
			}
			out.WriteString(`\u`)
		default:
			out.WriteByte('\\')
			out.WriteByte(s[i])
		}
	}
	return out.String()
}

// code reads {hex} and returns its length, 0 if it is something else.
func code(s string) (rune, int) {
	end := strings.IndexByte(s, '}')
	if end < 2 || end > 7 || s[0] != '{' {
		return 0, 0
	}
	var r rune
	for _, c := range s[1:end] {
		digit := strings.IndexRune("0123456789abcdef", c)
		if digit < 0 {
			return 0, 0
		}
		r = r<<4 | rune(digit)
	}
	if !utf8.ValidRune(r) {
		return 0, 0
	}
	return r, end + 1
}
