package trace

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memlab/pkg/prefixcache"
)

// conversation is Mooncake's conversation trace (kvcache-ai/Mooncake,
// FAST25-release).
func conversation(t testing.TB, what string) []byte {
	t.Helper()
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		t.Skipf("MEMLAB_DATA is not set: skipped %s on Mooncake's conversation trace", what)
	}
	data, err := os.ReadFile(filepath.Join(dir, "mooncake", "conversation_trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, data []byte, o Options) *Trace {
	t.Helper()
	tr, err := Read(bytes.NewReader(data), o)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func mooncakeBlocks(t testing.TB, tr *Trace) []prefixcache.Request {
	t.Helper()
	list, err := tr.Blocks(0)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func replay(t testing.TB, requests []prefixcache.Request, capacity, warmup int) prefixcache.Stats {
	t.Helper()
	c, err := prefixcache.NewPrefixLRU(capacity, MooncakeBlock)
	if err != nil {
		t.Fatal(err)
	}
	s, err := prefixcache.Replay(c, slices.Values(requests), warmup)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Two independent programs agree on these integers; FAST'25 gives 40% for this
// trace (Table 2), which comes out over tokens with half of it as warm-up.
func TestConversationTrace(t *testing.T) {
	tr := read(t, conversation(t, "the integers"), Options{})
	if tr.Format != Mooncake || tr.BadLines != 0 || len(tr.Requests) != 12031 {
		t.Fatalf("format %q, %d bad lines, %d requests: want mooncake, 0, 12031", tr.Format, tr.BadLines, len(tr.Requests))
	}
	requests := mooncakeBlocks(t, tr)
	curve, err := prefixcache.LRUCurve(requests, MooncakeBlock, 0)
	if err != nil {
		t.Fatal(err)
	}
	if curve.Distinct() != 182790 {
		t.Errorf("%d distinct blocks: want 182790", curve.Distinct())
	}
	for capacity, hits := range map[int]int{1000: 12847, 10000: 61046, 50000: 102290, 100000: 104924, prefixcache.Unlimited: 105710} {
		s := replay(t, requests, capacity, 0)
		if s.HitBlocks != hits || s.Blocks != 288500 {
			t.Errorf("capacity %d: %d of %d blocks hit, want %d of 288500", capacity, s.HitBlocks, s.Blocks, hits)
		}
		if p := curve.At(capacity); p != s.Point(capacity) {
			t.Errorf("capacity %d: the curve says %+v, the replay %+v", capacity, p, s.Point(capacity))
		}
	}
	half := replay(t, requests, prefixcache.Unlimited, len(requests)/2)
	if r := half.HitRate(); r < 0.39805 || r >= 0.39815 {
		t.Errorf("hit rate over tokens after half the trace %.6f, want 0.3981", r)
	}
	warm, err := prefixcache.LRUCurve(requests, MooncakeBlock, len(requests)/2)
	if err != nil {
		t.Fatal(err)
	}
	if p := warm.At(prefixcache.Unlimited); p != half.Point(prefixcache.Unlimited) {
		t.Errorf("with warm-up the curve says %+v, the replay %+v", p, half.Point(prefixcache.Unlimited))
	}
}

func TestCurveOfTheConversationTraceAgreesWithReplays(t *testing.T) {
	requests := mooncakeBlocks(t, read(t, conversation(t, "the curve"), Options{}))
	curve, err := prefixcache.LRUCurve(requests, MooncakeBlock, 0)
	if err != nil {
		t.Fatal(err)
	}
	capacities := []int{1, 2, 3, 5, 20, 247, curve.Largest() - 1, curve.Largest(), curve.Largest() + 1, curve.Distinct()}
	for _, p := range curve.Points(20) {
		capacities = append(capacities, p.CapacityBlocks)
	}
	for _, capacity := range capacities {
		if got, want := curve.At(capacity), replay(t, requests, capacity, 0).Point(capacity); got != want {
			t.Errorf("capacity %d: the curve says %+v, the replay %+v", capacity, got, want)
		}
	}
	t.Logf("agree at %d capacities; more than %d blocks add nothing", len(capacities), curve.Largest())
}

// Both engines take the trace as tokens and, with room for all of it, agree.
func TestEnginesOnTheConversationTrace(t *testing.T) {
	tr := read(t, conversation(t, "the engines"), Options{})
	blocks, err := prefixcache.NewBlockHash(prefixcache.Unlimited, MooncakeBlock)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := prefixcache.NewRadix(prefixcache.RadixConfig{Page: MooncakeBlock})
	if err != nil {
		t.Fatal(err)
	}
	for r := range tr.All() {
		want, err := blocks.Serve(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tree.Serve(r)
		if err != nil || got != want {
			t.Fatalf("radix %+v (error %v), blocks %+v", got, err, want)
		}
	}
	lru := replay(t, mooncakeBlocks(t, tr), prefixcache.Unlimited, 0)
	s := blocks.Stats()
	if s.PromptTokens != lru.PromptTokens || s.HitBlocks > lru.HitBlocks || s.HitBlocks < lru.HitBlocks-len(tr.Requests) {
		t.Errorf("engines %+v, LRU %+v: an engine may lose the last block of a prompt, and no more", s, lru)
	}
	t.Logf("hit rate %.4f; without the rule of the last token and of full blocks %.4f", s.HitRate(), lru.HitRate())
}
