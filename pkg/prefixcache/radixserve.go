package prefixcache

// radixRun is a request that holds its prompt.
type radixRun struct {
	lock    *Lock
	key     Key
	private int // tokens of its own, not in the tree
}

// Start runs the life of a request in SGLang up to its first token: lock what
// the first n-1 tokens match, evict what is lacking, compute and insert the
// prompt, and lock it whole. The tokens of a partial last page stay the
// request's own, and count as a page of the pool.
func (c *Radix) Start(id string, r Request) (Use, error) {
	if c.requests[id] != nil {
		return Use{}, fail(ErrState, "request %q exists already", id)
	}
	return c.start(id, r, 0)
}

// start reserves room for further tokens beyond the prompt.
func (c *Radix) start(id string, r Request, further int) (Use, error) {
	n := len(r.Tokens)
	if n == 0 {
		return Use{}, fail(ErrRequest, "request %q has an empty prompt", id)
	}
	page := c.config.Page
	u := Use{PromptTokens: n, Blocks: ceilDiv(n, page)}
	k := Key{Tokens: r.Tokens, Salt: r.Tenant}
	first, hit, _ := c.Lock(Key{Tokens: r.Tokens[:n-1], Salt: r.Tenant})
	if !c.makeRoom(ceilDiv(n+further, page)*page - hit) {
		if _, err := c.Unlock(first); err != nil {
			return Use{}, err
		}
		u.Refused = true
		c.stats.add(u)
		return u, nil
	}
	c.Insert(k, 0, 0)
	lock, whole, _ := c.Lock(k)
	if _, err := c.Unlock(first); err != nil {
		return Use{}, err
	}
	run := &radixRun{lock: lock, key: k, private: ceilDiv(n, page)*page - whole}
	run.key.Tokens = append(make([]int, 0, n), r.Tokens...)
	c.private += run.private
	c.requests[id] = run
	u.HitTokens, u.HitBlocks = hit, hit/page
	c.stats.add(u)
	return u, nil
}

// makeRoom evicts until that many tokens of the pool are free.
func (c *Radix) makeRoom(need int) bool {
	free := c.config.Capacity - c.evictable - c.protected - c.private
	if need > free {
		if need > free+c.evictable {
			return false
		}
		c.Evict(need - free)
	}
	return true
}

// Finish inserts prompt and output, but for the last token, which is never run
// through the model, and lets go. If the output does not fit beside what others
// hold, what fits is kept, as when an engine cuts an answer short.
func (c *Radix) Finish(id string, output []int) error {
	run := c.requests[id]
	if run == nil {
		return fail(ErrState, "no request %q", id)
	}
	page, n := c.config.Page, len(run.key.Tokens)
	if len(output) > 1 {
		kept := output[:len(output)-1]
		held := ceilDiv(n, page) * page
		need := ceilDiv(n+len(kept), page)*page - held
		if !c.makeRoom(need) {
			room := c.page(c.config.Capacity-c.protected-c.evictable-c.private) + c.page(c.evictable)
			kept = kept[:min(len(kept), held+room-n)]
			c.makeRoom(room)
		}
		k := run.key
		k.Tokens = append(k.Tokens, kept...)
		c.Insert(k, 0, c.page(n))
	}
	c.private -= run.private
	delete(c.requests, id)
	_, err := c.Unlock(run.lock)
	return err
}

// Serve runs one request from arrival to release. It is refused if prompt and
// output do not fit together.
func (c *Radix) Serve(r Request) (Use, error) {
	const id = "\x00serve"
	u, err := c.start(id, r, max(0, len(r.Output)-1))
	if err != nil || u.Refused {
		return u, err
	}
	return u, c.Finish(id, r.Output)
}

// Stats are the counts of Start and Serve since the cache was made; blocks are
// pages.
func (c *Radix) Stats() Stats { return c.stats }

// RadixSize is the state of a tree in numbers.
type RadixSize struct {
	Evictable int // tokens that nobody holds
	Protected int // tokens that a lock holds
	Nodes     int // without the root
	Leaves    int // childless and not held
}

// Size is the state of the tree in numbers.
func (c *Radix) Size() RadixSize {
	return RadixSize{c.evictable, c.protected, c.nodes, c.leaves.Len()}
}
