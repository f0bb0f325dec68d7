package serving

import (
	"slices"
	"testing"

	"memlab/pkg/prefixcache"
)

// brute works out the causes token by token, from whole prompts and plain lists.
type brute struct {
	calls []Call
	block int
	out   bool
}

// token is a position in a prompt with the item and segment it belongs to.
type token struct {
	id      int
	item    Item
	segment Segment
}

func tokens(p Prompt) []token {
	var out []token
	for _, s := range p {
		for _, it := range s.Items {
			for _, id := range it.AppendIDs(nil) {
				out = append(out, token{id, it, s})
			}
		}
	}
	return out
}

func common(a, b []int) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// ideal is the longest prefix that some earlier call of the tenant left behind.
func (b brute) ideal(i int) int {
	ids, most := b.calls[i].Prompt.IDs(), 0
	for _, c := range b.calls[:i] {
		if c.Tenant != b.calls[i].Tenant {
			continue
		}
		kept := c.Prompt.IDs()
		if b.out && len(c.Output) > 0 {
			for _, it := range c.Output {
				kept = it.AppendIDs(kept)
			}
			kept = kept[:len(kept)-1]
		}
		most = max(most, common(ids, kept))
	}
	return min(most, len(ids)-1) / b.block * b.block
}

func (b brute) previous(i int) int {
	for j := i - 1; j >= 0; j-- {
		if b.calls[j].Stream == b.calls[i].Stream && b.calls[j].Tenant == b.calls[i].Tenant {
			return j
		}
	}
	return -1
}

func same(a, b Item) bool { return a.equal(&b) }

// changedAt finds the segment that begins alike in both prompts and first differs
// at this very token.
func changedAt(before, after Prompt, at int) Segment {
	start := func(p Prompt, name string) (Segment, int, bool) {
		n := 0
		for _, s := range p {
			if s.Name == name {
				return s, n, true
			}
			n += s.Tokens()
		}
		return Segment{}, 0, false
	}
	for _, p := range []Prompt{after, before} {
		for _, s := range p {
			x, from, was := start(before, s.Name)
			y, to, is := start(after, s.Name)
			if was && is && (from != to || slices.EqualFunc(x.Items, y.Items, same)) {
				continue
			}
			m := from + common(Prompt{x}.IDs(), Prompt{y}.IDs())
			switch {
			case !was:
				m = to
			case !is:
				m = from
			}
			if m == at {
				return s
			}
		}
	}
	return Segment{}
}

func (b brute) changeCause(i, j int) (at int, broken bool, c Cause) {
	x, y := b.calls[j].Prompt.IDs(), b.calls[i].Prompt.IDs()
	at = common(x, y)
	if at == len(x) || at == len(y) {
		return at, false, Cause{Kind: NewContent}
	}
	s := changedAt(b.calls[j].Prompt, b.calls[i].Prompt, at)
	lost := tokens(b.calls[j].Prompt)[at]
	still := false
	for _, now := range b.calls[i].Prompt {
		if now.Name == s.Name {
			still = slices.ContainsFunc(now.Items, func(it Item) bool { return it.Kind == lost.item.Kind && it.Name == lost.item.Name })
		}
	}
	if s.Kind == Snapshot || s.Kind == Queue && lost.segment.Name == s.Name && !still {
		return at, true, Cause{Kind: Eviction}
	}
	return at, true, Cause{Edit, s.Name}
}

// causes lists those of a call's prefilled tokens. Where the change lies is taken
// from got in a log of real ids: two segments with a few ids in common may begin
// to differ behind the place where one of them grew.
func (b brute) causes(i, cached int, real bool, got Change) []Cause {
	ideal, j := b.ideal(i), b.previous(i)
	var at int
	var broken bool
	var change Cause
	if j >= 0 {
		at, broken, change = b.changeCause(i, j)
		if real {
			change = got.Cause
		}
	}
	var out []Cause
	for pos, tok := range tokens(b.calls[i].Prompt) {
		var same, named bool
		for k := range i {
			if b.calls[k].Stream != b.calls[i].Stream || b.calls[k].Tenant != b.calls[i].Tenant {
				continue
			}
			for _, s := range b.calls[k].Prompt {
				for _, it := range s.Items {
					same = same || it.equal(&tok.item)
					named = named || it.Kind == tok.item.Kind && it.Name == tok.item.Name
				}
			}
		}
		switch {
		case pos < cached:
		case pos < ideal:
			out = append(out, Cause{Kind: CapacityMiss})
		case j < 0:
			out = append(out, Cause{Kind: FirstVisit})
		case !broken:
			out = append(out, Cause{Kind: NewContent})
		case pos < at || same:
			out = append(out, change)
		case tok.segment.Kind == Snapshot:
			out = append(out, Cause{Kind: Eviction})
		case named:
			out = append(out, Cause{Edit, tok.segment.Name})
		default:
			out = append(out, Cause{Kind: NewContent})
		}
	}
	return out
}

func TestCausesAreThoseOfTheBruteForceModel(t *testing.T) {
	met := map[CauseKind]int{}
	for seed := range uint64(60) {
		for _, real := range []bool{false, true} {
			l := randomLedger(t, seed, 40, real)
			b := brute{block: 1 + int(seed%5), out: seed%2 == 1}
			for i := range l.Len() {
				b.calls = append(b.calls, l.Call(i))
			}
			small, err := prefixcache.NewBlockHash(30, b.block)
			if err != nil {
				t.Fatal(err)
			}
			for _, cache := range []prefixcache.Cache{nil, small} {
				r := replay(t, l, Options{Cache: cache, Block: b.block, CacheOutputs: b.out})
				for i, s := range r.Calls {
					if s.Refused {
						continue
					}
					if ideal := b.ideal(i); cache == nil && s.Cached != ideal {
						t.Fatalf("seed %d, real %v, call %d: %d cached, want %d", seed, real, i, s.Cached, ideal)
					}
					want := map[Cause]int{}
					for _, c := range b.causes(i, s.Cached, real, s.Change) {
						want[c]++
						met[c.Kind]++
					}
					got := map[Cause]int{}
					for _, p := range s.Why {
						got[p.Cause] += p.Tokens
					}
					if len(got) != len(want) {
						t.Fatalf("seed %d, real %v, call %d: %v, want %v", seed, real, i, got, want)
					}
					for c, n := range want {
						if got[c] != n {
							t.Fatalf("seed %d, real %v, call %d: %v, want %v", seed, real, i, got, want)
						}
					}
				}
			}
		}
	}
	for k := range order {
		if met[k] < 100 {
			t.Errorf("%d tokens of cause %q in all of it: the test hardly tests it", met[k], k)
		}
	}
}
