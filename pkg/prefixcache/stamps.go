package prefixcache

import "math/bits"

// stamps counts the live time stamps after a given one: one bit per stamp and a
// Fenwick tree (Fenwick 1994) over the words of 64 bits, which is 64 times
// smaller than a tree over single stamps and stays in the processor's cache.
type stamps struct {
	words []uint64
	tree  []int32 // 1-based Fenwick tree over the bits set per word
	live  int
	// Changes not yet in the tree, one run of set and one of cleared stamps:
	// the blocks of a prompt were stamped together the last time, and are so
	// now, so that most changes fall into the word of the change before.
	adds, drops pending
}

type pending struct {
	word  int
	delta int32
}

func newStamps(most int) *stamps {
	n := most/64 + 1
	return &stamps{words: make([]uint64, n), tree: make([]int32, n+1)}
}

func (s *stamps) set(stamp int) {
	s.words[stamp/64] |= 1 << (stamp % 64)
	s.live++
	s.change(&s.adds, stamp/64, 1)
}

func (s *stamps) clear(stamp int) {
	s.words[stamp/64] &^= 1 << (stamp % 64)
	s.live--
	s.change(&s.drops, stamp/64, -1)
}

func (s *stamps) change(p *pending, word int, by int32) {
	if word != p.word {
		s.enter(p)
		p.word = word
	}
	p.delta += by
}

func (s *stamps) enter(p *pending) {
	for i := p.word + 1; p.delta != 0 && i < len(s.tree); i += i & -i {
		s.tree[i] += p.delta
	}
	p.delta = 0
}

// flush brings the tree up to date.
func (s *stamps) flush() {
	s.enter(&s.adds)
	s.enter(&s.drops)
}

// after is the number of live stamps larger than this one; flush comes first.
func (s *stamps) after(stamp int) int {
	w := stamp / 64
	n := s.live - bits.OnesCount64(s.words[w]<<(63-stamp%64))
	for i := w; i > 0; i &= i - 1 {
		n -= int(s.tree[i])
	}
	return n
}
