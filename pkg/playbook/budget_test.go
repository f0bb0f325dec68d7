package playbook

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// Six bullets of 10 tokens, room for 35: three have to go. First the one that did
// more harm, then the two that nobody touched for longest; "new" has no help yet
// but was made last.
func TestFitWorkedByHand(t *testing.T) {
	p := New(func(string) int { return 10 })
	for i, b := range []Op{
		{Text: "old, much help", Helpful: 9},
		{Text: "harmful", Harmful: 1},
		{Text: "old, used again", Helpful: 1},
		{Text: "old, little help", Helpful: 1},
		{Text: "middle"},
		{Text: "new"},
	} {
		b.Kind = Add
		p.Merge(Delta{Task: i, Ops: []Op{b}})
	}
	p.Merge(Delta{Task: 8, Ops: []Op{{Kind: Count, ID: "othe-00003", Helpful: 1}, {Kind: Count, ID: "othe-00002", Helpful: 1, Harmful: 1}}})
	c, err := p.Fit(Budget{Tokens: 135, Fixed: 100}, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	var dropped, kept []string
	for _, b := range c.Dropped {
		dropped = append(dropped, b.Text)
	}
	for b := range p.All() {
		kept = append(kept, b.Text)
	}
	if !slices.Equal(dropped, []string{"harmful", "old, much help", "old, little help"}) ||
		!slices.Equal(kept, []string{"old, used again", "middle", "new"}) || c.Before != 60 || c.After != 30 || c.Room != 35 {
		t.Errorf("%+v: dropped %q, kept %q", c, dropped, kept)
	}
	must(t, p)
}

// ace#11: a playbook of more than 100k tokens under a budget of 80k, in English
// and Chinese. Nothing goes without being listed.
func TestAPlaybookBeyondItsBudgetIsCut(t *testing.T) {
	for name, text := range map[string]string{
		"english": "Check the page count before reading the pages of case %d, then sort them by date.",
		"chinese": "第 %d 种情况：先确认一共有几页，再逐页读取，最后按日期排序。",
	} {
		t.Run(name, func(t *testing.T) {
			p := New(nil)
			all := map[string]bool{}
			budget := Budget{Tokens: 80_000, Fixed: 2_000, Headroom: 0.1}
			dropped := 0
			for i := range 6000 {
				r := p.Merge(Delta{Task: i, Ops: []Op{{Kind: Add, Section: "RULES", Text: fmt.Sprintf(text, i)}}})
				all[r.Added[0]] = true
				if i%500 != 499 {
					continue
				}
				before := p.Tokens(Layout{})
				c, err := p.Fit(budget, Layout{})
				if err != nil || p.Tokens(Layout{}) != c.After || c.After > 78_000 || c.Before != before {
					t.Fatal(c.Before, c.After, p.Tokens(Layout{}), err)
				}
				if len(c.Dropped) > 0 && (c.After > 78_000*9/10 || c.After < 77_900*9/10) {
					t.Fatalf("%d tokens are left, not nine tenths of the room", c.After)
				}
				for _, b := range c.Dropped {
					if !all[b.ID] || b.Text == "" {
						t.Fatalf("%+v", b)
					}
					delete(all, b.ID)
					dropped++
				}
			}
			if dropped == 0 || len(all) != p.Len() || dropped+p.Len() != 6000 {
				t.Errorf("%d dropped, %d left, %d accounted for", dropped, p.Len(), len(all))
			}
			must(t, p)
		})
	}
}

// Against a list that is sorted and cut from the front, in all layouts.
func TestFitAgainstASortedList(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := start(r)
		p.Merge(randomDelta(r, 9), randomDelta(r, 12))
		l := Layout{Counters: r.IntN(2) == 0, Grouped: r.IntN(2) == 0}
		list := p.Bullets()
		sorted := slices.Clone(list)
		slices.Reverse(sorted)
		slices.SortStableFunc(sorted, func(a, b Bullet) int {
			return cmp.Or(cmp.Compare(min(a.Net(), 0), min(b.Net(), 0)), cmp.Compare(a.Touched(), b.Touched()), cmp.Compare(a.Net(), b.Net()))
		})
		room := 1 + r.IntN(200)
		drop := 0
		length := func() int {
			q := New(nil)
			for _, b := range list {
				if !slices.Contains(sorted[:drop], b) {
					q.place(slot{Bullet: b, live: true})
				}
			}
			return q.Tokens(l)
		}
		for length() > room {
			drop++
		}
		c, err := p.Fit(Budget{Tokens: room}, l)
		if err != nil {
			t.Fatal(err)
		}
		if d := gocmp.Diff(sorted[:drop], append([]Bullet{}, c.Dropped...)); d != "" || c.After != length() && drop > 0 {
			t.Fatalf("seed %d, %+v, room %d: after %d: %s", seed, l, room, c.After, d)
		}
		must(t, p)
	}
}

func TestBadBudgetsAreNamed(t *testing.T) {
	for want, c := range map[string]struct {
		b    Budget
		kind error
	}{
		"800 tokens for the prompt, of which 800 are not the playbook": {Budget{Tokens: 800, Fixed: 800}, ErrBudget},
		"tokens -1":     {Budget{Tokens: -1}, ErrOption},
		"headroom 1":    {Budget{Tokens: 9, Headroom: 1}, ErrOption},
		"headroom -0.1": {Budget{Tokens: 9, Headroom: -0.1}, ErrOption},
	} {
		p := book(t, "a", "b")
		if _, err := p.Fit(c.b, Layout{}); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), want) || p.Len() != 2 {
			t.Errorf("%v, want %q", err, want)
		}
	}
	p := book(t, "a", "b")
	if c, err := p.Fit(Budget{}, Layout{}); err != nil || p.Len() != 2 || len(c.Dropped) > 0 {
		t.Error("no budget is a limit")
	}
}
