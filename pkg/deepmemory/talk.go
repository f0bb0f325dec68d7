package deepmemory

import (
	"errors"
	"slices"
	"strconv"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/random"
)

// talk is a conversation of some sessions with one question about each.
type talk struct {
	*toy.World
	asked []dialogue.Question // by session
	facts []int               // stated in each session
}

// world are the toy's parameters without anything that is said twice or changes:
// one message has the answer.
func (c Config) world() toy.Parameters {
	p := toy.DefaultParameters()
	p.Pairs, p.SessionPairs = c.Sessions*c.Pairs, c.Pairs
	p.MinChanges, p.MaxChanges, p.MinReplaced, p.MaxReplaced, p.Restated, p.Never = 0, 0, 0, 0, 0, 0
	return p
}

// errSilent: a session states nothing that could be asked for.
var errSilent = errors.New("nothing to ask about")

// attempts is how many conversations are drawn for one that fits.
const attempts = 200

// talks draws the conversations of a seed, only those that have something to ask
// about each session.
func (c Config) talks(seed random.Seed) ([]*talk, error) {
	var out []*talk
	for number := 0; len(out) < c.Dialogues; number++ {
		if number == attempts*(len(out)+1) {
			return nil, bad("%d sessions of %d pairs: none of %d conversations states something to ask for in each", c.Sessions, c.Pairs, number)
		}
		w, err := toy.New(c.world(), seed, number, c.Language)
		if err != nil {
			return nil, bad("%w", err)
		}
		switch t, err := c.ask(w); {
		case err == nil:
			out = append(out, t)
		case !errors.Is(err, errSilent):
			return nil, err
		}
	}
	return out, nil
}

// ask picks a question about each session.
func (c Config) ask(w *toy.World) (*talk, error) {
	t := &talk{World: w, asked: make([]dialogue.Question, c.Sessions), facts: make([]int, c.Sessions)}
	in := map[string]int{} // session by message
	first := w.Dialogue.Messages[0].Session
	for i := range w.Dialogue.Messages {
		m := &w.Dialogue.Messages[i]
		in[m.ID] = m.Session - first
		t.facts[m.Session-first] += len(m.Facts)
	}
	about := make([][]dialogue.Question, c.Sessions)
	for i := range w.Dialogue.Questions {
		q := &w.Dialogue.Questions[i]
		if len(q.Needs) != 1 || len(q.Needs[0].Messages) != 1 { // two hops need two
			continue
		}
		s := in[q.Needs[0].Messages[0]]
		about[s] = append(about[s], *q)
	}
	if slices.ContainsFunc(about, func(qs []dialogue.Question) bool { return len(qs) == 0 }) {
		return nil, errSilent
	}
	rng := w.Stream("deepmemory", "questions")
	for s, qs := range about {
		t.asked[s] = qs[rng.IntN(len(qs))]
	}
	return t, nil
}

// opening begins the session in which the questions are asked. It is as long as
// the agent's queue, so that nothing said before is still in view.
func (t *talk) opening() *dialogue.Message {
	last := &t.Dialogue.Messages[len(t.Dialogue.Messages)-1]
	text := "Hello."
	if t.Dialogue.Language == "zh" {
		text = "你好。"
	}
	return &dialogue.Message{
		ID: "opening " + strconv.Itoa(last.Session+1), Session: last.Session + 1, Time: last.Time.AddDate(0, 0, 4),
		Role: dialogue.User, Text: text, Tokens: t.longest(),
	}
}

// longest is the length of the longest message.
func (t *talk) longest() int {
	n := 0
	for i := range t.Dialogue.Messages {
		n = max(n, t.Dialogue.Messages[i].Tokens)
	}
	return n
}
