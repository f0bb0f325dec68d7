package mem0

import (
	"strings"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// journal says what became of every fact that was extracted, by the message that
// stated it.
type journal struct {
	records   map[string][]record
	order     []string          // the messages of the records, in their order
	replaced  map[string]string // deleted memory: the one that took its place, or ""
	forgotten map[string]bool   // messages with a fact that was to be forgotten
}

// record is the fate of one candidate.
type record struct {
	fact   dialogue.Fact
	memory string        // that it went into
	as     dialogue.Fact // what that memory said then
	why    string        // it went into none
	by     string        // the memory in whose favour
}

func (j *journal) init() {
	j.records, j.replaced, j.forgotten = map[string][]record{}, map[string]string{}, map[string]bool{}
}

func (j *journal) add(message string, r record) {
	j.records[message] = append(j.records[message], r)
	j.order = append(j.order, message)
}

// cut takes the last n records back.
func (j *journal) cut(n int) {
	for range n {
		last := len(j.order) - 1
		id := j.order[last]
		rs := j.records[id]
		rs[len(rs)-1] = record{}
		if j.records[id] = rs[:len(rs)-1]; len(rs) == 1 {
			delete(j.records, id)
		}
		j.order[last] = ""
		j.order = j.order[:last]
	}
}

// Fate implements memory.System, from the journal. A fact is held as long as any
// memory states it, valid or not, whichever message that came from.
func (m *Memory) Fate(message string, f dialogue.Fact) memory.Fate {
	if m.store.find(f) != nil {
		return memory.Fate{}
	}
	fate := memory.Fate{Lost: memory.Extract, Detail: "not extracted"}
	switch {
	case !m.written[message]:
		fate.Detail = "never written"
	case m.pending != nil && m.pending.ID == message:
		fate.Detail = "waits for an answer"
	case m.journal.forgotten[message]:
		fate = memory.Fate{Lost: memory.Keep, Detail: "forgotten"}
	}
	for _, r := range m.journal.records[message] {
		if r.fact.Same(f) {
			if e := m.store.byID[r.memory]; e != nil && e.Fact.Same(r.as) {
				return memory.Fate{} // in the words of an UPDATE
			}
			fate = memory.Fate{Lost: memory.Merge, Detail: m.detail(r)}
		}
	}
	return fate
}

// detail names what took the place of a fact.
func (m *Memory) detail(r record) string {
	why, by := r.why, r.by
	if r.memory != "" {
		if _, alive := m.store.byID[r.memory]; alive {
			why, by = "overwritten in", r.memory
		} else {
			why, by = "deleted", m.journal.replaced[r.memory]
			if by != "" {
				why = "replaced by"
			}
		}
	}
	if by == "" {
		return strings.TrimSuffix(why, " for")
	}
	return why + " " + by
}
