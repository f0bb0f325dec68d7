package prefixcache

// PrefixLRU is an LRU cache of block ids, as Mooncake simulates it (FAST'25,
// section 3): a lookup walks the prompt's blocks and stops at the first one
// that is absent; then every block of the prompt is touched, the last one
// first, so that the head of a prompt is its most recent block and the tail is
// evicted first.
//
// Worked by hand, capacity 3: [1 2 3] misses three times and leaves, most
// recent first, 1 2 3. [1 4] hits one block, touches 4 (3 goes), then 1: 1 4 2.
// [2 1] hits two: that 2 was once the second block does not matter here.
//
// Deviations from an engine: no block is held by a running request, a partial
// last block is kept like any other, and the last token of a prompt may hit.
// A capacity below one prompt is legal: the head of the prompt stays.
type PrefixLRU struct {
	capacity, block int
	table           table
	links           []link // by slot; slot 0 is the ring's start, its next the most recent
	slots           []int32
	stats           Stats
}

type link struct{ prev, next int32 }

// NewPrefixLRU is an empty cache of capacity blocks (or Unlimited) of that many
// tokens each.
func NewPrefixLRU(capacity, block int) (*PrefixLRU, error) {
	if err := checkSize("capacity in blocks", capacity, Unlimited); err != nil {
		return nil, err
	}
	if err := checkSize("block size", block, Unlimited); err != nil {
		return nil, err
	}
	return &PrefixLRU{
		capacity: min(capacity, maxSlot), block: block,
		table: table{ids: make([]uint64, 1)}, links: make([]link, 1),
	}, nil
}

// Serve looks up and touches the blocks of a request. The number of blocks must
// match the length of the prompt.
func (c *PrefixLRU) Serve(r Request) (Use, error) {
	n, err := checkBlocks(r, c.block)
	if err != nil {
		return Use{}, err
	}
	hits := c.Access(r.Blocks)
	u := Use{PromptTokens: n, HitTokens: min(n, hits*c.block), Blocks: len(r.Blocks), HitBlocks: hits}
	c.stats.add(u)
	return u, nil
}

// checkBlocks gives the length of the prompt in tokens.
func checkBlocks(r Request, block int) (int, error) {
	n := r.PromptTokens()
	if n < 0 {
		return 0, fail(ErrRequest, "prompt of %d tokens: want 0 or more", n)
	}
	if want := ceilDiv(n, block); want != len(r.Blocks) {
		return 0, fail(ErrRequest, "%d block ids for a prompt of %d tokens: want %d blocks of %d tokens", len(r.Blocks), n, want, block)
	}
	return n, nil
}

// Lookup counts the leading blocks that are present and changes nothing.
func (c *PrefixLRU) Lookup(blocks []uint64) int {
	for i, id := range blocks {
		if s, _ := c.table.find(id); s == empty {
			return i
		}
	}
	return len(blocks)
}

// Access is Serve without tokens and statistics: it counts the leading blocks
// that are present and touches all.
func (c *PrefixLRU) Access(blocks []uint64) (hits int) {
	// All lookups come first: independent of each other, they overlap in the
	// processor, while the moves in the list depend on one another.
	c.slots = c.slots[:0]
	hits = -1
	for i, id := range blocks {
		s, _ := c.table.find(id)
		if s == empty && hits < 0 {
			hits = i
		}
		c.slots = append(c.slots, s)
	}
	if hits < 0 {
		hits = len(blocks)
	}
	for i := len(blocks) - 1; i >= 0; i-- {
		// The slot may have been given to a later block of this very prompt.
		if s := c.slots[i]; s != empty && c.table.ids[s] == blocks[i] {
			c.moveToFront(s)
		} else {
			c.touch(blocks[i])
		}
	}
	return hits
}

func (c *PrefixLRU) touch(id uint64) {
	s, cell := c.table.find(id)
	if s != empty {
		c.moveToFront(s)
		return
	}
	if c.table.used < c.capacity {
		s = int32(len(c.links))
		c.links = append(c.links, link{})
	} else {
		s = c.links[0].prev
		c.unlink(s)
		c.table.remove(c.table.ids[s])
		_, cell = c.table.find(id)
		c.stats.Evicted++
	}
	c.table.put(id, s, cell)
	c.pushFront(s)
}

func (c *PrefixLRU) moveToFront(s int32) {
	if c.links[0].next == s {
		return
	}
	c.unlink(s)
	c.pushFront(s)
}

func (c *PrefixLRU) unlink(s int32) {
	l := c.links[s]
	c.links[l.prev].next = l.next
	c.links[l.next].prev = l.prev
}

func (c *PrefixLRU) pushFront(s int32) {
	first := c.links[0].next
	c.links[s] = link{prev: 0, next: first}
	c.links[first].prev = s
	c.links[0].next = s
}

// Len is the number of blocks present.
func (c *PrefixLRU) Len() int { return c.table.used }

// Order are the ids present, most recent first: what is evicted next is last.
func (c *PrefixLRU) Order() []uint64 {
	ids := make([]uint64, 0, c.table.used)
	for s := c.links[0].next; s != 0; s = c.links[s].next {
		ids = append(ids, c.table.ids[s])
	}
	return ids
}

// Stats are the counts since the cache was made. Access counts evictions only.
func (c *PrefixLRU) Stats() Stats { return c.stats }
