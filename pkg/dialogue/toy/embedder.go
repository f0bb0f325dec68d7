package toy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
)

// An embedder knows what a text of its world means and turns the meaning into a
// vector with the noise of the passage's role. Every vector depends on the seed, the
// number, the passage and its meaning only, whatever was embedded before.
//
// A text without a meaning, such as a summary that a system wrote itself, gets a
// random vector of its own: like nothing but the same text.
type embedder struct {
	world   *World
	about   []meaning          // of each message
	numbers map[string]int     // of the messages, by id
	texts   map[string]meaning // of facts, keys, names and questions

	mu         sync.Mutex
	messages   []*vector
	directions map[meaning]*vector
}

func newEmbedder(w *World, d *plan, c *cast, questions []asked) *embedder {
	n := len(w.Dialogue.Messages)
	e := &embedder{
		world: w, about: make([]meaning, n), numbers: make(map[string]int, n), texts: make(map[string]meaning, 512),
		messages: make([]*vector, n), directions: make(map[meaning]*vector, 64),
	}
	for i := range w.Dialogue.Messages {
		m := &w.Dialogue.Messages[i]
		e.numbers[m.ID] = i
		if m.Role == dialogue.User {
			e.about[i] = d.topics[i/2]
		}
	}
	for _, s := range d.statements {
		e.texts[c.fact(s.about, s.version).Text] = s.about
	}
	for i, name := range c.names {
		e.texts[name] = meaning{topic: named, person: i}
		for t := range types {
			key := dialogue.Key{Subject: name, Relation: c.words.personal[t].relation}
			e.texts[key.Text()] = meaning{topic: personal, index: t, person: i}
		}
	}
	for i := range questions {
		q := &questions[i]
		e.texts[q.Text] = q.about
		e.texts[strings.Join(q.Path, " ")] = q.about // "partner", and "partner hometown"
	}
	return e
}

func (e *embedder) Dim() int { return Dim }

// Embed gives a unit vector for each passage.
func (e *embedder) Embed(ctx context.Context, passages ...retrieve.Passage) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([][]float32, len(passages))
	for i := range passages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, err := e.embed(&passages[i])
		if err != nil {
			return nil, fmt.Errorf("toy: embedding %s %q: %w", passages[i].Role, passages[i].ID, err)
		}
		out[i] = v.float32s()
	}
	return out, nil
}

func (e *embedder) embed(p *retrieve.Passage) (*vector, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, fmt.Errorf("%w: want a text, as other embedders do", retrieve.ErrEmpty)
	}
	sigma := 0.0
	switch p.Role {
	case retrieve.Chunk:
		return e.chunk(p)
	case retrieve.Message:
		if i, known := e.numbers[p.ID]; known {
			return e.message(i), nil
		}
		sigma = e.world.Parameters.MessageNoise
	case retrieve.Memory:
		sigma = e.world.Parameters.MemoryNoise
	case retrieve.Query:
		sigma = e.world.Parameters.QueryNoise
	case retrieve.Entity:
	default:
		return nil, fmt.Errorf("role %q: want %q, %q, %q, %q or %q", p.Role,
			retrieve.Message, retrieve.Memory, retrieve.Chunk, retrieve.Query, retrieve.Entity)
	}
	about, known := e.texts[p.Text]
	if !known {
		return normal(e.stream("unknown", p.Text)).unit(), nil
	}
	return e.direction(about).noisy(sigma, e.stream("noise", string(p.Role), p.ID, about.String())), nil
}

func (e *embedder) stream(names ...string) *rand.Rand {
	return e.world.Stream(append([]string{"vector"}, names...)...)
}

// message is the vector of message i. Chit-chat means nothing: all of it is noise.
func (e *embedder) message(i int) *vector {
	if e.messages[i] == nil {
		r := e.stream("message", e.world.Dialogue.Messages[i].ID)
		if about := e.about[i]; about.topic == chat {
			e.messages[i] = normal(r).unit()
		} else {
			e.messages[i] = e.direction(about).noisy(e.world.Parameters.MessageNoise, r)
		}
	}
	return e.messages[i]
}

// chunk is the mean of its messages, with the noise of a long text.
func (e *embedder) chunk(p *retrieve.Passage) (*vector, error) {
	if len(p.Parts) == 0 {
		return nil, fmt.Errorf("a chunk without parts: want the ids of its messages")
	}
	var sum vector
	for _, id := range p.Parts {
		i, known := e.numbers[id]
		if !known {
			return nil, fmt.Errorf("part %q is no message of %q", id, e.world.Dialogue.Name)
		}
		for k, x := range e.message(i) {
			sum[k] += x
		}
	}
	r := e.stream(append([]string{"chunk", p.ID}, p.Parts...)...)
	return sum.unit().noisy(e.world.Parameters.ChunkNoise, r), nil
}

// direction is the vector of a meaning before any noise.
func (e *embedder) direction(m meaning) *vector {
	if v := e.directions[m]; v != nil {
		return v
	}
	p := &e.world.Parameters
	var v *vector
	switch m.topic {
	case holder:
		v = e.direction(meaning{topic: role, index: m.index}).plus(p.NameWeight, e.direction(meaning{topic: named, person: m.person}))
	case personal:
		v = e.direction(meaning{topic: named, person: m.person}).plus(p.TypeWeight, e.direction(kindOf(m.index)))
	case twoHop:
		v = e.direction(meaning{topic: role, index: m.index / types}).plus(p.TypeWeight, e.direction(kindOf(m.index%types)))
	case near:
		v = e.direction(meaning{topic: attribute, index: m.index}).plus(p.NearWeight, e.base(m))
	case attribute:
		switch {
		case p.SharedTypes && m.index == hometown:
			v = e.direction(kindOf(0))
		case p.SharedTypes && m.index == job:
			v = e.direction(kindOf(1))
		default:
			v = e.base(m)
		}
	default:
		v = e.base(m)
	}
	e.directions[m] = v
	return v
}

// kindOf is what "hometown" or "job" means, whoever has it.
func kindOf(index int) meaning { return meaning{topic: typed, index: index} }

// base is the random vector of a word.
func (e *embedder) base(m meaning) *vector { return normal(e.stream("direction", m.String())).unit() }
