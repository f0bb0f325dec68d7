package prefixcache

import (
	"errors"
	"testing"
)

// By hand, capacity 2: [1 2 3] is new and leaves 1 2; [4 5] is new and leaves
// 4 5; [1] was evicted; [4 9] hits 4; an empty prompt cannot hit.
func TestExplainWhyLRUHitsNothing(t *testing.T) {
	var requests []Request
	for _, blocks := range [][]uint64{{1, 2, 3}, {4, 5}, {1}, {4, 9}, nil} {
		requests = append(requests, Request{Blocks: blocks, Prompt: 10 * len(blocks)})
	}
	for _, c := range []struct {
		name             string
		capacity, warmup int
		want             LRUMisses
		says             string
	}{
		{"a cache below one prompt", 2, 0, LRUMisses{Requests: 3, FirstVisit: 2, Evicted: 1, Larger: 1, Capacity: 2},
			"2 x first visit: no earlier prompt had the first block; 1 x evicted: the first block was computed before and did not stay; 1 prompts have more blocks than the capacity of 2"},
		{"after a warm-up", 2, 2, LRUMisses{Requests: 1, Evicted: 1, Capacity: 2},
			"1 x evicted: the first block was computed before and did not stay"},
		{"room for all", Unlimited, 0, LRUMisses{Requests: 2, FirstVisit: 2, Capacity: Unlimited},
			"2 x first visit: no earlier prompt had the first block"},
		{"nothing left to explain", 2, 3, LRUMisses{Capacity: 2}, "no request with a block hit nothing"},
	} {
		got, err := ExplainLRU(requests, c.capacity, 10, c.warmup)
		if err != nil || got != c.want || got.String() != c.says {
			t.Errorf("%s: %+v %q (error %v), want %+v %q", c.name, got, got, err, c.want, c.says)
		}
	}
	if _, err := ExplainLRU(requests, 0, 10, 0); !errors.Is(err, ErrSize) {
		t.Errorf("capacity 0: error %v, want ErrSize", err)
	}
	var at *RequestError
	if _, err := ExplainLRU(append(requests, Request{Prompt: -1}), 2, 10, 0); !errors.As(err, &at) || at.Index != 5 {
		t.Errorf("a malformed request: error %v, want one that names request 5", err)
	}
}
