package mem0

import (
	"slices"
	"time"

	"memlab/pkg/memory"
)

// entry is a memory in the store.
type entry struct {
	memory.Memory
	number int         // in the order of adding
	said   []time.Time // when each of Sources said it, rising
	ended  []time.Time // when it was said that it holds no more, without another value
	slot   *slot       // nil: nothing contradicted it so far
	// version counts the texts that it had: each is indexed under a key of its own.
	version int
	gone    bool // deleted by the pair at work
}

// slot is a set of memories that exclude each other, e.g. all that were ever said to
// be somebody's job. The judge says what contradicts what; which of them holds
// follows from when each was said, so that it does not matter in which order they
// arrive. A slot never changes: joining makes another one.
type slot struct {
	members []*entry
}

func (e *entry) copy() memory.Memory {
	m := e.Memory
	m.Sources = slices.Clone(m.Sources)
	return m
}

// say enters that a message said it. A source counts once.
func (e *entry) say(source string, at time.Time) {
	if slices.Contains(e.Sources, source) {
		return
	}
	i := len(e.said)
	for i > 0 && e.said[i-1].After(at) {
		i--
	}
	e.said = slices.Insert(slices.Clone(e.said), i, at)
	e.Sources = slices.Insert(slices.Clone(e.Sources), i, source)
	e.Time = e.said[len(e.said)-1]
}

// members are the memories in the slot of e, e included.
func (e *entry) members() []*entry {
	if e.slot == nil {
		return []*entry{e}
	}
	return e.slot.members
}

// endAfter is when the value that was said at a time ended: the first time after
// it at which another member of the slot, or its end, was said; zero if it holds. What
// was said at the same time ends nothing.
func (e *entry) endAfter(at time.Time) time.Time {
	var end time.Time
	first := func(times []time.Time) {
		for _, t := range times {
			if t.After(at) && (end.IsZero() || t.Before(end)) {
				end = t
			}
		}
	}
	first(e.ended)
	if e.slot != nil {
		for _, other := range e.slot.members {
			if other != e && !other.gone {
				first(other.said)
			}
		}
	}
	return end
}

// Interval is a time in which something held. To is zero if it still does.
type Interval struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
}

func (e *entry) intervals() []Interval {
	var out []Interval
	for _, at := range e.said {
		to := e.endAfter(at)
		if n := len(out); n > 0 && out[n-1].To.Equal(to) {
			continue // said again while it held
		}
		out = append(out, Interval{at, to})
	}
	return out
}

// History lists when a memory held, the oldest time first; nil if there is no such
// memory. A value that returned has several intervals.
func (m *Memory) History(id string) []Interval {
	e := m.store.byID[id]
	if e == nil {
		return nil
	}
	return e.intervals()
}
