package playbook

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"memlab/pkg/serving"
)

// Playbook is a list of bullets in the order of their arrival. The zero value is
// an empty one that counts tokens by EstimateTokens. It is not safe for
// concurrent use: deltas may be made in parallel, but are merged in one place.
type Playbook struct {
	count Counter
	slots []slot
	dead  int
	at    map[string]int      // slot of each identity
	said  map[sentence]string // a bullet that has each text
	again map[sentence]int    // and how many others have it
	next  int                 // number of the next identity, less 1
}

// slot is the place of a bullet, which it keeps until the list is tidied up.
type slot struct {
	Bullet
	live  bool
	items [2]serving.Item // as prompts show it, without and with counters; no tokens: not made yet
}

type sentence struct{ section, text string }

// New is an empty playbook that counts tokens in that way; nil is EstimateTokens.
func New(count Counter) *Playbook { return &Playbook{count: count} }

// Len is the number of bullets.
func (p *Playbook) Len() int { return len(p.slots) - p.dead }

// All runs over the bullets in their order.
func (p *Playbook) All() iter.Seq[Bullet] {
	return func(yield func(Bullet) bool) {
		for i := range p.slots {
			if p.slots[i].live && !yield(p.slots[i].Bullet) {
				return
			}
		}
	}
}

// Bullets are the bullets in their order.
func (p *Playbook) Bullets() []Bullet {
	out := make([]Bullet, 0, p.Len())
	for b := range p.All() {
		out = append(out, b)
	}
	return out
}

// Get finds a bullet.
func (p *Playbook) Get(id string) (Bullet, bool) {
	i, ok := p.at[id]
	if !ok {
		return Bullet{}, false
	}
	return p.slots[i].Bullet, true
}

// Clone is an independent copy.
func (p *Playbook) Clone() *Playbook {
	c := &Playbook{count: p.count, next: p.next}
	for i := range p.slots {
		if p.slots[i].live {
			c.place(p.slots[i])
		}
	}
	return c
}

// insert places a bullet that has an identity or gets one.
func (p *Playbook) insert(b Bullet) (Bullet, error) {
	if b.Section == "" {
		b.Section = Others
	}
	if b.ID != "" {
		if err := b.Check(); err != nil {
			return b, err
		}
		if _, taken := p.at[b.ID]; taken {
			return b, fail(ErrDuplicate, "%s is in the playbook already", b.ID)
		}
	} else {
		if err := b.checkRest(); err != nil {
			return b, err
		}
		b.ID = p.newID(b.Section)
	}
	p.place(slot{Bullet: b, live: true})
	return b, nil
}

// newID numbers bullets through all sections, as ACE does. It does not count up:
// place does.
func (p *Playbook) newID(section string) string {
	for n := p.next + 1; ; n++ {
		id := fmt.Sprintf("%s-%05d", slug(section), n)
		if _, taken := p.at[id]; !taken {
			return id
		}
	}
}

func (p *Playbook) place(s slot) {
	if p.at == nil {
		p.at, p.said = map[string]int{}, map[sentence]string{}
	}
	p.at[s.ID] = len(p.slots)
	p.slots = append(p.slots, s)
	p.say(s.Bullet)
	p.next = max(p.next, number(s.ID))
}

// number is the one that an identity ends with, 0 if none.
func number(id string) int {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '-')+1:])
	if err != nil || n < 0 || n > maxCount {
		return 0
	}
	return n
}

// say notes who has a text.
func (p *Playbook) say(b Bullet) {
	s := sentence{b.Section, b.Text}
	if _, said := p.said[s]; !said {
		p.said[s] = b.ID
		return
	}
	if p.again == nil {
		p.again = map[sentence]int{}
	}
	p.again[s]++
}

// unsay forgets that a bullet has a text, and looks for another one that has it
// where there is one: files and explicit additions may say things twice.
func (p *Playbook) unsay(b Bullet) {
	s := sentence{b.Section, b.Text}
	if p.again[s] == 0 {
		delete(p.said, s)
		return
	}
	if p.again[s]--; p.again[s] == 0 {
		delete(p.again, s)
	}
	for i := range p.slots {
		if o := &p.slots[i]; o.live && o.ID != b.ID && o.Section == b.Section && o.Text == b.Text {
			p.said[s] = o.ID
			return
		}
	}
}

// remove takes a bullet out. Its place is closed when half of all places are
// free, so that a removal is cheap on average.
func (p *Playbook) remove(id string) Bullet {
	i := p.at[id]
	b := p.slots[i].Bullet
	p.unsay(b)
	delete(p.at, id)
	p.slots[i] = slot{}
	if p.dead++; p.dead*2 > len(p.slots) {
		p.tidy()
	}
	return b
}

func (p *Playbook) tidy() {
	n := 0
	for i := range p.slots {
		if p.slots[i].live {
			p.slots[n] = p.slots[i]
			p.at[p.slots[n].ID] = n
			n++
		}
	}
	clear(p.slots[n:])
	p.slots, p.dead = p.slots[:n], 0
}

// edit changes a bullet, which must be in the playbook.
func (p *Playbook) edit(id string, change func(*Bullet)) {
	s := &p.slots[p.at[id]]
	before := s.Bullet
	change(&s.Bullet)
	s.items[1] = serving.Item{}
	if before.Text != s.Text {
		s.items[0] = serving.Item{}
		p.unsay(before)
		p.say(s.Bullet)
	}
}
