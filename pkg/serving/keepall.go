package serving

import "sort"

// DefaultBlock is the block size of vLLM, in tokens.
const DefaultBlock = 16

// keepAll answers what vLLM's cache would hold if it never evicted: the longest
// prefix shared with any earlier prompt, at most all but the last token, in
// whole blocks. It compares items and not tokens, so it is for made-up ids.
type keepAll struct {
	block int
	held  map[uint64]int32 // by the hash of a prefix of items: tokens held of it
	chain []uint64
}

func newKeepAll(block int) *keepAll { return &keepAll{block: block, held: map[uint64]int32{}} }

func (k *keepAll) serve(l *Ledger, r *record, outputs bool) (int, error) {
	k.chain = k.chain[:0]
	h := text(0, r.call.Tenant)
	for _, it := range r.items {
		h = mix(h, l.items[it].hash)
		k.chain = append(k.chain, h)
	}
	// If a prefix is held, every shorter one is.
	n := sort.Search(len(k.chain), func(i int) bool { _, ok := k.held[k.chain[i]]; return !ok })
	common, end := 0, 0
	if n > 0 {
		common = int(k.held[k.chain[n-1]])
	}
	for i, it := range r.items {
		end += l.items[it].item.Tokens
		if i >= n-1 {
			k.held[k.chain[i]] = int32(end)
		}
	}
	if outputs {
		for i, it := range r.output {
			h = mix(h, l.items[it].hash)
			end += l.items[it].item.Tokens
			held := int32(end)
			if i == len(r.output)-1 {
				held-- // sampled, but not run through the model
			}
			k.held[h] = max(k.held[h], held)
		}
	}
	return wholeBlocks(min(common, r.tokens-1), k.block), nil
}

func wholeBlocks(tokens, block int) int { return tokens / block * block }
