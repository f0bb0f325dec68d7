package playbook

import (
	"fmt"
	"testing"

	"memlab/pkg/serving"
)

// check says what is inconsistent in a playbook.
func (p *Playbook) check() error {
	live := 0
	for i := range p.slots {
		s := &p.slots[i]
		if !s.live {
			if s.ID != "" || s.Text != "" {
				return fmt.Errorf("slot %d is free and holds %q", i, s.ID)
			}
			continue
		}
		live++
		if err := s.Check(); err != nil {
			return err
		}
		if p.at[s.ID] != i {
			return fmt.Errorf("%s is in slot %d, the index says %d", s.ID, i, p.at[s.ID])
		}
		if number(s.ID) > p.next {
			return fmt.Errorf("%s is beyond the next number %d", s.ID, p.next)
		}
		for counters, it := range s.items {
			text := Layout{Counters: counters == 1}.Line(s.Bullet)
			if it.Tokens != 0 && (it.Version != version(text) || it.Tokens != p.tokens(text)) {
				return fmt.Errorf("%s: item %+v is not that of %q", s.ID, it, text)
			}
		}
	}
	if live != p.Len() || live != len(p.at) || p.dead*2 > len(p.slots) {
		return fmt.Errorf("%d bullets, Len %d, %d in the index, %d of %d slots free", live, p.Len(), len(p.at), p.dead, len(p.slots))
	}
	said := map[sentence]int{}
	for b := range p.All() {
		said[sentence{b.Section, b.Text}]++
	}
	for s, n := range said {
		if p.said[s] == "" || p.again[s] != n-1 || len(p.said) != len(said) {
			return fmt.Errorf("%q is said %d times, not 1 + %d", s.text, n, p.again[s])
		}
	}
	for said, id := range p.said {
		if b, ok := p.Get(id); !ok || b.Section != said.section || b.Text != said.text {
			return fmt.Errorf("%q is said to be by %s", said.text, id)
		}
	}
	for _, l := range []Layout{{}, {Counters: true}, {Grouped: true}, {Counters: true, Grouped: true}} {
		if got, want := serving.Tokens(p.Prompt(l).Items), p.Tokens(l); got != want {
			return fmt.Errorf("%+v: prompt of %d tokens, Tokens %d", l, got, want)
		}
	}
	return nil
}

func must(t testing.TB, p *Playbook) {
	t.Helper()
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
}

// book makes a playbook of texts in one section.
func book(t testing.TB, texts ...string) *Playbook {
	t.Helper()
	p := New(nil)
	var d Delta
	for _, text := range texts {
		d.Ops = append(d.Ops, Op{Kind: Add, Section: "RULES", Text: text})
	}
	// One by one: a merge would sort them.
	for _, op := range d.Ops {
		if r := p.Merge(Delta{Ops: []Op{op}}); len(r.Added) != 1 {
			t.Fatalf("%+v", r)
		}
	}
	return p
}
