package toy

import (
	"fmt"
	"strings"
)

// A vocabulary is all words of one language. In its sentences {v} stands for a
// value, {a} for a value with its article, {p} for a person.
type vocabulary struct {
	attributes [attributes]attributeWords // hometown first, the job first of those that change
	roles      [roles]roleWords
	personal   [types]factWords // hometown and job
	places     []string         // for hometowns and cities
	jobs       []string
	given      []string
	family     []string
	name       func(given, family string) string
	user       chatter // what the user says besides
	assistant  chatter
	between    string // what stands between two sentences
}

// factWords are the ways to say a fact. None of its sentences tells whether
// the fact is a change, so that a first statement and a repetition look alike.
type factWords struct {
	relation string
	fact     string // as a memory would write it
	said     []string
}

type attributeWords struct {
	factWords
	values            []string // nil: from places or jobs
	mention           []string // the topic without an answer
	current, previous string   // questions; none for the previous value of what never changes
	never             neverWords
}

// neverWords are about something near an attribute, which nobody says.
type neverWords struct{ relation, question string }

type roleWords struct {
	factWords
	mention           []string
	current, previous string
	hop               [types]string // questions for the hometown and the job of who holds it
}

// chatter is small talk: any beginning with any ending.
type chatter struct{ begin, end []string }

// The attributes whose values come from the lists for persons too.
const (
	hometown = 0
	job      = statics
	city     = statics + 1
)

var vocabularies = map[string]*vocabulary{"en": &english, "zh": &chinese}

// Languages lists what New takes.
func Languages() []string { return []string{"en", "zh"} }

func vocabularyOf(language string) (*vocabulary, error) {
	if v := vocabularies[language]; v != nil {
		return v, nil
	}
	return nil, bad("language %q: want one of %q", language, Languages())
}

// serves says whether there are words enough for the longest conversation that the
// parameters allow, as no value comes twice.
func (v *vocabulary) serves(p Parameters, language string) error {
	values, persons := p.mostValues(), p.mostPersons()
	short := func(what string, has, want int, why string) error {
		if has >= want {
			return nil
		}
		return bad("scale %d with max_changes %d and max_replaced %d: up to %d %s (%s), and the vocabulary %q has %d: want a smaller scale or fewer changes",
			p.Scale, p.MaxChanges, p.MaxReplaced, want, what, why, language, has)
	}
	if err := short("given names", len(v.given), persons, "one for each person"); err != nil {
		return err
	}
	if err := short("places", len(v.places), 1+values+persons, "hometown, cities and persons' hometowns"); err != nil {
		return err
	}
	if err := short("jobs", len(v.jobs), values+persons, "the user's and persons' jobs"); err != nil {
		return err
	}
	for i := statics; i < attributes; i++ {
		a := &v.attributes[i]
		if a.values == nil {
			continue
		}
		if err := short(fmt.Sprintf("values of %q", a.relation), len(a.values), values, "one after each change"); err != nil {
			return err
		}
	}
	return nil
}

// fill puts value and person into a sentence.
func fill(sentence, person, value string) string {
	s := strings.ReplaceAll(sentence, "{p}", person)
	if strings.Contains(s, "{a}") {
		s = strings.ReplaceAll(s, "{a}", article(value)+" "+value)
	}
	return strings.ReplaceAll(s, "{v}", value)
}

func article(word string) string {
	if strings.ContainsRune("aeiouAEIOU", rune(word[0])) {
		return "an"
	}
	return "a"
}

// words splits a list at its commas, sentences at its bars and line ends.
func words(text string) []string     { return split(text, ",、\n") }
func sentences(text string) []string { return split(text, "|\n") }

func split(text, at string) []string {
	var out []string
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(at, r) }) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
