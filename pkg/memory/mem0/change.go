package mem0

import (
	"maps"
	"slices"
	"time"
)

// change is what one pair does to the store. It can be taken back until it is kept:
// texts that it removes stay in the indexes, passed over, until then.
type change struct {
	m       *Memory
	before  map[*entry]entry
	touched []*entry // the keys of before, in order
	added   []*entry
	texts   []string // keys that it indexed
	nodes   map[*node]Entity
	names   []string // nodes that it made
	journal int      // records that it made
	report  Report
	by      map[*entry]string // ids of memories that took the place of others
}

func (m *Memory) begin() *change {
	return &change{
		m: m, before: map[*entry]entry{}, nodes: map[*node]Entity{}, by: map[*entry]string{}, report: m.Report(),
	}
}

// touch is called before an entry is changed.
func (c *change) touch(e *entry) {
	if _, known := c.before[e]; !known {
		c.before[e] = *e
		c.touched = append(c.touched, e)
	}
}

func (c *change) add(e *entry, v []float32) error {
	if err := c.m.store.add(e, v); err != nil {
		return err
	}
	c.added = append(c.added, e)
	c.texts = append(c.texts, e.key())
	return nil
}

// remove deletes an entry; by took its place.
func (c *change) remove(e *entry, by string) {
	c.touch(e)
	e.gone = true
	c.by[e] = by
}

// rewrite gives an entry the text and fact of another one.
func (c *change) rewrite(e, to *entry, v []float32) error {
	c.touch(e)
	e.version++
	text, fact := e.Text, e.Fact
	e.Text, e.Fact = to.Text, to.Fact
	if err := c.m.store.index(e, v); err != nil {
		e.version--
		e.Text, e.Fact = text, fact
		return err
	}
	c.texts = append(c.texts, e.key())
	c.m.store.unlist(e, fact)
	c.m.store.list(e)
	return nil
}

// end enters that a memory holds no more, without another value.
func (c *change) end(e *entry, at time.Time) {
	c.touch(e)
	e.ended = append(slices.Clone(e.ended), at)
	c.settle(e)
}

// join makes one slot of a memory and those that it contradicts.
func (c *change) join(e *entry, against []*entry) {
	if len(against) == 0 {
		return
	}
	joined := &slot{}
	for _, part := range append([]*entry{e}, against...) {
		for _, o := range part.members() {
			if !slices.Contains(joined.members, o) {
				joined.members = append(joined.members, o)
			}
		}
	}
	for _, o := range joined.members {
		c.touch(o)
		o.slot = joined
	}
}

// settle says of each memory in the slot of e whether it holds now.
func (c *change) settle(e *entry) {
	for _, o := range e.members() {
		if end := o.endAfter(o.Time); !end.Equal(o.Invalid) {
			c.touch(o)
			o.Invalid = end
		}
	}
}

// keep makes the change last.
func (c *change) keep() {
	s := &c.m.store
	for _, e := range c.touched {
		old := c.before[e]
		for v := old; v.version < e.version; v.version++ {
			s.unindex(v.key())
		}
		if e.gone {
			s.remove(e)
			c.m.journal.replaced[e.ID] = c.by[e]
		}
	}
}

// undo leaves everything as it was before the pair.
func (c *change) undo() {
	s := &c.m.store
	for _, key := range c.texts {
		s.unindex(key)
	}
	for e, old := range c.before {
		if e.Fact != old.Fact {
			s.unlist(e, e.Fact)
			*e = old
			s.list(e)
		}
		*e = old
	}
	for _, e := range c.added {
		s.remove(e)
	}
	for n, old := range c.nodes {
		n.Entity = old
	}
	c.m.graph.drop(c.names)
	c.m.journal.cut(c.journal)
	c.m.report = Report{maps.Clone(c.report.Skipped), c.report.SummariesFailed}
}
