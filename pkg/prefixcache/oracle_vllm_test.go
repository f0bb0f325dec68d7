package prefixcache

import "testing"

func TestOracleVLLM(t *testing.T) {
	replayOracles(t, "vllm", func(t *testing.T, v vector) replayer {
		c, err := NewBlockHash(v.UsableBlocks, v.BlockSize)
		if err != nil {
			t.Fatal(err)
		}
		return &blockReplayer{c}
	})
}

type blockReplayer struct{ c *BlockHash }

func (b *blockReplayer) operate(t *testing.T, v vector) map[string]any {
	c, out := b.c, map[string]any{}
	var step Step
	var err error
	switch v.Op {
	case "prefill":
		if v.Prompt != nil {
			if err := c.Add(v.ID, v.Salt, *v.Prompt); err != nil {
				t.Fatal(err)
			}
		}
		step, err = c.Prefill(v.ID, v.N, v.FullFit == nil || *v.FullFit)
		out["hit"] = step.Hit
	case "chunk":
		step, err = c.Chunk(v.ID, v.N)
	case "decode":
		step, err = c.Decode(v.ID, v.Toks...)
		out["done"] = step.Scheduled
	case "finish":
		err = c.End(v.ID)
	case "preempt":
		err = c.Preempt(v.ID)
	case "lookup":
		before := c.Stats()
		blocks := c.Lookup(v.Salt, *v.Prompt)
		c.begin()
		out["hit"], out["hit_blocks"] = len(blocks)*c.block, list(blocks)
		if c.Stats() != before {
			t.Error("a lookup changed the statistics")
		}
	case "reset":
		out["ok"] = c.Reset()
	default:
		t.Fatalf("unknown operation %q", v.Op)
	}
	if err != nil {
		t.Fatalf("operation %d: %v", v.I, err)
	}
	switch v.Op {
	case "prefill", "chunk", "decode":
		out["ok"] = step.OK
		if step.OK && v.Op != "decode" {
			out["n"] = step.Scheduled
		}
		if step.OK || v.Op == "decode" {
			out["new"] = step.New
		}
	}
	if r := c.requests[v.ID]; r != nil {
		out["blocks"], out["tokens"], out["computed"] = list(c.Blocks(v.ID)), len(r.tokens), r.computed
	}
	queue := c.Queue(Unlimited)
	cached := ""
	for _, q := range queue {
		cached += map[bool]string{true: "1", false: "0"}[c.Cached(q)]
	}
	out["free"], out["queue"], out["qcached"], out["hashes"] = c.Free(), list(queue), cached, c.Keys()
	out["stored"], out["evicted"] = list(c.step.Stored), list(c.step.Evicted)
	if err := c.check(); err != nil {
		t.Fatalf("after operation %d: %v", v.I, err)
	}
	return out
}

func (b *blockReplayer) stats() any {
	s, r := b.c.Stats(), b.c.Resumed()
	return map[string]int{
		"requests": s.Requests, "queries": s.PromptTokens, "hits": s.HitTokens,
		"preempted_requests": r.Requests, "preempted_queries": r.PromptTokens, "preempted_hits": r.HitTokens,
	}
}
