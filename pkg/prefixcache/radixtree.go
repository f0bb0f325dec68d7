package prefixcache

import (
	"cmp"
	"slices"
)

// RadixNode is one node of a tree, for looking at it.
type RadixNode struct {
	Depth    int // of the first token
	Tokens   []int
	Lock     int
	Hits     int // inserts
	Priority int
	At       int // time of the last access, counted in readings of the clock
	Created  int
}

// Tree lists the nodes, parents before children and siblings in the order of
// (extra, salt, tokens).
func (c *Radix) Tree() []RadixNode {
	children := map[*radixNode][]*radixNode{}
	for _, n := range c.children {
		children[n.parent] = append(children[n.parent], n)
	}
	var list []RadixNode
	var visit func(*radixNode, int)
	visit = func(n *radixNode, depth int) {
		below := children[n]
		slices.SortFunc(below, compareNodes)
		for _, b := range below {
			list = append(list, RadixNode{depth, slices.Clone(b.tokens), b.lock, b.hits, b.priority, b.at, b.created})
			visit(b, depth+len(b.tokens))
		}
	}
	visit(c.root, 0)
	return list
}

func compareNodes(a, b *radixNode) int {
	return cmp.Or(
		cmp.Compare(text(a.extra), text(b.extra)),
		cmp.Compare(a.salt, b.salt),
		slices.Compare(a.tokens, b.tokens),
		cmp.Compare(a.created, b.created),
	)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
