package prefixcache

import "math/bits"

// table finds the slot of a block id: open addressing with linear probing over
// flat arrays, 4 bytes per cell and 8 per id. The caller numbers the slots.
type table struct {
	ids   []uint64 // by slot
	cells []int32  // slot, or empty
	used  int
}

const (
	empty   = int32(-1)
	maxSlot = 1<<31 - 2
)

// home is the cell where the search for an id begins. The number of cells need
// not be a power of two, so that the table can grow by halves.
func (t *table) home(id uint64) int {
	h, _ := bits.Mul64((id^id>>32)*mixD, uint64(len(t.cells)))
	return int(h)
}

// find gives the slot of an id, or empty and the cell where it would go.
func (t *table) find(id uint64) (slot int32, cell int) {
	if len(t.cells) == 0 {
		return empty, 0
	}
	i := t.home(id)
	for {
		s := t.cells[i]
		if s == empty || t.ids[s] == id {
			return s, i
		}
		if i++; i == len(t.cells) {
			i = 0
		}
	}
}

// put enters an absent id under a slot, which is an existing one or the next.
// The cell is what find returned.
func (t *table) put(id uint64, slot int32, cell int) {
	if (t.used+1)*10 > len(t.cells)*7 {
		t.grow()
		_, cell = t.find(id)
	}
	if int(slot) == len(t.ids) {
		t.ids = append(t.ids, id)
	} else {
		t.ids[slot] = id
	}
	t.cells[cell] = slot
	t.used++
}

// grow makes the table half as large again and enters every slot anew.
func (t *table) grow() {
	old := t.cells
	t.cells = make([]int32, max(16, len(old)+len(old)/2))
	for i := range t.cells {
		t.cells[i] = empty
	}
	for _, s := range old {
		if s != empty {
			_, cell := t.find(t.ids[s])
			t.cells[cell] = s
		}
	}
}

// remove takes an id out and moves later cells of its run forward, so that no
// tombstone is left. Its slot stays with the caller.
func (t *table) remove(id uint64) {
	s, hole := t.find(id)
	if s == empty {
		return
	}
	n := len(t.cells)
	for i := hole; ; {
		if i++; i == n {
			i = 0
		}
		s := t.cells[i]
		if s == empty {
			break
		}
		// The cell may move if its home is not between the hole and itself.
		home := t.home(t.ids[s])
		if (i-home+n)%n >= (i-hole+n)%n {
			t.cells[hole] = s
			hole = i
		}
	}
	t.cells[hole] = empty
	t.used--
}
