package prefixcache

import "slices"

// pool is the blocks of a BlockHash and their queue. Block ids count from 1;
// node 0 is the ring's start, node 1 stands in the ring for all blocks that
// were never taken, and block b is node b+1. So a pool of any size, or of none,
// costs memory only for blocks in use.
type pool struct {
	nodes    []node
	capacity int
	free     int // blocks in the queue
}

type node struct {
	key        key
	next, prev int32 // in the queue
	// The blocks with the same key form a ring in the order in which they were
	// registered.
	nextCopy, prevCopy int32 // block ids
	refs               int32
	child              int32 // the block that came next the last time
	keyed              bool
}

const untouched = 1

func newPool(capacity int) pool {
	p := pool{nodes: make([]node, 2), capacity: capacity, free: capacity}
	p.insert(untouched, 0, 0)
	return p
}

func (p *pool) at(block int32) *node { return &p.nodes[block+1] }

func (p *pool) insert(n, before, after int32) {
	p.nodes[n].prev, p.nodes[n].next = before, after
	p.nodes[before].next = n
	p.nodes[after].prev = n
}

func (p *pool) unlink(n int32) {
	before, after := p.nodes[n].prev, p.nodes[n].next
	p.nodes[before].next = after
	p.nodes[after].prev = before
}

// take removes the front of the queue, which is not empty, and holds it once.
func (p *pool) take() int32 {
	n := p.nodes[0].next
	if n == untouched {
		n = int32(len(p.nodes))
		if len(p.nodes) == cap(p.nodes) { // append alone would copy them more often
			p.nodes = slices.Grow(p.nodes, min(len(p.nodes), p.capacity+2-len(p.nodes)))
		}
		p.nodes = append(p.nodes, node{})
		if len(p.nodes)-2 == p.capacity {
			p.unlink(untouched)
		}
	} else {
		p.unlink(n)
	}
	p.free--
	p.nodes[n].refs = 1
	return n - 1
}

// hold adds one reference to a block with content.
func (p *pool) hold(block int32) {
	n := p.at(block)
	if n.refs == 0 {
		p.unlink(block + 1)
		p.free--
	}
	n.refs++
}

// after guesses that a prompt goes on as the last one did: it gives the block
// that followed, if that is the only one with the key, and otherwise 0.
func (p *pool) after(block int32, k key) int32 {
	if block == 0 {
		return 0
	}
	b := p.at(block).child
	if b == 0 {
		return 0
	}
	if n := p.at(b); !n.keyed || n.key != k || n.nextCopy != b {
		return 0
	}
	return b
}

func (p *pool) follow(block, next int32) {
	if block != 0 {
		p.at(block).child = next
	}
}

func (p *pool) pushBack(block int32) {
	p.insert(block+1, p.nodes[0].prev, 0)
	p.free++
}

func (p *pool) pushFront(block int32) {
	p.insert(block+1, 0, p.nodes[0].next)
	p.free++
}
