package prefixcache

// table finds the slot of a block id: open addressing with linear probing over
// one flat array of 8 bytes per cell, beside 16 per slot. The caller numbers
// the slots. Slots are stored in chunks, so that more of them cost no copying
// and no slack.
//
// Ids that number the blocks by first appearance, as Mooncake's do, need no
// hashing: as long as they are dense, an array of 4 bytes per id holds their
// slots.
type table struct {
	chunks []*[chunk]slot
	direct []int32 // slot+1 by id, 0 if the id is not here
	cells  []cell
	hashed int // ids in cells
	used   int // ids in all
	puts   int // ids that were ever entered
}

const (
	chunk     = 1024
	maxDirect = 1 << 25 // ids, 128 MiB
)

func (t *table) at(s int32) *slot { return &t.chunks[uint32(s)/chunk][s&(chunk-1)] }

// room makes sure that slots up to this one exist.
func (t *table) room(s int32) {
	for int(s)/chunk >= len(t.chunks) {
		t.chunks = append(t.chunks, new([chunk]slot))
	}
}

// slot is a block id and its neighbours in a list of slots.
type slot struct {
	id         uint64
	prev, next int32
}

// cell is the upper half of an id's hash, so that few slots must be looked at,
// and the slot.
type cell struct {
	tag  uint32
	slot int32
}

const (
	empty   = int32(-1)
	maxSlot = 1<<31 - 2
)

func tagOf(id uint64) uint32 { return uint32((id ^ id>>32) * mixD >> 32) }

// home is the cell where the search for a tag begins. It rises with the tag, so
// that a larger table has its cells in the same order.
func (t *table) home(tag uint32) int {
	return int(uint64(tag) * uint64(len(t.cells)) >> 32)
}

// find gives the slot of an id, or empty.
func (t *table) find(id uint64) int32 {
	if id < uint64(len(t.direct)) && t.direct[id] != 0 {
		return t.direct[id] - 1
	}
	if t.hashed == 0 {
		return empty
	}
	s, _ := t.probe(id)
	return s
}

// probe gives the slot of a hashed id, or empty and the cell where it would go.
func (t *table) probe(id uint64) (s int32, where int) {
	tag := tagOf(id)
	i := t.home(tag)
	for {
		c := t.cells[i]
		if c.slot == empty || c.tag == tag && t.at(c.slot).id == id {
			return c.slot, i
		}
		if i++; i == len(t.cells) {
			i = 0
		}
	}
}

// put enters an absent id under a slot that has room.
func (t *table) put(id uint64, s int32) {
	t.at(s).id = id
	t.used++
	t.puts++
	if dense := uint64(min(2*t.puts+4*chunk, maxDirect)); id < dense {
		if n := uint64(len(t.direct)); id >= n {
			t.direct = append(make([]int32, 0, min(max(id+1, n+n/2), dense)), t.direct...)
			t.direct = t.direct[:cap(t.direct)]
		}
		t.direct[id] = s + 1
		return
	}
	if (t.hashed+1)*5 > len(t.cells)*4 {
		t.grow()
	}
	_, where := t.probe(id)
	t.cells[where] = cell{tagOf(id), s}
	t.hashed++
}

// grow makes the table larger by two fifths. The old cells are almost in the order
// of the new ones, so this walks both arrays once and looks at no slot.
func (t *table) grow() {
	old := t.cells
	t.cells = make([]cell, len(old)+len(old)*2/5+16)
	for i := range t.cells {
		t.cells[i].slot = empty
	}
	for _, c := range old {
		if c.slot == empty {
			continue
		}
		i := t.home(c.tag)
		for t.cells[i].slot != empty {
			if i++; i == len(t.cells) {
				i = 0
			}
		}
		t.cells[i] = c
	}
}

// remove takes an id out that is present, and moves later cells of its run forward, so that no
// tombstone is left. Its slot stays with the caller.
func (t *table) remove(id uint64) {
	t.used--
	if id < uint64(len(t.direct)) && t.direct[id] != 0 {
		t.direct[id] = 0
		return
	}
	t.hashed--
	_, hole := t.probe(id)
	n := len(t.cells)
	distance := func(from, to int) int {
		if d := to - from; d >= 0 {
			return d
		}
		return to - from + n
	}
	for i := hole; ; {
		if i++; i == n {
			i = 0
		}
		c := t.cells[i]
		if c.slot == empty {
			break
		}
		// The cell may move unless its home lies between the hole and itself.
		if distance(t.home(c.tag), i) >= distance(hole, i) {
			t.cells[hole] = c
			hole = i
		}
	}
	t.cells[hole].slot = empty
}
