package prefixcache

import "math/bits"

// key stands for a whole prefix: the key of the prefix before the block, mixed
// with the block's tokens. Engines use SHA-256 here; 128 mixed bits are enough
// to tell apart what is not chosen to collide: among 10^7 different prefixes
// the chance of one collision is 10^-25.
type key struct{ a, b uint64 }

// Odd constants: the fractional parts of the square roots of 2, 3, 5 and 7.
const (
	mixA = 0x6a09e667f3bcc909
	mixB = 0xbb67ae8584caa73b
	mixC = 0x3c6ef372fe94f82b
	mixD = 0xa54ff53a5f1d36f1
)

func (k key) mix(x, y uint64) key {
	h1, l1 := bits.Mul64(x^k.a, mixC)
	h2, l2 := bits.Mul64(y^k.b, mixD)
	return key{l1 ^ h2, l2 ^ h1}
}

// next is the key after one more block. The length goes in too, so that a
// partial block differs from a full one.
//
// The tokens are mixed apart from the keys before and in two lanes, and joined
// at the end: a multiplication need not wait for all those before it.
func (k key) next(tokens []int) key {
	x, y := key{mixA, uint64(len(tokens))}, key{mixC, mixD}
	for len(tokens) >= 4 {
		x = x.mix(uint64(tokens[0]), uint64(tokens[1]))
		y = y.mix(uint64(tokens[2]), uint64(tokens[3]))
		tokens = tokens[4:]
	}
	for _, t := range tokens {
		x = x.mix(uint64(t), mixB)
	}
	return k.mix(x.a, x.b).mix(y.a, y.b).mix(mixB, mixA)
}

// rootKey is where the prefixes of a tenant begin. An empty salt is no salt.
func rootKey(tenant string) key {
	return key{mixB, mixA}.text(tenant)
}

func (k key) text(s string) key {
	if s == "" {
		return k
	}
	k = k.mix(mixD, uint64(len(s)))
	for i := 0; i < len(s); i += 8 {
		var x uint64
		for j := i; j < len(s) && j < i+8; j++ {
			x = x<<8 | uint64(s[j])
		}
		k = k.mix(x, mixC)
	}
	return k.mix(mixC, mixB)
}

// BlockIDs turns tokens into the block ids that PrefixLRU and LRUCurve read.
type BlockIDs struct {
	block int
	ids   map[key]uint64
}

// NewBlockIDs is for blocks of that many tokens.
func NewBlockIDs(block int) (*BlockIDs, error) {
	if err := checkSize("block size", block, Unlimited); err != nil {
		return nil, err
	}
	return &BlockIDs{block: block, ids: map[key]uint64{}}, nil
}

// Of are the ids of a prompt's blocks: 0, 1, 2, ... in order of first
// appearance, equal where tenant and whole prefix are equal. A partial last
// block gets an id of its own, as in Mooncake's traces.
func (b *BlockIDs) Of(tenant string, tokens []int) []uint64 {
	ids := make([]uint64, 0, ceilDiv(len(tokens), b.block))
	k := rootKey(tenant)
	for len(tokens) > 0 {
		n := min(b.block, len(tokens))
		k = k.next(tokens[:n])
		tokens = tokens[n:]
		id, ok := b.ids[k]
		if !ok {
			id = uint64(len(b.ids))
			b.ids[k] = id
		}
		ids = append(ids, id)
	}
	return ids
}
