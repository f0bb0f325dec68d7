package world

import (
	"context"
	"fmt"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
)

// Copies is where a memory system with kept messages holds what a user said
// about one thing.
type Copies struct {
	Messages int `json:"messages"` // of the dialogue, kept beside the memories
	Memories int `json:"memories"` // valid and invalid ones
	Invalid  int `json:"invalid"`  // the part that holds no more
}

// MostSaid is what the user says most about in a conversation; the first of
// several.
func MostSaid(w *toy.World) string {
	said, best := map[string]int{}, ""
	for i := range w.Dialogue.Messages {
		for _, f := range w.Dialogue.Messages[i].Facts {
			if f.Subject != dialogue.Me || f.Type == dialogue.Person {
				continue
			}
			if said[f.Relation]++; said[f.Relation] > said[best] {
				best = f.Relation
			}
		}
	}
	return best
}

// About matches what the user says about a relation.
func About(relation string) func(dialogue.Fact) bool {
	return func(f dialogue.Fact) bool { return f.Subject == dialogue.Me && f.Relation == relation }
}

// Remembered writes a conversation into mem0, or with graph into mem0g.
func Remembered(p Parameters, w *toy.World, graph bool) (*mem0.Memory, error) {
	name := "mem0"
	if graph {
		name = "mem0g+graph"
	}
	s, err := ParseSetting(name, p)
	if err != nil {
		return nil, err
	}
	system, err := s.System(w, &memory.Account{})
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	if err := memory.Write(context.Background(), &w.Dialogue, system); err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	return system.(*mem0.Memory), nil
}

// Count finds the copies of what the user said about a relation.
func Count(w *toy.World, m *mem0.Memory, relation string) Copies {
	about := About(relation)
	var c Copies
	for i := range w.Dialogue.Messages {
		for _, f := range w.Dialogue.Messages[i].Facts {
			if about(f) {
				c.Messages++
			}
		}
	}
	for _, memory := range m.Memories() {
		if about(memory.Fact) {
			c.Memories++
			if !memory.Invalid.IsZero() {
				c.Invalid++
			}
		}
	}
	return c
}
