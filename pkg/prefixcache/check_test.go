package prefixcache

import "fmt"

// The invariants, checked by the tests after each operation.

func (c *PrefixLRU) check() error {
	if err := c.table.check(); err != nil {
		return err
	}
	if c.table.used > c.capacity {
		return fmt.Errorf("%d blocks at a capacity of %d", c.table.used, c.capacity)
	}
	if c.made-1-len(c.spare) != c.table.used {
		return fmt.Errorf("%d slots, %d of them spare, for %d blocks", c.made-1, len(c.spare), c.table.used)
	}
	seen, s := 0, int32(0)
	for {
		next := c.table.at(s).next
		if c.table.at(next).prev != s {
			return fmt.Errorf("the list is torn after slot %d", s)
		}
		if s = next; s == 0 {
			break
		}
		if seen++; seen > c.table.used {
			return fmt.Errorf("the list has a cycle")
		}
	}
	if seen != c.table.used {
		return fmt.Errorf("the list has %d of %d blocks", seen, c.table.used)
	}
	return nil
}

// check looks every id up.
func (t *table) check() error {
	n, tag := 0, uint32(0)
	for i, c := range t.cells {
		if c.slot == empty {
			continue
		}
		if c.tag < tag || i == len(t.cells)-1 {
			return fmt.Errorf("cell %d of %d is out of order", i, len(t.cells))
		}
		tag = c.tag
		n++
		id := t.at(c.slot).id
		if found, at := t.probe(id); found != c.slot || at != i || c.tag != tagOf(id) || t.find(id) != found {
			return fmt.Errorf("id %d in cell %d is found as slot %d in cell %d", id, i, found, at)
		}
	}
	direct := 0
	for id, s := range t.direct {
		if s == 0 {
			continue
		}
		if direct++; t.at(s-1).id != uint64(id) {
			return fmt.Errorf("id %d leads to the slot of %d", id, t.at(s-1).id)
		}
	}
	if n != t.hashed || n+direct != t.used {
		return fmt.Errorf("%d cells counted as %d, %d direct, %d in all", n, t.hashed, direct, t.used)
	}
	if n*5 > t.homes*4 {
		return fmt.Errorf("%d ids for %d homes", n, t.homes)
	}
	return nil
}

func (c *BlockHash) check() error {
	refs := map[int32]int32{}
	for id, r := range c.requests {
		if r.registered > len(r.blocks) || r.computed > len(r.tokens) {
			return fmt.Errorf("request %q: %d of %d blocks registered, %d of %d tokens computed", id, r.registered, len(r.blocks), r.computed, len(r.tokens))
		}
		if len(r.blocks) != ceilDiv(r.computed, c.block) {
			return fmt.Errorf("request %q holds %d blocks for %d tokens", id, len(r.blocks), r.computed)
		}
		for _, b := range r.blocks {
			refs[b]++
		}
	}
	queued := map[int32]bool{}
	fresh := false
	for i := c.pool.nodes[0].next; i != 0; i = c.pool.nodes[i].next {
		if c.pool.nodes[c.pool.nodes[i].next].prev != i {
			return fmt.Errorf("the queue is torn at node %d", i)
		}
		if queued[i-1] {
			return fmt.Errorf("block %d is twice in the queue", i-1)
		}
		queued[i-1] = i != untouched
		fresh = fresh || i == untouched
	}
	taken := len(c.pool.nodes) - 2
	if fresh != (taken < c.capacity) || taken > c.capacity {
		return fmt.Errorf("%d of %d blocks in use, untouched in the queue: %v", taken, c.capacity, fresh)
	}
	free := c.capacity - taken
	firsts := map[key]int32{}
	for b := int32(1); int(b) <= taken; b++ {
		n := c.pool.at(b)
		if n.refs != refs[b] || queued[b] == (n.refs > 0) {
			return fmt.Errorf("block %d: %d references, held %d times, in the queue %v", b, n.refs, refs[b], queued[b])
		}
		if queued[b] {
			free++
		}
		if n.keyed {
			firsts[n.key] = c.index.first(n.key, &c.pool)
		}
	}
	if free != c.pool.free {
		return fmt.Errorf("%d free blocks counted as %d", free, c.pool.free)
	}
	return c.checkKeys(firsts)
}

// checkKeys follows the ring of copies of each key.
func (c *BlockHash) checkKeys(firsts map[key]int32) error {
	if len(firsts) != c.index.used {
		return fmt.Errorf("%d keys counted as %d", len(firsts), c.index.used)
	}
	for k, first := range firsts {
		if first == 0 {
			return fmt.Errorf("a key of a live block is not found")
		}
		for b := first; ; {
			n := c.pool.at(b)
			if !n.keyed || n.key != k || c.pool.at(n.nextCopy).prevCopy != b {
				return fmt.Errorf("the copies of block %d are torn at block %d", first, b)
			}
			if b = n.nextCopy; b == first {
				break
			}
		}
	}
	return nil
}

func (c *Radix) check() error {
	evictable, protected, leaves := 0, 0, 0
	children := map[*radixNode]int{}
	for k, n := range c.children {
		if k != n.self || n.parent != k.parent || len(n.tokens) == 0 || len(n.tokens)%c.config.Page != 0 {
			return fmt.Errorf("node of %d tokens at depth %d is misplaced", len(n.tokens), n.depth())
		}
		space := Key{Salt: n.salt, Extra: n.extra}.space()
		if c.childOf(n.parent, space, n.tokens) != k {
			return fmt.Errorf("node at depth %d is under another key", n.depth())
		}
		children[n.parent]++
		if n.lock > 0 {
			protected += len(n.tokens)
		} else {
			evictable += len(n.tokens)
		}
		if n.lock < 0 || n.parent.lock < n.lock && n.parent != c.root {
			return fmt.Errorf("lock %d below lock %d", n.lock, n.parent.lock)
		}
		leaf := n.children == 0 && n.lock == 0
		if leaf {
			leaves++
		}
		if leaf != (n.leaf >= 0) || leaf && c.leaves.nodes[n.leaf] != n {
			return fmt.Errorf("node at depth %d: leaf %v, place %d", n.depth(), leaf, n.leaf)
		}
	}
	for _, n := range c.children {
		if children[n] != n.children {
			return fmt.Errorf("%d children counted as %d", children[n], n.children)
		}
	}
	if evictable != c.evictable || protected != c.protected || leaves != c.leaves.Len() || len(c.children) != c.nodes {
		return fmt.Errorf("evictable %d counted %d, protected %d counted %d, leaves %d counted %d, nodes %d counted %d",
			evictable, c.evictable, protected, c.protected, leaves, c.leaves.Len(), len(c.children), c.nodes)
	}
	for i := 1; i < c.leaves.Len(); i++ {
		if c.leaves.Less(i, (i-1)/2) {
			return fmt.Errorf("leaf %d is out of order", i)
		}
	}
	if used := c.evictable + c.protected + c.private; used > c.config.Capacity {
		return fmt.Errorf("%d tokens in a pool of %d", used, c.config.Capacity)
	}
	return nil
}
