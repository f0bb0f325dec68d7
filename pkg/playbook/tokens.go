package playbook

import (
	"unicode"
)

// Counter counts the tokens of a text; any tokenizer will do.
type Counter func(text string) int

// EstimateTokens counts without a tokenizer: one token for every four letters or
// digits of a word, begun or full, one for each character of Chinese, Japanese or
// Korean, one for each other sign, none for spaces. English comes out some percent
// too long, which is the safe side for a budget.
func EstimateTokens(text string) int {
	tokens, word := 0, 0
	for _, r := range text {
		switch {
		case r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'):
			if word%4 == 0 {
				tokens++
			}
			word++
			continue
		case r <= ' ':
		case r < 0x80:
			tokens++
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			tokens++
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			if word%4 == 0 {
				tokens++
			}
			word++
			continue
		case !unicode.IsSpace(r):
			tokens++
		}
		word = 0
	}
	return tokens
}
