package world

import (
	"context"
	"fmt"
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/random"
	"memlab/pkg/serving"
)

// Group is some conversations of one seed. Systems that are asked about one group
// see the same messages, questions and embeddings.
type Group struct {
	Parameters    Parameters
	Seed          int
	Conversations []*toy.World
}

// NewGroup draws the conversations of a seed, "en" or "zh": the facts are the
// same in both languages, and so is every number that is computed from them.
func NewGroup(p Parameters, seed int, language string) (*Group, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if seed < 0 {
		return nil, bad("seed %d: want 0 or more", seed)
	}
	g := &Group{Parameters: p, Seed: seed}
	for i := range p.Conversations {
		w, err := toy.New(p.World, random.Seed(seed), i, language)
		if err != nil {
			return nil, fmt.Errorf("world: %w", err)
		}
		g.Conversations = append(g.Conversations, w)
	}
	return g, nil
}

// Result is what a system came to on a group.
type Result struct {
	Setting string                          `json:"setting"`
	Score   memory.Score                    `json:"score"` // of the lecture's three kinds
	Kinds   map[dialogue.Kind]*memory.Score `json:"kinds"`
	// Conversations, and what writing all of them and reading for all
	// questions took.
	Conversations int            `json:"conversations"`
	Spent         []memory.Spent `json:"spent"`
}

// Evaluate asks one system about every conversation of the group.
func (g *Group) Evaluate(ctx context.Context, s Setting) (*Result, error) {
	r := &Result{Setting: s.Name, Conversations: len(g.Conversations), Kinds: map[dialogue.Kind]*memory.Score{}}
	for _, k := range dialogue.Kinds() {
		r.Kinds[k] = &memory.Score{}
	}
	for _, w := range g.Conversations {
		account := &memory.Account{}
		run, err := s.run(ctx, w, account)
		if err != nil {
			return nil, fmt.Errorf("world: seed %d, conversation %d: %s: %w", g.Seed, w.Number, s.Name, err)
		}
		r.Score.Add(run.Score())
		for k, score := range r.Kinds {
			score.Add(run.Score(k))
		}
		r.spend(account.Spent())
	}
	return r, nil
}

// run plays one conversation with a fresh system.
func (s Setting) run(ctx context.Context, w *toy.World, a *memory.Account) (memory.Run, error) {
	if s.System == nil || s.Reader == nil {
		return memory.Run{}, bad("setting %q without a system or a reader: want one of ParseSetting", s.Name)
	}
	system, err := s.System(w, a)
	if err != nil {
		return memory.Run{}, err
	}
	reader, err := s.Reader(w)
	if err != nil {
		return memory.Run{}, err
	}
	return memory.Evaluate(ctx, &w.Dialogue, system, a, reader)
}

func (r *Result) spend(spent []memory.Spent) {
next:
	for _, s := range spent {
		for i := range r.Spent {
			if r.Spent[i].Phase == s.Phase && r.Spent[i].Purpose == s.Purpose {
				r.Spent[i].Usage.Add(s.Usage)
				continue next
			}
		}
		r.Spent = append(r.Spent, s)
	}
}

// Summary is the purpose of what a system does beside its turns, as mem0's
// asynchronous summary. It is counted apart.
const Summary = "summary"

// Writes is the work of writing per conversation without what is done beside the
// turns; of some purposes if any are named.
func (r *Result) Writes(purposes ...string) (calls, prompt float64) {
	var u memory.Usage
	for _, s := range r.Spent {
		if s.Phase == serving.Write && s.Purpose != Summary && (len(purposes) == 0 || slices.Contains(purposes, s.Purpose)) {
			u.Add(s.Usage)
		}
	}
	n := float64(max(1, r.Conversations))
	return float64(u.Calls) / n, float64(u.Prompt) / n
}
