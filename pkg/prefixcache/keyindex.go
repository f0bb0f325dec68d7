package prefixcache

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
