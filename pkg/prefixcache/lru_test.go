package prefixcache

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func lru(t testing.TB, capacity, block int) *PrefixLRU {
	t.Helper()
	c, err := NewPrefixLRU(capacity, block)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// slowLRU is PrefixLRU as one would write it on a blackboard.
type slowLRU struct {
	capacity int
	order    []uint64 // most recent first
	evicted  int
}

func (s *slowLRU) access(blocks []uint64) (hits int) {
	for hits < len(blocks) && slices.Contains(s.order, blocks[hits]) {
		hits++
	}
	for _, id := range slices.Backward(blocks) {
		s.order = slices.DeleteFunc(s.order, func(x uint64) bool { return x == id })
		s.order = slices.Insert(s.order, 0, id)
		if len(s.order) > s.capacity {
			s.order = s.order[:s.capacity]
			s.evicted++
		}
	}
	return hits
}

func TestPrefixLRUByHand(t *testing.T) {
	c := lru(t, 3, 10)
	for _, step := range []struct {
		name    string
		blocks  []uint64
		hits    int
		order   []uint64
		evicted int
	}{
		{"three new blocks, the head most recent", []uint64{1, 2, 3}, 0, []uint64{1, 2, 3}, 0},
		{"the tail of the first prompt goes first", []uint64{1, 4}, 1, []uint64{1, 4, 2}, 1},
		{"a block hits wherever it stood before", []uint64{2, 1}, 2, []uint64{2, 1, 4}, 1},
		{"a miss in front ends the lookup", []uint64{9, 2}, 0, []uint64{9, 2, 1}, 2},
		{"a prompt larger than the cache leaves its head", []uint64{5, 6, 7, 8}, 0, []uint64{5, 6, 7}, 6},
		{"so that its head hits the next time", []uint64{5, 6, 7, 8}, 3, []uint64{5, 6, 7}, 10},
		{"nothing", nil, 0, []uint64{5, 6, 7}, 10},
		{"a block twice in a prompt", []uint64{6, 6}, 2, []uint64{6, 5, 7}, 10},
		{"an absent block twice", []uint64{4, 4}, 0, []uint64{4, 6, 5}, 11},
	} {
		if n := c.Lookup(step.blocks); n != step.hits {
			t.Errorf("%s: Lookup says %d", step.name, n)
		}
		u, err := c.Serve(Request{Blocks: step.blocks, Prompt: 10 * len(step.blocks)})
		if err != nil || u.HitBlocks != step.hits || u.HitTokens != 10*step.hits {
			t.Errorf("%s: %+v (error %v), want %d hits", step.name, u, err, step.hits)
		}
		if d := cmp.Diff(step.order, c.Order()); d != "" || c.Stats().Evicted != step.evicted {
			t.Errorf("%s: evicted %d, want %d; order (-want +got)\n%s", step.name, c.Stats().Evicted, step.evicted, d)
		}
		if err := c.check(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
	}
}

// A block that occurs twice in a prompt leaves a slot without a block, which no
// guess may take for block 0.
func TestASpareSlotIsNoBlock(t *testing.T) {
	c := lru(t, 10, 1)
	const a, b = 1 << 40, 1 << 41
	c.Access([]uint64{a, b, b})
	if n := c.Access([]uint64{a, 0}); n != 1 || c.Len() != 3 {
		t.Errorf("%d hits and %d blocks: want 1 and 3", n, c.Len())
	}
	if err := c.check(); err != nil {
		t.Error(err)
	}
}

// randomPrompts have the prefix structure of chats, and now and then a block
// out of place or twice.
func randomPrompts(r *rand.Rand, n int) [][]uint64 {
	chats := make([][]uint64, 1+r.IntN(6))
	next := uint64(0)
	var list [][]uint64
	for range n {
		i := r.IntN(len(chats))
		switch r.IntN(8) {
		case 0:
			chats[i] = slices.Clone(chats[r.IntN(len(chats))])
			chats[i] = chats[i][:r.IntN(len(chats[i])+1)]
		case 1:
			if next > 0 {
				chats[i] = append(chats[i], r.Uint64N(next))
			}
		}
		for range r.IntN(4) {
			chats[i] = append(chats[i], next)
			next++
		}
		list = append(list, slices.Clone(chats[i]))
	}
	return list
}

func compareLRU(t *testing.T, r *rand.Rand, n int) {
	capacity := 1 + r.IntN(30)
	c, slow := lru(t, capacity, 1), slowLRU{capacity: capacity}
	stride := []uint64{1, 1000, mixD}[r.IntN(3)] // numbered ids, sparse ones, hashes
	for i, blocks := range randomPrompts(r, n) {
		for j := range blocks {
			blocks[j] *= stride
		}
		want := slow.access(blocks)
		if got := c.Access(blocks); got != want {
			t.Fatalf("access %d, %v at capacity %d: %d hits, want %d", i, blocks, capacity, got, want)
		}
		if !slices.Equal(c.Order(), slow.order) || c.Stats().Evicted != slow.evicted {
			t.Fatalf("access %d, %v at capacity %d: order %v, want %v", i, blocks, capacity, c.Order(), slow.order)
		}
		if err := c.check(); err != nil {
			t.Fatalf("access %d: %v", i, err)
		}
	}
}

func TestPrefixLRUAgainstTheSlowModel(t *testing.T) {
	for seed := range uint64(300) {
		compareLRU(t, rand.New(rand.NewPCG(seed, 1)), 60)
	}
}

func FuzzPrefixLRU(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { compareLRU(t, rand.New(rand.NewPCG(a, b)), 40) })
}

// Every capacity of the curve is a replay of its own.
func TestCurveAgreesWithReplaysAtEveryCapacity(t *testing.T) {
	const block = 7
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		var requests []Request
		for _, blocks := range randomPrompts(r, 80) {
			prompt := len(blocks) * block
			if prompt > 0 {
				prompt -= r.IntN(block)
			}
			requests = append(requests, Request{Blocks: blocks, Prompt: prompt})
		}
		warmup := int(seed%3) * 20
		curve, err := LRUCurve(requests, block, warmup)
		if err != nil {
			t.Fatal(err)
		}
		capacities := append(curve.Steps(), Unlimited, curve.Largest()+1)
		for c := range 30 {
			capacities = append(capacities, c+1)
		}
		for _, capacity := range capacities {
			s, err := Replay(lru(t, capacity, block), slices.Values(requests), warmup)
			if err != nil {
				t.Fatal(err)
			}
			if got := curve.At(capacity); got != s.Point(capacity) {
				t.Fatalf("seed %d, capacity %d: the curve says %+v, the replay %+v", seed, capacity, got, s.Point(capacity))
			}
		}
		if p := curve.At(0); p.HitBlocks != 0 {
			t.Errorf("capacity 0 hits %d blocks", p.HitBlocks)
		}
	}
}

