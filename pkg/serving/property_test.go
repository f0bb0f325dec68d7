package serving

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/costmodel"
	"memlab/pkg/prefixcache"
)

func sum(losses []Loss) (n int) {
	for _, l := range losses {
		n += l.Tokens
	}
	return n
}

func checkSums(t *testing.T, r Replay) {
	t.Helper()
	var total Totals
	for _, s := range r.Calls {
		n := 0
		for _, p := range s.Why {
			if p.Tokens <= 0 {
				t.Fatalf("call %d: %d tokens of %v", s.Index, p.Tokens, p.Cause)
			}
			n += p.Tokens
		}
		at := 0
		for _, w := range s.Where {
			at += w.Prefilled
		}
		if !s.Refused && (n != s.Prefilled || at != n || s.Prompt != s.Cached+s.Prefilled || s.Prefilled < 1) {
			t.Fatalf("call %d: why %d, where %d, prefilled %d of %d, cached %d", s.Index, n, at, s.Prefilled, s.Prompt, s.Cached)
		}
		total.add(&s)
	}
	groups := Totals{}
	for _, g := range r.Groups {
		groups.Calls += g.Calls
		groups.Prefilled += g.Prefilled
	}
	if n := r.Totals.Prefilled; total != r.Totals || sum(r.Causes) != n || sum(r.Blames) != n || groups.Prefilled != n || groups.Calls != total.Calls {
		t.Fatalf("totals %+v, causes %d, blames %d, groups %+v", r.Totals, sum(r.Causes), sum(r.Blames), groups)
	}
}

// Every cache: the causes add up, no cache holds more than the one that keeps
// everything, and an unlimited cache of tokens holds exactly that.
func TestSumsAreExactUnderEveryCache(t *testing.T) {
	for seed := range uint64(40) {
		block := 1 + int(seed%7)
		l := randomLedger(t, seed, 50, seed%3 == 0)
		for _, outputs := range []bool{false, true} {
			ideal := replay(t, l, Options{Block: block, CacheOutputs: outputs})
			checkSums(t, ideal)
			if ideal.Lost(missed).Tokens != 0 {
				t.Fatalf("seed %d: a cache that keeps everything missed something", seed)
			}
			for _, capacity := range []int{prefixcache.Unlimited, 40, 9} {
				for name, cache := range caches(t, capacity, block, outputs) {
					r := replay(t, l, Options{Cache: cache, Block: block, CacheOutputs: outputs})
					checkSums(t, r)
					if capacity == prefixcache.Unlimited && r.Lost(missed).Tokens != 0 {
						t.Fatalf("seed %d, %s: %d tokens missed without a limit", seed, name, r.Lost(missed).Tokens)
					}
					for i, s := range r.Calls {
						if name != "lru" && capacity == prefixcache.Unlimited && s.Cached != ideal.Calls[i].Cached {
							t.Fatalf("seed %d, %s, outputs %v, call %d: %d cached, want %d", seed, name, outputs, i, s.Cached, ideal.Calls[i].Cached)
						}
					}
				}
			}
		}
	}
}

func caches(t *testing.T, capacity, block int, outputs bool) map[string]prefixcache.Cache {
	t.Helper()
	hash, err := prefixcache.NewBlockHash(capacity, block)
	if err != nil {
		t.Fatal(err)
	}
	lru, err := prefixcache.NewPrefixLRU(capacity, block)
	if err != nil {
		t.Fatal(err)
	}
	tokens := capacity
	if capacity != prefixcache.Unlimited {
		tokens *= block
	}
	radix, err := prefixcache.NewRadix(prefixcache.RadixConfig{Page: block, Capacity: tokens})
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]prefixcache.Cache{"vllm": hash, "sglang": radix}
	if !outputs {
		m["lru"] = lru
	}
	return m
}

// Differences add up: by cause, by segment, and call by call with those that
// only one of two logs has.
func TestDifferencesAddUp(t *testing.T) {
	e := llama(t)
	for seed := range uint64(30) {
		l := randomLedger(t, seed, 40, false)
		a := replay(t, l, Options{Block: 4})
		b := replay(t, randomLedger(t, seed+1000, 35, false), Options{Block: 4})
		d, err := Compare(a, b, e)
		if err != nil {
			t.Fatal(err)
		}
		causes, where, calls := 0, 0, d.OnlyB.Prefilled-d.OnlyA.Prefilled
		var seconds costmodel.Seconds
		for _, c := range d.Causes {
			causes += c.Tokens
			seconds += c.Prefill
		}
		for _, w := range d.Where {
			where += w.Tokens
		}
		for _, c := range d.Calls {
			calls += c.Tokens
		}
		if causes != d.Prefilled || where != d.Prefilled || calls != d.Prefilled {
			t.Fatalf("seed %d: causes %d, where %d, calls %d, want %d", seed, causes, where, calls, d.Prefilled)
		}
		if math.Abs(float64(seconds-d.Prefill)) > 1e-9 {
			t.Fatalf("seed %d: causes %g s, want %g", seed, seconds, d.Prefill)
		}
		same, err := Compare(a, replay(t, l, Options{Block: 4}), e)
		if err != nil || same.Prefilled != 0 || len(same.Calls) != 0 || same.OnlyA.Calls+same.OnlyB.Calls != 0 || same.Prefill != 0 {
			t.Fatalf("seed %d: a log differs from itself: %+v, %v", seed, same, err)
		}
	}
}

func TestOnlyDividesAReplay(t *testing.T) {
	r := replay(t, randomLedger(t, 5, 60, false), Options{})
	n := 0
	for _, stream := range []string{"0", "1", "2"} {
		part := r.Stream(stream)
		checkSums(t, part)
		n += part.Totals.Prefilled
	}
	if n != r.Totals.Prefilled || r.Phase(Write).Prefilled+r.Phase(Read).Prefilled != n {
		t.Errorf("the parts are %d, the whole %d", n, r.Totals.Prefilled)
	}
}

func TestSameLogSameBytes(t *testing.T) {
	a := replay(t, randomLedger(t, 3, 60, false), Options{})
	b := replay(t, randomLedger(t, 3, 60, false), Options{})
	if d := cmp.Diff(a, b, cmp.AllowUnexported(Replay{})); d != "" {
		t.Error(d)
	}
}

func TestCallsComeBackAsTheyWereAdded(t *testing.T) {
	p := Prompt{{"a", Plain, []Item{item("x", "1", 0, 2), {Kind: "y", Tokens: 2, IDs: []int{7, 8}}}}, {"b", Queue, []Item{item("z", "", 3, 1)}}}
	c := Call{Stream: "s", Phase: Read, Purpose: "p", Turn: 4, Tenant: "t", Prompt: p, Output: []Item{item("o", "", 0, 9)}}
	var l Ledger
	for range 2 {
		if err := l.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		if d := cmp.Diff(c, l.Call(i)); d != "" {
			t.Error(d)
		}
	}
}

func llama(t *testing.T) *costmodel.Engine {
	t.Helper()
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		t.Fatal(err)
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		t.Fatal(err)
	}
	e, err := costmodel.NewEngine(m, g, costmodel.DefaultParams())
	if err != nil {
		t.Fatal(err)
	}
	return e
}
