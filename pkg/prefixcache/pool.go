package prefixcache

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

func (p *pool) pushBack(block int32) {
	p.insert(block+1, p.nodes[0].prev, 0)
	p.free++
}

func (p *pool) pushFront(block int32) {
	p.insert(block+1, 0, p.nodes[0].next)
	p.free++
}

// keyIndex finds the first registered live block of a key: open addressing
// with linear probing, 8 bytes per cell.
type keyIndex struct {
	cells []keyCell
	used  int // distinct keys
}

// keyCell holds the first block of a key, 0 for none, and part of the key so
// that few other blocks must be looked at.
type keyCell struct {
	tag   uint32
	block int32
}

func (x *keyIndex) search(k key, p *pool) (cell int, block int32) {
	mask := len(x.cells) - 1
	for i := int(k.a) & mask; ; i = (i + 1) & mask {
		c := x.cells[i]
		if c.block == 0 || c.tag == uint32(k.b) && p.at(c.block).key == k {
			return i, c.block
		}
	}
}

// first is the block that a lookup of the key returns, 0 for none.
func (x *keyIndex) first(k key, p *pool) int32 {
	if len(x.cells) == 0 {
		return 0
	}
	_, b := x.search(k, p)
	return b
}

// add registers a block under a key, after its copies.
func (x *keyIndex) add(k key, block int32, p *pool) {
	if x.used*3 >= len(x.cells)*2 {
		x.grow(p)
	}
	n := p.at(block)
	n.key, n.keyed = k, true
	cell, first := x.search(k, p)
	if first == 0 {
		x.cells[cell] = keyCell{uint32(k.b), block}
		x.used++
		n.nextCopy, n.prevCopy = block, block
		return
	}
	last := p.at(first).prevCopy
	n.prevCopy, n.nextCopy = last, first
	p.at(last).nextCopy = block
	p.at(first).prevCopy = block
}

// remove takes the key from a block.
func (x *keyIndex) remove(block int32, p *pool) {
	n := p.at(block)
	n.keyed = false
	cell, first := x.search(n.key, p)
	if n.nextCopy == block {
		x.close(cell, p)
		x.used--
		return
	}
	p.at(n.prevCopy).nextCopy = n.nextCopy
	p.at(n.nextCopy).prevCopy = n.prevCopy
	if first == block {
		x.cells[cell].block = n.nextCopy
	}
}

// close empties a cell and moves later cells of its run forward.
func (x *keyIndex) close(hole int, p *pool) {
	mask := len(x.cells) - 1
	for i := (hole + 1) & mask; x.cells[i].block != 0; i = (i + 1) & mask {
		home := int(p.at(x.cells[i].block).key.a) & mask
		if (i-home)&mask >= (i-hole)&mask {
			x.cells[hole] = x.cells[i]
			hole = i
		}
	}
	x.cells[hole] = keyCell{}
}

func (x *keyIndex) grow(p *pool) {
	old := x.cells
	x.cells = make([]keyCell, max(16, 2*len(old)))
	for _, c := range old {
		if c.block != 0 {
			cell, _ := x.search(p.at(c.block).key, p)
			x.cells[cell] = c
		}
	}
}
