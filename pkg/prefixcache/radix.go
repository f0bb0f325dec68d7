package prefixcache

import "container/heap"

// RadixConfig is the set-up of a Radix. The zero value of each field but Page
// has a meaning, so that RadixConfig{Page: 1} is an unlimited LRU tree.
type RadixConfig struct {
	// Page is the number of tokens that are stored and matched as a whole.
	Page int
	// Policy decides which leaf is evicted first; "" is LRU.
	Policy Policy
	// ProtectedThreshold is the number of inserts from which SLRU protects a
	// node; 0 is SGLang's default of 2.
	ProtectedThreshold int
	// Capacity is the pool in tokens that Serve, Start and Finish live in; 0
	// and Unlimited never evict. The tree by itself has no capacity: Insert
	// always stores, and Evict is the caller's.
	Capacity int
}

// Radix is SGLang's RadixCache of version 0.5.23: a tree whose edges are runs
// of tokens, whole pages long. The class is the one in radix_cache.py; the
// unified cache that 0.5.23 serves with by default keeps slightly other time
// stamps.
//
//   - A match may split a node. The new upper node copies hits, priority and
//     lock, and has new times; the lower one stays the same object.
//   - All nodes on the way get the time of the operation, the lower half of a
//     split included although it did not match.
//   - Only inserts count as hits.
//   - A lock holds a node and all above it.
//   - Eviction takes whole leaves that nobody holds, so it may free more than
//     asked; a parent left childless is a candidate in the same call.
//   - There is no cap at n-1 tokens: a caller passes the first n-1, as Serve
//     and Start do.
//
// Worked by hand, page 1: insert 0..5, then match 0 1 2: the node splits into
// [0 1 2] and, below it, [3 4 5]. Evict 1 token frees the 3 of the leaf.
type Radix struct {
	config   RadixConfig
	root     *radixNode
	children map[childKey]*radixNode
	clock    int
	leaves   leafHeap // childless and not locked
	// Token counts of the nodes with lock 0, and of the others.
	evictable, protected int
	nodes                int
	private              int // tokens of running requests that are not in the tree
	requests             map[string]*radixRun
	stats                Stats
	freed                []Freed
}

// Key is a run of tokens within a name space. Prompts of different name spaces
// share nothing.
type Key struct {
	Tokens []int
	// Salt is the tenant's; "" is none.
	Salt string
	// Extra is what else separates prompts, e.g. an adapter; nil is none. As in
	// SGLang, a pointer to "" is a name space of its own.
	Extra *string
}

type radixNode struct {
	parent   *radixNode
	self     childKey // under which the parent knows it
	salt     string
	extra    *string
	tokens   []int
	children int
	lock     int
	hits     int // inserts
	priority int
	at       int // time of last access
	created  int
	leaf     int // index in leaves, -1 if not there
}

// childKey finds a child by its parent and its first page within a name space.
type childKey struct {
	parent *radixNode
	page   key
}

// NewRadix is an empty tree.
func NewRadix(config RadixConfig) (*Radix, error) {
	if err := checkSize("page size", config.Page, Unlimited); err != nil {
		return nil, err
	}
	if config.Policy == "" {
		config.Policy = LRU
	}
	if err := config.Policy.check(); err != nil {
		return nil, err
	}
	if config.Capacity == 0 {
		config.Capacity = Unlimited
	}
	if err := checkSize("capacity in tokens", config.Capacity, Unlimited); err != nil {
		return nil, err
	}
	if config.ProtectedThreshold == 0 {
		config.ProtectedThreshold = 2
	}
	if err := checkSize("protected threshold", config.ProtectedThreshold, Unlimited); err != nil {
		return nil, err
	}
	c := &Radix{config: config}
	c.clear()
	return c, nil
}

// clear makes a new root; its two times are two readings of the clock.
func (c *Radix) clear() {
	c.root = &radixNode{at: c.tick(), created: c.tick(), lock: 1, leaf: -1}
	c.children = map[childKey]*radixNode{}
	c.requests = map[string]*radixRun{}
	c.leaves = leafHeap{order: c.order}
	c.evictable, c.protected, c.nodes, c.private = 0, 0, 0, 0
}

// Reset empties the tree. Locks taken before are void, running requests gone.
func (c *Radix) Reset() { c.clear() }

func (c *Radix) tick() int {
	c.clock++
	return c.clock
}

// page rounds a number of tokens down to whole pages.
func (c *Radix) page(tokens int) int { return tokens - tokens%c.config.Page }

// space is where the page keys of a name space begin.
func (k Key) space() key {
	s := rootKey(k.Salt)
	if k.Extra != nil {
		s = s.mix(mixA, mixD).text(*k.Extra)
	}
	return s
}

func (c *Radix) childOf(n *radixNode, space key, tokens []int) childKey {
	return childKey{n, space.next(tokens[:c.config.Page])}
}

// newNode reads the clock twice, first for the access, then for the creation.
func (c *Radix) newNode(parent *radixNode, k childKey, like *radixNode, tokens []int) *radixNode {
	n := &radixNode{
		parent: parent, self: k, salt: like.salt, extra: like.extra, tokens: tokens,
		at: c.tick(), created: c.tick(), leaf: -1,
	}
	c.children[k] = n
	c.nodes++
	return n
}

// split cuts a node after the first at tokens; the new upper node is returned.
func (c *Radix) split(child *radixNode, space key, at int) *radixNode {
	upper := c.newNode(child.parent, child.self, child, child.tokens[:at:at])
	upper.lock, upper.hits, upper.priority, upper.children = child.lock, child.hits, child.priority, 1
	child.tokens = child.tokens[at:]
	child.parent = upper
	child.self = c.childOf(upper, space, child.tokens)
	c.children[child.self] = child
	return upper
}

// keepLeaf brings the heap of leaves up to date after a change of a node.
func (c *Radix) keepLeaf(n *radixNode) {
	is := n.children == 0 && n.lock == 0
	switch {
	case is && n.leaf < 0:
		heap.Push(&c.leaves, n)
	case is:
		heap.Fix(&c.leaves, n.leaf)
	case n.leaf >= 0:
		heap.Remove(&c.leaves, n.leaf)
	}
}

// leafHeap orders the leaves that may be evicted.
type leafHeap struct {
	nodes []*radixNode
	order func(*radixNode) [2]int
}

func (h *leafHeap) Len() int { return len(h.nodes) }
func (h *leafHeap) Less(i, j int) bool {
	a, b := h.order(h.nodes[i]), h.order(h.nodes[j])
	return a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
}
func (h *leafHeap) Swap(i, j int) {
	h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i]
	h.nodes[i].leaf, h.nodes[j].leaf = i, j
}
func (h *leafHeap) Push(n any) {
	h.nodes = append(h.nodes, n.(*radixNode))
	h.nodes[len(h.nodes)-1].leaf = len(h.nodes) - 1
}
func (h *leafHeap) Pop() any {
	n := h.nodes[len(h.nodes)-1]
	h.nodes[len(h.nodes)-1] = nil
	h.nodes = h.nodes[:len(h.nodes)-1]
	n.leaf = -1
	return n
}
