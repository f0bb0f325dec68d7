package prefixcache

// NoLimit lets a prefill schedule all that is left.
const NoLimit = 0

// Add makes a request known under an id. It waits for Prefill.
func (c *BlockHash) Add(id, tenant string, prompt []int) error {
	if c.requests[id] != nil {
		return fail(ErrState, "request %q exists already", id)
	}
	if len(prompt) == 0 {
		return fail(ErrRequest, "request %q has an empty prompt", id)
	}
	tokens := append(make([]int, 0, len(prompt)), prompt...)
	c.requests[id] = &running{tokens: tokens, root: rootKey(tenant)}
	return nil
}

func (c *BlockHash) get(id string) (*running, error) {
	r := c.requests[id]
	if r == nil {
		return nil, fail(ErrState, "no request %q", id)
	}
	return r, nil
}

// Prefill starts a waiting request or resumes a preempted one, whose outputs so
// far count as known tokens: it looks the tokens up and schedules at most limit
// (or NoLimit) of the others. With whole, it is refused unless all of its
// tokens would fit now, as vLLM's scheduler does. A refused request keeps
// waiting.
func (c *BlockHash) Prefill(id string, limit int, whole bool) (Step, error) {
	r, err := c.get(id)
	if err != nil {
		return Step{}, err
	}
	if len(r.blocks) > 0 {
		return Step{}, fail(ErrState, "request %q has started already", id)
	}
	if err := checkLimit(limit); err != nil {
		return Step{}, err
	}
	c.begin()
	c.lookup(r)
	hit := len(c.hits) * c.block
	c.step.Hit = hit
	n := cut(len(r.tokens)-hit, limit)
	if whole {
		if _, room := c.missing(r, len(r.tokens), c.hits); !room {
			return c.step, nil
		}
	}
	if !c.allocate(r, hit+n, c.hits) {
		return c.step, nil
	}
	r.computed = hit + n
	c.step.OK, c.step.Scheduled = true, n
	stats := &c.stats
	if r.preempted {
		stats = &c.resumed
	}
	stats.add(c.use(len(r.tokens), hit))
	return c.step, nil
}

// Chunk schedules the next tokens of a prefill, at most limit (or NoLimit), or
// retries a decode that was refused.
func (c *BlockHash) Chunk(id string, limit int) (Step, error) {
	r, err := c.started(id)
	if err != nil {
		return Step{}, err
	}
	if err := checkLimit(limit); err != nil {
		return Step{}, err
	}
	c.begin()
	n := cut(len(r.tokens)-r.computed, limit)
	if c.allocate(r, r.computed+n, nil) {
		r.computed += n
		c.step.OK, c.step.Scheduled = true, n
	}
	return c.step, nil
}

// Decode appends generated tokens one by one and gives each its slot. At the
// first refusal it stops: that token stays known but not computed (Chunk
// retries it), later ones are dropped.
func (c *BlockHash) Decode(id string, tokens ...int) (Step, error) {
	r, err := c.started(id)
	if err != nil {
		return Step{}, err
	}
	if r.computed != len(r.tokens) {
		return Step{}, fail(ErrState, "request %q has %d of %d tokens computed: want all before a decode", id, r.computed, len(r.tokens))
	}
	c.begin()
	c.step.OK = true
	for _, t := range tokens {
		r.tokens = append(r.tokens, t)
		if !c.allocate(r, r.computed+1, nil) {
			c.step.OK = false
			break
		}
		r.computed++
		c.step.Scheduled++
	}
	return c.step, nil
}

// End releases a request and forgets it, in whatever state it is. The last
// sampled token is never scheduled, so it need not be known.
func (c *BlockHash) End(id string) error {
	r, err := c.get(id)
	if err != nil {
		return err
	}
	c.begin()
	c.release(r)
	delete(c.requests, id)
	return nil
}

// Preempt releases the blocks of a running request, which keeps its tokens and
// waits for Prefill.
func (c *BlockHash) Preempt(id string) error {
	r, err := c.started(id)
	if err != nil {
		return err
	}
	c.begin()
	c.release(r)
	r.preempted = true
	return nil
}

func (c *BlockHash) started(id string) (*running, error) {
	r, err := c.get(id)
	if err == nil && len(r.blocks) == 0 {
		err = fail(ErrState, "request %q waits for its prefill", id)
	}
	return r, err
}

func checkLimit(limit int) error {
	if limit < 0 {
		return fail(ErrRequest, "limit of %d tokens: want 1 or more, or NoLimit", limit)
	}
	return nil
}

func cut(n, limit int) int {
	if limit == NoLimit {
		return n
	}
	return min(n, limit)
}
