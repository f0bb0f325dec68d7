package prefixcache

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// slowRadix is SGLang's tree as a plain list of nodes that know their whole
// path: no child index, no heap, no counters.
type slowRadix struct {
	page      int
	policy    Policy
	threshold int
	clock     int
	nodes     []*slowNode
}

type slowNode struct {
	salt       string
	path       []int // from the root to the node's end
	start      int   // where its own tokens begin
	lock, hits int
	priority   int
	at, ct     int
}

func (s *slowRadix) tick() int { s.clock++; return s.clock }

func (n *slowNode) under(p *slowNode) bool {
	return n.salt == p.salt && n.start == len(p.path) && len(n.path) >= len(p.path) && slices.Equal(n.path[:len(p.path)], p.path)
}

func (s *slowRadix) walk(salt string, key []int, t int, visit func(*slowNode)) (at *slowNode) {
	at = &slowNode{salt: salt}
	for len(at.path) < len(key) {
		i := slices.IndexFunc(s.nodes, func(n *slowNode) bool {
			return n.under(at) && slices.Equal(n.path[n.start:n.start+s.page], key[n.start:n.start+s.page])
		})
		if i < 0 {
			break
		}
		n := s.nodes[i]
		n.at = t
		end := n.start
		for end+s.page <= min(len(n.path), len(key)) && slices.Equal(n.path[end:end+s.page], key[end:end+s.page]) {
			end += s.page
		}
		if end < len(n.path) {
			upper := *n
			upper.path = n.path[:end]
			upper.at, upper.ct = s.tick(), s.tick()
			n.start = end
			s.nodes = append(s.nodes, &upper)
			visit(&upper)
			return &upper
		}
		visit(n)
		at = n
	}
	return at
}

func (s *slowRadix) cut(key []int) []int { return key[:len(key)/s.page*s.page] }

func (s *slowRadix) match(salt string, key []int) *slowNode {
	if key = s.cut(key); len(key) == 0 {
		return &slowNode{salt: salt}
	}
	return s.walk(salt, key, s.tick(), func(*slowNode) {})
}

func (s *slowRadix) insert(salt string, key []int, priority, inserted int) int {
	key = s.cut(key)
	at := s.walk(salt, key, s.tick(), func(n *slowNode) {
		n.priority = max(n.priority, priority)
		if len(n.path) > inserted {
			n.hits++
		}
	})
	if len(at.path) < len(key) {
		n := &slowNode{salt: salt, path: slices.Clone(key), start: len(at.path), priority: priority, at: s.tick(), ct: s.tick()}
		if len(key) > inserted {
			n.hits = 1
		}
		s.nodes = append(s.nodes, n)
	}
	return len(at.path)
}

// lock changes the count of the node that ends at path and of all above it.
func (s *slowRadix) lock(salt string, path []int, by int) {
	for _, n := range s.nodes {
		if n.salt == salt && len(n.path) <= len(path) && slices.Equal(n.path, path[:len(n.path)]) {
			n.lock += by
		}
	}
}

func (s *slowRadix) value(n *slowNode) [2]int {
	protected := 0
	if n.hits >= s.threshold {
		protected = 1
	}
	return map[Policy][2]int{
		LRU: {n.at}, MRU: {-n.at}, FIFO: {n.ct}, FILO: {-n.ct}, LFU: {n.hits, n.at}, Priority: {n.priority, n.at}, SLRU: {protected, n.at},
	}[s.policy]
}

func (s *slowRadix) evict(tokens int) (freed []Freed) {
	for total := 0; total < tokens; {
		var best *slowNode
		for _, n := range s.nodes {
			leaf := n.lock == 0 && !slices.ContainsFunc(s.nodes, func(c *slowNode) bool { return c.under(n) && c != n })
			if a := s.value(n); leaf && (best == nil || slices.Compare(a[:], func() []int { b := s.value(best); return b[:] }()) < 0) {
				best = n
			}
		}
		if best == nil {
			break
		}
		s.nodes = slices.DeleteFunc(s.nodes, func(n *slowNode) bool { return n == best })
		freed = append(freed, Freed{best.start, len(best.path) - best.start})
		total += len(best.path) - best.start
	}
	return freed
}

func (s *slowRadix) tree() []RadixNode {
	slices.SortFunc(s.nodes, func(a, b *slowNode) int {
		if a.salt != b.salt {
			return slices.Compare([]byte(a.salt), []byte(b.salt))
		}
		return slices.Compare(a.path, b.path)
	})
	var list []RadixNode
	for _, n := range s.nodes {
		list = append(list, RadixNode{n.start, n.path[n.start:], n.lock, n.hits, n.priority, n.at, n.ct})
	}
	return list
}

func radix(t testing.TB, config RadixConfig) *Radix {
	t.Helper()
	c, err := NewRadix(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type heldLock struct {
	lock *Lock
	salt string
	path []int
}

func compareRadix(t *testing.T, r *rand.Rand, n int) {
	policy, page := Policies()[r.IntN(7)], 1+r.IntN(3)
	c := radix(t, RadixConfig{Page: page, Policy: policy})
	s := &slowRadix{page: page, policy: policy, threshold: 2, clock: 2}
	var held []heldLock
	for i := range n {
		key := make([]int, r.IntN(5*page+1))
		for j := range key {
			key[j] = r.IntN(2)
		}
		salt := []string{"", "", "x"}[r.IntN(3)]
		k := Key{Tokens: key, Salt: salt}
		switch op := r.IntN(12); {
		case op < 3:
			peek := c.Lookup(k)
			if got, want := c.Match(k), len(s.match(salt, key).path); got != want || peek != want {
				t.Fatalf("operation %d: match %d, lookup %d, want %d", i, got, peek, want)
			}
		case op < 7:
			priority, inserted := r.IntN(3), r.IntN(3)*page
			if got, want := c.Insert(k, priority, inserted), s.insert(salt, key, priority, inserted); got != want {
				t.Fatalf("operation %d: insert finds %d tokens, want %d", i, got, want)
			}
		case op < 9:
			l, matched, _ := c.Lock(k)
			want := s.match(salt, key)
			path := slices.Clone(want.path)
			s.lock(salt, path, 1)
			held = append(held, heldLock{l, salt, path})
			if matched != len(path) {
				t.Fatalf("operation %d: lock matches %d, want %d", i, matched, len(path))
			}
		case op < 11 && len(held) > 0:
			j := r.IntN(len(held))
			if _, err := c.Unlock(held[j].lock); err != nil {
				t.Fatal(err)
			}
			s.lock(held[j].salt, held[j].path, -1)
			held = slices.Delete(held, j, j+1)
		case op == 11:
			tokens := r.IntN(4 * page)
			_, freed := c.Evict(tokens)
			if want := s.evict(tokens); !slices.Equal(freed, want) {
				t.Fatalf("operation %d: %s evicts %v, want %v", i, policy, freed, want)
			}
		}
		if d := cmp.Diff(s.tree(), c.Tree()); d != "" {
			t.Fatalf("operation %d, %s, page %d (-want +got):\n%s", i, policy, page, d)
		}
		if err := c.check(); err != nil {
			t.Fatalf("operation %d: %v", i, err)
		}
	}
}

func TestRadixAgainstTheSlowModel(t *testing.T) {
	for seed := range uint64(100) {
		compareRadix(t, rand.New(rand.NewPCG(seed, 4)), 50)
	}
}

func FuzzRadix(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { compareRadix(t, rand.New(rand.NewPCG(a, b)), 40) })
}
