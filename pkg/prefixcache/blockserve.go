package prefixcache

// Start looks a prompt up and schedules the rest of it in one go; Prefill and
// its companions do so in steps. Output is ignored here and given to Finish.
func (c *BlockHash) Start(id string, r Request) (Use, error) {
	if err := c.Add(id, r.Tenant, r.Tokens); err != nil {
		return Use{}, err
	}
	step, err := c.Prefill(id, NoLimit, true)
	if err != nil {
		return Use{}, err
	}
	u := c.use(len(r.Tokens), step.Hit)
	if !step.OK {
		delete(c.requests, id)
		return c.refuse(u), nil
	}
	return u, nil
}

// Finish runs the output through the cache and releases the request. If the
// output does not fit beside what others hold, what fits is kept, as when an
// engine cuts an answer short.
func (c *BlockHash) Finish(id string, output []int) error {
	if len(output) > 1 {
		if _, err := c.Decode(id, output[:len(output)-1]...); err != nil {
			return err
		}
	}
	return c.End(id)
}

// Serve runs one request from arrival to release. It is refused if prompt and
// output do not fit together.
func (c *BlockHash) Serve(r Request) (Use, error) {
	n := len(r.Tokens)
	if n == 0 {
		return Use{}, fail(ErrRequest, "an empty prompt")
	}
	// Nothing outlives the call, so the tokens need no copy of their own.
	run := &c.own
	*run = running{tokens: r.Tokens, root: rootKey(r.Tenant), keys: run.keys[:0], blocks: run.blocks[:0]}
	c.begin()
	c.lookup(run)
	total := n + max(0, len(r.Output)-1)
	if _, room := c.missing(run, total, c.hits); !room {
		return c.refuse(c.use(n, 0)), nil
	}
	u := c.use(n, len(c.hits)*c.block)
	c.allocate(run, n, c.hits)
	if total > n {
		c.known = append(append(c.known[:0], r.Tokens...), r.Output[:total-n]...)
		run.tokens = c.known
		c.allocate(run, total, nil)
	}
	c.release(run)
	c.stats.add(u)
	return u, nil
}

func (c *BlockHash) use(prompt, hit int) Use {
	return Use{PromptTokens: prompt, HitTokens: hit, Blocks: ceilDiv(prompt, c.block), HitBlocks: hit / c.block}
}

func (c *BlockHash) refuse(u Use) Use {
	u.HitTokens, u.HitBlocks, u.Refused = 0, 0, true
	c.stats.add(u)
	return u
}

// Stats are the counts since the cache was made: of each successful first
// prefill, of the refusals of Start and Serve, and of all evictions. Resumed
// are the prefills after a preemption.
func (c *BlockHash) Stats() Stats { return c.stats }

// Resumed are the counts of prefills that resumed a preempted request; vLLM
// keeps them apart, because such a request hits what it computed itself.
func (c *BlockHash) Resumed() Stats { return c.resumed }

// Free is the number of blocks that nobody holds, with or without content.
func (c *BlockHash) Free() int { return c.pool.free }

// Keys is the number of different prefixes that a lookup could find.
func (c *BlockHash) Keys() int { return c.index.used }

// Queue is the order in which free blocks will be reused, at most n of them.
func (c *BlockHash) Queue(n int) []int32 {
	var queue []int32
	for i := c.pool.nodes[0].next; i != 0 && len(queue) < n; i = c.pool.nodes[i].next {
		if i != untouched {
			queue = append(queue, i-1)
			continue
		}
		for b := len(c.pool.nodes) - 1; b <= c.capacity && len(queue) < n; b++ {
			queue = append(queue, int32(b))
		}
	}
	return queue
}

// Cached says whether a block has content that a lookup could find.
func (c *BlockHash) Cached(block int32) bool {
	return block >= 1 && int(block)+1 < len(c.pool.nodes) && c.pool.at(block).keyed
}

// Blocks are the ids of the blocks that a request holds, in order.
func (c *BlockHash) Blocks(id string) []int32 {
	if r := c.requests[id]; r != nil {
		return append([]int32(nil), r.blocks...)
	}
	return nil
}
