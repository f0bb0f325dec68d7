package main

import (
	"fmt"
	"io"
	"strings"

	"memlab/pkg/prefixcache"
)

// explainAtMost bounds the prompt tokens of a trace that is gone through again
// to explain why nothing hit.
const explainAtMost = 5_000_000

// remarks says what the numbers alone would hide.
func (r cacheResult) remarks(notes io.Writer) error {
	var refused []string
	for _, p := range r.points {
		if p.refused > 0 {
			refused = append(refused, fmt.Sprintf("%d at capacity %s", p.refused, capacityName(p.CapacityBlocks)))
		}
	}
	if len(refused) > 0 {
		fmt.Fprintf(notes, "memlab: requests larger than the cache, refused and not in the counts: %s; of %d\n",
			strings.Join(refused, ", "), len(r.trace.Requests)-r.warmup)
	}
	largest := r.points[0]
	for _, p := range r.points {
		if p.CapacityBlocks > largest.CapacityBlocks {
			largest = p
		}
	}
	if largest.HitTokens > 0 || largest.PromptTokens == 0 {
		return nil
	}
	why, err := r.whyNothing(largest.CapacityBlocks)
	if err == nil && why != "" {
		fmt.Fprintf(notes, "memlab: note: nothing was reused at capacity %s: %s\n", capacityName(largest.CapacityBlocks), why)
	}
	return err
}

// whyNothing counts the reasons for which no request hit; "" if the trace is
// too long to go through again.
func (r cacheResult) whyNothing(capacity int) (string, error) {
	if r.engine == engineLRU {
		return r.whyNoBlock(capacity)
	}
	total := 0
	for i := range r.trace.Requests {
		total += r.trace.Requests[i].PromptTokens()
	}
	if total > explainAtMost {
		return "", nil
	}
	cache, err := r.cache(capacity)
	if err != nil {
		return "", err
	}
	explainer, err := prefixcache.NewExplainer(cache, r.block)
	if err != nil {
		return "", err
	}
	counts := map[prefixcache.Reason]int{}
	var order []prefixcache.Reason
	index, shared := 0, 0
	for q := range r.trace.All() {
		_, x, err := explainer.Serve(q)
		if err != nil {
			return "", &prefixcache.RequestError{Index: index, Err: err}
		}
		if index++; index <= r.warmup {
			continue
		}
		if counts[x.Reason]++; counts[x.Reason] == 1 {
			order = append(order, x.Reason)
		}
		shared = max(shared, x.Shared)
	}
	parts := make([]string, len(order))
	for i, reason := range order {
		parts[i] = fmt.Sprintf("%d x %s", counts[reason], reason)
	}
	return fmt.Sprintf("%s; the longest prefix shared with an earlier prompt is %d tokens, a block is %d",
		strings.Join(parts, ", "), shared, r.block), nil
}

// whyNoBlock is whyNothing for ids of blocks, which are few enough for any
// trace.
func (r cacheResult) whyNoBlock(capacity int) (string, error) {
	requests, err := r.trace.Blocks(r.block)
	if err != nil {
		return "", err
	}
	misses, err := prefixcache.ExplainLRU(requests, capacity, r.block, r.warmup)
	return misses.String(), err
}
