package prefixcache

import (
	"math"
	"slices"
)

// Point is the result of a replay at one capacity, partial last blocks
// included.
type Point struct {
	CapacityBlocks int     `json:"capacity_blocks"` // Unlimited is math.MaxInt
	Blocks         int     `json:"blocks"`
	HitBlocks      int     `json:"hit_blocks"`
	PromptTokens   int     `json:"prompt_tokens"`
	HitTokens      int     `json:"hit_tokens"`
	HitRate        float64 `json:"hit_rate"` // share of prompt tokens
}

// Point is the same counts as a point at that capacity.
func (s Stats) Point(capacity int) Point {
	return Point{
		CapacityBlocks: capacity, Blocks: s.Blocks, HitBlocks: s.HitBlocks,
		PromptTokens: s.PromptTokens, HitTokens: s.HitTokens, HitRate: s.HitRate(),
	}
}

// Curve is what PrefixLRU hits at every capacity.
type Curve struct {
	requests, blocks, tokens int
	distinct                 int
	need                     []need // ascending by capacity, cumulative
}

// need says how much hits at a capacity and above, up to the next one.
type need struct{ capacity, blocks, tokens int }

// hit is what needs one capacity.
type hit struct{ blocks, tokens int }

// LRUCurve finds the hits of PrefixLRU at every capacity in one pass, counting
// the requests after the first warmup ones. It stops at a malformed request
// with a RequestError.
//
// LRU keeps a stack: a cache of C blocks holds the C most recent ones. So a
// block is present if fewer than C others were touched since its last touch,
// its stack distance (Mattson et al. 1970), and a block of a prompt hits if
// that holds for it and all blocks before it: the capacity it needs is the
// largest distance up to there. The distances are taken before the request
// touches anything, as the lookup is.
func LRUCurve(requests []Request, block, warmup int) (*Curve, error) {
	if err := checkSize("block size", block, Unlimited); err != nil {
		return nil, err
	}
	total := 0
	for _, r := range requests {
		total += len(r.Blocks)
	}
	if total > maxSlot {
		return nil, fail(ErrSize, "%d blocks in the trace: want at most %d", total, maxSlot)
	}
	p := pass{stamps: newStamps(total), block: block}
	c := &Curve{}
	for i, r := range requests {
		n, err := checkBlocks(r, block)
		if err != nil {
			return nil, &RequestError{Index: i, Err: err}
		}
		p.find(r.Blocks)
		if i >= warmup {
			c.requests++
			c.blocks += len(r.Blocks)
			c.tokens += n
			p.count(n)
		}
		p.touch(r.Blocks)
	}
	c.distinct = p.table.used
	c.accumulate(&p)
	return c, nil
}

// pass is the state of the one pass.
type pass struct {
	table  table
	last   []int32 // stamp of the last touch, by slot
	stamps *stamps
	now    int32
	block  int
	slots  []int32
	hits   []hit // by capacity-1
}

func (p *pass) find(blocks []uint64) {
	p.slots = p.slots[:0]
	for _, id := range blocks {
		s := p.table.find(id)
		p.slots = append(p.slots, s)
	}
}

// count enters, for each block up to the first new one, the capacity it needs.
func (p *pass) count(promptTokens int) {
	p.stamps.flush()
	most := 0
	for i, s := range p.slots {
		if s == empty {
			return
		}
		most = max(most, p.stamps.after(int(p.last[s]))+1)
		if more := most - len(p.hits); more > 0 {
			p.hits = append(p.hits, make([]hit, max(more, len(p.hits)))...)
		}
		h := &p.hits[most-1]
		h.blocks++
		h.tokens += min(p.block, promptTokens-i*p.block)
	}
}

// touch stamps the blocks anew, the last one first.
func (p *pass) touch(blocks []uint64) {
	for i := len(blocks) - 1; i >= 0; i-- {
		s := p.slots[i]
		if s == empty {
			if s = p.table.find(blocks[i]); s == empty {
				s = int32(len(p.last))
				p.table.room(s)
				p.table.put(blocks[i], s)
				p.last = append(p.last, empty)
			}
		}
		if old := p.last[s]; old != empty {
			p.stamps.clear(int(old))
		}
		p.stamps.set(int(p.now))
		p.last[s] = p.now
		p.now++
	}
}

func (c *Curve) accumulate(p *pass) {
	steps := 0
	for _, h := range p.hits {
		if h.blocks > 0 {
			steps++
		}
	}
	c.need = make([]need, 0, steps)
	sum := need{}
	for i, h := range p.hits {
		if h.blocks == 0 {
			continue
		}
		sum.capacity = i + 1
		sum.blocks += h.blocks
		sum.tokens += h.tokens
		c.need = append(c.need, sum)
	}
}

// At is the result at one capacity in blocks; a capacity below 1 hits nothing.
func (c *Curve) At(capacity int) Point {
	i, exact := slices.BinarySearchFunc(c.need, capacity, func(n need, capacity int) int { return n.capacity - capacity })
	if !exact {
		i--
	}
	p := Point{CapacityBlocks: capacity, Blocks: c.blocks, PromptTokens: c.tokens}
	if i >= 0 {
		p.HitBlocks, p.HitTokens = c.need[i].blocks, c.need[i].tokens
	}
	p.HitRate = share(p.HitTokens, p.PromptTokens)
	return p
}

// Distinct is the number of different blocks of the trace.
func (c *Curve) Distinct() int { return c.distinct }

// Largest is the capacity from which on more blocks add no hit, 0 if nothing
// ever hits.
func (c *Curve) Largest() int {
	if len(c.need) == 0 {
		return 0
	}
	return c.need[len(c.need)-1].capacity
}

// Steps are the capacities at which the hits change, ascending.
func (c *Curve) Steps() []int {
	steps := make([]int, len(c.need))
	for i, n := range c.need {
		steps[i] = n.capacity
	}
	return steps
}

// Points are at most n points of the curve for a figure, evenly spaced on a
// logarithmic axis from 1 block to Largest.
func (c *Curve) Points(n int) []Point {
	var points []Point
	last := 0
	for i := range n {
		at := 1.0
		if n > 1 {
			at = math.Pow(float64(max(1, c.Largest())), float64(i)/float64(n-1))
		}
		if capacity := int(math.Round(at)); capacity > last {
			points = append(points, c.At(capacity))
			last = capacity
		}
	}
	return points
}
