package toy

import (
	"fmt"
	"math/rand/v2"
	"time"

	"memlab/pkg/dialogue"
)

// The clock of a conversation: a message every half minute, a session every fourth
// day. Nothing in the lecture depends on it but the order.
const (
	messageEvery = 30 * time.Second
	sessionEvery = 4 * 24 * time.Hour
)

var start = time.Date(2025, time.January, 6, 18, 0, 0, 0, time.UTC)

// messages puts the plan into words.
func (c *cast) messages(d *plan, p Parameters, r *rand.Rand) []dialogue.Message {
	out := make([]dialogue.Message, 0, len(d.tokens))
	t := talk{cast: c, r: r, used: map[string]wording{}}
	next := 0
	for pair, about := range d.topics {
		var user string
		var facts []dialogue.Fact
		switch {
		case next < len(d.statements) && d.statements[next].pair == pair:
			s := d.statements[next]
			f := c.fact(s.about, s.version)
			user, facts = t.state(s.about, f), []dialogue.Fact{f}
			next++
		case about.topic == attribute:
			user = t.pick(c.words.attributes[about.index].mention)
		case about.topic == role:
			user = t.pick(c.words.roles[about.index].mention)
		default:
			user = t.chat(c.words.user)
		}
		for i, text := range []string{user, t.chat(c.words.assistant)} {
			n := len(out)
			m := dialogue.Message{ID: messageID(n), Session: 1 + pair/p.SessionPairs, Role: dialogue.User, Text: text, Tokens: d.tokens[n]}
			m.Time = start.Add(time.Duration(m.Session-1)*sessionEvery + time.Duration(n%(2*p.SessionPairs))*messageEvery)
			if i == 1 {
				m.Role = dialogue.Assistant
			} else {
				m.Facts = facts
			}
			out = append(out, m)
		}
	}
	return out
}

func messageID(n int) string { return fmt.Sprintf("m%04d", n+1) }

// talk chooses sentences.
type talk struct {
	*cast
	r    *rand.Rand
	used map[string]wording // by the fact's text
}

// wording is which sentences stated a fact the first and the last time.
type wording struct{ first, last int }

func (t *talk) pick(from []string) string { return from[t.r.IntN(len(from))] }

func (t *talk) chat(c chatter) string {
	return t.pick(c.begin) + t.words.between + t.pick(c.end)
}

// state words a statement. The first of a fact and its repetitions have the same
// sentences to choose from; a repetition takes another than the first one's and
// the last one's.
func (t *talk) state(about meaning, f dialogue.Fact) string {
	said := t.said(about)
	i := t.r.IntN(len(said))
	if w, repeated := t.used[f.Text]; repeated {
		for i == w.first || i == w.last {
			i = t.r.IntN(len(said))
		}
		t.used[f.Text] = wording{w.first, i}
	} else {
		t.used[f.Text] = wording{i, i}
	}
	person, value := f.Subject, f.Object
	if about.topic == holder {
		person = f.Object
	}
	return fill(said[i], person, value)
}
