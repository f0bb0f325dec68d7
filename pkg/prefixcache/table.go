package prefixcache

// table finds the slot of a block id: open addressing with linear probing over
// one flat array of 8 bytes per cell, beside 16 per slot. The caller numbers
// the slots. Slots are stored in chunks, so that more of them cost no copying
// and no slack.
//
// The cells are in the order of their tags, which shortens the search for an
// absent id (ordered hash tables, Amble and Knuth, The Computer Journal 17(2),
// 1974) and makes growth one walk in order. No search wraps around: behind the
// last home is an overhang, and the last cell stays empty.
//
// Ids that number the blocks by first appearance, as Mooncake's do, need no
// hashing: as long as they are dense, an array of 4 bytes per id holds their
// slots.
type table struct {
	chunks []*[chunk]slot
	direct []int32 // slot+1 by id, 0 if the id is not here
	cells  []cell
	homes  int // cells where a search may begin
	hashed int // ids in cells
	used   int // ids in all
	puts   int // ids that were ever entered
}

const (
	chunk     = 2048
	maxDirect = 1 << 25 // ids, 128 MiB
	overhang  = 128     // cells
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

// home is the cell where the search for a tag begins; it rises with the tag.
func (t *table) home(tag uint32) int { return int(uint64(tag) * uint64(t.homes) >> 32) }

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

// probe gives the slot of a hashed id, or empty, and its cell or the one where
// it would go.
func (t *table) probe(id uint64) (s int32, where int) {
	tag := tagOf(id)
	for i := t.home(tag); ; i++ {
		c := t.cells[i]
		if c.slot == empty || c.tag > tag {
			return empty, i
		}
		if c.tag == tag && t.at(c.slot).id == id {
			return c.slot, i
		}
	}
}

// follow counts how many of the ids stand in a row in the list of slots, the
// first of them at s, and gives the slot of the last of those.
//
// A slot that is known only from the one before makes the processor wait. So
// the next one is guessed where it can be, and the list only confirms it:
// neighbours in the list are mostly neighbours in memory, and the slot of a
// dense id is a look away.
func (t *table) follow(s int32, ids []uint64) (n int, last int32) {
	n = 1
	for n < len(ids) && ids[n] < uint64(len(t.direct)) {
		guess := t.direct[ids[n]] - 1
		if guess == empty || t.at(s).next != guess {
			return n, s
		}
		s, n = guess, n+1
	}
	for {
		part := t.chunks[uint32(s)/chunk][s&(chunk-1):]
		for len(part) > 1 && n < len(ids) && part[0].next == s+1 && part[1].id == ids[n] {
			part, s, n = part[1:], s+1, n+1
		}
		next := part[0].next
		if n == len(ids) || next == 0 || t.at(next).id != ids[n] {
			return n, s
		}
		s, n = next, n+1
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
	if (t.hashed+1)*5 > t.homes*4 {
		t.grow()
	}
	_, where := t.probe(id)
	end := where
	for t.cells[end].slot != empty {
		end++
	}
	if end == len(t.cells)-1 {
		t.cells = append(t.cells, vacant(overhang)...)
	}
	copy(t.cells[where+1:end+1], t.cells[where:end])
	t.cells[where] = cell{tagOf(id), s}
	t.hashed++
}

// vacant are n cells without a slot.
func vacant(n int) []cell {
	cells := make([]cell, n)
	for i := range cells {
		cells[i].slot = empty
	}
	return cells
}

// grow makes the table larger by two fifths. As the cells are in order, this
// walks both arrays once and looks at no slot.
func (t *table) grow() {
	old := t.cells
	t.homes += t.homes*2/5 + 16
	t.cells = vacant(t.homes + overhang)
	next := 0
	for _, c := range old {
		if c.slot == empty {
			continue
		}
		next = max(next, t.home(c.tag))
		if next == len(t.cells)-1 {
			t.cells = append(t.cells, vacant(overhang)...)
		}
		t.cells[next] = c
		next++
	}
}

// remove takes the id of a slot out and moves the cells behind it that are not
// at home one back, so that no tombstone is left. The slot stays with the
// caller.
func (t *table) remove(s int32) {
	id := t.at(s).id
	t.used--
	if id < uint64(len(t.direct)) && t.direct[id] != 0 {
		t.direct[id] = 0
		return
	}
	t.hashed--
	_, hole := t.probe(id)
	for c := t.cells[hole+1]; c.slot != empty && t.home(c.tag) <= hole; c = t.cells[hole+1] {
		t.cells[hole] = c
		hole++
	}
	t.cells[hole].slot = empty
}
