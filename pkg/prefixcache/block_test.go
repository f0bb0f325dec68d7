package prefixcache

import (
	"errors"
	"slices"
	"testing"
)

// upTo are the tokens from a to b-1.
func upTo(a, b int) []int {
	var t []int
	for ; a < b; a++ {
		t = append(t, a)
	}
	return t
}

// blockStep is one operation of a scenario and what must be seen after it.
type blockStep struct {
	op     string // start, resume, chunk, decode, end, preempt, look, reset
	id     string
	tokens []int
	limit  int
	salt   string

	refused bool
	hit     int     // start, resume, look
	blocks  []int32 // that the request holds
	queue   []int32
	keys    int
}

func (s blockStep) run(t *testing.T, c *BlockHash) (step Step) {
	t.Helper()
	var err error
	step.OK = true
	switch s.op {
	case "start":
		if err := c.Add(s.id, s.salt, s.tokens); err != nil {
			t.Fatal(err)
		}
		step, err = c.Prefill(s.id, s.limit, true)
	case "resume":
		step, err = c.Prefill(s.id, s.limit, true)
	case "chunk":
		step, err = c.Chunk(s.id, s.limit)
	case "decode":
		step, err = c.Decode(s.id, s.tokens...)
	case "end":
		err = c.End(s.id)
	case "preempt":
		err = c.Preempt(s.id)
	case "look":
		step.Hit = len(c.Lookup(s.salt, s.tokens)) * c.block
	case "reset":
		step.OK = c.Reset()
	}
	if err != nil {
		t.Fatal(err)
	}
	return step
}

