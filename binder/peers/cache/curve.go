package main

import (
	"bytes"

	"memlab/binder/peers/cache/workload"
	"memlab/binder/peers/runner"
	"memlab/pkg/prefixcache"
	"memlab/pkg/prefixcache/trace"
)

// points is at how many capacities the curve is asked for.
const points = 32

// curves compares the hits at many capacities; one unit is a block of the trace, read
// once.
func curves(hits func(list []prefixcache.Request, capacities []int) ([]int, error)) ([]runner.Bench, error) {
	name, file, err := workload.Mooncake()
	return []runner.Bench{{Name: "cache/curve/" + name + "/32-capacities", New: func() (runner.Work, error) {
		t, err := trace.Read(bytes.NewReader(file), trace.Options{})
		if err != nil {
			return nil, err
		}
		list, err := t.Blocks(0)
		if err != nil {
			return nil, err
		}
		blocks := 0
		for _, r := range list {
			blocks += len(r.Blocks)
		}
		return func() (int, any, error) {
			found, err := hits(list, capacities())
			sum := 0
			for i, n := range found {
				sum += (i + 1) * n // exchanged results would show
			}
			return blocks, sum, err
		}, nil
	}}}, err
}

// capacities rise from 100 blocks by a quarter each, to about 100,000.
func capacities() []int {
	list := make([]int, points)
	at := 100.0
	for i := range list {
		list[i] = int(at)
		at *= 1.25
	}
	return list
}

func onePass(list []prefixcache.Request, capacities []int) ([]int, error) {
	c, err := prefixcache.LRUCurve(list, trace.MooncakeBlock, 0)
	if err != nil {
		return nil, err
	}
	hits := make([]int, len(capacities))
	for i, n := range capacities {
		hits[i] = c.At(n).HitBlocks
	}
	return hits, nil
}

// oneEach replays the trace at each capacity.
func oneEach(make workload.New) func([]prefixcache.Request, []int) ([]int, error) {
	return func(list []prefixcache.Request, capacities []int) ([]int, error) {
		var hits []int
		for _, n := range capacities {
			c, err := make(n)
			if err != nil {
				return nil, err
			}
			sum := 0
			for _, r := range list {
				sum += c.Access(r.Blocks)
			}
			hits = append(hits, sum)
		}
		return hits, nil
	}
}
