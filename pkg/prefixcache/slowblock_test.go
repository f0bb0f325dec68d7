package prefixcache

import (
	"fmt"
	"slices"
)

// slowBlocks is vLLM's cache with slices and linear search: every rule in one
// line, nothing shared with BlockHash.
type slowBlocks struct {
	size       int
	queue      []int32
	refs       map[int32]int
	registered []slowEntry // live blocks in the order of registration
	requests   map[string]*slowRequest
	stored     []int32
	evicted    []int32
}

type slowEntry struct {
	content string
	block   int32
}

type slowRequest struct {
	salt     string
	tokens   []int
	blocks   []int32
	computed int
	keyed    int
}

func newSlowBlocks(capacity, size int) *slowBlocks {
	s := &slowBlocks{size: size, refs: map[int32]int{}, requests: map[string]*slowRequest{}}
	for b := range capacity {
		s.queue = append(s.queue, int32(b+1))
	}
	return s
}

func (s *slowBlocks) content(r *slowRequest, block int) string {
	return fmt.Sprint(r.salt, r.tokens[:(block+1)*s.size])
}

func (s *slowBlocks) lookup(r *slowRequest) (hit []int32) {
	for len(hit) < (len(r.tokens)-1)/s.size {
		i := slices.IndexFunc(s.registered, func(e slowEntry) bool { return e.content == s.content(r, len(hit)) })
		if i < 0 {
			break
		}
		hit = append(hit, s.registered[i].block)
	}
	return hit
}

func (s *slowBlocks) fits(r *slowRequest, total int, hit []int32) (need int, ok bool) {
	for (len(r.blocks)+len(hit)+need)*s.size < total {
		need++
	}
	idle := 0
	for _, b := range hit {
		if s.refs[b] == 0 {
			idle++
		}
	}
	return need, need+idle <= len(s.queue)
}

func (s *slowBlocks) allocate(r *slowRequest, total int, hit []int32) bool {
	need, ok := s.fits(r, total, hit)
	if !ok {
		return false
	}
	for _, b := range hit {
		s.queue = slices.DeleteFunc(s.queue, func(x int32) bool { return x == b })
		s.refs[b]++
	}
	r.blocks, r.keyed = append(r.blocks, hit...), r.keyed+len(hit)
	for range need {
		b := s.queue[0]
		s.queue = s.queue[1:]
		if s.keyed(b) {
			s.registered = slices.DeleteFunc(s.registered, func(e slowEntry) bool { return e.block == b })
			s.evicted = append(s.evicted, b)
		}
		s.refs[b] = 1
		r.blocks = append(r.blocks, b)
	}
	for (r.keyed+1)*s.size <= min(total, len(r.tokens)) {
		b := r.blocks[r.keyed]
		s.registered = append(s.registered, slowEntry{s.content(r, r.keyed), b})
		s.stored = append(s.stored, b)
		r.keyed++
	}
	r.computed = total
	return true
}

func (s *slowBlocks) keyed(b int32) bool {
	return slices.ContainsFunc(s.registered, func(e slowEntry) bool { return e.block == b })
}

func (s *slowBlocks) release(r *slowRequest) {
	var front, back []int32
	for _, b := range slices.Backward(r.blocks) {
		if s.refs[b]--; s.refs[b] > 0 {
			continue
		}
		if s.keyed(b) {
			back = append(back, b)
		} else {
			front = append(front, b)
		}
	}
	s.queue = slices.Concat(front, s.queue, back)
	r.blocks, r.keyed, r.computed = nil, 0, 0
}

func (s *slowBlocks) contents() int {
	seen := map[string]bool{}
	for _, e := range s.registered {
		seen[e.content] = true
	}
	return len(seen)
}
