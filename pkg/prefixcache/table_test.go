package prefixcache

import (
	"math/rand/v2"
	"testing"
)

// idsOfTag are ids whose hashes share the upper half, so that all of them want
// the same cell: the table must bear them anywhere, behind the last home too.
func idsOfTag(t *testing.T, tag uint32, n int) []uint64 {
	t.Helper()
	inverse := uint64(1) // of mixD modulo 2^64, by Newton's method
	for range 6 {
		inverse *= 2 - mixD*inverse
	}
	ids := make([]uint64, n)
	for i := range ids {
		x := (uint64(tag)<<32 | uint64(i)) * inverse
		if ids[i] = x ^ x>>32; tagOf(ids[i]) != tag {
			t.Fatalf("id %d has tag %x, want %x", ids[i], tagOf(ids[i]), tag)
		}
	}
	return ids
}

func TestIDsThatCollideFindTheirSlots(t *testing.T) {
	for _, tag := range []uint32{0, 1 << 31, 1<<32 - 1} {
		r := rand.New(rand.NewPCG(uint64(tag), 9))
		ids := idsOfTag(t, tag, 3*overhang)
		for range 200 {
			ids = append(ids, r.Uint64()|1<<63)
		}
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		c, slow := lru(t, 2*len(ids)/3, 1), slowLRU{capacity: 2 * len(ids) / 3}
		for range 300 {
			from := r.IntN(len(ids))
			blocks := ids[from:min(len(ids), from+r.IntN(9))]
			if got, want := c.Access(blocks), slow.access(blocks); got != want {
				t.Fatalf("tag %x: %d hits, want %d", tag, got, want)
			}
			if err := c.check(); err != nil {
				t.Fatalf("tag %x: %v", tag, err)
			}
		}
		c.Access(ids)
		if err := c.check(); err != nil {
			t.Fatalf("tag %x: %v", tag, err)
		}
	}
}

// follow stops where the list leaves the ids, in front of the list's start, and
// goes on over the end of a chunk; for dense ids and for hashes.
func TestFollowGoesAsFarAsTheListDoes(t *testing.T) {
	for _, stride := range []uint64{1, mixD} {
		ids := make([]uint64, 2*chunk)
		for i := range ids {
			ids[i] = uint64(i) * stride
		}
		c := lru(t, Unlimited, 1)
		c.Access(ids)
		for _, x := range []struct{ from, to, want int }{
			{0, len(ids), len(ids)}, {5, 6, 1}, {chunk - 3, chunk + 3, 6}, {len(ids) - 2, len(ids), 2},
		} {
			s := c.table.find(ids[x.from])
			if n, last := c.table.follow(s, ids[x.from:x.to]); n != x.want || c.table.at(last).id != ids[x.to-1] {
				t.Errorf("stride %d, blocks %d to %d: %d in a row, want %d", stride, x.from, x.to, n, x.want)
			}
		}
		beyond := []uint64{ids[len(ids)-1], 0}
		if n, _ := c.table.follow(c.table.find(beyond[0]), beyond); n != 1 {
			t.Errorf("stride %d: behind the last block the list goes on with block 0", stride)
		}
		if n, _ := c.table.follow(c.table.find(ids[0]), []uint64{ids[0], ids[2]}); n != 1 {
			t.Errorf("stride %d: a block was left out and the run goes on", stride)
		}
	}
}
