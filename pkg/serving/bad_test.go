package serving

import (
	"errors"
	"strings"
	"testing"

	"memlab/pkg/prefixcache"
)

func TestBadCallsAreNamedAndChangeNothing(t *testing.T) {
	ok := func() Call {
		return Call{Stream: "s", Phase: Read, Purpose: "answer", Prompt: Prompt{{"system", Plain, []Item{item("system", "", 0, 3)}}}}
	}
	segment := func(items ...Item) Prompt { return Prompt{{"queue", Queue, items}} }
	for want, change := range map[string]func(*Call){
		`phase "": want "write" or "read"`:                        func(c *Call) { c.Phase = "" },
		`phase "idle": want "write" or "read"`:                    func(c *Call) { c.Phase = "idle" },
		"turn -1: want 0 or more":                                 func(c *Call) { c.Turn = -1 },
		"prompt of 0 tokens: want 1 to":                           func(c *Call) { c.Prompt = nil },
		"prompt of 0 tokens":                                      func(c *Call) { c.Prompt = Prompt{{"system", Plain, nil}} },
		"segment 0: name is empty":                                func(c *Call) { c.Prompt[0].Name = "" },
		`segment "system": kind "stack"`:                          func(c *Call) { c.Prompt[0].Kind = "stack" },
		`segment "system": the prompt has two of this name`:       func(c *Call) { c.Prompt = append(c.Prompt, c.Prompt[0]) },
		`segment "queue": item 1: message "b": tokens -4: want 1`: func(c *Call) { c.Prompt = segment(item("message", "a", 0, 1), item("message", "b", 0, -4)) },
		`item 0: message "a": tokens 0`:                           func(c *Call) { c.Prompt = segment(item("message", "a", 0, 0)) },
		`tokens 1099511627776: want 1 to 1073741824`:              func(c *Call) { c.Prompt = segment(item("message", "a", 0, 1<<40)) },
		"prompt of 1073741825 tokens: want":                       func(c *Call) { c.Prompt = segment(item("m", "a", 0, 1<<30), item("m", "b", 0, 1<<30)) },
		"kind and name are empty":                                 func(c *Call) { c.Prompt = segment(Item{Tokens: 2}) },
		`message "a": tokens 3, but 2 ids: want as many`:          func(c *Call) { c.Prompt = segment(Item{"message", "a", 0, 3, []int{1, 2}}) },
		`call 1 (s answer, turn 0): output: more than`:            func(c *Call) { c.Output = []Item{item("o", "", 0, 1<<30), item("o", "2", 0, 1)} },
		`call 1 (s answer, turn 0): output: item 0: o "": tok`:    func(c *Call) { c.Output = []Item{item("o", "", 0, -1)} },
	} {
		t.Run(want, func(t *testing.T) {
			var l Ledger
			if err := l.Add(ok()); err != nil {
				t.Fatal(err)
			}
			c := ok()
			change(&c)
			err := l.Add(c)
			if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, ErrCall) {
				t.Fatalf("%v, want %q", err, want)
			}
			if l.Len() != 1 {
				t.Errorf("%d calls after an error: want 1", l.Len())
			}
			if err := l.Add(ok()); err != nil || l.calls[1].change.At != 3 {
				t.Errorf("the stream did not go on: %v, %+v", err, l.calls[1].change)
			}
		})
	}
}

func TestPromptCheckSaysWhatAddSays(t *testing.T) {
	for _, p := range []Prompt{nil, {{"a", Plain, nil}}, {{"", Plain, nil}}, {{"a", Plain, []Item{item("x", "", 0, -1)}}}} {
		if err := p.Check(); !errors.Is(err, ErrCall) {
			t.Errorf("%v: %v", p, err)
		}
	}
	if err := (Prompt{{"a", Plain, []Item{item("x", "", 0, 1)}}}).Check(); err != nil {
		t.Error(err)
	}
}

