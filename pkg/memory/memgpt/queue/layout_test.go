package queue

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"memlab/pkg/serving"
)

func TestWorkingContextIsFullAtItsCap(t *testing.T) {
	m := manager(t, small())
	for _, name := range []string{"a", "b"} {
		if err := m.Insert(entry(name, 0, 8)); err != nil {
			t.Fatal(err)
		}
	}
	for i, err := range []error{m.Insert(entry("c", 0, 5)), m.Replace(0, entry("a", 1, 13))} {
		if !isFull(err) {
			t.Errorf("%d: %v: want ErrFull", i, err)
		}
	}
	if m.Room() != 4 || len(m.Entries()) != 2 {
		t.Errorf("a failed edit changed something: %v", m.Entries())
	}
	if err := m.Replace(0, entry("a", 1, 12)); err != nil {
		t.Errorf("12 tokens in the place of 8, with room for 4: %v", err)
	}
	if err := m.Delete(1); err != nil || m.Room() != 8 {
		t.Errorf("%v, room %d", err, m.Room())
	}
	checkState(t, m)
}

// In the log layout edits wait for the eviction, which counts them as its own.
func TestLayoutsShowEditsWhereTheySay(t *testing.T) {
	for _, layout := range Layouts() {
		t.Run(string(layout), func(t *testing.T) {
			c := small()
			c.Layout = layout
			m := manager(t, c)
			appendAll(t, m, message(0, 40), message(1, 10))
			before, _ := ready(t, m)
			if err := m.Insert(entry("a", 0, 8)); err != nil {
				t.Fatal(err)
			}
			appendAll(t, m, message(1, 2))
			after, _ := ready(t, m)
			change, err := serving.FirstChange(before, after)
			if err != nil {
				t.Fatal(err)
			}
			want := map[Layout]serving.Change{
				Front: {At: 30, Broken: true, Segment: Working, Cause: serving.Cause{Kind: serving.Edit, Segment: Working}},
				End:   {At: 70, Broken: true, Segment: FIFO, Cause: serving.Cause{Kind: serving.Edit, Segment: FIFO}},
				Log:   {At: 80, Cause: serving.Cause{Kind: serving.NewContent}},
			}[layout]
			if change != want {
				t.Errorf("%+v, want %+v", change, want)
			}
			held := 0
			if layout == Log {
				held = 1
			}
			if s := m.State(); s.Held != held || s.Entries != 1 {
				t.Errorf("%+v, want %d held", s, held)
			}
			appendAll(t, m, message(2, 30))
			p, e := ready(t, m)
			if len(e.Messages) == 0 || m.State().Held != 0 || m.State().Working != 18 {
				t.Errorf("after the eviction: %+v", m.State())
			}
			change, err = serving.FirstChange(after, p)
			if err != nil || change.Cause.Kind != serving.Eviction {
				t.Errorf("%+v, %v: want an eviction", change, err)
			}
		})
	}
}

func TestThresholdsDoNotDependOnRounding(t *testing.T) {
	for _, c := range []struct {
		share        float64
		window, want int
	}{{0.29, 100, 29}, {0.7, 8000, 5600}, {0.7, 10, 7}, {1, 8000, 8000}, {0.333, 100, 33}} {
		if got := threshold(c.share, c.window); got != c.want {
			t.Errorf("%g of %d: %d, want %d", c.share, c.window, got, c.want)
		}
	}
}

// What a caller appends to a prompt does not get into the queue.
func TestPromptsAreTheCallersOwn(t *testing.T) {
	m := manager(t, small())
	appendAll(t, m, message(0, 5), message(0, 4), message(0, 3))
	for turn := range 5 {
		p, _ := ready(t, m)
		appendAll(t, m, message(turn, 2))
		want := m.Prompt().IDs()
		for i := range p {
			p[i].Items = append(p[i].Items, entry("strange", 0, 7))
		}
		if !slices.Equal(m.Prompt().IDs(), want) {
			t.Fatalf("turn %d: the queue has changed", turn)
		}
	}
}

// Earlier prompts stay as they were, whatever comes later.
func TestPromptsDoNotChangeAfterwards(t *testing.T) {
	for _, layout := range Layouts() {
		c := small()
		c.Layout = layout
		m := manager(t, c)
		r := rand.New(rand.NewPCG(1, 2))
		var prompts []serving.Prompt
		var ids [][]int
		for turn := range 200 {
			appendAll(t, m, message(turn, 1+r.IntN(20)))
			if n := len(m.Entries()); n > 0 && r.IntN(3) == 0 {
				old := m.Entries()[r.IntN(n)]
				old.Version++
				for i, e := range m.Entries() {
					if e.Name == old.Name {
						if err := m.Replace(i, old); err != nil {
							t.Fatal(err)
						}
					}
				}
			} else if m.Room() >= 4 {
				if err := m.Insert(entry(strconv.Itoa(turn), 0, 4)); err != nil {
					t.Fatal(err)
				}
			}
			p, _ := ready(t, m)
			prompts, ids = append(prompts, p), append(ids, p.IDs())
		}
		for i, p := range prompts {
			if !slices.Equal(p.IDs(), ids[i]) {
				t.Fatalf("%s: prompt %d changed", layout, i)
			}
		}
	}
}
