package toy

import (
	"context"

	"memlab/pkg/playbook"
)

// Curate counts the marks and adds what is new. A lesson that contradicts a bullet
// takes its place as soon as that has been harmful more often than helpful, or
// removes it where another bullet says the same already; before, the counts are
// all that changes.
func (a *Agent) Curate(_ context.Context, r playbook.Reflection, bullets []playbook.Bullet) (playbook.Delta, error) {
	d := playbook.Delta{Task: r.Task.Number}
	marked := map[string]playbook.Mark{}
	for _, m := range r.Marks {
		op := playbook.Op{Kind: playbook.Count, ID: m.ID}
		if m.Helpful {
			op.Helpful = 1
		}
		if m.Harmful {
			op.Harmful = 1
		}
		d.Ops = append(d.Ops, op)
		marked[m.ID] = m
	}
	notices := a.World.dice("curate", r.Task.Number).Float64() < a.World.parameters.Notice
	for _, l := range r.Lessons {
		if op, ok := a.place(l, bullets, marked, notices); ok {
			d.Ops = append(d.Ops, op)
		}
	}
	return d, nil
}

// place decides what to do with a lesson.
func (a *Agent) place(l playbook.Lesson, bullets []playbook.Bullet, marked map[string]playbook.Mark, notices bool) (playbook.Op, bool) {
	new := a.World.understand(l.Text)
	agrees, contradicted, refuted := false, false, ""
	for _, b := range bullets {
		old := a.World.understand(b.Text)
		if old.kind != new.kind || old.detail != new.detail || old.instance != new.instance {
			continue
		}
		net := b.Net()
		if marked[b.ID].Harmful {
			net--
		}
		switch {
		case old.action == new.action:
			agrees = true
		case net < 0:
			refuted = b.ID
		default:
			contradicted = true
		}
	}
	switch {
	case refuted != "" && agrees:
		return playbook.Op{Kind: playbook.Remove, ID: refuted}, true
	case refuted != "":
		return playbook.Op{Kind: playbook.Update, ID: refuted, Text: l.Text}, true
	case contradicted || agrees && notices:
		return playbook.Op{}, false
	}
	return playbook.Op{Kind: playbook.Add, Section: l.Section, Text: l.Text}, true
}
