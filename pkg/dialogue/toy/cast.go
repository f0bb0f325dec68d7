package toy

import (
	"math/rand/v2"

	"memlab/pkg/dialogue"
)

// A cast is the names and values of one conversation in one language. No value
// comes twice: a stale answer is never right by chance.
type cast struct {
	words  *vocabulary
	names  []string
	values [attributes][]string
	of     [types][]string // hometown and job of each person
}

func newCast(v *vocabulary, d *plan, r *rand.Rand) *cast {
	c := &cast{words: v}
	given := shuffled(v.given, r)
	for i := range d.persons {
		c.names = append(c.names, v.name(given[i], v.family[r.IntN(len(v.family))]))
	}
	places, jobs := shuffled(v.places, r), shuffled(v.jobs, r)
	take := func(from *[]string, n int) []string {
		taken := (*from)[:n]
		*from = (*from)[n:]
		return taken
	}
	for i := range c.values {
		n := len(d.attributes[i])
		switch i {
		case hometown, city:
			c.values[i] = take(&places, n)
		case job:
			c.values[i] = take(&jobs, n)
		default:
			c.values[i] = shuffled(v.attributes[i].values, r)[:n]
		}
	}
	c.of = [types][]string{take(&places, d.persons), take(&jobs, d.persons)}
	return c
}

func shuffled(list []string, r *rand.Rand) []string {
	out := make([]string, len(list))
	for i, j := range r.Perm(len(list)) {
		out[i] = list[j]
	}
	return out
}

// fact is what a statement states: version matters for attributes only, as a role
// has its versions in the person.
func (c *cast) fact(about meaning, version int) dialogue.Fact {
	switch about.topic {
	case attribute:
		w, value := &c.words.attributes[about.index], c.values[about.index][version]
		return dialogue.Fact{Subject: dialogue.Me, Relation: w.relation, Object: value, Text: fill(w.fact, "", value)}
	case holder:
		w, name := &c.words.roles[about.index], c.names[about.person]
		return dialogue.Fact{Subject: dialogue.Me, Relation: w.relation, Object: name, Type: dialogue.Person, Text: fill(w.fact, name, "")}
	default:
		w, name, value := &c.words.personal[about.index], c.names[about.person], c.of[about.index][about.person]
		return dialogue.Fact{Subject: name, Relation: w.relation, Object: value, Text: fill(w.fact, name, value)}
	}
}

// said are the ways to state a fact in a conversation.
func (c *cast) said(about meaning) []string {
	switch about.topic {
	case attribute:
		return c.words.attributes[about.index].said
	case holder:
		return c.words.roles[about.index].said
	default:
		return c.words.personal[about.index].said
	}
}
