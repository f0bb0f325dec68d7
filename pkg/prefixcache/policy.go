package prefixcache

import "slices"

// Policy is the order in which Radix evicts leaves.
type Policy string

// The policies of SGLang 0.5.23. Time is the order of operations.
const (
	LRU      Policy = "lru"      // longest unused first
	LFU      Policy = "lfu"      // fewest inserts first, then LRU
	FIFO     Policy = "fifo"     // oldest node first
	MRU      Policy = "mru"      // most recently used first
	FILO     Policy = "filo"     // newest node first
	Priority Policy = "priority" // lowest priority first, then LRU
	SLRU     Policy = "slru"     // nodes below ProtectedThreshold inserts first, then LRU
)

// Policies are all policies by name.
func Policies() []Policy { return []Policy{LRU, LFU, FIFO, MRU, FILO, Priority, SLRU} }

func (p Policy) check() error {
	if !slices.Contains(Policies(), p) {
		return fail(ErrPolicy, "%q: want one of %v", string(p), Policies())
	}
	return nil
}

// order is what sorts leaves: lower goes first, the second value breaks ties of
// the first. Two leaves of one tree never tie.
func (c *Radix) order(n *radixNode) [2]int {
	switch c.config.Policy {
	case LFU:
		return [2]int{n.hits, n.at}
	case FIFO:
		return [2]int{n.created}
	case MRU:
		return [2]int{-n.at}
	case FILO:
		return [2]int{-n.created}
	case Priority:
		return [2]int{n.priority, n.at}
	case SLRU:
		if n.hits >= c.config.ProtectedThreshold {
			return [2]int{1, n.at}
		}
		return [2]int{0, n.at}
	default:
		return [2]int{n.at}
	}
}
