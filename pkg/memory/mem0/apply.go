package mem0

import (
	"context"
	"slices"
)

// merging is one candidate on its way into the store.
type merging struct {
	*Memory
	change *change
	e      *entry // the candidate
	v      []float32
	decision
	record record // of what becomes of it
}

// apply does what was decided.
func (g *merging) apply(ctx context.Context) error {
	if g.update != nil {
		if err := g.reword(ctx); err != nil {
			return err
		}
	}
	against := g.against
	if g.update != nil {
		against = append(against, g.update)
	}
	if g.Graph {
		return g.invalidate(against)
	}
	return g.replace(against)
}

// reword gives the candidate the words of an UPDATE, unless they are none that can
// be embedded.
func (g *merging) reword(ctx context.Context) error {
	if text := sentence(g.write.Text, g.write.Fact); text != "" && text != g.e.Text {
		id := g.e.ID
		if !g.Graph {
			id = g.update.ID
		}
		v, err := g.embedMemory(ctx, id, text)
		if nothing(err) {
			g.skip(Blank)
			return nil
		}
		if err != nil {
			return err
		}
		g.e.Text, g.v = text, v
	}
	if isTriple(g.write.Fact) {
		g.e.Fact = g.write.Fact
	}
	return nil
}

// replace is mem0's: what is contradicted goes, unless it was said later than the
// candidate, which then is outdated, or at the same time, which decides nothing.
func (g *merging) replace(against []*entry) error {
	target := g.target()
	var newer *entry
	var older []*entry
	for _, old := range against {
		switch {
		case old == target:
		case old.Time.After(g.e.Time):
			g.skip(Outdated)
			newer = old
		case old.Time.Before(g.e.Time):
			older = append(older, old)
		}
	}
	by := nameOf(newer)
	switch {
	case !g.stores && g.same == nil:
		g.drop()
	case newer != nil && target == nil:
		g.record.why, g.record.by = "outdated by", by
	default:
		if err := g.hold(target, slices.Contains(older, g.update)); err != nil {
			return err
		}
		by = g.record.memory
	}
	for _, old := range older {
		if old.ID != g.record.memory {
			g.change.remove(old, by)
		}
	}
	return nil
}

// invalidate is mem0g's: the candidate joins those that it contradicts in one slot,
// and each of them holds from when it was said until another one was.
func (g *merging) invalidate(against []*entry) error {
	if !g.stores && g.same == nil {
		g.drop()
		for _, old := range against {
			g.change.end(old, g.e.Time)
		}
		return nil
	}
	target := g.target()
	if err := g.hold(target, false); err != nil {
		return err
	}
	if target == nil {
		target = g.e
	}
	g.change.join(target, against)
	g.change.settle(target)
	return nil
}

// target is the memory that already says the candidate; nil if it would be new.
func (g *merging) target() *entry {
	if g.same != nil {
		return g.same
	}
	if g.stores {
		return g.store.find(g.e.Fact)
	}
	return nil
}

// hold puts the candidate into the memory that says the same, the one that an UPDATE
// rewrites, or a new one.
func (g *merging) hold(target *entry, rewrite bool) error {
	source, at := g.e.Sources[0], g.e.Time
	switch {
	case target != nil:
		g.record.memory, g.record.as = target.ID, target.Fact
		g.change.touch(target)
		target.say(source, at)
		return nil
	case rewrite:
		g.record.memory, g.record.as = g.update.ID, g.e.Fact
		if err := g.change.rewrite(g.update, g.e, g.v); err != nil {
			return err
		}
		g.update.say(source, at)
		return nil
	}
	g.record.memory, g.record.as = g.e.ID, g.e.Fact
	return g.change.add(g.e, g.v)
}

// drop keeps the candidate nowhere.
func (g *merging) drop() {
	if len(g.against) > 0 {
		g.record.why = "was a deletion only"
		return
	}
	g.record.why, g.record.by = "dropped for", nameOf(g.known)
}

func nameOf(e *entry) string {
	if e == nil {
		return ""
	}
	return e.ID
}
