package prefixcache

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// conversations is a trace of chats: each request is an earlier prompt of its
// chat and some new blocks. Every chat begins with one of a few system prompts.
// About one access in eight is to a new block. The ids are 64-bit hashes, or
// numbers by first appearance as in Mooncake's traces.
func conversations(accesses int, hashed bool) (list []Request, blocks, distinct int) {
	const block = 512
	r := rand.New(rand.NewPCG(5, 6))
	fresh := func() uint64 {
		distinct++
		if hashed {
			return r.Uint64()
		}
		return uint64(distinct - 1)
	}
	var system [8][]uint64
	for i := range system {
		for range 4 {
			system[i] = append(system[i], fresh())
		}
	}
	chats := make([][]uint64, 4000)
	for blocks < accesses {
		i := r.IntN(len(chats))
		if len(chats[i]) == 0 || r.IntN(8) == 0 {
			chats[i] = slices.Clone(system[r.IntN(len(system))])
		}
		for range 1 + r.IntN(7) {
			chats[i] = append(chats[i], fresh())
		}
		list = append(list, Request{Blocks: slices.Clone(chats[i]), Prompt: len(chats[i]) * block})
		blocks += len(chats[i])
	}
	return list, blocks, distinct
}

// perBlock reports wall time and, for a busy machine, processor time (of all
// threads: the garbage collector counts) per block, since start.
func perBlock(b *testing.B, blocks int, start time.Duration) {
	n := float64(b.N) * float64(blocks)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/block")
	b.ReportMetric(float64((processorTime(b)-start).Nanoseconds())/n, "cpu-ns/block")
	b.ReportMetric(0, "ns/op")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// One replay of 10 million accesses, id lookup included.
func BenchmarkPrefixLRU(b *testing.B) {
	for _, c := range []struct {
		name     string
		hashed   bool
		capacity int
	}{
		{"numbered ids", false, Unlimited},
		{"numbered ids, 200k blocks", false, 200_000},
		{"hashed ids", true, Unlimited},
		{"hashed ids, 200k blocks", true, 200_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			requests, blocks, distinct := conversations(10_000_000, c.hashed)
			runtime.GC()
			start := processorTime(b)
			for b.Loop() {
				lru, err := NewPrefixLRU(c.capacity, 512)
				if err != nil {
					b.Fatal(err)
				}
				for _, r := range requests {
					lru.Access(r.Blocks)
				}
			}
			perBlock(b, blocks, start)
			b.ReportMetric(float64(distinct), "distinct")
		})
	}
}

// What the memory alone costs: the same accesses in a list over the numbers
// themselves, without lookup, capacity or checks.
func BenchmarkBareList(b *testing.B) {
	requests, blocks, distinct := conversations(10_000_000, false)
	runtime.GC()
	start := processorTime(b)
	for b.Loop() {
		prev, next := slices.Repeat([]int32{-1}, distinct+1), make([]int32, distinct+1)
		prev[0] = 0
		for _, r := range requests {
			for _, id := range slices.Backward(r.Blocks) {
				s := int32(id) + 1
				if prev[s] >= 0 {
					prev[next[s]], next[prev[s]] = prev[s], next[s]
				}
				prev[s], next[s] = 0, next[0]
				prev[next[0]], next[0] = s, s
			}
		}
	}
	perBlock(b, blocks, start)
}

func BenchmarkLRUCurve(b *testing.B) {
	for name, hashed := range map[string]bool{"numbered ids": false, "hashed ids": true} {
		b.Run(name, func(b *testing.B) {
			requests, blocks, _ := conversations(10_000_000, hashed)
			runtime.GC()
			start := processorTime(b)
			for b.Loop() {
				if _, err := LRUCurve(requests, 512, 0); err != nil {
					b.Fatal(err)
				}
			}
			perBlock(b, blocks, start)
		})
	}
}

// tokens gives each id a block of tokens.
func tokens(r Request, block int) []int {
	t := make([]int, 0, len(r.Blocks)*block)
	for _, id := range r.Blocks {
		for i := range block {
			t = append(t, int(id>>40)+i)
		}
	}
	return t
}

func tokenTrace(accesses, block int) (requests []Request, blocks int) {
	ids, blocks, _ := conversations(accesses, true)
	for _, r := range ids {
		requests = append(requests, Request{Tokens: tokens(r, block)})
	}
	return requests, blocks
}

func BenchmarkBlockHash(b *testing.B) {
	requests, blocks := tokenTrace(2_000_000, 16)
	for _, capacity := range []int{Unlimited, 50_000} {
		b.Run(map[bool]string{true: "unlimited", false: "capacity 50k"}[capacity == Unlimited], func(b *testing.B) {
			runtime.GC()
			start := processorTime(b)
			for b.Loop() {
				c, err := NewBlockHash(capacity, 16)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Replay(c, slices.Values(requests), 0); err != nil {
					b.Fatal(err)
				}
			}
			perBlock(b, blocks, start)
		})
	}
}

func BenchmarkRadix(b *testing.B) {
	requests, blocks := tokenTrace(2_000_000, 16)
	runtime.GC()
	start := processorTime(b)
	for b.Loop() {
		c, err := NewRadix(RadixConfig{Page: 16, Capacity: 800_000})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Replay(c, slices.Values(requests), 0); err != nil {
			b.Fatal(err)
		}
	}
	perBlock(b, blocks, start)
}

// What PrefixLRU holds per distinct block, in bytes, at the worst moment: over
// sizes up to half a million blocks, so that every phase of growth is met.
func TestPrefixLRUMemoryPerBlock(t *testing.T) {
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for name, stride := range map[string]uint64{"numbered ids": 1, "every other number": 2, "hashed ids": mixD} {
		c := lru(t, Unlimited, 512)
		id, before, worst := uint64(0), heap(), 0.0
		for next := 100_000; next < 500_000; next += next / 5 {
			for c.Len() < next {
				c.Access([]uint64{id})
				id += stride
			}
			worst = max(worst, float64(heap()-before)/float64(c.Len()))
		}
		if t.Logf("%s: at most %.1f bytes per block", name, worst); worst > 32 {
			t.Errorf("%s: %.1f bytes per distinct block: want at most 32", name, worst)
		}
		runtime.KeepAlive(c)
	}
}
