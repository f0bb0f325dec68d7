package prefixcache

import "slices"

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
	table           table   // slot 0 is the start of the list, its next the most recent
	made            int     // slots, the start included
	spare           []int32 // slots that hold no block
	runs            []run   // of the prompt at work
	stats           Stats
}

// NewPrefixLRU is an empty cache of capacity blocks (or Unlimited) of that many
// tokens each.
func NewPrefixLRU(capacity, block int) (*PrefixLRU, error) {
	if err := checkSize("capacity in blocks", capacity, Unlimited); err != nil {
		return nil, err
	}
	if err := checkSize("block size", block, Unlimited); err != nil {
		return nil, err
	}
	c := &PrefixLRU{capacity: min(capacity, maxSlot-chunk), block: block, made: 1}
	c.table.room(0)
	return c, nil
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
		if c.table.find(id) == empty {
			return i
		}
	}
	return len(blocks)
}

// Access is Serve without tokens and statistics: it counts the leading blocks
// that are present and touches all.
//
// What makes it fast is that a prompt comes back as it was: in the list its
// blocks follow each other, head first, until another prompt takes a part away.
// So most blocks are found by comparing ids along the list, the table is asked
// for the first of each run only, and a run moves to the front as a whole.
func (c *PrefixLRU) Access(blocks []uint64) (hits int) {
	hits = c.find(blocks)
	for _, r := range slices.Backward(c.runs) {
		ids := blocks[r.from:r.to]
		switch {
		case r.first == empty:
			c.insert(ids)
		case c.whole(r, ids):
			c.toFront(r.first, r.last)
		default:
			for _, id := range slices.Backward(ids) {
				c.touch(id, 0)
			}
		}
	}
	return hits
}

// run is a part of a prompt: blocks that follow each other in the list, from
// the slot first to the slot last, or blocks that are absent, where first is
// empty.
type run struct {
	from, to    int
	first, last int32
}

// find fills runs, and counts the leading blocks that are present.
func (c *PrefixLRU) find(blocks []uint64) (hits int) {
	c.runs = c.runs[:0]
	hits = len(blocks)
	for from := 0; from < len(blocks); {
		r := run{from: from, to: from + 1, first: c.table.find(blocks[from])}
		if r.first == empty {
			hits = min(hits, from)
			for r.to < len(blocks) && c.table.find(blocks[r.to]) == empty {
				r.to++
			}
		} else {
			var n int
			n, r.last = c.table.follow(r.first, blocks[from:])
			r.to = from + n
		}
		c.runs = append(c.runs, r)
		from = r.to
	}
	return hits
}

// whole says whether a run is still what find found. An eviction or a block
// that occurs twice in the prompt may have torn it.
func (c *PrefixLRU) whole(r run, ids []uint64) bool {
	if c.table.at(r.first).id != ids[0] {
		return false
	}
	n, last := c.table.follow(r.first, ids)
	return n == len(ids) && last == r.last
}

// insert touches absent blocks, the last one first. Where the cache is not full
// their slots rise with their place in the prompt.
func (c *PrefixLRU) insert(blocks []uint64) {
	fresh := min(len(blocks), c.capacity-(c.made-1))
	first := c.made - (len(blocks) - fresh)
	c.made += fresh
	c.table.room(int32(c.made))
	for j, id := range slices.Backward(blocks) {
		s := int32(0)
		if j >= len(blocks)-fresh {
			s = int32(first + j)
		}
		c.touch(id, s)
	}
}

// touch moves a block to the front. An absent one gets the slot s, or with 0 an
// unused one or that of the least recent block, which is evicted.
func (c *PrefixLRU) touch(id uint64, s int32) {
	if present := c.table.find(id); present != empty {
		if s != 0 { // the block occurs twice in its prompt
			c.spare = append(c.spare, s)
		}
		c.toFront(present, present)
		return
	}
	if n := len(c.spare) - 1; s == 0 && n >= 0 {
		s, c.spare = c.spare[n], c.spare[:n]
	} else if s == 0 {
		s = c.table.at(0).prev
		c.unlink(s, s)
		c.table.remove(s)
		c.stats.Evicted++
	}
	c.table.put(id, s)
	c.pushFront(s, s)
}

// toFront moves a run of slots to the front.
func (c *PrefixLRU) toFront(first, last int32) {
	if c.table.at(first).prev != 0 {
		c.unlink(first, last)
		c.pushFront(first, last)
	}
}

// unlink takes a run of slots out of the list.
func (c *PrefixLRU) unlink(first, last int32) {
	before, after := c.table.at(first).prev, c.table.at(last).next
	c.table.at(before).next = after
	c.table.at(after).prev = before
}

func (c *PrefixLRU) pushFront(first, last int32) {
	top := c.table.at(0)
	c.table.at(last).next, c.table.at(top.next).prev = top.next, last
	c.table.at(first).prev, top.next = 0, first
}

// Len is the number of blocks present.
func (c *PrefixLRU) Len() int { return c.table.used }

// Order are the ids present, most recent first: what is evicted next is last.
func (c *PrefixLRU) Order() []uint64 {
	ids := make([]uint64, 0, c.table.used)
	for s := c.table.at(0).next; s != 0; s = c.table.at(s).next {
		ids = append(ids, c.table.at(s).id)
	}
	return ids
}

// Stats are the counts since the cache was made. Access counts evictions only.
func (c *PrefixLRU) Stats() Stats { return c.stats }
