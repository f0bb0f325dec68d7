package toy

import (
	"fmt"

	"memlab/pkg/dialogue"
)

// asked is a question and what it means.
type asked struct {
	dialogue.Question
	about meaning
}

// questions asks for the current value of each key, for the previous one where there
// is one, for the two facts about whoever holds a role, and for what nobody said.
func (c *cast) questions(d *plan, messages []dialogue.Message) []asked {
	stated := map[string][]string{} // ids of the messages, by the fact's text
	for i := range messages {
		for _, f := range messages[i].Facts {
			stated[f.Text] = append(stated[f.Text], messages[i].ID)
		}
	}
	var out []asked
	ask := func(kind dialogue.Kind, about meaning, text string, path []string, facts ...dialogue.Fact) *asked {
		a := asked{about: about, Question: dialogue.Question{Kind: kind, Query: dialogue.Query{
			ID: fmt.Sprintf("q%03d", len(out)+1), Text: text, Subject: dialogue.Me, Path: path, Past: kind == dialogue.Previous,
		}}}
		for _, f := range facts {
			a.Needs = append(a.Needs, dialogue.Need{Fact: f, Messages: stated[f.Text]})
		}
		out = append(out, a)
		return &out[len(out)-1]
	}

	keys := c.keys(d)
	for _, k := range keys {
		now := k.facts[len(k.facts)-1]
		ask(dialogue.Current, k.about, k.current, []string{now.Relation}, now).Answer = now.Object
	}
	for _, k := range keys {
		if n := len(k.facts); n > 1 {
			before, now := k.facts[n-2], k.facts[n-1]
			ask(dialogue.Previous, k.about, k.previous, []string{now.Relation}, before, now).Answer = before.Object
		}
	}
	for j := range d.roles {
		edge, who := keys[attributes+j].facts, d.base[j]+len(d.roles[j])-1
		for t := range types {
			f := c.fact(meaning{topic: personal, index: t, person: who}, 0)
			r := &c.words.roles[j]
			ask(dialogue.TwoHop, meaning{topic: twoHop, index: j*types + t}, r.hop[t], []string{r.relation, f.Relation},
				edge[len(edge)-1], f).Answer = f.Object
		}
	}
	for _, i := range d.never {
		a := &c.words.attributes[i]
		ask(dialogue.Never, meaning{topic: near, index: i}, a.never.question, []string{a.never.relation}).Near =
			&dialogue.Key{Subject: dialogue.Me, Relation: a.relation}
	}
	return out
}

// key is an attribute or a role with the values it takes, in their order.
type key struct {
	about             meaning
	facts             []dialogue.Fact
	current, previous string // questions
}

func (c *cast) keys(d *plan) []key {
	var out []key
	for i := range d.attributes {
		w := &c.words.attributes[i]
		k := key{about: meaning{topic: attribute, index: i}, current: w.current, previous: w.previous}
		for n := range d.attributes[i] {
			k.facts = append(k.facts, c.fact(k.about, n))
		}
		out = append(out, k)
	}
	for j := range d.roles {
		w := &c.words.roles[j]
		k := key{about: meaning{topic: role, index: j}, current: w.current, previous: w.previous}
		for n := range d.roles[j] {
			k.facts = append(k.facts, c.fact(meaning{topic: holder, index: j, person: d.base[j] + n}, 0))
		}
		out = append(out, k)
	}
	return out
}