// The rules of vLLM's cache, one scenario each, with blocks of 4 tokens.
func TestBlockHashRules(t *testing.T) {
	for _, c := range []struct {
		name     string
		capacity int
		steps    []blockStep
	}{
		{"the partial tail goes to the front, the full blocks to the back with the last one first", 5, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 10), blocks: []int32{1, 2, 3}, queue: []int32{4, 5}, keys: 2},
			{op: "end", id: "a", queue: []int32{3, 4, 5, 2, 1}, keys: 2},
			{op: "start", id: "b", tokens: upTo(0, 10), hit: 8, blocks: []int32{1, 2, 3}, queue: []int32{4, 5}, keys: 2},
		}},
		{"a prompt of whole blocks loses its last one, and its copy is kept beside", 4, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 8), blocks: []int32{1, 2}, queue: []int32{3, 4}, keys: 2},
			{op: "end", id: "a", queue: []int32{3, 4, 2, 1}, keys: 2},
			{op: "start", id: "b", tokens: upTo(0, 8), hit: 4, blocks: []int32{1, 3}, queue: []int32{4, 2}, keys: 2},
			{op: "look", tokens: upTo(0, 9), hit: 8, queue: []int32{4, 2}, keys: 2},
			// Block 2, the first copy, is evicted; the other one still hits.
			{op: "start", id: "c", tokens: upTo(50, 58), blocks: []int32{4, 2}, keys: 4},
			{op: "look", tokens: upTo(0, 9), hit: 8, keys: 4},
		}},
		{"a prompt of one block never hits itself", 3, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 4), blocks: []int32{1}, queue: []int32{2, 3}, keys: 1},
			{op: "look", tokens: upTo(0, 4), queue: []int32{2, 3}, keys: 1},
			{op: "look", tokens: upTo(0, 5), hit: 4, queue: []int32{2, 3}, keys: 1},
		}},
		{"blocks hit as soon as they are scheduled, chunk by chunk", 4, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 11), limit: 6, blocks: []int32{1, 2}, queue: []int32{3, 4}, keys: 1},
			{op: "look", tokens: upTo(0, 11), hit: 4, queue: []int32{3, 4}, keys: 1},
			{op: "chunk", id: "a", limit: 2, blocks: []int32{1, 2}, queue: []int32{3, 4}, keys: 2},
			{op: "look", tokens: upTo(0, 11), hit: 8, queue: []int32{3, 4}, keys: 2},
			{op: "chunk", id: "a", blocks: []int32{1, 2, 3}, queue: []int32{4}, keys: 2},
		}},
		{"outputs are kept once their block is full of scheduled tokens", 3, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 6), blocks: []int32{1, 2}, queue: []int32{3}, keys: 1},
			{op: "decode", id: "a", tokens: []int{70}, blocks: []int32{1, 2}, queue: []int32{3}, keys: 1},
			{op: "look", tokens: append(upTo(0, 6), 70, 71, 0), hit: 4, queue: []int32{3}, keys: 1},
			{op: "decode", id: "a", tokens: []int{71}, blocks: []int32{1, 2}, queue: []int32{3}, keys: 2},
			{op: "look", tokens: append(upTo(0, 6), 70, 71, 0), hit: 8, queue: []int32{3}, keys: 2},
		}},
		{"what is held is not evicted, and a refusal changes nothing", 3, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 8), blocks: []int32{1, 2}, queue: []int32{3}, keys: 2},
			{op: "start", id: "b", tokens: upTo(20, 28), refused: true, queue: []int32{3}, keys: 2},
			{op: "end", id: "a", queue: []int32{3, 2, 1}, keys: 2},
			{op: "resume", id: "b", blocks: []int32{3, 2}, queue: []int32{1}, keys: 3},
		}},
		{"idle blocks that hit leave the queue, so they count as needed", 4, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 12), blocks: []int32{1, 2, 3}, queue: []int32{4}, keys: 3},
			{op: "end", id: "a", queue: []int32{4, 3, 2, 1}, keys: 3},
			{op: "start", id: "b", tokens: upTo(0, 17), refused: true, hit: 12, queue: []int32{4, 3, 2, 1}, keys: 3},
		}},
		{"shared blocks join the queue when the last holder lets go", 6, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 9), blocks: []int32{1, 2, 3}, queue: []int32{4, 5, 6}, keys: 2},
			{op: "start", id: "b", tokens: upTo(0, 9), hit: 8, blocks: []int32{1, 2, 4}, queue: []int32{5, 6}, keys: 2},
			{op: "end", id: "a", queue: []int32{3, 5, 6}, keys: 2},
			{op: "end", id: "b", queue: []int32{4, 3, 5, 6, 2, 1}, keys: 2},
		}},
		{"a preempted request hits its own prompt and outputs", 4, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 7), blocks: []int32{1, 2}, queue: []int32{3, 4}, keys: 1},
			{op: "decode", id: "a", tokens: []int{7, 8}, blocks: []int32{1, 2, 3}, queue: []int32{4}, keys: 2},
			{op: "preempt", id: "a", queue: []int32{3, 4, 2, 1}, keys: 2},
			{op: "resume", id: "a", hit: 8, blocks: []int32{1, 2, 3}, queue: []int32{4}, keys: 2},
		}},
		{"a decode without room keeps its token for a retry", 2, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 4), blocks: []int32{1}, queue: []int32{2}, keys: 1},
			{op: "start", id: "b", tokens: upTo(30, 33), blocks: []int32{2}, keys: 1},
			{op: "decode", id: "a", tokens: []int{4, 5}, refused: true, blocks: []int32{1}, keys: 1},
			{op: "end", id: "b", queue: []int32{2}, keys: 1},
			{op: "chunk", id: "a", blocks: []int32{1, 2}, keys: 1},
		}},
		{"a salt parts the tenants, and the empty salt is none", 4, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 5), salt: "x", blocks: []int32{1, 2}, queue: []int32{3, 4}, keys: 1},
			{op: "look", tokens: upTo(0, 5), salt: "y", queue: []int32{3, 4}, keys: 1},
			{op: "look", tokens: upTo(0, 5), queue: []int32{3, 4}, keys: 1},
			{op: "look", tokens: upTo(0, 5), salt: "x", hit: 4, queue: []int32{3, 4}, keys: 1},
		}},
		{"a reset needs an idle cache and keeps the order of the queue", 3, []blockStep{
			{op: "start", id: "a", tokens: upTo(0, 9), blocks: []int32{1, 2, 3}, keys: 2},
			{op: "reset", refused: true, keys: 2},
			{op: "end", id: "a", queue: []int32{3, 2, 1}, keys: 2},
			{op: "reset", queue: []int32{3, 2, 1}},
			{op: "look", tokens: upTo(0, 9), queue: []int32{3, 2, 1}},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := blockHash(t, c.capacity, 4)
			for i, s := range c.steps {
				got := s.run(t, cache)
				if got.OK == s.refused || got.Hit != s.hit || !slices.Equal(cache.Blocks(s.id), s.blocks) {
					t.Errorf("step %d, %s %s: ok %v, hit %d, blocks %v: want %v, %d, %v", i+1, s.op, s.id, got.OK, got.Hit, cache.Blocks(s.id), !s.refused, s.hit, s.blocks)
				}
				if q := cache.Queue(Unlimited); !slices.Equal(q, s.queue) || cache.Keys() != s.keys || cache.Free() != len(s.queue) {
					t.Errorf("step %d, %s %s: queue %v with %d keys: want %v with %d", i+1, s.op, s.id, q, cache.Keys(), s.queue, s.keys)
				}
				if err := cache.check(); err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
			}
		})
	}
}

