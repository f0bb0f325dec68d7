package mem0

import (
	"slices"

	"memlab/pkg/dialogue"
)

// decision is what a judge's operations on one candidate come to.
type decision struct {
	stores  bool      // the candidate is to be kept, in a memory of its own or in update
	same    *entry    // says the same already
	update  *entry    // is rewritten
	write   Operation // the UPDATE of it
	against []*entry  // are contradicted, without update
	known   *entry    // a NOOP named it
}

// decide checks the operations one by one. A number that was not shown is skipped
// and counted, and so is any change of a memory that says the same or is about another
// subject or relation.
func (g *merging) decide(similar []*entry, ops []Operation) {
	for _, op := range ops {
		switch {
		case op.Op == ADD:
			g.put()
		case op.Op == NOOP && op.Index == None:
		case op.Op != NOOP && op.Op != UPDATE && op.Op != DELETE:
			g.skip(UnknownOp)
		case op.Index < 0 || op.Index >= len(similar):
			g.skip(OutOfRange)
		case op.Op == NOOP:
			g.known = similar[op.Index]
		default:
			g.alter(similar[op.Index], op)
		}
	}
	if g.same == nil && !g.stores && len(g.against) == 0 {
		g.same = g.restated(similar)
	}
}

// put keeps the candidate, once.
func (g *merging) put() bool {
	if g.stores {
		g.skip(Extra)
		return false
	}
	g.stores = true
	return true
}

// alter is an UPDATE or a DELETE of a memory.
func (g *merging) alter(old *entry, op Operation) {
	fact := g.e.Fact
	if op.Op == UPDATE && isTriple(op.Fact) {
		fact = op.Fact
	}
	switch {
	case states(&old.Memory, g.e.Fact, g.e.Text):
		g.skip(Restated)
		g.same = old
	case !sameTopic(old.Fact, fact):
		g.skip(OtherTopic)
		if op.Op == UPDATE {
			g.put()
		}
	case op.Op == UPDATE:
		if g.put() {
			g.update, g.write = old, op
		}
	case old != g.update && !slices.Contains(g.against, old):
		g.against = append(g.against, old)
	}
}

// sameTopic reports whether two facts have one key; where one is only a sentence,
// that is for the judge to know.
func sameTopic(a, b dialogue.Fact) bool {
	return !isTriple(a) || !isTriple(b) || a.Key() == b.Key()
}

// restated is the memory that a NOOP takes the candidate for, if it says the same as
// far as can be told.
func (g *merging) restated(similar []*entry) *entry {
	if g.known == nil {
		for _, s := range similar {
			if states(&s.Memory, g.e.Fact, g.e.Text) {
				return s
			}
		}
		return nil
	}
	if isTriple(g.known.Fact) && isTriple(g.e.Fact) && !g.known.Fact.Same(g.e.Fact) {
		return nil
	}
	return g.known
}