func TestBadOptionsAndEmbeddingsAreNamed(t *testing.T) {
	l := handTrace(t)
	if _, err := l.Replay(Options{Block: -1}); err == nil || !strings.Contains(err.Error(), "block -1") {
		t.Error(err)
	}
	lru, err := prefixcache.NewPrefixLRU(10, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Replay(Options{Cache: lru, Block: 4, CacheOutputs: true}); err == nil || !strings.Contains(err.Error(), "cache_outputs") {
		t.Error(err)
	}
	for want, e := range map[string]Embedding{
		"texts 0": {Phase: Write}, "tokens -1": {Phase: Write, Texts: 1, Tokens: -1}, `phase ""`: {Texts: 1}, "turn -2": {Phase: Read, Texts: 1, Turn: -2},
	} {
		if err := l.Embed(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAnEmptyLedgerReplaysToNothing(t *testing.T) {
	var l Ledger
	r := replay(t, &l, Options{})
	if r.Totals != (Totals{}) || r.Totals.Saved() != 0 {
		t.Errorf("%+v", r)
	}
	if b, err := r.Price(llama(t)); err != nil || b.GPUSeconds != 0 {
		t.Errorf("%+v, %v", b, err)
	}
}

// A cache of other blocks than Block counts differently from the one that keeps
// everything, and causes would be wrong.
func TestAnotherBlockThanTheCachesIsAnError(t *testing.T) {
	caches := map[string]func(block int) (prefixcache.Cache, error){
		"lru":  func(block int) (prefixcache.Cache, error) { return prefixcache.NewPrefixLRU(1000, block) },
		"vllm": func(block int) (prefixcache.Cache, error) { return prefixcache.NewBlockHash(1000, block) },
		"sglang": func(block int) (prefixcache.Cache, error) {
			return prefixcache.NewRadix(prefixcache.RadixConfig{Page: block})
		},
	}
	for name, make := range caches {
		for _, c := range []struct{ made, said, tokens int }{
			{4, 16, 100}, {16, 4, 100}, {16, 0, 100}, {5, 4, 100}, {512, 16, 100},
			{20, 16, 25}, // two blocks of either size: only what is reused tells
		} {
			var l Ledger
			for version := range 2 {
				add(t, &l, "s", Prompt{{"system", Plain, []Item{item("system", "", 0, c.tokens-3), item("question", "", version, 3)}}})
			}
			cache, err := make(c.made)
			if err != nil {
				t.Fatal(err)
			}
			said := c.said
			if said == 0 {
				said = DefaultBlock
			}
			_, err = l.Replay(Options{Cache: cache, Block: c.said})
			if (err != nil) != (c.made != said) {
				t.Errorf("%s of blocks of %d, said to be %d: %v", name, c.made, said, err)
			}
			if name != "lru" && err != nil && !strings.Contains(err.Error(), "want the block size that the cache was made with") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestWhatIsNilIsAnError(t *testing.T) {
	l := handTrace(t)
	lru, err := prefixcache.NewPrefixLRU(0, 4)
	if err == nil {
		t.Fatal("a cache of no block")
	}
	hash, _ := prefixcache.NewBlockHash(0, 4)
	radix, _ := prefixcache.NewRadix(prefixcache.RadixConfig{})
	for _, c := range []prefixcache.Cache{lru, hash, radix} {
		if _, err := l.Replay(Options{Cache: c, Block: 4}); err == nil || !strings.Contains(err.Error(), "cache: a nil *prefixcache.") {
			t.Errorf("%T: %v", c, err)
		}
	}
	if _, err := replay(t, l, Options{}).Price(nil); err == nil || !strings.Contains(err.Error(), "no engine") {
		t.Error(err)
	}
	if ids := (Prompt{{"a", Plain, []Item{item("x", "", 0, -3)}}}).IDs(); len(ids) != 0 {
		t.Errorf("an impossible item has the ids %v", ids)
	}
}
