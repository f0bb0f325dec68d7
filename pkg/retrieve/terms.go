package retrieve

import "strings"

// Terms cuts a text into the terms that BM25 counts, in their order.
//
//   - Words of scripts with spaces are runs of letters and digits in lower case:
//     "GPT-4o mini" is gpt, 4o, mini. Nothing is stemmed, no stop word removed.
//   - The possessive 's falls ("Alex's" is alex, "it's" is it), other
//     apostrophes inside a word close up ("don't" is dont, "O'Brien" obrien).
//   - Digits are kept, separators of thousands fall ("1,000" is 1000), other
//     separators part: "3.14" is 3, 14, and a date is its three numbers.
//   - Chinese, Japanese and Korean (and Thai, Lao, Khmer, Burmese), which no
//     space parts into words, are overlapping pairs of characters within each run:
//     "喝绿茶" is 喝绿, 绿茶. A run of one character is that character.
//   - Emoji and other symbols are a term each. Punctuation and white space part.
//
// Full-width and half-width forms, capitals and decomposed accents are folded.
// A text with a letter, a digit or an emoji in it always has a term.
func Terms(text string) []string {
	var out []string
	for _, t := range scan(text) {
		if t.kind != inner {
			out = append(out, t.text)
		}
	}
	return out
}

// token is a term, or a single character inside a run of an unspaced script.
type token struct {
	text string
	kind tokenKind
}

type tokenKind int

const (
	word  tokenKind = iota // of letters with spaces between words; also a symbol
	pair                   // of an unspaced script; also a lone character
	inner                  // one character of a longer run: found, but no term of its own
)

func scan(text string) []token {
	rs := fold(text)
	var out []token
	for i := 0; i < len(rs); {
		switch kindOf(rs[i]) {
		case spaced:
			end := wordEnd(rs, i)
			out = append(out, token{cleanWord(string(rs[i:end])), word})
			i = end
		case dense:
			end := i + 1
			for end < len(rs) && (kindOf(rs[end]) == dense || kindOf(rs[end]) == mark) {
				end++
			}
			out = pairs(out, rs[i:end])
			i = end
		case symbol:
			out = append(out, token{string(rs[i]), word})
			i++
		default:
			i++
		}
	}
	return out
}

// wordEnd is where the word that starts at i ends.
func wordEnd(rs []rune, i int) int {
	number, grouped := true, false // digits only so far; with a separator of thousands
	start := i
	for ; i < len(rs); i++ {
		switch k := kindOf(rs[i]); {
		case k == spaced || k == mark:
			number = number && isDigit(rs[i])
		case rs[i] == '\'' && i+1 < len(rs) && kindOf(rs[i+1]) == spaced:
			number = false
		case rs[i] == ',' && number && (grouped || i-start <= 3) && threeDigits(rs[i+1:]):
			grouped = true
		default:
			return i
		}
	}
	return i
}

// threeDigits says whether exactly three digits come next.
func threeDigits(rs []rune) bool {
	for i := range 3 {
		if i >= len(rs) || !isDigit(rs[i]) {
			return false
		}
	}
	return len(rs) == 3 || kindOf(rs[3]) != spaced
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func cleanWord(s string) string {
	if !strings.ContainsAny(s, "',") {
		return s
	}
	return withoutSigns.Replace(strings.TrimSuffix(s, "'s"))
}

var withoutSigns = strings.NewReplacer("'", "", ",", "")

// pairs appends the overlapping pairs of a run, and its characters.
func pairs(out []token, run []rune) []token {
	var chars []string // a letter with its marks
	for i := 0; i < len(run); {
		end := i + 1
		for end < len(run) && kindOf(run[end]) == mark {
			end++
		}
		chars = append(chars, string(run[i:end]))
		i = end
	}
	if len(chars) == 1 {
		return append(out, token{chars[0], pair})
	}
	for i, c := range chars {
		out = append(out, token{c, inner})
		if i > 0 {
			out = append(out, token{chars[i-1] + c, pair})
		}
	}
	return out
}
