package prefixcache

import "fmt"

// Reason is why the part of a prompt that was not reused was not.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	DoesNotFit  Reason = "does not fit"         // refused: larger than what can be made free
	Evicted     Reason = "evicted"              // was there, is no longer
	FirstVisit  Reason = "first visit"          // begins like no earlier prompt
	OtherTenant Reason = "other tenant"         // begins like prompts of other tenants only
	BelowBlock  Reason = "shorter than a block" // the shared prefix fills no block
	LastToken   Reason = "last token"           // all known, but one token must be computed
	Partial     Reason = "partial block"        // all known, but the last block is not full
	Grown       Reason = "grown"                // continues an earlier prompt
	Changed     Reason = "changed"              // leaves every earlier prompt at some token
)

// Segment names a part of a prompt, e.g. "system" or "time stamp".
type Segment struct {
	Name   string
	Tokens int
}

// Explanation says why a prompt hit what it hit. The counts are tokens.
type Explanation struct {
	Reason   Reason
	Prompt   int
	Shared   int // longest prefix in common with an earlier prompt of the tenant
	Foreign  int // the same over all tenants
	Block    int
	Reusable int // what of Shared may hit: not the last token, and whole blocks
	Hit      int
	// Segment is where the shared prefix ends, "" without segments, and Offset
	// the token within it.
	Segment string
	Offset  int
	// Since is the first request, from 0, of the unbroken run of requests whose
	// shared prefix ended in that segment by a change; -1 if this is none.
	Since int
}

// Explainer serves requests through a cache and says why each hit what it hit.
// It remembers every prompt, so it is for looking into a case and not for
// replays of millions.
type Explainer struct {
	cache    Cache
	block    int
	own, all *Radix
	index    int
	since    map[string]int // first request of the run, by segment
}

// NewExplainer explains BlockHash or Radix caches (by tokens) with that block
// or page size.
func NewExplainer(c Cache, block int) (*Explainer, error) {
	if err := checkSize("block size", block, Unlimited); err != nil {
		return nil, err
	}
	own, err := NewRadix(RadixConfig{Page: 1})
	if err != nil {
		return nil, err
	}
	all, err := NewRadix(RadixConfig{Page: 1})
	if err != nil {
		return nil, err
	}
	return &Explainer{cache: c, block: block, own: own, all: all, since: map[string]int{}}, nil
}

// Serve serves a request. Segments, if given, must cover its tokens.
func (e *Explainer) Serve(r Request, segments ...Segment) (Use, Explanation, error) {
	if err := checkSegments(r, segments); err != nil {
		return Use{}, Explanation{}, err
	}
	x := Explanation{Prompt: len(r.Tokens), Block: e.block, Since: -1}
	var leaf bool
	x.Shared, leaf = e.own.look(Key{Tokens: r.Tokens, Salt: r.Tenant})
	x.Foreign = e.all.Lookup(Key{Tokens: r.Tokens})
	u, err := e.cache.Serve(r)
	if err != nil {
		return u, x, err
	}
	x.Hit = u.HitTokens
	x.Reusable = max(0, min(x.Shared, x.Prompt-1)) / e.block * e.block
	x.Reason = x.reason(u.Refused, leaf)
	e.locate(&x, segments)
	if !u.Refused {
		tokens := r.Tokens
		if n := len(r.Output) - 1; n > 0 {
			tokens = append(tokens[:len(tokens):len(tokens)], r.Output[:n]...)
		}
		e.own.Insert(Key{Tokens: tokens, Salt: r.Tenant}, 0, 0)
		e.all.Insert(Key{Tokens: tokens}, 0, 0)
	}
	e.index++
	return u, x, nil
}

func checkSegments(r Request, segments []Segment) error {
	if len(segments) == 0 {
		return nil
	}
	sum := 0
	for _, s := range segments {
		if s.Tokens < 0 {
			return fail(ErrRequest, "segment %q of %d tokens: want 0 or more", s.Name, s.Tokens)
		}
		sum += s.Tokens
	}
	if sum != len(r.Tokens) {
		return fail(ErrRequest, "segments of %d tokens for a prompt of %d: want the same", sum, len(r.Tokens))
	}
	return nil
}

func (x *Explanation) reason(refused, leaf bool) Reason {
	switch {
	case refused:
		return DoesNotFit
	case x.Hit < x.Reusable:
		return Evicted
	case x.Shared < x.Block && x.Foreign >= x.Block && x.Foreign > x.Shared:
		return OtherTenant
	case x.Shared == 0:
		return FirstVisit
	case x.Shared < x.Block:
		return BelowBlock
	case x.Shared == x.Prompt && x.Prompt%x.Block == 0:
		return LastToken
	case x.Shared == x.Prompt:
		return Partial
	case leaf:
		return Grown
	default:
		return Changed
	}
}

// locate finds the segment where the shared prefix ends, and since when.
func (e *Explainer) locate(x *Explanation, segments []Segment) {
	end := 0
	for _, s := range segments {
		if x.Shared < end+s.Tokens {
			x.Segment, x.Offset = s.Name, x.Shared-end
			break
		}
		end += s.Tokens
	}
	broken := x.Segment != "" && (x.Reason == Changed || x.Reason == BelowBlock)
	if broken {
		since, running := e.since[x.Segment]
		if !running {
			since = e.index
		}
		clear(e.since)
		e.since[x.Segment] = since
		x.Since = since
	} else if x.Reason != DoesNotFit {
		clear(e.since)
	}
}

// String is the explanation in a sentence or two.
func (x Explanation) String() string {
	head := fmt.Sprintf("%d of %d prompt tokens reused: ", x.Hit, x.Prompt)
	return head + x.why() + x.where()
}

func (x Explanation) why() string {
	switch x.Reason {
	case DoesNotFit:
		return "the request was refused, because it does not fit into the blocks that can be made free."
	case Evicted:
		return fmt.Sprintf("%d more were computed before and have been evicted since.", x.Reusable-x.Hit)
	case FirstVisit:
		return "no earlier prompt begins with the same token."
	case OtherTenant:
		return fmt.Sprintf("the first %d tokens were seen, but under another salt, and tenants share nothing.", x.Foreign)
	case BelowBlock:
		return fmt.Sprintf("the shared prefix of %d tokens is shorter than one block of %d, and only full blocks are cached.", x.Shared, x.Block)
	case LastToken:
		return fmt.Sprintf("the whole prompt is known, but its last token must be computed, and with it the last block of %d.", x.Block)
	case Partial:
		return fmt.Sprintf("the whole prompt is known; what is left does not fill a block of %d.", x.Block)
	case Grown:
		return fmt.Sprintf("it continues an earlier prompt after token %d; whole blocks of %d of that are reused.", x.Shared, x.Block)
	default:
		return fmt.Sprintf("the prompt leaves all earlier ones after token %d; whole blocks of %d before it are reused, nothing after it.", x.Shared, x.Block)
	}
}

func (x Explanation) where() string {
	if x.Segment == "" || x.Since < 0 {
		return ""
	}
	return fmt.Sprintf(" The change is in segment %q at its token %d; requests have broken there since request %d.", x.Segment, x.Offset, x.Since)
}
