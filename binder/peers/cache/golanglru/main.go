// Command golanglru replays the traces of package workload through HashiCorp's LRU
// (golang-lru/v2/simplelru), for comparison with prefixcache.PrefixLRU. It is a module of
// its own, so that memlab does not depend on the library.
package main

import (
	"os"
	"runtime/debug"
	"slices"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"memlab/binder/peers/cache/workload"
	"memlab/binder/peers/runner"
)

const library = "github.com/hashicorp/golang-lru/v2"

type cache struct {
	lru *simplelru.LRU[uint64, struct{}]
}

func newCache(capacity int) (workload.Cache, error) {
	lru, err := simplelru.NewLRU[uint64, struct{}](capacity, nil)
	return cache{lru}, err
}

// Access looks up without touching, then touches the last block first.
func (c cache) Access(ids []uint64) (hits int) {
	for hits < len(ids) && c.lru.Contains(ids[hits]) {
		hits++
	}
	for _, id := range slices.Backward(ids) {
		c.lru.Add(id, struct{}{}) // of one that is present: a touch
	}
	return hits
}

func main() {
	versions := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == library {
				versions["golang-lru"] = m.Version
			}
		}
	}
	if len(os.Args) != 1 {
		os.Stderr.WriteString("golanglru: want no arguments\n")
		os.Exit(1)
	}
	runner.Main(runner.Set{Unit: "block", Benches: workload.Replays(newCache), Versions: versions})
}
