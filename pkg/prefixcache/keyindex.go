package prefixcache

// keyIndex finds the first registered live block of a key: open addressing
// with linear probing, 8 bytes per cell.
type keyIndex struct {
	cells []keyCell
	used  int // distinct keys
}

// keyCell holds the first block of a key, 0 for none, and the part of the key
// that gives the cell its home, so that few blocks must be looked at.
type keyCell struct {
	tag   uint32
	block int32
}

func (x *keyIndex) search(k key, p *pool) (cell int, block int32) {
	mask := len(x.cells) - 1
	tag := uint32(k.a)
	for i := int(tag) & mask; ; i = (i + 1) & mask {
		c := x.cells[i]
		if c.block == 0 || c.tag == tag && p.at(c.block).key == k {
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
		x.grow()
	}
	n := p.at(block)
	n.key, n.keyed = k, true
	cell, first := x.search(k, p)
	if first == 0 {
		x.cells[cell] = keyCell{uint32(k.a), block}
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
		x.close(cell)
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
func (x *keyIndex) close(hole int) {
	mask := len(x.cells) - 1
	for i := (hole + 1) & mask; x.cells[i].block != 0; i = (i + 1) & mask {
		home := int(x.cells[i].tag) & mask
		if (i-home)&mask >= (i-hole)&mask {
			x.cells[hole] = x.cells[i]
			hole = i
		}
	}
	x.cells[hole] = keyCell{}
}

func (x *keyIndex) grow() {
	old := x.cells
	x.cells = make([]keyCell, max(16, 2*len(old)))
	mask := len(x.cells) - 1
	for _, c := range old {
		if c.block != 0 {
			i := int(c.tag) & mask
			for x.cells[i].block != 0 {
				i = (i + 1) & mask
			}
			x.cells[i] = c
		}
	}
}