func TestCurvePointsForAFigure(t *testing.T) {
	var requests []Request
	for i := range 100 {
		requests = append(requests, Request{Blocks: []uint64{uint64(i % 50)}, Prompt: 1})
	}
	curve, err := LRUCurve(requests, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := curve.Points(10)
	if last := p[len(p)-1]; p[0].CapacityBlocks != 1 || last.CapacityBlocks != 50 || last.HitBlocks != 50 || curve.At(49).HitBlocks != 0 {
		t.Errorf("points %+v: a loop over 50 blocks hits from 50 blocks on only", p)
	}
	nothing, err := LRUCurve(nil, 1, 0)
	if err != nil || nothing.Largest() != 0 || nothing.At(Unlimited).HitBlocks != 0 || nothing.At(1).HitRate != 0 {
		t.Errorf("an empty trace: %+v, error %v", nothing, err)
	}
}

func TestPrefixLRURefusesNonsense(t *testing.T) {
	for _, size := range [][2]int{{0, 1}, {-1, 1}, {1, 0}, {1, -5}} {
		if _, err := NewPrefixLRU(size[0], size[1]); !errors.Is(err, ErrSize) {
			t.Errorf("capacity %d, block %d: error %v, want ErrSize", size[0], size[1], err)
		}
	}
	if _, err := LRUCurve(nil, 0, 0); !errors.Is(err, ErrSize) {
		t.Errorf("a curve of blocks of 0 tokens: error %v, want ErrSize", err)
	}
	c := lru(t, 2, 4)
	for _, r := range []Request{
		{Prompt: -1}, {Prompt: 5, Blocks: []uint64{1}}, {Prompt: 4, Blocks: []uint64{1, 2}}, {Prompt: 0, Blocks: []uint64{1}}, {Tokens: []int{1, 2}},
	} {
		if _, err := c.Serve(r); !errors.Is(err, ErrRequest) {
			t.Errorf("%+v: error %v, want ErrRequest", r, err)
		}
		_, err := LRUCurve([]Request{{}, r}, 4, 0)
		if at := (*RequestError)(nil); !errors.As(err, &at) || at.Index != 1 {
			t.Errorf("a curve with %+v: error %v, want one that names request 1", r, err)
		}
	}
	if c.Stats() != (Stats{}) {
		t.Errorf("refused requests were counted: %+v", c.Stats())
	}
}
