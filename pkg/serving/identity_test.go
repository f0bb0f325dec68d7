package serving

import (
	"slices"
	"testing"

	"memlab/pkg/prefixcache"
)

func TestEqualContentHasEqualIDsAndOtherContentOthers(t *testing.T) {
	base := item("message", "7", 0, 40)
	ids := base.AppendIDs(nil)
	if len(ids) != 40 || !slices.Equal(ids, item("message", "7", 0, 40).AppendIDs(nil)) {
		t.Fatalf("%d ids, or others for the same content", len(ids))
	}
	seen := map[int]bool{}
	for _, it := range []Item{
		base, item("message", "7", 1, 40), item("message", "8", 0, 40), item("reply", "7", 0, 40), item("message", "7", 0, 41), item("message7", "", 0, 40),
	} {
		for _, id := range it.AppendIDs(nil) {
			if seen[id] || id < madeUp {
				t.Fatalf("%+v: id %d twice, or like a tokenizer's", it, id)
			}
			seen[id] = true
		}
	}
	real := Item{Kind: "text", Tokens: 3, IDs: []int{5, 6, 7}}
	if got := (Prompt{{"a", Plain, []Item{base, real}}}).IDs(); !slices.Equal(got, append(slices.Clone(ids), 5, 6, 7)) {
		t.Errorf("%v", got)
	}
}

// Two contents of one hash stay two contents.
func TestHashCollisionsDoNotMixUpItems(t *testing.T) {
	a, b := item("message", "a", 0, 3), item("message", "b", 0, 3)
	l := Ledger{byHash: map[uint64]ref{}, names: map[uint64]ref{}}
	first := l.intern(&a)
	l.byHash[b.hash()] = first
	l.names[text(text(2, "message"), "b")] = first
	second := l.intern(&b)
	if second == first || l.byHash[b.hash()] != first || l.items[second].name == l.items[first].name || l.intern(&b) != second || l.intern(&a) != first {
		t.Errorf("%+v", l.items)
	}
}

// Tenants share nothing, streams of one tenant do. The prompt is two whole blocks:
// the second is computed again, since the last token always is.
func TestTenantsShareNothing(t *testing.T) {
	p := Prompt{{"system", Plain, []Item{item("system", "", 0, 28)}}, {"queue", Queue, []Item{item("m", "", 0, 4)}}}
	var l Ledger
	for _, c := range []Call{{Stream: "a"}, {Stream: "b"}, {Stream: "a", Tenant: "x"}, {Stream: "b", Tenant: "x"}} {
		c.Phase, c.Prompt = Read, p
		if err := l.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	all := caches(t, prefixcache.Unlimited, DefaultBlock, false)
	all["keeps everything"] = nil
	for name, cache := range all {
		again := 16
		if name == "lru" {
			again = 31 // Mooncake's cache finds the whole prompt
		}
		r := replay(t, &l, Options{Cache: cache})
		for i, want := range []int{0, again, 0, again} {
			if s := r.Calls[i]; s.Cached != want || !s.First || s.Blame != first {
				t.Errorf("%s, call %d: %+v, want %d cached", name, i, s, want)
			}
		}
	}
}

// An item that is held whole stays so when it comes again as an output, of which
// the last token is not held.
func TestAnOutputTakesNothingBack(t *testing.T) {
	s, a, b := item("system", "", 0, 10), item("reply", "a", 0, 5), item("user", "b", 0, 5)
	prompt := func(items ...Item) Prompt { return Prompt{{"all", Plain, items}} }
	var l Ledger
	add(t, &l, "1", prompt(s, a))
	add(t, &l, "2", prompt(s), a)
	add(t, &l, "3", prompt(s, a, b))
	if r := replay(t, &l, Options{Block: 1, CacheOutputs: true}); r.Calls[2].Cached != 15 {
		t.Errorf("%d cached, want 15", r.Calls[2].Cached)
	}
}
