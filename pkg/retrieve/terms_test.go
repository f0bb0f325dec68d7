package retrieve

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words in lower case", "The Quick brown FOX", "the quick brown fox"},
		{"punctuation parts", "end. Start,next;(in)—out…", "end start next in out"},
		{"hyphens part", "GPT-4o mini, state-of-the-art", "gpt 4o mini state of the art"},
		{"the possessive falls", "Alex's dog, James' cat, Alex’s and ALEX'S", "alex dog james cat alex and alex"},
		{"contractions close up", "don't it's O'Brien rock'n'roll ’tis", "dont it obrien rocknroll tis"},
		{"quotes are no apostrophes", "'quoted' ''x'' '", "quoted x"},
		{"a possessive alone is a letter", "'s s", "s s"},
		{"numbers are kept", "7 apples, 42nd, 2023-05-07", "7 apples 42nd 2023 05 07"},
		{"thousands close up", "1,000 and 12,345,678 but 1,2 and 1234,567 and 1,0000", "1000 and 12345678 but 1 2 and 1234 567 and 1 0000"},
		{"decimals part", "3.14", "3 14"},
		{"accents stay", "Café Zürich", "café zürich"},
		{"decomposed accents are composed", "Cafe\u0301 Zu\u0308rich", "café zürich"},
		{"Greek sigma is one letter", "ΟΔΟΣ οδός οδοσ", "οδοσ οδόσ οδοσ"},
		{"Cyrillic", "Привет, Мир", "привет мир"},
		{"Arabic with vowel marks, and Hebrew", "مَرحبا שלום", "مَرحبا שלום"},
		{"Hindi keeps its vowel signs", "नमस्ते दुनिया", "नमस्ते दुनिया"},

		{"Chinese in pairs", "我喜欢喝绿茶。", "我喜 喜欢 欢喝 喝绿 绿茶"},
		{"Chinese punctuation parts", "你好，世界！「早」", "你好 世界 早"},
		{"one character is itself", "茶", "茶"},
		{"a pair is itself", "绿茶", "绿茶"},
		{"Japanese across its scripts", "寿司を食べたい", "寿司 司を を食 食べ べた たい"},
		{"Katakana with its long vowel", "コーヒー", "コー ーヒ ヒー"},
		{"a middle dot parts", "トム・ハンクス", "トム ハン ンク クス"},
		{"repetition marks belong", "人々", "人々"},
		{"Korean words", "고양이를 좋아해", "고양 양이 이를 좋아 아해"},
		{"decomposed Hangul is composed", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"},
		{"a whole syllable takes no more", "각\u11a8", "각\u11a8"},
		{"decomposed Kana is composed", "か\u3099き", "がき"},
		{"half-width Katakana with voicing", "ｶﾞｷﾞ ﾊﾟﾝ", "ガギ パン"},
		{"full-width letters and digits", "ＧＰＴ４ Ａｌｅｘ＇ｓ", "gpt4 alex"},
		{"rare ideographs", "𠮷野家", "𠮷野 野家"},
		{"Thai in pairs of letters with their marks", "น้ำดี", "น้ำ ำดี"},

		{"mixed without spaces", "用GPT4写Go代码v2", "用 gpt4 写 go 代码 v2"},
		{"mixed with numbers", "2023年5月7日去了3次Paris", "2023 年 5 月 7 日去 去了 3 次 paris"},
		{"a Chinese possessive", "Alex's猫", "alex 猫"},
		{"emoji", "生日快乐🎂🎉 yay ❤️", "生日 日快 快乐 🎂 🎉 yay ❤"},
		{"joined and coloured emoji", "👩‍💻👍🏽", "👩 💻 👍"},
		{"a keycap is its digit", "1️⃣", "1"},
		{"invisible characters", "\ufeffso\u00adft\u200bware", "soft ware"},
		{"an ideograph's variant", "葛\U000E0100城", "葛城"},
		{"broken UTF-8", "ab\xffcd \xe4\xbd", "ab cd"},
		{"a stray mark", "\u0301 \u0301a", "a"},
		{"nothing", "", ""},
		{"punctuation only", "?!。、— \t\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Terms(c.text)
			if want := strings.Fields(c.want); !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", c.text, got, want)
			}
		})
	}
}

// mem0#4884, mem0#6717: Chinese text came out as an empty query.
func TestNoTextWithALetterIsEmpty(t *testing.T) {
	for _, text := range []string{"用户喜欢绿茶", "茶", "周末去爬山吗？", "今日は", "ネコ", "고양이", "ไทย", "ㄅ", "〇", "々", "ー", "é", "ß", "ʻ", "Ⅳ", "①", "😀"} {
		if len(Terms(text)) == 0 {
			t.Errorf("%q has no term", text)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"Alex's dog", "我喜欢喝绿茶", "ｶﾞ1,000 don't", "👩‍💻❤️1️⃣", "น้ำดี", "\xff\u0301", "İIıß", "\u1112\u1161\u11ab", "1,234,567'8"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := Terms(text)
		for _, term := range terms {
			if term == "" || !utf8.ValidString(term) || strings.ContainsAny(term, " ',.\n") {
				t.Fatalf("%q: term %q", text, term)
			}
		}
		if again := Terms(strings.Join(terms, " ")); !slices.Equal(again, terms) {
			t.Fatalf("%q: its terms %q have the terms %q", text, terms, again)
		}
		visible := slices.ContainsFunc(fold(text), func(r rune) bool {
			k := kindOf(r)
			return k == spaced || k == dense || k == symbol
		})
		if visible != (len(terms) > 0) {
			t.Fatalf("%q: %d terms", text, len(terms))
		}
		if twice := Terms(text + " " + text); !slices.Equal(twice, slices.Concat(terms, terms)) {
			t.Fatalf("%q twice: %q", text, twice)
		}
	})
}
