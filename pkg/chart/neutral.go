package chart

import (
	"strings"
	"unicode"
)

// symbols are the words without a digit that read the same in both languages:
// units and the letters of formulas.
var symbols = map[string]bool{
	"B": true, "kB": true, "s": true, "ms": true, "µs": true, "ns": true,
	"min": true, "h": true, "W": true, "Hz": true, "FLOP": true,
	"KiB": true, "MiB": true, "GiB": true, "TiB": true,
	"J": true, "k": true, "K": true, "M": true, "N": true, "n": true, "p": true, "Q": true, "V": true, "x": true,
}

// Neutral reports whether a text needs no translation: each of its words is a
// number or sign (no letter), a unit or symbol, or a proper name that shows as
// one by a digit or two capitals (H100, mem0, Llama-3-8B, RAG, vLLM, MemGPT).
// A word whose hyphenated parts hold a plain lower-case word ("vLLM-style") is
// not neutral; a name without digit or capitals goes into zh.json as itself.
func Neutral(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("/(),:;+=·→<>", r)
	})
	for _, w := range words {
		if !neutralWord(w) {
			return false
		}
	}
	return true
}

func neutralWord(w string) bool {
	if symbols[w] || !strings.ContainsFunc(w, unicode.IsLetter) {
		return true
	}
	capitals, digits := 0, 0
	for _, r := range w {
		if unicode.Is(unicode.Han, r) {
			return false
		}
		if unicode.IsUpper(r) {
			capitals++
		}
		if unicode.IsDigit(r) {
			digits++
		}
	}
	for part := range strings.SplitSeq(w, "-") {
		if len(part) >= 3 && !strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLower(r) }) {
			return false
		}
	}
	return digits > 0 || capitals >= 2
}
