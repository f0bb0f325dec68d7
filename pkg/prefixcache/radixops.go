package prefixcache

import "container/heap"

// walk follows a key of whole pages from the root at time t, splitting a node
// where the key leaves it. It calls visit for each node that matched, with the
// tokens matched up to its end, and returns the last one and those tokens.
func (c *Radix) walk(k Key, space key, t int, visit func(*radixNode, int)) (*radixNode, int) {
	n, rest, matched := c.root, k.Tokens, 0
	for len(rest) > 0 {
		child := c.children[c.childOf(n, space, rest)]
		if child == nil {
			break
		}
		child.at = t
		common := c.page(commonPrefix(child.tokens, rest))
		whole := common == len(child.tokens)
		if !whole {
			n = c.split(child, space, common)
			c.keepLeaf(child)
		} else {
			n = child
		}
		matched += common
		if visit != nil {
			visit(n, matched)
		}
		c.keepLeaf(n)
		rest = rest[common:]
		if !whole {
			break
		}
	}
	return n, matched
}

func commonPrefix(a, b []int) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// Match is the number of leading tokens that are in the tree, in whole pages.
// It refreshes the nodes on the way and may split one. Lookup does neither.
func (c *Radix) Match(k Key) int {
	_, matched := c.match(k)
	return matched
}

func (c *Radix) match(k Key) (*radixNode, int) {
	k.Tokens = k.Tokens[:c.page(len(k.Tokens))]
	if len(k.Tokens) == 0 {
		return c.root, 0
	}
	return c.walk(k, k.space(), c.tick(), nil)
}

// Lookup is what Match would return; it changes nothing.
func (c *Radix) Lookup(k Key) int {
	matched, _ := c.look(k)
	return matched
}

// look also says whether the key covers all that a leaf stands for.
func (c *Radix) look(k Key) (matched int, leaf bool) {
	n, rest, space := c.root, k.Tokens[:c.page(len(k.Tokens))], k.space()
	for len(rest) > 0 {
		child := c.children[c.childOf(n, space, rest)]
		if child == nil {
			break
		}
		common := c.page(commonPrefix(child.tokens, rest))
		matched += common
		if common < len(child.tokens) {
			return matched, false
		}
		n, rest = child, rest[common:]
	}
	return matched, n != c.root && n.children == 0
}

// Insert stores a key, cut to whole pages, and returns how many of its tokens
// were there already. Nodes on the way rise to the priority and count one hit,
// unless they end within the first inserted tokens, which the same request has
// inserted before (0 for a first insert).
func (c *Radix) Insert(k Key, priority, inserted int) (present int) {
	t := c.tick()
	k.Tokens = k.Tokens[:c.page(len(k.Tokens))]
	space := k.space()
	n, matched := c.walk(k, space, t, func(n *radixNode, upTo int) {
		n.priority = max(n.priority, priority)
		if upTo > inserted {
			n.hits++
		}
	})
	if rest := k.Tokens[matched:]; len(rest) > 0 {
		leaf := c.newNode(n, c.childOf(n, space, rest), &radixNode{salt: k.Salt, extra: k.Extra}, append([]int(nil), rest...))
		leaf.priority = priority
		if len(k.Tokens) > inserted {
			leaf.hits = 1
		}
		n.children++
		c.evictable += len(rest)
		c.keepLeaf(n)
		c.keepLeaf(leaf)
	}
	return matched
}

// Lock holds a node and all above it, until Unlock.
type Lock struct {
	node, root *radixNode // nil once unlocked
}

// Lock matches a key and holds what it found. It returns the tokens matched and
// how many of them nobody held before.
func (c *Radix) Lock(k Key) (l *Lock, matched, held int) {
	n, matched := c.match(k)
	l = &Lock{node: n, root: c.root}
	for ; n != c.root; n = n.parent {
		if n.lock == 0 {
			held += len(n.tokens)
		}
		n.lock++
		c.keepLeaf(n)
	}
	c.evictable -= held
	c.protected += held
	return l, matched, held
}

// Unlock lets go and returns how many tokens nobody holds any more.
func (c *Radix) Unlock(l *Lock) (released int, err error) {
	if l == nil || l.node == nil || l.root != c.root {
		return 0, fail(ErrState, "unlock of a lock that is not held")
	}
	for n := l.node; n != c.root; n = n.parent {
		n.lock--
		if n.lock == 0 {
			released += len(n.tokens)
		}
		c.keepLeaf(n)
	}
	l.node = nil
	c.evictable += released
	c.protected -= released
	return released, nil
}

// Freed is one leaf that was evicted: the depth of its first token and its
// length in tokens.
type Freed struct{ Depth, Tokens int }

// Evict removes whole leaves that nobody holds until at least that many tokens
// are free or none is left, and returns the tokens freed. The leaves, in order,
// stay valid until the next call.
func (c *Radix) Evict(tokens int) (total int, leaves []Freed) {
	c.freed = c.freed[:0]
	for total < tokens && c.leaves.Len() > 0 {
		n := heap.Pop(&c.leaves).(*radixNode)
		total += len(n.tokens)
		c.freed = append(c.freed, Freed{n.depth(), len(n.tokens)})
		delete(c.children, n.self)
		n.parent.children--
		c.nodes--
		c.evictable -= len(n.tokens)
		c.stats.Evicted += len(n.tokens) / c.config.Page
		c.keepLeaf(n.parent)
	}
	return total, c.freed
}

func (n *radixNode) depth() (d int) {
	for p := n.parent; p != nil; p = p.parent {
		d += len(p.tokens)
	}
	return d
}
