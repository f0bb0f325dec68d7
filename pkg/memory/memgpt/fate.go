package memgpt

import (
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// note is what became of a message.
type note struct {
	left  bool // the queue
	state state
	by    string // the message whose statement took the place
}

type state uint8

const (
	untouched state = iota
	missed          // the judge looked at it when it left, and changed nothing
	unwritten       // the same, as a function failed
	replaced        // an entry from it was, by something newer about the same
	pushedOut       // an entry from it was, by something else: the working context was full
	deleted         // an entry from it was
)

// Fate implements memory.System. Nothing that was said is lost, as recall storage
// has it and a search may find it; Detail says where else a fact is, or why it is
// nowhere else.
func (m *Memory) Fate(message string, f dialogue.Fact) memory.Fate {
	if _, ok := m.recall.at[message]; !ok {
		return memory.Fate{Lost: memory.Keep, Detail: "forgotten or never written"}
	}
	for i := range m.entries {
		if slices.Contains(m.entries[i].Sources, message) && m.entries[i].Fact.Same(f) {
			return memory.Fate{Detail: "in the working context"}
		}
	}
	n := m.notes[message]
	if !n.left {
		return memory.Fate{Detail: "in the queue"}
	}
	const stored = ", in recall storage"
	switch n.state {
	case missed:
		return memory.Fate{Detail: "change missed at eviction" + stored}
	case unwritten:
		return memory.Fate{Detail: "not written down at eviction: a function failed" + stored}
	case replaced:
		return memory.Fate{Detail: "replaced in the working context by what " + n.by + " says" + stored}
	case pushedOut:
		return memory.Fate{Detail: "dropped from the working context: full" + stored}
	case deleted:
		return memory.Fate{Detail: "deleted from the working context" + stored}
	}
	return memory.Fate{Detail: "evicted from the queue" + stored}
}
