// Command cache measures the hot paths of the prefix cache beside what one would write
// with the standard library: replays, the curve over capacities, and the parser of
// traces. It is started by binder/bench, see package runner; by hand
//
//	go run ./binder/peers/cache growth 1e5 1e6 1e7
//
// prints what a block costs in traces of these sizes. Its work is functions of package
// workload and of the files beside; all of them count hits or sums, which must agree.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"memlab/binder/peers/cache/workload"
	"memlab/binder/peers/runner"
	"memlab/pkg/prefixcache"
	"memlab/pkg/prefixcache/trace"
)

func newOurs(capacity int) (workload.Cache, error) {
	return prefixcache.NewPrefixLRU(capacity, trace.MooncakeBlock)
}

// benches are those of one who.
func benches(who string) ([]runner.Bench, error) {
	switch who {
	case "memlab":
		curve, err := curves(onePass)
		if err != nil {
			return nil, err
		}
		parse, err := parsing(readOurs)
		return slices.Concat(workload.Replays(newOurs), curve, parse), err
	case "replays":
		return curves(oneEach(newOurs))
	case "plain":
		curve, err := curves(oneEach(newPlain))
		if err != nil {
			return nil, err
		}
		parse, err := parsing(readJSON)
		return slices.Concat(workload.Replays(newPlain), curve, parse), err
	}
	return nil, fmt.Errorf("argument %q: want memlab, replays or plain", who)
}

func main() {
	if len(os.Args) < 2 {
		fail(errors.New("no argument: want memlab, replays, plain, or growth and sizes"))
	}
	if os.Args[1] == "growth" {
		if err := growth(os.Args[2:]); err != nil {
			fail(err)
		}
		return
	}
	list, err := benches(os.Args[1])
	if err != nil {
		fail(err)
	}
	runner.Main(runner.Set{Unit: "block", Benches: list})
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "cache:", err)
	os.Exit(1)
}
