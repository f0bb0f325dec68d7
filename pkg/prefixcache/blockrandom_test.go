package prefixcache

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func blockHash(t testing.TB, capacity, block int) *BlockHash {
	t.Helper()
	c, err := NewBlockHash(capacity, block)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pair is a cache and its slow model, driven by the same random operations.
type pair struct {
	t    *testing.T
	r    *rand.Rand
	c    *BlockHash
	s    *slowBlocks
	ids  []string
	made int
	old  [][]int
}

func (p *pair) prompt() []int {
	var tokens []int
	if len(p.old) > 0 && p.r.IntN(4) > 0 {
		o := p.old[p.r.IntN(len(p.old))]
		tokens = slices.Clone(o[:p.r.IntN(len(o)+1)])
	}
	for range p.r.IntN(3 * p.s.size) {
		tokens = append(tokens, p.r.IntN(3))
	}
	tokens = append(tokens, p.r.IntN(3))
	p.old = append(p.old, tokens)
	return tokens
}

// operate runs one random operation on both and returns its name and what the
// two say.
func (p *pair) operate() (name string, got, want Step) {
	p.s.stored, p.s.evicted = nil, nil
	if len(p.ids) == 0 || p.r.IntN(5) == 0 {
		id, salt, prompt := fmt.Sprint("r", p.made), []string{"", "", "x"}[p.r.IntN(3)], p.prompt()
		p.made++
		p.ids = append(p.ids, id)
		if err := p.c.Add(id, salt, prompt); err != nil {
			p.t.Fatal(err)
		}
		p.s.requests[id] = &slowRequest{salt: salt, tokens: slices.Clone(prompt)}
		return p.prefill(id)
	}
	id := p.ids[p.r.IntN(len(p.ids))]
	switch s := p.s.requests[id]; {
	case len(s.blocks) == 0 && p.r.IntN(3) > 0:
		return p.prefill(id)
	case p.r.IntN(4) == 0:
		return p.drop(id, len(s.blocks) == 0 || p.r.IntN(2) == 0)
	case len(s.blocks) == 0:
		return p.reset()
	case s.computed < len(s.tokens):
		return p.chunk(id)
	default:
		return p.decode(id)
	}
}

func (p *pair) prefill(id string) (string, Step, Step) {
	limit, whole := p.r.IntN(3*p.s.size), p.r.IntN(2) == 0
	got, err := p.c.Prefill(id, limit, whole)
	if err != nil {
		p.t.Fatal(err)
	}
	s := p.s.requests[id]
	hit := p.s.lookup(s)
	want := Step{Hit: len(hit) * p.s.size}
	n := len(s.tokens) - want.Hit
	if limit != NoLimit {
		n = min(n, limit)
	}
	need, ok := p.s.fits(s, want.Hit+n, hit)
	_, all := p.s.fits(s, len(s.tokens), hit)
	if ok && (all || !whole) {
		p.s.allocate(s, want.Hit+n, hit)
		want.OK, want.Scheduled, want.New = true, n, need
	}
	return "prefill " + id, got, want
}

func (p *pair) chunk(id string) (string, Step, Step) {
	limit := p.r.IntN(2 * p.s.size)
	got, err := p.c.Chunk(id, limit)
	if err != nil {
		p.t.Fatal(err)
	}
	s, want := p.s.requests[id], Step{}
	n := len(s.tokens) - s.computed
	if limit != NoLimit {
		n = min(n, limit)
	}
	need, _ := p.s.fits(s, s.computed+n, nil)
	if p.s.allocate(s, s.computed+n, nil) {
		want = Step{OK: true, Scheduled: n, New: need}
	}
	return "chunk " + id, got, want
}

func (p *pair) decode(id string) (string, Step, Step) {
	var tokens []int
	for range 1 + p.r.IntN(2*p.s.size) {
		tokens = append(tokens, p.r.IntN(3))
	}
	got, err := p.c.Decode(id, tokens...)
	if err != nil {
		p.t.Fatal(err)
	}
	s, want := p.s.requests[id], Step{OK: true}
	for _, t := range tokens {
		s.tokens = append(s.tokens, t)
		need, _ := p.s.fits(s, s.computed+1, nil)
		if want.OK = p.s.allocate(s, s.computed+1, nil); !want.OK {
			break
		}
		want.Scheduled++
		want.New += need
	}
	return "decode " + id, got, want
}

func (p *pair) drop(id string, end bool) (string, Step, Step) {
	p.s.release(p.s.requests[id])
	if !end {
		if err := p.c.Preempt(id); err != nil {
			p.t.Fatal(err)
		}
		return "preempt " + id, p.c.step, Step{}
	}
	if err := p.c.End(id); err != nil {
		p.t.Fatal(err)
	}
	delete(p.s.requests, id)
	p.ids = slices.DeleteFunc(p.ids, func(x string) bool { return x == id })
	return "end " + id, p.c.step, Step{}
}

func (p *pair) reset() (string, Step, Step) {
	idle := len(p.s.queue) == p.c.capacity
	if idle {
		p.s.registered = nil
	}
	return "reset", Step{OK: p.c.Reset()}, Step{OK: idle}
}

func compareBlocks(t *testing.T, r *rand.Rand, n int) {
	capacity, block := 1+r.IntN(12), 1+r.IntN(4)
	p := &pair{t: t, r: r, c: blockHash(t, capacity, block), s: newSlowBlocks(capacity, block)}
	for i := range n {
		name, got, want := p.operate()
		same := got.OK == want.OK && got.Hit == want.Hit && got.Scheduled == want.Scheduled && got.New == want.New
		if !same || !slices.Equal(p.c.step.Stored, p.s.stored) || !slices.Equal(p.c.step.Evicted, p.s.evicted) {
			t.Fatalf("operation %d, %s: %+v, want %+v, stored %v, evicted %v", i, name, got, want, p.s.stored, p.s.evicted)
		}
		if q := p.c.Queue(Unlimited); !slices.Equal(q, p.s.queue) || p.c.Keys() != p.s.contents() {
			t.Fatalf("operation %d, %s: queue %v with %d keys, want %v with %d", i, name, q, p.c.Keys(), p.s.queue, p.s.contents())
		}
		for id, s := range p.s.requests {
			if !slices.Equal(p.c.Blocks(id), s.blocks) {
				t.Fatalf("operation %d, %s: %s holds %v, want %v", i, name, id, p.c.Blocks(id), s.blocks)
			}
		}
		if err := p.c.check(); err != nil {
			t.Fatalf("operation %d, %s: %v", i, name, err)
		}
	}
}

func TestBlockHashAgainstTheSlowModel(t *testing.T) {
	for seed := range uint64(300) {
		compareBlocks(t, rand.New(rand.NewPCG(seed, 3)), 80)
	}
}

func FuzzBlockHash(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { compareBlocks(t, rand.New(rand.NewPCG(a, b)), 60) })
}
