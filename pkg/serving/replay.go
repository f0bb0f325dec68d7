package serving

import (
	"errors"
	"fmt"
	"math"

	"memlab/pkg/prefixcache"
)

// Options say how calls are served. The zero value is vLLM's block size and a
// cache of prompts that never evicts.
type Options struct {
	// Cache is a cache of package prefixcache; nil keeps everything.
	Cache prefixcache.Cache `json:"-"`
	// Block is the block or page size in tokens that the cache was made with;
	// 0 is DefaultBlock. Another one is an error as soon as it shows in what
	// the cache does for a call.
	Block int `json:"block"`
	// CacheOutputs: what the model generates is kept as well, as vLLM and
	// SGLang do. Otherwise it is prefilled when a prompt first repeats it.
	CacheOutputs bool `json:"cache_outputs"`
}

// Totals are sums over calls. Refused calls are in no other sum.
type Totals struct {
	Calls     int `json:"calls"`
	Refused   int `json:"refused,omitempty"`
	Prompt    int `json:"prompt_tokens"`
	Cached    int `json:"cached_tokens"`
	Prefilled int `json:"prefilled_tokens"`
	Output    int `json:"output_tokens"`
	// Rounding is the part of Prefilled that lies before a prompt's first
	// change: whole blocks only are kept, and the last token is always computed.
	Rounding int `json:"rounding_tokens"`
	Embedded int `json:"embedded_texts,omitempty"`
}

// Saved is the share of prompt tokens that need no prefill, 0 without tokens.
func (t Totals) Saved() float64 {
	if t.Prompt == 0 {
		return 0
	}
	return float64(t.Cached) / float64(t.Prompt)
}

// Served is what became of one call.
type Served struct {
	Index     int    `json:"index"` // of the call in the ledger
	Stream    string `json:"stream"`
	Phase     Phase  `json:"phase"`
	Purpose   string `json:"purpose"`
	Turn      int    `json:"turn"`
	Tenant    string `json:"tenant,omitempty"`
	Refused   bool   `json:"refused,omitempty"`
	Prompt    int    `json:"prompt_tokens"`
	Cached    int    `json:"cached_tokens"`
	Prefilled int    `json:"prefilled_tokens"`
	Output    int    `json:"output_tokens"`
	Rounding  int    `json:"rounding_tokens"`
	// Change is against the stream's last prompt; First says there is none.
	First  bool   `json:"first"`
	Change Change `json:"change"`
	// Why divides the prefilled tokens: the sum is Prefilled.
	Why []Part `json:"why"`
	// Blame is the one cause that the whole call is counted under by the
	// coarser rule: a capacity miss if there was one, else a first visit, else
	// the prompt's first change.
	Blame Cause `json:"blame"`
	// Where divides prompt and prefill by the segments they lie in.
	Where []Where `json:"where"`
}

// Where is how much of a segment was prefilled.
type Where struct {
	Segment   string `json:"segment"`
	Prompt    int    `json:"prompt_tokens"`
	Prefilled int    `json:"prefilled_tokens"`
}

// Replay is what became of all calls.
type Replay struct {
	Options Options `json:"options"`
	Totals  Totals  `json:"totals"`
	// Groups are the totals by stream, phase and purpose.
	Groups []Group `json:"groups"`
	// Causes are exact, token by token; Blames give each call to one cause.
	// Both add up to the prefilled tokens.
	Causes []Loss   `json:"causes"`
	Blames []Loss   `json:"blames"`
	Where  []Where  `json:"where"`
	Calls  []Served `json:"calls"`

	embeddings []Embedding
}

// Replay serves the calls in their order through a cache. A cache that has
// served before goes on from there.
func (l *Ledger) Replay(o Options) (Replay, error) {
	if o.Block == 0 {
		o.Block = DefaultBlock
	}
	if o.Block < 0 || o.Block > math.MaxInt32 {
		return Replay{}, fmt.Errorf("serving: block %d: want a positive number of tokens", o.Block)
	}
	cache, ideal, err := l.servers(o)
	if err != nil {
		return Replay{}, err
	}
	calls := make([]Served, len(l.calls))
	var where arena[Where]
	var why arena[Part]
	for i, r := range l.calls {
		calls[i].Where = where.take(len(r.segments))
		calls[i].Why = why.take(3)[:0]
		if err := l.serve(&calls[i], i, cache, ideal, o.CacheOutputs); err != nil {
			return Replay{}, fmt.Errorf("serving: call %d: %w", i, err)
		}
	}
	return summarize(o, calls, l.embeddings), nil
}

func (l *Ledger) serve(s *Served, i int, cache, ideal server, outputs bool) error {
	r := l.calls[i]
	s.Index, s.Stream, s.Phase, s.Purpose, s.Turn, s.Tenant = i, r.call.Stream, r.call.Phase, r.call.Purpose, r.call.Turn, r.call.Tenant
	s.Prompt, s.First, s.Change = r.tokens, r.previous < 0, r.change.Change
	for _, it := range r.output {
		s.Output += l.items[it].item.Tokens
	}
	all, err := ideal.serve(l, r, outputs)
	if err != nil {
		return err
	}
	s.Cached = all
	if cache != nil {
		s.Cached, err = cache.serve(l, r, outputs)
		if s.Refused = errors.Is(err, errRefused); s.Refused {
			s.Where = nil
			return nil
		}
		if err != nil {
			return err
		}
	}
	s.Prefilled = s.Prompt - s.Cached
	l.explain(s, r, all)
	switch {
	case all > s.Cached:
		s.Blame = Cause{Kind: CapacityMiss}
	case s.First:
		s.Blame = Cause{Kind: FirstVisit}
	default:
		s.Blame = s.Change.Cause
	}
	start := 0
	for j, seg := range r.segments {
		s.Where[j] = Where{seg.name, seg.tokenEnd - start, max(0, seg.tokenEnd-max(start, s.Cached))}
		start = seg.tokenEnd
	}
	return nil
}
