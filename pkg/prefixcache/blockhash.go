package prefixcache

// BlockHash is the prefix cache of vLLM, exactly as its KVCacheManager of
// version 0.33.0 behaves with one full-attention group: which blocks a request
// gets, which it shares and which are evicted, by block id.
//
//   - A block's key stands for the salt and all tokens up to the block's end. A
//     lookup walks the keys and stops at the first absent one; at most
//     floor((n-1)/block) blocks of n tokens hit, because one token must be left
//     to compute. It refreshes nothing.
//   - Full blocks are registered when their tokens are scheduled, also where
//     the key exists already (no deduplication); a lookup returns the first
//     registered copy that is alive.
//   - Blocks that nobody holds wait in a queue, front first to be reused. A
//     request lets go of its last block first; blocks with a key join the back,
//     blocks without one (the partial tail) the front.
//   - A request that does not fit is refused and changes nothing.
//
// Worked by hand, blocks of 4 tokens: prompt 0..7 takes blocks 1 and 2 and
// registers both; it finishes: the queue is 3 4 ... 2 1. The same prompt again
// hits block 1 only (the last token must be computed), takes block 3 and
// registers it under the key of block 2.
//
// It leaves out sliding windows, speculative tokens, connectors and the
// watermark. The engine's null block is not counted: capacity is usable blocks.
type BlockHash struct {
	block, capacity int
	pool            pool
	index           keyIndex
	requests        map[string]*running
	stats, resumed  Stats
	step            Step
	hits            []int32 // of the lookup that runs
	bare            []int32 // of the release that runs
	own             running // the request that Serve runs
	known           []int   // and its prompt and output
}

// NewBlockHash is an empty cache of capacity usable blocks (or Unlimited) of
// that many tokens each.
func NewBlockHash(capacity, block int) (*BlockHash, error) {
	if err := checkSize("capacity in blocks", capacity, Unlimited); err != nil {
		return nil, err
	}
	if err := checkSize("block size", block, Unlimited); err != nil {
		return nil, err
	}
	capacity = min(capacity, maxSlot-2)
	return &BlockHash{
		block: block, capacity: capacity, pool: newPool(capacity), requests: map[string]*running{},
	}, nil
}

// running is a request that waits, runs or was preempted.
type running struct {
	tokens     []int // prompt and known outputs
	keys       []key // of its full blocks, as far as needed so far
	root       key
	computed   int // tokens scheduled
	blocks     []int32
	registered int // leading blocks that have their key
	preempted  bool
}

// keysUpTo makes sure that the keys of the first n blocks are there.
func (r *running) keysUpTo(n, block int) []key {
	k := r.root
	if len(r.keys) > 0 {
		k = r.keys[len(r.keys)-1]
	}
	for i := len(r.keys); i < n; i++ {
		k = k.next(r.tokens[i*block : (i+1)*block])
		r.keys = append(r.keys, k)
	}
	return r.keys[:n]
}

// Step is what one operation did.
type Step struct {
	// OK is false for a refusal: not enough free blocks.
	OK bool
	// Hit is the number of prompt tokens found (Prefill only, refused or not).
	Hit int
	// Scheduled is the number of tokens that got their slots; for Decode, of
	// the tokens given.
	Scheduled int
	// New is the number of blocks taken from the queue.
	New int
	// Stored and Evicted are the ids of the blocks that got a key and lost one,
	// in order; valid until the next operation.
	Stored, Evicted []int32
}

// Lookup are the blocks that a prompt would hit, from the first one on.
func (c *BlockHash) Lookup(tenant string, prompt []int) []int32 {
	c.lookup(&running{tokens: prompt, root: rootKey(tenant)})
	return append([]int32(nil), c.hits...)
}

// lookup fills c.hits with the blocks that a request hits.
func (c *BlockHash) lookup(r *running) {
	c.hits = c.hits[:0]
	last := int32(0)
	for i := range (len(r.tokens) - 1) / c.block {
		k := r.keysUpTo(i+1, c.block)[i]
		b := c.pool.after(last, k)
		if b == 0 {
			if b = c.index.first(k, &c.pool); b == 0 {
				return
			}
			c.pool.follow(last, b)
		}
		c.hits = append(c.hits, b)
		last = b
	}
}

// missing is how many blocks the request must take so that total tokens have
// their slots, and room whether that many are free beside the hit blocks, which
// leave the queue as well.
func (c *BlockHash) missing(r *running, total int, hits []int32) (need int, room bool) {
	need = max(0, ceilDiv(total, c.block)-len(r.blocks)-len(hits))
	idle := 0
	for _, b := range hits {
		if c.pool.at(b).refs == 0 {
			idle++
		}
	}
	return need, need+idle <= c.pool.free
}

// allocate gives total tokens of the request their slots, or refuses.
func (c *BlockHash) allocate(r *running, total int, hits []int32) bool {
	need, room := c.missing(r, total, hits)
	if !room {
		return false
	}
	for _, b := range hits {
		c.pool.hold(b)
	}
	r.blocks = append(r.blocks, hits...)
	r.registered += len(hits)
	for range need {
		b := c.pool.take()
		if c.pool.at(b).keyed {
			c.index.remove(b, &c.pool)
			c.step.Evicted = append(c.step.Evicted, b)
			c.stats.Evicted++
		}
		r.blocks = append(r.blocks, b)
	}
	c.step.New += need
	full := min(total, len(r.tokens)) / c.block
	keys := r.keysUpTo(full, c.block)
	for ; r.registered < full; r.registered++ {
		b := r.blocks[r.registered]
		c.index.add(keys[r.registered], b, &c.pool)
		c.step.Stored = append(c.step.Stored, b)
		if r.registered > 0 {
			c.pool.follow(r.blocks[r.registered-1], b)
		}
	}
	return true
}

// release lets go of all blocks, the last one first.
func (c *BlockHash) release(r *running) {
	bare := c.bare[:0]
	for i := len(r.blocks) - 1; i >= 0; i-- {
		b := r.blocks[i]
		n := c.pool.at(b)
		n.refs--
		switch {
		case n.refs > 0:
		case n.keyed:
			c.pool.pushBack(b)
		default:
			bare = append(bare, b)
		}
	}
	for i := len(bare) - 1; i >= 0; i-- {
		c.pool.pushFront(bare[i])
	}
	c.bare = bare
	r.blocks, r.registered, r.computed = r.blocks[:0], 0, 0
}

// Reset drops all content, but not the order of the queue. It does nothing and
// returns false while a request holds a block.
func (c *BlockHash) Reset() bool {
	c.begin()
	if c.pool.free != c.capacity {
		return false
	}
	c.index = keyIndex{}
	for i := range c.pool.nodes {
		c.pool.nodes[i].keyed = false
	}
	return true
}

func (c *BlockHash) begin() {
	c.step = Step{Stored: c.step.Stored[:0], Evicted: c.step.Evicted[:0]}
}
