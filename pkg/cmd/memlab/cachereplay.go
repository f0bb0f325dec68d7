package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"memlab/pkg/prefixcache"
	"memlab/pkg/prefixcache/trace"
)

// cacheReplay is a trace and the engine that serves it.
type cacheReplay struct {
	trace  *trace.Trace
	engine string
	policy prefixcache.Policy
	block  int
	warmup int // requests

	progress progress
}

// cacheResult is what the replays gave.
type cacheResult struct {
	cacheReplay
	points []cachePoint // as asked for
	drawn  []cachePoint // of a curve, by capacity, unlimited last
}

// cachePoint is one capacity.
type cachePoint struct {
	prefixcache.Point
	refused int
}

func (r cacheReplay) run(c capacities) (cacheResult, error) {
	result := cacheResult{cacheReplay: r}
	var err error
	switch {
	case !c.curve:
		result.points, err = r.replays(c.list)
	case r.engine == engineLRU:
		result.points, result.drawn, err = r.lruCurve()
	default:
		result.points, result.drawn, err = r.engineCurve()
	}
	return result, err
}

// engineCurve replays once per capacity. To draw are those at which nothing is
// refused, so that all count the same requests.
func (r cacheReplay) engineCurve() (points, drawn []cachePoint, err error) {
	distinct, largest, err := r.sizes()
	if err != nil {
		return nil, nil, err
	}
	asked := curveCapacities(distinct)
	all, err := r.replays(append(asked, max(distinct, largest)))
	if err != nil {
		return nil, nil, err
	}
	for _, p := range all {
		if p.refused == 0 {
			drawn = append(drawn, p)
		}
	}
	slices.SortFunc(drawn, func(a, b cachePoint) int { return cmp.Compare(a.CapacityBlocks, b.CapacityBlocks) })
	drawn = slices.CompactFunc(drawn, func(a, b cachePoint) bool { return a.CapacityBlocks == b.CapacityBlocks })
	return all[:len(asked)], drawn, nil
}

// lruCurve has the exact curve from one pass: the capacities to print, and
// more of them to draw.
func (r cacheReplay) lruCurve() (points, drawn []cachePoint, err error) {
	requests, err := r.trace.Blocks(r.block)
	if err != nil {
		return nil, nil, err
	}
	bar := r.progress.bar("all capacities in one pass", -1)
	if err := bar.Add(0); err != nil { // starts the spinner
		return nil, nil, err
	}
	c, err := prefixcache.LRUCurve(requests, r.block, r.warmup)
	if done := bar.Exit(); err == nil {
		err = done
	}
	if err != nil {
		return nil, nil, err
	}
	asked := curveCapacities(c.Distinct())
	all := append(slices.Clone(asked), c.Distinct())
	for _, p := range c.Points(150) {
		all = append(all, p.CapacityBlocks)
	}
	slices.Sort(all)
	at := func(capacities []int) []cachePoint {
		list := make([]cachePoint, len(capacities))
		for i, n := range capacities {
			list[i] = cachePoint{Point: c.At(n)}
		}
		return list
	}
	return at(asked), at(slices.Compact(all)), nil
}

// sizes counts the different blocks of all prompts, and the blocks of the
// largest request with its output.
func (r cacheReplay) sizes() (distinct, largest int, err error) {
	requests, err := r.trace.Blocks(r.block)
	if err != nil {
		return 0, 0, err
	}
	seen := map[uint64]struct{}{}
	for _, q := range requests {
		for _, id := range q.Blocks {
			seen[id] = struct{}{}
		}
		largest = max(largest, (q.PromptTokens()+len(q.Output)-1)/r.block+1)
	}
	return len(seen), largest, nil
}

// replays serves the whole trace once per capacity.
func (r cacheReplay) replays(capacities []int) ([]cachePoint, error) {
	requests := r.trace.All()
	if r.engine == engineLRU {
		list, err := r.trace.Blocks(r.block)
		if err != nil {
			return nil, err
		}
		requests = slices.Values(list)
	}
	bar := r.progress.bar("replaying", int64(len(capacities)*len(r.trace.Requests)))
	ticked := func(yield func(prefixcache.Request) bool) {
		n := 0
		for q := range requests {
			if n++; n%64 == 0 {
				_ = bar.Add(64) // a bar that cannot be drawn is no reason to stop
			}
			if !yield(q) {
				return
			}
		}
	}
	points := make([]cachePoint, 0, len(capacities))
	for _, capacity := range capacities {
		p, err := r.replay(ticked, capacity)
		if err != nil {
			return nil, errors.Join(err, bar.Exit())
		}
		points = append(points, p)
	}
	return points, bar.Exit()
}

func (r cacheReplay) replay(requests iter.Seq[prefixcache.Request], capacity int) (cachePoint, error) {
	cache, err := r.cache(capacity)
	if err != nil {
		return cachePoint{}, err
	}
	stats, err := prefixcache.Replay(cache, requests, r.warmup)
	return cachePoint{Point: stats.Point(capacity), refused: stats.Refused}, err
}

// cache is an empty one of the engine.
func (r cacheReplay) cache(capacity int) (prefixcache.Cache, error) {
	switch r.engine {
	case engineLRU:
		return prefixcache.NewPrefixLRU(capacity, r.block)
	case engineVLLM:
		return prefixcache.NewBlockHash(capacity, r.block)
	}
	tokens := prefixcache.Unlimited
	if capacity != prefixcache.Unlimited {
		if capacity > math.MaxInt/r.block {
			return nil, fmt.Errorf("--capacity %d blocks of %d tokens: more tokens than can be counted, want %s", capacity, r.block, unlimited)
		}
		tokens = capacity * r.block
	}
	return prefixcache.NewRadix(prefixcache.RadixConfig{Page: r.block, Policy: r.policy, Capacity: tokens})
}
