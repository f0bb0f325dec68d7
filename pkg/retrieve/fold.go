package retrieve

import "unicode"

// fold brings the ways to write one character together: lower case, full-width
// letters and digits, half-width Katakana, letters whose accent is a character
// of its own, curly apostrophes. What cannot be seen (joiners, direction and
// variation marks) is dropped. It covers what users type, not all of Unicode's
// NFKC: ① and 1, 繁 and 简 stay apart.
func fold(text string) []rune {
	out := make([]rune, 0, len(text))
	base := gap // what the marks that follow belong to
	for _, r := range text {
		r = foldRune(r)
		if r == 0 {
			continue
		}
		if n := len(out); n > 0 {
			if c, ok := compose(out[n-1], r); ok {
				out[n-1] = c
				continue
			}
		}
		if k := kindOf(r); k != mark {
			base = k
		} else if !carries(base, r) {
			continue
		}
		out = append(out, r)
	}
	return out
}

// carries says whether a letter of kind base can bear mark r. A mark foreign to
// an unspaced script says nothing that a search needs.
func carries(base kind, r rune) bool {
	return base == spaced || base == dense && unicode.In(r, unspaced...)
}

// foldRune folds one character; 0 means to drop it.
func foldRune(r rune) rune {
	switch {
	case r < 0x80:
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	case isIdeograph(r):
		return r
	case r == '’' || r == 'ʼ' || r == '＇':
		return '\''
	case '０' <= r && r <= '９':
		return r - '０' + '0'
	case 'Ａ' <= r && r <= 'Ｚ':
		return r - 'Ａ' + 'a'
	case 'ａ' <= r && r <= 'ｚ':
		return r - 'ａ' + 'a'
	case 'ｦ' <= r && r <= 'ﾟ':
		return fullKana[r-'ｦ']
	case 0xFE00 <= r && r <= 0xFE0F, 0xE0100 <= r && r <= 0xE01EF: // variation selectors
		return 0
	case unicode.Is(unicode.Me, r): // the box of a keycap
		return 0
	case unicode.Is(unicode.Cf, r) && r != '\u200B': // the zero-width space is a space
		return 0
	}
	return unicode.ToLower(unicode.ToUpper(r)) // by way of the capital: ς and σ become one
}

// fullKana are the full-width forms of U+FF66 to U+FF9F, in their order; the
// last two are the voicing marks, which compose.
var fullKana = []rune("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309A")

// accents lists, for each combining mark, letters without and with it.
var accents = map[rune]string{
	0x300:  "aàeèiìoòuùnǹwẁyỳüǜ",
	0x301:  "aáeéiíoóuúyýcćnńsśzźlĺrŕgǵwẃüǘαάεέηήιίοόυύωώϊΐϋΰгѓкќ",
	0x302:  "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷ",
	0x303:  "aãeẽiĩnñoõuũyỹ",
	0x304:  "aāeēiīoōuūyȳüǖ",
	0x306:  "aăeĕgğiĭoŏuŭийуў",
	0x307:  "cċeėgġzżaȧoȯ",
	0x308:  "aäeëiïoöuüyÿιϊυϋеёії",
	0x30A:  "aåuů",
	0x30B:  "oőuű",
	0x30C:  "aǎcčdďeěgǧiǐlľnňoǒrřsštťuǔzžüǚ",
	0x323:  "aạeẹiịoọuụyỵ",
	0x327:  "cçgģkķlļnņrŗsştţ",
	0x328:  "aąeęiįoǫuų",
	0x3099: "かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼうゔカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボウヴ",
	0x309A: "はぱひぴふぷへぺほぽハパヒピフプヘペホポ",
}

var composed = func() map[[2]rune]rune {
	m := map[[2]rune]rune{}
	for mark, list := range accents {
		pairs := []rune(list)
		for i := 0; i+1 < len(pairs); i += 2 {
			m[[2]rune{pairs[i], mark}] = pairs[i+1]
		}
	}
	return m
}()

// compose joins a letter and the mark after it, or the parts of a Hangul
// syllable (by the arithmetic of the Unicode standard, section 3.12).
func compose(a, b rune) (rune, bool) {
	if b < 0x300 { // before the first mark: the usual case, kept short
		return 0, false
	}
	const firstL, firstV, firstT, firstS, nL, nV, nT = 0x1100, 0x1161, 0x11A7, 0xAC00, 19, 21, 28
	if l, v := a-firstL, b-firstV; 0 <= l && l < nL && 0 <= v && v < nV {
		return firstS + (l*nV+v)*nT, true
	}
	if s, t := a-firstS, b-firstT; 0 <= s && s < nL*nV*nT && s%nT == 0 && 0 < t && t < nT {
		return a + t, true
	}
	if !unicode.IsMark(b) {
		return 0, false
	}
	c, ok := composed[[2]rune{a, b}]
	return c, ok
}
