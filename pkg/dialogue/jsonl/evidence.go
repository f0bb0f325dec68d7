package jsonl

import (
	"slices"

	"memlab/pkg/dialogue"
)

// evidence keeps what exists of a question's evidence.
func (c *collector) evidence(d *draft, l line) {
	q := l.question
	var needs []dialogue.Need
	for _, need := range q.Needs {
		c.report.Evidence += len(need.Messages)
		need.Messages = slices.DeleteFunc(need.Messages, func(id string) bool {
			_, known := d.messages[id]
			if !known {
				c.broken(BrokenEvidence{l.number, d.name, q.ID, id})
			}
			return !known
		})
		switch {
		case len(need.Messages) == 0:
		case slices.ContainsFunc(needs, func(n dialogue.Need) bool { return same(n, need) }):
			c.report.Repeated++
		default:
			needs = append(needs, need)
		}
	}
	q.Needs = needs
	count(&c.report.NoEvidence, len(needs) == 0)
}

func same(a, b dialogue.Need) bool { return a.Fact == b.Fact && slices.Equal(a.Messages, b.Messages) }

func (c *collector) broken(b BrokenEvidence) {
	c.report.BrokenEvidence++
	if len(c.report.Broken) < KeepBad {
		c.report.Broken = append(c.report.Broken, b)
	}
}
