package toy

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// everySaid yields the sentences that state facts.
func (v *vocabulary) everySaid() []factWords {
	var out []factWords
	for i := range v.attributes {
		out = append(out, v.attributes[i].factWords)
	}
	for j := range v.roles {
		out = append(out, v.roles[j].factWords)
	}
	return append(out, v.personal[:]...)
}

// values of all attributes and persons, which have to be told apart.
func (v *vocabulary) everyValue() []string {
	out := slices.Concat(v.places, v.jobs)
	for i := range v.attributes {
		out = append(out, v.attributes[i].values...)
	}
	return out
}

func unique(t *testing.T, what string, list []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range list {
		if seen[s] || strings.TrimSpace(s) != s || s == "" {
			t.Errorf("%s: %q twice, or with space around it", what, s)
		}
		seen[s] = true
	}
}

func TestVocabulariesServeAllScalesOfDemo4(t *testing.T) {
	for language, v := range vocabularies {
		p := DefaultParameters()
		p.Scale = 8
		if err := v.serves(p, language); err != nil {
			t.Error(err)
		}
	}
}

func TestNoWordStandsForTwoThings(t *testing.T) {
	for language, v := range vocabularies {
		unique(t, language+" values", v.everyValue())
		unique(t, language+" given names", v.given)
		unique(t, language+" family names", v.family)
		var relations, questions []string
		for i := range v.attributes {
			a := &v.attributes[i]
			relations, questions = append(relations, a.relation, a.never.relation), append(questions, a.current, a.never.question)
			if (a.previous != "") != (i >= statics) {
				t.Errorf("%s: %q: previous %q: want one for what changes only", language, a.relation, a.previous)
			}
			if i >= statics {
				questions = append(questions, a.previous)
			}
		}
		for j := range v.roles {
			r := &v.roles[j]
			relations, questions = append(relations, r.relation), append(questions, r.current, r.previous, r.hop[0], r.hop[1])
		}
		unique(t, language+" relations", relations)
		unique(t, language+" questions", questions)
		if v.attributes[hometown].relation != v.personal[0].relation || v.attributes[job].relation != v.personal[1].relation {
			t.Errorf("%s: the user's hometown and job are called otherwise than a person's", language)
		}
	}
}

// Whoever reads "now" or "still" knows whether the statement is a change.
func TestNoSentenceTellsAChangeFromARepetition(t *testing.T) {
	giveaway := map[string]*regexp.Regexp{
		"en": regexp.MustCompile(`(?i)\b(new|now|nowadays|still|again|any ?more|no longer|moved|switched|changed?|replaced|recently|lately|since|yet|already|used to|former|ex|these days|just|finally|another|another's)\b`),
		"zh": regexp.MustCompile(`现在|如今|目前|还是|仍|依然|又|再也|不再|换|搬|改|新|刚|最近|终于|已经|以前|之前|原先|后来|另一`),
	}
	for language, v := range vocabularies {
		for _, w := range v.everySaid() {
			unique(t, w.relation, w.said)
			if len(w.said) < 3 {
				t.Errorf("%s: %q: %d sentences: want 3 or more, as a repetition takes neither the first nor the last", language, w.relation, len(w.said))
			}
			for _, s := range w.said {
				if found := giveaway[language].FindString(s); found != "" {
					t.Errorf("%s: %q gives away by %q", language, s, found)
				}
			}
		}
	}
}

func TestSentencesHaveTheirGaps(t *testing.T) {
	value := regexp.MustCompile(`\{[av]\}`)
	for language, v := range vocabularies {
		for i := range v.attributes {
			for _, s := range append([]string{v.attributes[i].fact}, v.attributes[i].said...) {
				if !value.MatchString(s) || strings.Contains(s, "{p}") {
					t.Errorf("%s: %q: want a value and no person", language, s)
				}
			}
		}
		for j := range v.roles {
			for _, s := range append([]string{v.roles[j].fact}, v.roles[j].said...) {
				if !strings.Contains(s, "{p}") || value.MatchString(s) {
					t.Errorf("%s: %q: want a person and no value", language, s)
				}
			}
		}
		for i := range v.personal {
			for _, s := range append([]string{v.personal[i].fact}, v.personal[i].said...) {
				if !strings.Contains(s, "{p}") || !value.MatchString(s) {
					t.Errorf("%s: %q: want a person and a value", language, s)
				}
			}
		}
	}
}

// A mention of a topic and small talk hold no value.
func TestWhatStatesNothingNamesNoValue(t *testing.T) {
	for language, v := range vocabularies {
		texts := slices.Concat(v.user.begin, v.user.end, v.assistant.begin, v.assistant.end)
		for i := range v.attributes {
			texts = append(texts, v.attributes[i].mention...)
		}
		for j := range v.roles {
			texts = append(texts, v.roles[j].mention...)
		}
		unique(t, language, texts)
		words := append(v.everyValue(), v.given...)
		for _, s := range texts {
			for _, word := range words {
				if i := strings.Index(s, word); i >= 0 && alone(s, i, len(word)) {
					t.Errorf("%s: %q names %q", language, s, word)
				}
			}
		}
		if n, m := len(v.user.begin)*len(v.user.end), len(v.assistant.begin)*len(v.assistant.end); n < 300 || m < 300 {
			t.Errorf("%s: %d and %d combinations of small talk: want several hundred each", language, n, m)
		}
	}
}

// alone says whether the word is not a part of a longer Latin one.
func alone(s string, at, n int) bool {
	latin := func(i int) bool {
		return i >= 0 && i < len(s) && s[i] < unicode.MaxASCII && unicode.IsLetter(rune(s[i]))
	}
	return (!latin(at-1) || !latin(at)) && (!latin(at+n) || !latin(at+n-1))
}

func TestEachLanguageIsWrittenInItsScript(t *testing.T) {
	han := regexp.MustCompile(`\p{Han}`)
	for language, v := range vocabularies {
		texts := slices.Concat(v.places, v.jobs, v.given, v.family, v.user.begin, v.user.end, v.assistant.begin, v.assistant.end)
		for _, w := range v.everySaid() {
			texts = append(append(texts, w.relation, w.fact), w.said...)
		}
		for _, s := range texts {
			if han.MatchString(s) != (language == "zh") {
				t.Errorf("%s: %q", language, s)
			}
		}
	}
}

func TestArticles(t *testing.T) {
	for value, want := range map[string]string{"electrician": "an electrician", "baker": "a baker", "iPhone 14": "an iPhone 14", "Opel Astra": "an Opel Astra"} {
		if got := fill("{a}", "", value); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	// Words whose sound and first letter disagree would get the wrong one.
	odd := regexp.MustCompile(`(?i)^(uni|use|usu|eu|one|hour|hono|heir|x)`)
	for _, word := range english.everyValue() {
		if odd.MatchString(word) && !slices.Contains(english.places, word) && word != "xylophone" {
			t.Errorf("%q: want a word whose first letter shows its article", word)
		}
	}
}
