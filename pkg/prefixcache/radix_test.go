package prefixcache

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shape is what a tree looks like: depth, length and lock of each node.
func shape(c *Radix) (s [][3]int) {
	for _, n := range c.Tree() {
		s = append(s, [3]int{n.Depth, len(n.Tokens), n.Lock})
	}
	return s
}

func TestRadixRules(t *testing.T) {
	c := radix(t, RadixConfig{Page: 4})
	look := func(name string, want ...[3]int) {
		t.Helper()
		if d := cmp.Diff(want, shape(c)); d != "" {
			t.Errorf("%s: depth, length, lock (-want +got)\n%s", name, d)
		}
		if err := c.check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if n := c.Insert(Key{Tokens: upTo(0, 11)}, 0, 0); n != 0 {
		t.Errorf("an empty tree has %d tokens of a key", n)
	}
	look("a key is cut to whole pages", [3]int{0, 8, 0})
	if n := c.Match(Key{Tokens: upTo(0, 7)}); n != 4 {
		t.Errorf("7 of 8 stored tokens match %d, want one page", n)
	}
	look("a match that ends within a node splits it", [3]int{0, 4, 0}, [3]int{4, 4, 0})
	if n := c.Match(Key{Tokens: upTo(0, 3)}); n != 0 {
		t.Errorf("less than a page matches %d", n)
	}
	lock, matched, held := c.Lock(Key{Tokens: upTo(0, 8)})
	if matched != 8 || held != 8 {
		t.Errorf("lock: matched %d, held %d, want 8 and 8", matched, held)
	}
	look("a lock holds all the way up", [3]int{0, 4, 1}, [3]int{4, 4, 1})
	c.Insert(Key{Tokens: append(upTo(0, 8), upTo(20, 28)...)}, 0, 0)
	look("what is added below is not held", [3]int{0, 4, 1}, [3]int{4, 4, 1}, [3]int{8, 8, 0})
	if n, freed := c.Evict(1); n != 8 || !slices.Equal(freed, []Freed{{8, 8}}) {
		t.Errorf("evicting one token frees %d, %v: want the whole leaf of 8", n, freed)
	}
	if n, _ := c.Evict(100); n != 0 {
		t.Errorf("%d held tokens were evicted", n)
	}
	if n, err := c.Unlock(lock); n != 8 || err != nil {
		t.Errorf("unlock releases %d (error %v), want 8", n, err)
	}
	if n, freed := c.Evict(5); n != 8 || !slices.Equal(freed, []Freed{{4, 4}, {0, 4}}) {
		t.Errorf("evicting 5 frees %d, %v: want the leaf and then its parent", n, freed)
	}
	look("nothing is left")
}

// A lock taken before a split holds both halves, and lets go of both.
func TestALockSurvivesASplit(t *testing.T) {
	c := radix(t, RadixConfig{Page: 1})
	c.Insert(Key{Tokens: upTo(0, 6)}, 0, 0)
	lock, _, _ := c.Lock(Key{Tokens: upTo(0, 6)})
	c.Match(Key{Tokens: upTo(0, 2)})
	if d := cmp.Diff([][3]int{{0, 2, 1}, {2, 4, 1}}, shape(c)); d != "" {
		t.Errorf("after the split (-want +got)\n%s", d)
	}
	if n, err := c.Unlock(lock); n != 6 || err != nil || c.Size() != (RadixSize{Evictable: 6, Nodes: 2, Leaves: 1}) {
		t.Errorf("unlock releases %d (error %v), then %+v", n, err, c.Size())
	}
	if _, err := c.Unlock(lock); !errors.Is(err, ErrState) {
		t.Errorf("a second unlock: error %v, want ErrState", err)
	}
	stale, _, _ := c.Lock(Key{Tokens: upTo(0, 6)})
	c.Reset()
	if _, err := c.Unlock(stale); !errors.Is(err, ErrState) {
		t.Errorf("an unlock after a reset: error %v, want ErrState", err)
	}
	if _, err := c.Unlock(nil); !errors.Is(err, ErrState) {
		t.Errorf("an unlock of nil: error %v, want ErrState", err)
	}
}

// Which of three leaves goes first. They are inserted as 1, 2, 3 with the
// priorities 2, 0, 1; then 1 is inserted again and 2 is matched.
func TestRadixPolicies(t *testing.T) {
	for policy, want := range map[Policy][]int{
		LRU:      {30, 10, 20}, // 3 is the longest unused
		MRU:      {20, 10, 30},
		FIFO:     {10, 20, 30},
		FILO:     {30, 20, 10},
		LFU:      {30, 20, 10}, // a match is no hit: 2 and 3 tie, 2 is more recent
		Priority: {20, 30, 10},
		SLRU:     {30, 20, 10}, // two inserts protect 1
	} {
		c := radix(t, RadixConfig{Page: 1, Policy: policy})
		leaf := func(i int) Key { return Key{Tokens: upTo(100*i, 100*i+10*i)} }
		for i, priority := range []int{2, 0, 1} {
			c.Insert(leaf(i+1), priority, 0)
		}
		c.Insert(leaf(1), 0, 0)
		c.Match(leaf(2))
		_, freed := c.Evict(60)
		var got []int
		for _, f := range freed {
			got = append(got, f.Tokens)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s evicts the leaves of %v tokens, want %v", policy, got, want)
		}
	}
}

// The upper half of a split is a new node: FIFO now evicts it after the rest.
func TestASplitMakesTheUpperHalfNew(t *testing.T) {
	c := radix(t, RadixConfig{Page: 1, Policy: FIFO})
	c.Insert(Key{Tokens: upTo(0, 4)}, 0, 0)
	c.Insert(Key{Tokens: upTo(50, 55)}, 0, 0)
	c.Match(Key{Tokens: upTo(0, 2)})
	if _, freed := c.Evict(9); !slices.Equal(freed, []Freed{{2, 2}, {0, 5}, {0, 2}}) {
		t.Errorf("freed %v: want the lower half, the other leaf, the upper half", freed)
	}
}

// Outputs inserted after the prompt count no second hit for the prompt.
func TestInsertedTokensAreNotCountedAgain(t *testing.T) {
	c := radix(t, RadixConfig{Page: 1})
	c.Insert(Key{Tokens: upTo(0, 4)}, 0, 0)
	c.Insert(Key{Tokens: upTo(0, 6)}, 0, 4)
	if tree := c.Tree(); tree[0].Hits != 1 || tree[1].Hits != 1 {
		t.Errorf("%+v: want one hit each", tree)
	}
}

// The same in the life of a request: its prompt counts once, not again with
// the output.
func TestServingCountsAPromptOnce(t *testing.T) {
	c := radix(t, RadixConfig{Page: 2, Policy: LFU})
	for i := 1; i <= 2; i++ {
		if _, err := c.Serve(Request{Tokens: upTo(0, 5), Output: upTo(5, 10)}); err != nil {
			t.Fatal(err)
		}
		for _, n := range c.Tree() {
			if n.Hits != i {
				t.Errorf("after %d requests: %+v", i, n)
			}
		}
	}
}

func TestNameSpacesShareNothing(t *testing.T) {
	none, lora := "", "lora"
	keys := []Key{{}, {Salt: "a"}, {Extra: &lora}, {Extra: &none}, {Salt: "a", Extra: &lora}, {Salt: "lora"}}
	c := radix(t, RadixConfig{Page: 2})
	for i, k := range keys {
		k.Tokens = upTo(0, 4)
		if n := c.Insert(k, 0, 0); n != 0 {
			t.Errorf("key %d shares %d tokens with an earlier one", i, n)
		}
		if n := c.Match(k); n != 4 {
			t.Errorf("key %d finds %d of its own tokens", i, n)
		}
	}
	if err := c.check(); err != nil {
		t.Error(err)
	}
}

func TestRadixRefusesNonsense(t *testing.T) {
	for name, bad := range map[string]struct {
		config RadixConfig
		want   error
	}{
		"no page size":          {RadixConfig{}, ErrSize},
		"a negative page size":  {RadixConfig{Page: -1}, ErrSize},
		"a negative capacity":   {RadixConfig{Page: 1, Capacity: -1}, ErrSize},
		"a negative threshold":  {RadixConfig{Page: 1, ProtectedThreshold: -1}, ErrSize},
		"a policy nobody knows": {RadixConfig{Page: 1, Policy: "random"}, ErrPolicy},
	} {
		if _, err := NewRadix(bad.config); !errors.Is(err, bad.want) {
			t.Errorf("%s: error %v, want %v", name, err, bad.want)
		}
	}
	c := radix(t, RadixConfig{Page: 1})
	if _, err := c.Serve(Request{}); !errors.Is(err, ErrRequest) {
		t.Errorf("an empty prompt: error %v, want ErrRequest", err)
	}
	if err := c.Finish("a", nil); !errors.Is(err, ErrState) {
		t.Errorf("finishing what never started: error %v, want ErrState", err)
	}
	if _, err := c.Start("a", Request{Tokens: []int{1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Start("a", Request{Tokens: []int{1}}); !errors.Is(err, ErrState) {
		t.Errorf("an id in use: error %v, want ErrState", err)
	}
}
