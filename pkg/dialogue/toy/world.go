package toy

import (
	"math/rand/v2"
	"strconv"

	"memlab/pkg/dialogue"
	"memlab/pkg/random"
	"memlab/pkg/retrieve"
)

// World is one conversation, the questions about it, and the meaning of both. New
// makes it.
type World struct {
	Dialogue   dialogue.Dialogue
	Parameters Parameters
	Seed       random.Seed
	Number     int

	embedder *embedder
}

// New draws conversation number of the group that the seed stands for. In both
// languages it has the same structure, times, lengths and vectors; the words are
// each language's own. It fails if a parameter is impossible, or if the language
// has not words enough for values that never come twice.
func New(p Parameters, seed random.Seed, number int, language string) (*World, error) {
	v, err := vocabularyOf(language)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if number < 0 {
		return nil, bad("number %d: want 0 or more", number)
	}
	if err := v.serves(p, language); err != nil {
		return nil, err
	}
	w := &World{Parameters: p, Seed: seed, Number: number}
	d, err := draw(p, w.Stream)
	if err != nil {
		return nil, err
	}
	c := newCast(v, &d, w.Stream("world", "cast"))
	w.Dialogue = dialogue.Dialogue{
		Name:     "toy-" + strconv.FormatUint(uint64(seed), 10) + "-" + strconv.Itoa(number),
		Language: language,
		Messages: c.messages(&d, p, w.Stream("world", "wording")),
	}
	asked := c.questions(&d, w.Dialogue.Messages)
	w.embedder = newEmbedder(w, &d, c, asked)
	for i := range asked {
		w.Dialogue.Questions = append(w.Dialogue.Questions, asked[i].Question)
	}
	return w, nil
}

// Stream is a generator of this conversation for one purpose, such as the errors of
// a judge. It shifts nothing else; the first names "world" and "vector" are taken.
func (w *World) Stream(names ...string) *rand.Rand {
	return w.Seed.Stream(append([]string{"dialogue", strconv.Itoa(w.Number)}, names...)...)
}

// Embedder gives the vectors of this conversation: for messages by their id, for
// chunks by their parts, for anything else by its text. It is safe for concurrent
// use and remembers the messages' vectors.
func (w *World) Embedder() retrieve.Embedder { return w.embedder }
