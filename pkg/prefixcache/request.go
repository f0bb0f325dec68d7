package prefixcache

import "math"

// Unlimited is the capacity of a cache that never evicts.
const Unlimited = math.MaxInt

// Request is one call of a model, as a cache sees it.
type Request struct {
	// Tenant is the salt: prompts of different tenants share nothing. "" is
	// the common pool.
	Tenant string
	// Tokens are the ids of the prompt; only equality matters, any int will do.
	Tokens []int
	// Output are the tokens that the model generated. A cache keeps them as
	// well; leave them out for a cache of prompts only. The last one is never
	// run through the model, so it completes no block.
	Output []int
	// Blocks are ids of the prompt's blocks, each standing for the whole
	// prefix up to its end; the last block may be partial. PrefixLRU and
	// LRUCurve read these and not Tokens; BlockIDs makes them from tokens.
	Blocks []uint64
	// Prompt is the length of the prompt in tokens where only Blocks are known.
	Prompt int
}

// PromptTokens is the length of the prompt in tokens.
func (r Request) PromptTokens() int {
	if r.Tokens != nil {
		return len(r.Tokens)
	}
	return r.Prompt
}

// Use is what a cache did for one request.
type Use struct {
	PromptTokens int // length of the prompt
	HitTokens    int // of these, reused; the others are prefilled
	Blocks       int // blocks of the prompt, a partial last one included
	HitBlocks    int
	// Refused: the request cannot fit, even after evicting all that no one
	// holds. Nothing was reused or stored.
	Refused bool
}

// Prefilled is the number of prompt tokens that had to be computed.
func (u Use) Prefilled() int { return u.PromptTokens - u.HitTokens }

// Cache is what the three caches share: one request from arrival to release.
type Cache interface {
	// Serve looks the prompt up, computes and keeps the rest, and releases it.
	// An error means a malformed request and leaves the cache as it was; a
	// request that cannot fit is no error but Use.Refused.
	Serve(Request) (Use, error)
	// Stats are the counts since the cache was made.
	Stats() Stats
}

// Runner is a cache with requests that run at the same time and hold their
// blocks: BlockHash and Radix.
type Runner interface {
	Cache
	// Start looks the prompt up, makes room for all of it and holds it under
	// the id. A refused request holds nothing.
	Start(id string, r Request) (Use, error)
	// Finish keeps prompt and output for reuse and lets go of them.
	Finish(id string, output []int) error
}

var (
	_ Cache  = (*PrefixLRU)(nil)
	_ Runner = (*BlockHash)(nil)
	_ Runner = (*Radix)(nil)
)
