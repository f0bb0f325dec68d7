package prefixcache

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// chatRequests are growing conversations over a tiny alphabet, with outputs.
func chatRequests(r *rand.Rand, n int) []Request {
	var list []Request
	for range n {
		var tokens []int
		if len(list) > 0 && r.IntN(5) > 0 {
			old := list[r.IntN(len(list))]
			tokens = slices.Concat(old.Tokens, old.Output)
			tokens = tokens[:r.IntN(len(tokens)+1)]
		}
		for range 1 + r.IntN(12) {
			tokens = append(tokens, r.IntN(3))
		}
		q := Request{Tokens: tokens, Tenant: []string{"", "a", "b"}[r.IntN(3)]}
		for range r.IntN(9) {
			q.Output = append(q.Output, r.IntN(3))
		}
		list = append(list, q)
	}
	return list
}

// With unlimited capacity and the last token left to compute in both, a radix
// tree of pages of B tokens hits what blocks of B tokens hit.
func TestRadixEqualsBlockHashWithoutLimit(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		block := 1 + r.IntN(5)
		b, x := blockHash(t, Unlimited, block), radix(t, RadixConfig{Page: block, Policy: Policies()[seed%7]})
		for i, q := range chatRequests(r, 80) {
			want, err := b.Serve(q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Serve(q)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Fatalf("seed %d, request %d at block %d: radix %+v, blocks %+v", seed, i, block, got, want)
			}
		}
		if b.Stats() != x.Stats() {
			t.Errorf("radix %+v, blocks %+v", x.Stats(), b.Stats())
		}
	}
}

// Without that cap the two differ: a cached prompt of 32 tokens at block 16
// hits 16 in the one and 32 in the other.
func TestTheLastTokenMakesTheDifference(t *testing.T) {
	prompt := make([]int, 32)
	b, x := blockHash(t, Unlimited, 16), radix(t, RadixConfig{Page: 16})
	if _, err := b.Serve(Request{Tokens: prompt}); err != nil {
		t.Fatal(err)
	}
	x.Insert(Key{Tokens: prompt}, 0, 0)
	if blocks, whole, capped := 16*len(b.Lookup("", prompt)), x.Match(Key{Tokens: prompt}), x.Match(Key{Tokens: prompt[:31]}); blocks != 16 || whole != 32 || capped != 16 {
		t.Errorf("blocks hit %d, radix %d, radix of the first 31 %d: want 16, 32, 16", blocks, whole, capped)
	}
}

// Requests that run at the same time hold their blocks; whatever happens, the
// pool is not overdrawn, and all is free again at the end.
func TestRunningRequestsHoldTheirBlocks(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 6))
		block := 1 + r.IntN(4)
		capacity := 3 + r.IntN(12)
		b, x := blockHash(t, capacity, block), radix(t, RadixConfig{Page: block, Capacity: capacity * block, Policy: Policies()[seed%7]})
		for _, c := range []Runner{b, x} {
			running := map[string][]int{}
			for i, q := range chatRequests(r, 60) {
				id := fmt.Sprint(i)
				u, err := c.Start(id, q)
				if err != nil {
					t.Fatal(err)
				}
				if !u.Refused {
					running[id] = q.Output
				}
				for _, id := range slices.Sorted(maps.Keys(running)) {
					output := running[id]
					if r.IntN(3) == 0 || len(running) > 3 {
						if err := c.Finish(id, output); err != nil {
							t.Fatal(err)
						}
						delete(running, id)
					}
				}
				if err := c.(interface{ check() error }).check(); err != nil {
					t.Fatalf("seed %d, request %d: %v", seed, i, err)
				}
			}
			for id := range running {
				if err := c.Finish(id, nil); err != nil {
					t.Fatal(err)
				}
			}
			if s := c.Stats(); s.Requests+s.Refused != 60 || s.Requests == 0 {
				t.Errorf("%+v: want 60 requests in all", s)
			}
		}
		if b.Free() != capacity || x.Size().Protected != 0 || x.private != 0 {
			t.Errorf("at the end %d of %d blocks are free, %d tokens locked, %d private", b.Free(), capacity, x.Size().Protected, x.private)
		}
	}
}

// Serve does at once what Start and Finish do token by token.
func TestServeEqualsStartAndFinish(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		block, capacity := 1+r.IntN(4), 8+r.IntN(30)
		a, b := blockHash(t, capacity, block), blockHash(t, capacity, block)
		for i, q := range chatRequests(r, 60) {
			if ceilDiv(len(q.Tokens)+len(q.Output), block) > capacity {
				continue
			}
			got, err := a.Serve(q)
			if err != nil {
				t.Fatal(err)
			}
			want, err := b.Start("x", q)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Finish("x", q.Output); err != nil {
				t.Fatal(err)
			}
			if got != want || !slices.Equal(a.Queue(Unlimited), b.Queue(Unlimited)) || a.Keys() != b.Keys() || a.Stats() != b.Stats() {
				t.Fatalf("seed %d, request %d: %+v, want %+v", seed, i, got, want)
			}
		}
	}
}

// Three blocks with the same content: a lookup gives the first registered one
// that is alive.
func TestCopiesAreFoundInTheOrderOfRegistration(t *testing.T) {
	c := blockHash(t, 6, 4)
	for _, id := range []string{"a", "b", "c"} {
		if u, err := c.Start(id, Request{Tokens: upTo(0, 8)}); err != nil || u.Refused {
			t.Fatalf("%+v, error %v", u, err)
		}
	}
	for _, id := range []string{"a", "b", "c"} {
		if err := c.End(id); err != nil {
			t.Fatal(err)
		}
	}
	// The queue is 5 6 2 3 4 1; blocks 2, 3 and 4 are copies.
	for i, second := range []int32{2, 3, 4} {
		if got := c.Lookup("", upTo(0, 9)); !slices.Equal(got, []int32{1, second}) {
			t.Errorf("after %d evictions the lookup finds %v, want 1 and %d", i, got, second)
		}
		n := 1
		if i == 0 {
			n = 3
		}
		if _, err := c.Start(fmt.Sprint("evict", i), Request{Tokens: upTo(100*i+100, 100*i+100+4*n)}); err != nil {
			t.Fatal(err)
		}
		if err := c.check(); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Lookup("", upTo(0, 9)); !slices.Equal(got, []int32{1}) {
		t.Errorf("without copies the lookup finds %v, want 1", got)
	}
}