// A resumed request hits what it computed itself, so it is counted apart.
func TestResumedPrefillsAreCountedApart(t *testing.T) {
	c := blockHash(t, 4, 4)
	if _, err := c.Start("a", Request{Tokens: upTo(0, 9)}); err != nil {
		t.Fatal(err)
	}
	if err := c.Preempt("a"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Prefill("a", NoLimit, true); err != nil {
		t.Fatal(err)
	}
	first, again := c.Stats(), c.Resumed()
	if first.Requests != 1 || first.HitTokens != 0 || again.Requests != 1 || again.PromptTokens != 9 || again.HitTokens != 8 {
		t.Errorf("first %+v, resumed %+v", first, again)
	}
}

func TestBlockHashRefusesNonsense(t *testing.T) {
	for _, size := range [][2]int{{0, 16}, {-1, 16}, {4, 0}, {4, -16}} {
		if _, err := NewBlockHash(size[0], size[1]); !errors.Is(err, ErrSize) {
			t.Errorf("capacity %d, block %d: error %v, want ErrSize", size[0], size[1], err)
		}
	}
	c := blockHash(t, 4, 4)
	if err := c.Add("a", "", upTo(0, 6)); err != nil {
		t.Fatal(err)
	}
	step := func(_ Step, err error) error { return err }
	use := func(_ Use, err error) error { return err }
	for name, bad := range map[string]struct{ got, want error }{
		"an id in use":                {c.Add("a", "", upTo(0, 6)), ErrState},
		"an empty prompt":             {c.Add("b", "", nil), ErrRequest},
		"serving an empty prompt":     {use(c.Serve(Request{})), ErrRequest},
		"an unknown id":               {c.End("z"), ErrState},
		"a chunk before the prefill":  {step(c.Chunk("a", NoLimit)), ErrState},
		"a decode before the prefill": {step(c.Decode("a", 1)), ErrState},
		"preempting what waits":       {c.Preempt("a"), ErrState},
		"a negative limit":            {step(c.Prefill("a", -1, false)), ErrRequest},
	} {
		if !errors.Is(bad.got, bad.want) {
			t.Errorf("%s: error %v, want %v", name, bad.got, bad.want)
		}
	}
	if _, err := c.Prefill("a", 3, false); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Prefill("a", 3, false); !errors.Is(err, ErrState) {
		t.Errorf("a second prefill: error %v, want ErrState", err)
	}
	if _, err := c.Decode("a", 1); !errors.Is(err, ErrState) {
		t.Errorf("a decode in mid-prefill: error %v, want ErrState", err)
	}
	if err := c.check(); err != nil {
		t.Error(err)
	}
}
