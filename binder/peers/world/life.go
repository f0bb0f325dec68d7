package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/random"
	"memlab/pkg/retrieve"
)

const seed = random.Seed(0)

// life is a dialogue of many toy conversations in a row, the user's being the same in all:
// what one of them says about a key replaces what the earlier ones said. It is longer than
// the toy's vocabulary allows, as the values of each conversation get its number: "Ohio #3".
// The questions are those of the last one.
type life struct {
	dialogue dialogue.Dialogue
	worlds   []*toy.World
	vectors  map[string][]float32 // what was embedded before
}

// newLife makes a dialogue that many times as long as the lecture's of 26k tokens.
func newLife(times int) (*life, error) {
	l := &life{vectors: map[string][]float32{}}
	l.dialogue.Name, l.dialogue.Language = "life", "en"
	for n := range times {
		w, err := toy.New(toy.DefaultParameters(), seed, n, "en")
		if err != nil {
			return nil, err
		}
		l.worlds = append(l.worlds, w)
		l.append(w, n)
	}
	return l, nil
}

// append renames a conversation's messages and values, moves it behind the others, and
// takes over its questions in place of theirs.
func (l *life) append(w *toy.World, n int) {
	session, later := 0, time.Duration(0)
	if all := l.dialogue.Messages; len(all) > 0 {
		session = all[len(all)-1].Session
		later = all[len(all)-1].Time.Sub(w.Dialogue.Messages[0].Time) + time.Hour
	}
	for _, m := range w.Dialogue.Messages {
		m.ID, m.Session, m.Time = rename(m.ID, n), session+m.Session, m.Time.Add(later)
		facts := m.Facts
		m.Facts = nil
		for _, f := range facts {
			m.Facts = append(m.Facts, renamed(f, n))
		}
		l.dialogue.Messages = append(l.dialogue.Messages, m)
	}
	l.dialogue.Questions = nil
	for _, q := range w.Dialogue.Questions {
		if q.Answer != "" {
			q.Answer = rename(q.Answer, n)
		}
		needs := q.Needs
		q.Needs = nil
		for _, need := range needs {
			to := dialogue.Need{Fact: renamed(need.Fact, n)}
			for _, id := range need.Messages {
				to.Messages = append(to.Messages, rename(id, n))
			}
			q.Needs = append(q.Needs, to)
		}
		l.dialogue.Questions = append(l.dialogue.Questions, q)
	}
}

const mark = " #"

func rename(name string, n int) string { return name + mark + strconv.Itoa(n) }

func renamed(f dialogue.Fact, n int) dialogue.Fact {
	if f.Subject != dialogue.Me {
		f.Subject = rename(f.Subject, n)
	}
	f.Object, f.Text = rename(f.Object, n), rename(f.Text, n)
	return f
}

// origin undoes rename, in the middle of a text too: "Alex Kim #3 hometown" is "Alex Kim
// hometown" in conversation 3. What has no number is of the last one.
func (l *life) origin(text string) (string, *toy.World) {
	last := l.worlds[len(l.worlds)-1]
	before, after, found := strings.Cut(text, mark)
	if !found {
		return text, last
	}
	digits := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(after)
	}
	n, err := strconv.Atoi(after[:digits])
	if err != nil || n >= len(l.worlds) {
		return text, last
	}
	return before + after[digits:], l.worlds[n]
}

// Stream draws for a purpose.
func (l *life) Stream(names ...string) *rand.Rand { return seed.Stream(names...) }

// Dim and Embed make a life the embedder of its texts. It remembers all vectors: what an
// embedding costs is a model's affair, and here only what is done with it counts.
func (l *life) Dim() int { return toy.Dim }

// Embed implements retrieve.Embedder.
func (l *life) Embed(ctx context.Context, passages ...retrieve.Passage) ([][]float32, error) {
	out := make([][]float32, len(passages))
	for i := range passages {
		p := &passages[i]
		key := string(p.Role) + p.ID
		if p.Role != retrieve.Message && p.Role != retrieve.Chunk {
			key += "\n" + p.Text
		}
		v, known := l.vectors[key]
		if !known {
			made, err := l.make(ctx, *p)
			if err != nil {
				return nil, fmt.Errorf("%s %q: %w", p.Role, p.ID, err)
			}
			v = made
			l.vectors[key] = v
		}
		out[i] = v
	}
	return out, nil
}

// make embeds in the conversation that a text is from. A chunk that spans two counts as
// its part in the first.
func (l *life) make(ctx context.Context, p retrieve.Passage) ([]float32, error) {
	text, w := l.origin(p.Text)
	if p.Role == retrieve.Message || p.Role == retrieve.Chunk {
		p.ID, w = l.origin(p.ID)
		parts := p.Parts
		p.Parts = nil
		for _, id := range parts {
			if own, of := l.origin(id); of == w {
				p.Parts = append(p.Parts, own)
			}
		}
	} else {
		p.Text = text
	}
	v, err := w.Embedder().Embed(ctx, p)
	if err != nil {
		return nil, err
	}
	return v[0], nil
}
