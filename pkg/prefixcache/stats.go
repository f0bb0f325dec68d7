package prefixcache

import "iter"

// Stats are the counts of a replay.
type Stats struct {
	Requests     int `json:"requests"`      // served, without the refused
	Refused      int `json:"refused"`       // could not fit
	PromptTokens int `json:"prompt_tokens"` // of the served requests
	HitTokens    int `json:"hit_tokens"`
	Blocks       int `json:"blocks"` // partial last blocks included
	HitBlocks    int `json:"hit_blocks"`
	WithHit      int `json:"requests_with_hit"` // requests that reused at least one token
	Evicted      int `json:"evicted_blocks"`    // blocks or pages that lost their content
}

// HitRate is the share of prompt tokens that were reused, 0 without tokens.
func (s Stats) HitRate() float64 { return share(s.HitTokens, s.PromptTokens) }

// RequestHitRate is the share of requests that reused anything at all. It says
// little about work saved: one shared block in a prompt of a thousand counts as
// a hit. It is here to be compared with HitRate.
func (s Stats) RequestHitRate() float64 { return share(s.WithHit, s.Requests) }

// Minus is what was counted since an earlier state, e.g. after a warm-up.
func (s Stats) Minus(earlier Stats) Stats {
	return Stats{
		Requests: s.Requests - earlier.Requests, Refused: s.Refused - earlier.Refused,
		PromptTokens: s.PromptTokens - earlier.PromptTokens, HitTokens: s.HitTokens - earlier.HitTokens,
		Blocks: s.Blocks - earlier.Blocks, HitBlocks: s.HitBlocks - earlier.HitBlocks,
		WithHit: s.WithHit - earlier.WithHit, Evicted: s.Evicted - earlier.Evicted,
	}
}

func (s *Stats) add(u Use) {
	if u.Refused {
		s.Refused++
		return
	}
	s.Requests++
	s.PromptTokens += u.PromptTokens
	s.HitTokens += u.HitTokens
	s.Blocks += u.Blocks
	s.HitBlocks += u.HitBlocks
	if u.HitTokens > 0 {
		s.WithHit++
	}
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Replay serves the requests in order and counts those after the first warmup
// ones. It stops at a malformed request with a RequestError. For a slice, pass
// slices.Values.
func Replay(c Cache, requests iter.Seq[Request], warmup int) (Stats, error) {
	before, i := c.Stats(), 0
	for r := range requests {
		if i == warmup {
			before = c.Stats()
		}
		if _, err := c.Serve(r); err != nil {
			return c.Stats().Minus(before), &RequestError{Index: i, Err: err}
		}
		i++
	}
	if i <= warmup && i > 0 {
		before = c.Stats()
	}
	return c.Stats().Minus(before), nil
}
