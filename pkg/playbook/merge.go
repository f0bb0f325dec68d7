package playbook

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Report is what a merge did. Every operation is in exactly one of its lists.
type Report struct {
	Added    []string  `json:"added,omitempty"`    // identities
	Updated  []string  `json:"updated,omitempty"`  // with another text
	Counted  []string  `json:"counted,omitempty"`  // once for each operation
	Removed  []Bullet  `json:"removed,omitempty"`  // as they were
	Repeated []Op      `json:"repeated,omitempty"` // the playbook says so already, word for word
	Problems []Problem `json:"problems,omitempty"` // not applied
}

// Ops is the number of operations in the report.
func (r Report) Ops() int {
	return len(r.Added) + len(r.Updated) + len(r.Counted) + len(r.Removed) + len(r.Repeated) + len(r.Problems)
}

// Merge applies deltas without a model. Deltas of one call were made in parallel
// against the same playbook: their order makes no difference. All counts come
// first, then updates, removals and additions, each in the order of tasks; of
// several updates of one bullet that of the latest task stays. Deltas of several
// calls build on each other, and an update that arrives after a later task's is
// stale. What cannot be applied is a Problem and changes nothing.
func (p *Playbook) Merge(deltas ...Delta) Report {
	n := 0
	for _, d := range deltas {
		n += len(d.Ops)
	}
	ops := make([]dated, 0, n)
	for _, d := range deltas {
		for _, op := range d.Ops {
			ops = append(ops, dated{op, d.Task})
		}
	}
	slices.SortStableFunc(ops, dated.compare)
	var r Report
	for _, op := range ops {
		if err := p.apply(op, &r); err != nil {
			err = fmt.Errorf("%w (task %d, %s)", err, op.task, op.Kind)
			r.Problems = append(r.Problems, Problem{op.task, op.Op, err.Error(), err})
		}
	}
	return r
}

func (p *Playbook) apply(op dated, r *Report) error {
	if op.task < 0 {
		return fail(ErrDelta, "task %d: want 0 or more", op.task)
	}
	switch op.Kind {
	case Add:
		return p.applyAdd(op, r)
	case Count, Update, Remove:
	default:
		return fail(ErrDelta, "op %q: want %q, %q, %q or %q", op.Kind, Add, Update, Count, Remove)
	}
	b, ok := p.Get(op.ID)
	if !ok {
		return fail(ErrMissing, "%q", op.ID)
	}
	switch op.Kind {
	case Count:
		return p.applyCount(op, b, r)
	case Update:
		return p.applyUpdate(op, b, r)
	}
	r.Removed = append(r.Removed, p.remove(op.ID))
	return nil
}

func (p *Playbook) applyCount(op dated, b Bullet, r *Report) error {
	if op.Helpful < 0 || op.Harmful < 0 {
		return fail(ErrBullet, "%s: helpful %d, harmful %d: want 0 or more", op.ID, op.Helpful, op.Harmful)
	}
	if op.Helpful > maxCount-b.Helpful || op.Harmful > maxCount-b.Harmful {
		return fail(ErrBullet, "%s: helpful %d + %d, harmful %d + %d: want at most %d", op.ID, b.Helpful, op.Helpful, b.Harmful, op.Harmful, maxCount)
	}
	p.edit(op.ID, func(b *Bullet) {
		b.Helpful += op.Helpful
		b.Harmful += op.Harmful
		b.Used = max(b.Used, op.task)
	})
	r.Counted = append(r.Counted, op.ID)
	return nil
}

func (p *Playbook) applyUpdate(op dated, b Bullet, r *Report) error {
	switch {
	case op.task < b.Updated:
		return fail(ErrStale, "%s was written by task %d", op.ID, b.Updated)
	case strings.TrimSpace(op.Text) == "" || !utf8.ValidString(op.Text):
		return fail(ErrBullet, "%s: text %q: want some UTF-8", op.ID, op.Text)
	case op.Text == b.Text:
		r.Repeated = append(r.Repeated, op.Op)
		return nil
	}
	if other, said := p.said[sentence{b.Section, op.Text}]; said {
		return fail(ErrDuplicate, "%s: %s has this text already", op.ID, other)
	}
	p.edit(op.ID, func(b *Bullet) { b.Text, b.Updated = op.Text, op.task })
	r.Updated = append(r.Updated, op.ID)
	return nil
}

func (p *Playbook) applyAdd(op dated, r *Report) error {
	section := op.Section
	if section == "" {
		section = Others
	}
	if _, said := p.said[sentence{section, op.Text}]; said && op.ID == "" && op.Helpful == 0 && op.Harmful == 0 {
		r.Repeated = append(r.Repeated, op.Op)
		return nil
	}
	b, err := p.insert(Bullet{
		ID: op.ID, Section: section, Text: op.Text, Helpful: op.Helpful, Harmful: op.Harmful,
		Created: op.task, Updated: op.task,
	})
	if err != nil {
		return err
	}
	r.Added = append(r.Added, b.ID)
	return nil
}
