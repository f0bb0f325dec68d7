package retrieve

import "unicode"

// unspaced are the scripts whose words no space parts, and Hangul, whose words
// carry their particles with them.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// kind is what a folded character means to the tokenizer.
type kind int

const (
	gap    kind = iota // spaces, punctuation, signs
	spaced             // letters and digits of scripts with spaces
	dense              // letters and digits of unspaced scripts
	mark               // belongs to the letter before it
	symbol             // emoji and other pictures: a term each
)

func kindOf(r rune) kind {
	switch {
	case r < 0x80:
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return spaced
		}
		return gap
	case isIdeograph(r):
		return dense
	case unicode.IsMark(r):
		return mark
	case r == 'ー' || r == '〆': // of no script of their own
		return dense
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		if unicode.In(r, unspaced...) {
			return dense
		}
		return spaced
	case unicode.Is(unicode.So, r) && r != unicode.ReplacementChar:
		return symbol
	}
	return gap
}

// isIdeograph knows the common ones without a search in tables.
func isIdeograph(r rune) bool { return 0x4E00 <= r && r <= 0x9FFF }
