package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"syscall"

	"memlab/binder/peers/cache/workload"
	"memlab/pkg/prefixcache"
	"memlab/pkg/prefixcache/trace"
)

// growth prints what a block costs as traces grow, in ns of processor time, and what a
// distinct block occupies. With the traces grows the number of open chats, so that what is
// live does not stay in the processor's caches: the last column is what a step costs that
// must wait for memory, in as much memory as the replay holds.
func growth(sizes []string) error {
	if len(sizes) == 0 {
		return errors.New("growth: no size: want numbers of blocks, such as 1e5 1e6")
	}
	fmt.Printf("%8s %-9s %10s %10s %10s %10s %10s %10s\n", "blocks", "ids", "distinct", "replay ns", "B/distinct",
		"curve ns", "plain ns", "chase ns")
	for _, text := range sizes {
		size, err := strconv.ParseFloat(text, 64)
		if err != nil || size < 1000 || size > 1e9 {
			return fmt.Errorf("growth: size %q: want a number of blocks, 1000 to 1e9", text)
		}
		for _, hashed := range []bool{false, true} {
			if err := grow(int(size), hashed); err != nil {
				return err
			}
		}
	}
	return nil
}

func grow(size int, hashed bool) error {
	t := workload.Chats(size, max(4, size/2500), hashed)
	ids := map[bool]string{false: "numbered", true: "hashed"}[hashed]
	replay, held, err := cost(&t, replayOf(newOurs, &t))
	if err != nil {
		return err
	}
	list := make([]prefixcache.Request, len(t.Prompts))
	for i, p := range t.Prompts {
		list[i] = prefixcache.Request{Blocks: p, Prompt: len(p) * trace.MooncakeBlock}
	}
	curve, _, err := cost(&t, func() (any, error) { return prefixcache.LRUCurve(list, trace.MooncakeBlock, 0) })
	if err != nil {
		return err
	}
	simple, _, err := cost(&t, replayOf(newPlain, &t))
	if err != nil {
		return err
	}
	fmt.Printf("%8.0e %-9s %10d %10.1f %10.1f %10.1f %10.1f %10.1f\n",
		float64(size), ids, t.Distinct, replay, held, curve, simple, chase(int(held)*t.Distinct))
	return nil
}

// replayOf replays a trace in a cache without a limit.
func replayOf(make workload.New, t *workload.Trace) func() (any, error) {
	return func() (any, error) {
		c, err := make(workload.Unlimited)
		if err == nil {
			for _, p := range t.Prompts {
				c.Access(p)
			}
		}
		return c, err
	}
}

// cost is the processor time per block of some work in ns, the best of several runs, and
// the bytes per distinct block that its result holds.
func cost(t *workload.Trace, work func() (any, error)) (ns, bytes float64, err error) {
	for n := range max(2, min(20, 20_000_000/t.Blocks)) {
		before := heap()
		start := processorTime()
		result, err := work()
		if err != nil {
			return 0, 0, err
		}
		took := float64(processorTime()-start) / float64(t.Blocks)
		if bytes = float64(heap()-before) / float64(t.Distinct); n == 0 || took < ns {
			ns = took
		}
		runtime.KeepAlive(result)
	}
	return ns, bytes, nil
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// processorTime is in ns, of all threads.
func processorTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of an argument that is a constant
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
