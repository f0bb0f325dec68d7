package mem0

import (
	"cmp"
	"context"
	"slices"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// Entity is a node of the graph: somebody or something that facts are about.
type Entity struct {
	Name  string    `json:"name"`
	Type  string    `json:"type,omitempty"`
	Since time.Time `json:"since"` // when it was first spoken of
}

// graph holds the nodes; the edges are the memories themselves.
type graph struct {
	nodes   map[string]*node
	vectors *retrieve.Vectors // by name
}

type node struct {
	Entity
	terms []string // of the name
}

func (g *graph) init(dim int) (err error) {
	g.nodes = map[string]*node{}
	g.vectors, err = retrieve.NewVectors(dim)
	return err
}

// Entities lists the nodes in the order in which they were first spoken of.
func (m *Memory) Entities() []Entity {
	out := make([]Entity, 0, len(m.graph.nodes))
	for _, n := range m.graph.nodes {
		out = append(out, n.Entity)
	}
	slices.SortFunc(out, func(a, b Entity) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// nodes makes the nodes of the edges that a pair added or said again.
func (m *Memory) nodes(ctx context.Context, c *change) error {
	if !m.Graph {
		return nil
	}
	for _, e := range append(c.added, c.touched...) {
		if !isTriple(e.Fact) {
			continue
		}
		for _, n := range e.ends() {
			if err := m.node(ctx, c, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// ends are the nodes of an edge, as far as the edge knows them.
func (e *entry) ends() [2]Entity {
	subject := Entity{Name: e.Fact.Subject, Since: e.said[0]}
	if subject.Name == dialogue.Me {
		subject.Type = dialogue.Person
	}
	return [2]Entity{subject, {e.Fact.Object, e.Fact.Type, e.said[0]}}
}

// meet enters what one more edge knows of a node.
func (n *Entity) meet(o Entity) {
	n.Type = cmp.Or(n.Type, o.Type)
	if o.Since.Before(n.Since) {
		n.Since = o.Since
	}
}

func (m *Memory) node(ctx context.Context, c *change, n Entity) error {
	if old := m.graph.nodes[n.Name]; old != nil {
		if _, known := c.nodes[old]; !known {
			c.nodes[old] = old.Entity
		}
		old.meet(n)
		return nil
	}
	v, err := m.embed(ctx, retrieve.Passage{ID: n.Name, Role: retrieve.Entity, Text: n.Name})
	if err == nil {
		err = m.Account.Embed(serving.Embedding{Phase: serving.Write, Purpose: "entity", Turn: m.pairs, Texts: 1})
	}
	if err == nil {
		err = m.graph.vectors.Add(n.Name, v)
	}
	if err != nil && !nothing(err) { // a name without words has a node that no question is like
		return err
	}
	m.graph.nodes[n.Name] = &node{n, retrieve.Terms(n.Name)}
	c.names = append(c.names, n.Name)
	return nil
}

// drop erases nodes.
func (g *graph) drop(names []string) {
	for _, name := range names {
		g.vectors.Remove(name)
		delete(g.nodes, name)
	}
}
