package workload

import "memlab/binder/peers/runner"

// Cache is an LRU cache of block ids with the semantics of prefixcache.PrefixLRU: Access
// counts the leading blocks that are present, then touches all, the last one first.
type Cache interface{ Access(ids []uint64) (hits int) }

// New makes an empty cache of that many blocks.
type New func(capacity int) (Cache, error)

// Sizes of the replays: about one block in eight is new, and at the smaller capacity
// most of what is touched again is still there.
const (
	Replayed  = 4_000_000
	OpenChats = 4000
	Small     = 100_000
	Unlimited = 1 << 30
)

// Replays compares whole replays, an empty cache each.
func Replays(make New) []runner.Bench {
	var list []runner.Bench
	for _, ids := range []string{"numbered", "hashed"} {
		for _, c := range []struct {
			name     string
			capacity int
		}{{"unlimited", Unlimited}, {"100k-blocks", Small}} {
			list = append(list, runner.Bench{Name: "cache/replay/" + ids + "/" + c.name, New: func() (runner.Work, error) {
				t := Chats(Replayed, OpenChats, ids == "hashed")
				return func() (int, any, error) {
					hits, err := t.Replay(make, c.capacity)
					return t.Blocks, hits, err
				}, nil
			}})
		}
	}
	return list
}

// Replay counts the hits of an empty cache.
func (t *Trace) Replay(make New, capacity int) (hits int, err error) {
	c, err := make(capacity)
	if err != nil {
		return 0, err
	}
	for _, ids := range t.Prompts {
		hits += c.Access(ids)
	}
	return hits, nil
}
