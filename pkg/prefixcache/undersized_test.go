package prefixcache

import "testing"

// A prompt larger than the cache is refused, counted, and leaves no trace.
func TestAnUndersizedCacheRefuses(t *testing.T) {
	b, x := blockHash(t, 3, 4), radix(t, RadixConfig{Page: 4, Capacity: 12})
	for _, c := range []Runner{b, x} {
		for _, r := range []Request{{Tokens: upTo(0, 13)}, {Tokens: upTo(0, 10), Output: upTo(0, 4)}, {Tokens: upTo(0, 13)}} {
			u, err := c.Serve(r)
			if err != nil || !u.Refused || u.HitTokens != 0 {
				t.Errorf("%T, %d+%d tokens: %+v (error %v): want a refusal", c, len(r.Tokens), len(r.Output), u, err)
			}
		}
		if u, err := c.Start("a", Request{Tokens: upTo(0, 13)}); err != nil || !u.Refused || c.Finish("a", nil) == nil {
			t.Errorf("%T: start %+v (error %v): want a refusal that holds nothing", c, u, err)
		}
		// 12 tokens fit, and so do 3 outputs after 10, the last of them never run.
		for _, r := range []Request{{Tokens: upTo(0, 12)}, {Tokens: upTo(0, 10), Output: upTo(0, 3)}} {
			if u, err := c.Serve(r); err != nil || u.Refused {
				t.Errorf("%T, %d+%d tokens: %+v (error %v): want them served", c, len(r.Tokens), len(r.Output), u, err)
			}
		}
		if s := c.Stats(); s.Refused != 4 || s.Requests != 2 || s.PromptTokens != 22 || s.HitTokens != 8 {
			t.Errorf("%T: %+v: want 4 refused, and 2 served of 22 tokens with 8 hits", c, s)
		}
	}
	if b.check() != nil || x.check() != nil {
		t.Errorf("%v, %v", b.check(), x.check())
	}
}
