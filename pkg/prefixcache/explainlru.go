package prefixcache

import (
	"fmt"
	"strings"
)

// LRUMisses says why requests hit nothing in a PrefixLRU. A prompt hits nothing
// if its first block is absent, whatever is known of the others.
type LRUMisses struct {
	Requests   int // that have a block and hit nothing
	FirstVisit int // of these: no earlier prompt had their first block
	Evicted    int // of these: one had, but the block has been evicted
	Larger     int // of all requests: more blocks than the capacity
	Capacity   int
}

// ExplainLRU serves requests through an empty PrefixLRU and explains those
// after the first warmup ones that hit nothing. It stops at a malformed request
// with a RequestError.
func ExplainLRU(requests []Request, capacity, block, warmup int) (LRUMisses, error) {
	c, err := NewPrefixLRU(capacity, block)
	if err != nil {
		return LRUMisses{}, err
	}
	m := LRUMisses{Capacity: capacity}
	seen := map[uint64]struct{}{}
	for i, r := range requests {
		u, err := c.Serve(r)
		if err != nil {
			return m, &RequestError{Index: i, Err: err}
		}
		if i >= warmup {
			m.count(r.Blocks, u, seen)
		}
		for _, id := range r.Blocks {
			seen[id] = struct{}{}
		}
	}
	return m, nil
}

func (m *LRUMisses) count(blocks []uint64, u Use, seen map[uint64]struct{}) {
	if len(blocks) > m.Capacity {
		m.Larger++
	}
	if len(blocks) == 0 || u.HitBlocks > 0 {
		return
	}
	m.Requests++
	if _, known := seen[blocks[0]]; known {
		m.Evicted++
	} else {
		m.FirstVisit++
	}
}

// String is the explanation in a sentence.
func (m LRUMisses) String() string {
	var parts []string
	if m.FirstVisit > 0 {
		parts = append(parts, fmt.Sprintf("%d x %s: no earlier prompt had the first block", m.FirstVisit, FirstVisit))
	}
	if m.Evicted > 0 {
		parts = append(parts, fmt.Sprintf("%d x %s: the first block was computed before and did not stay", m.Evicted, Evicted))
	}
	if m.Larger > 0 {
		parts = append(parts, fmt.Sprintf("%d prompts have more blocks than the capacity of %d", m.Larger, m.Capacity))
	}
	if len(parts) == 0 {
		return "no request with a block hit nothing"
	}
	return strings.Join(parts, "; ")
}
