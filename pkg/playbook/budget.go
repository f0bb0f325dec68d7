package playbook

import (
	"cmp"
	"slices"
)

// Budget is what prompts may have.
type Budget struct {
	// Tokens is the limit for the whole prompt; 0: none.
	Tokens int `json:"tokens"`
	// Fixed is the part of the prompt that is not the playbook.
	Fixed int `json:"fixed_tokens"`
	// Headroom is the share of the playbook's room that is made free when it
	// overflows, so that not every task drops something and breaks the cache.
	Headroom float64 `json:"headroom"`
}

// Room is what the budget leaves the playbook; ErrBudget if that is nothing.
func (b Budget) Room() (int, error) {
	switch {
	case b.Tokens < 0 || b.Fixed < 0:
		return 0, fail(ErrOption, "budget: tokens %d, fixed_tokens %d: want 0 or more", b.Tokens, b.Fixed)
	case !(b.Headroom >= 0 && b.Headroom < 1):
		return 0, fail(ErrOption, "budget: headroom %g: want 0 or more and less than 1", b.Headroom)
	case b.Tokens > 0 && b.Tokens <= b.Fixed:
		return 0, fail(ErrBudget, "%d tokens for the prompt, of which %d are not the playbook: want more", b.Tokens, b.Fixed)
	}
	return b.Tokens - b.Fixed, nil
}

// Cut is what the budget took.
type Cut struct {
	Room   int `json:"room_tokens"`
	Before int `json:"before_tokens"`
	After  int `json:"after_tokens"`
	// Dropped are the bullets, in the order in which they went.
	Dropped []Bullet `json:"dropped,omitempty"`
}

// Fit drops bullets until the playbook has room. First go those that were more
// harmful than helpful, the worst first; then those that no task has touched for
// longest (see Bullet.Touched); of equals the one with less net help, then the one
// that stands last, since what stands behind a gap is prefilled again.
func (p *Playbook) Fit(b Budget, l Layout) (Cut, error) {
	room, err := b.Room()
	if err != nil || b.Tokens == 0 {
		return Cut{}, err
	}
	tokens := p.Tokens(l)
	c := Cut{Room: room, Before: tokens, After: tokens}
	if tokens <= room {
		return c, nil
	}
	order := make([]int, 0, p.Len())
	for i := range p.slots {
		if p.slots[i].live {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		x, y := &p.slots[i].Bullet, &p.slots[j].Bullet
		return cmp.Or(
			cmp.Compare(min(0, x.Net()), min(0, y.Net())), cmp.Compare(x.Touched(), y.Touched()),
			cmp.Compare(x.Net(), y.Net()), cmp.Compare(j, i),
		)
	})
	in := map[string]int{} // bullets of each section, for the headings
	for _, i := range order {
		in[p.slots[i].Section]++
	}
	goal := room - int(b.Headroom*float64(room))
	var drop []string
	for _, i := range order {
		if c.After <= goal {
			break
		}
		s := &p.slots[i]
		c.After -= p.item(i, l).Tokens
		if in[s.Section]--; l.Grouped && in[s.Section] == 0 {
			c.After -= p.tokens(heading(s.Section))
		}
		drop = append(drop, s.ID)
	}
	for _, id := range drop {
		c.Dropped = append(c.Dropped, p.remove(id))
	}
	return c, nil
}
