package prefixcache

import (
	"encoding/json"
	"testing"
)

func TestOracleSGLang(t *testing.T) {
	replayOracles(t, "sglang", func(t *testing.T, v vector) replayer {
		c, err := NewRadix(RadixConfig{Page: v.PageSize, Policy: v.Policy, ProtectedThreshold: v.PolicyConfig.ProtectedThreshold})
		if err != nil {
			t.Fatal(err)
		}
		return &radixReplayer{c: c, locks: map[string]*Lock{}}
	})
}

type radixReplayer struct {
	c     *Radix
	locks map[string]*Lock
}

func (r *radixReplayer) operate(t *testing.T, v vector) map[string]any {
	c, out := r.c, map[string]any{}
	k := Key{Tokens: v.Key, Salt: v.Salt, Extra: v.Extra}
	if v.Limit != nil {
		k.Tokens = k.Tokens[:min(len(k.Tokens), *v.Limit)]
	}
	switch v.Op {
	case "match":
		peek := c.Lookup(k)
		if out["matched"] = c.Match(k); peek != out["matched"] {
			t.Errorf("operation %d: Lookup says %d", v.I, peek)
		}
	case "insert":
		out["prefix"] = c.Insert(k, v.Priority, v.InsertedLen)
	case "lock":
		l, matched, held := c.Lock(k)
		r.locks[v.H] = l
		out["matched"], out["delta"] = matched, -held
	case "unlock":
		released, err := c.Unlock(r.locks[v.H])
		if err != nil {
			t.Fatalf("operation %d: %v", v.I, err)
		}
		out["delta"] = released
	case "evict":
		total, leaves := c.Evict(v.N)
		freed := [][2]int{}
		for _, l := range leaves {
			freed = append(freed, [2]int{l.Depth, l.Tokens})
		}
		out["evicted"], out["freed"] = total, freed
	case "reset":
		c.Reset()
	default:
		t.Fatalf("unknown operation %q", v.Op)
	}
	s := c.Size()
	out["evictable"], out["protected"], out["total"] = s.Evictable, s.Protected, s.Evictable+s.Protected
	out["nodes"], out["leaves"], out["clock"] = s.Nodes, s.Leaves, c.clock
	r.tree(t, v, out)
	if err := c.check(); err != nil {
		t.Fatalf("after operation %d: %v", v.I, err)
	}
	return out
}

// tree adds the tree where the vector has one, with tokens where it has them.
func (r *radixReplayer) tree(t *testing.T, v vector, out map[string]any) {
	var want struct {
		Tree *[]struct {
			K *[]int `json:"k"`
		} `json:"tree"`
	}
	if err := json.Unmarshal(v.Out, &want); err != nil {
		t.Fatal(err)
	}
	if want.Tree == nil {
		return
	}
	tree := []map[string]any{}
	for i, n := range r.c.Tree() {
		m := map[string]any{"d": n.Depth, "n": len(n.Tokens), "lock": n.Lock, "hits": n.Hits, "prio": n.Priority, "at": n.At, "ct": n.Created}
		if i < len(*want.Tree) && (*want.Tree)[i].K != nil {
			m["k"] = n.Tokens
		}
		tree = append(tree, m)
	}
	out["tree"] = tree
}

func (r *radixReplayer) stats() any { return nil }
