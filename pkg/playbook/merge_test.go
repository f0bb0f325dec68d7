package playbook

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestMergeWorkedByHand(t *testing.T) {
	p := New(nil)
	r := p.Merge(Delta{Task: 3, Ops: []Op{
		{Kind: Add, Section: "STRATEGIES AND HARD RULES", Text: "Read the page count first."},
		{Kind: Add, Text: "先看一共有几页。", Helpful: 2},
	}})
	want := []Bullet{
		{ID: "othe-00001", Section: Others, Text: "先看一共有几页。", Helpful: 2, Created: 3, Updated: 3},
		{ID: "sahr-00002", Section: "STRATEGIES AND HARD RULES", Text: "Read the page count first.", Created: 3, Updated: 3},
	}
	if d := cmp.Diff(want, p.Bullets()); d != "" || !slices.Equal(r.Added, []string{"othe-00001", "sahr-00002"}) {
		t.Fatalf("%+v %s", r, d)
	}
	r = p.Merge(Delta{Task: 5, Ops: []Op{
		{Kind: Remove, ID: "othe-00001"},
		{Kind: Count, ID: "othe-00001", Helpful: 1},
		{Kind: Count, ID: "sahr-00002", Harmful: 1},
		{Kind: Update, ID: "sahr-00002", Text: "Ask for the page count."},
		{Kind: Add, Text: "New."},
	}})
	want = []Bullet{
		{ID: "sahr-00002", Section: "STRATEGIES AND HARD RULES", Text: "Ask for the page count.", Harmful: 1, Created: 3, Updated: 5, Used: 5},
		{ID: "othe-00003", Section: Others, Text: "New.", Created: 5, Updated: 5},
	}
	if d := cmp.Diff(want, p.Bullets()); d != "" || r.Ops() != 5 || len(r.Problems) > 0 || r.Removed[0].Helpful != 3 {
		t.Errorf("%+v %s", r, d)
	}
	must(t, p)
}

// What cannot be applied is named, counted and changes nothing.
func TestMergeProblems(t *testing.T) {
	for name, c := range map[string]struct {
		op   Op
		kind error
		text string
	}{
		"a bullet that is not there":       {Op{Kind: Count, ID: "rule-00009"}, ErrMissing, `"rule-00009" (task 7, count)`},
		"a bullet that is there no more":   {Op{Kind: Update, ID: "rule-00002", Text: "x"}, ErrMissing, `"rule-00002" (task 7, update)`},
		"removed twice":                    {Op{Kind: Remove, ID: "rule-00002"}, ErrMissing, "remove"},
		"negative count":                   {Op{Kind: Count, ID: "rule-00001", Harmful: -1}, ErrBullet, "rule-00001: helpful 0, harmful -1: want 0 or more"},
		"count beyond all bounds":          {Op{Kind: Count, ID: "rule-00001", Helpful: maxCount + 1}, ErrBullet, "want at most"},
		"a new bullet with a negative":     {Op{Kind: Add, Text: "y", Helpful: -2}, ErrBullet, "helpful -2"},
		"identity that is taken":           {Op{Kind: Add, ID: "rule-00001", Text: "y"}, ErrDuplicate, "rule-00001 is in the playbook already"},
		"identity with a bracket":          {Op{Kind: Add, ID: "a]b", Text: "y"}, ErrBullet, `identity "a]b"`},
		"identity with the mark of a text": {Op{Kind: Add, ID: "a::b", Text: "y"}, ErrBullet, `identity "a::b"`},
		"no text":                          {Op{Kind: Add, Text: " \n"}, ErrBullet, "is empty"},
		"update to nothing":                {Op{Kind: Update, ID: "rule-00001", Text: " "}, ErrBullet, "want some UTF-8"},
		"text that is not UTF-8":           {Op{Kind: Add, Text: "a\xff"}, ErrBullet, "not UTF-8"},
		"update to another's text":         {Op{Kind: Update, ID: "rule-00001", Text: "third"}, ErrDuplicate, "rule-00003 has this text already"},
		"unknown operation":                {Op{Kind: "shrink", ID: "rule-00001"}, ErrDelta, `op "shrink"`},
	} {
		t.Run(name, func(t *testing.T) {
			p := book(t, "first", "second", "third")
			p.Merge(Delta{Task: 1, Ops: []Op{{Kind: Remove, ID: "rule-00002"}}})
			before := p.Bullets()
			r := p.Merge(Delta{Task: 7, Ops: []Op{c.op}})
			if len(r.Problems) != 1 || r.Ops() != 1 || !errors.Is(r.Problems[0], c.kind) || !strings.Contains(r.Problems[0].Error(), c.text) {
				t.Errorf("%+v, want %v %q", r, c.kind, c.text)
			}
			if d := cmp.Diff(before, p.Bullets()); d != "" || r.Problems[0].Op != c.op {
				t.Error(d)
			}
			must(t, p)
		})
	}
	if r := New(nil).Merge(Delta{Task: -1, Ops: []Op{{Kind: Add, Text: "x"}}}); !errors.Is(r.Problems[0], ErrDelta) {
		t.Error(r)
	}
}

// The same fact twice is one bullet (mem0#1674), also in Chinese.
func TestTheSameTextAgainIsNoNewBullet(t *testing.T) {
	for _, text := range []string{"Likes tea.", "喜欢喝茶。"} {
		p := book(t, text)
		r := p.Merge(Delta{Task: 1, Ops: []Op{{Kind: Add, Section: "RULES", Text: text}, {Kind: Add, Section: "RULES", Text: text}}})
		if p.Len() != 1 || len(r.Repeated) != 2 {
			t.Errorf("%+v", r)
		}
		if r := p.Merge(Delta{Task: 2, Ops: []Op{{Kind: Add, Section: "TASTES", Text: text}}}); len(r.Added) != 1 {
			t.Errorf("another section: %+v", r)
		}
		must(t, p)
	}
}

func TestLaterTaskWinsAndAStaleUpdateIsNamed(t *testing.T) {
	p := book(t, "a")
	p.Merge(Delta{Task: 5, Ops: []Op{{Kind: Update, ID: "rule-00001", Text: "five"}}}, Delta{Task: 4, Ops: []Op{{Kind: Update, ID: "rule-00001", Text: "four"}}})
	if b, _ := p.Get("rule-00001"); b.Text != "five" || b.Updated != 5 {
		t.Errorf("%+v", b)
	}
	r := p.Merge(Delta{Task: 4, Ops: []Op{{Kind: Update, ID: "rule-00001", Text: "four again"}}})
	if b, _ := p.Get("rule-00001"); b.Text != "five" || !errors.Is(r.Problems[0], ErrStale) {
		t.Errorf("%+v %+v", b, r)
	}
}

// randomDelta may refer to bullets that are not there, twice to the same, or be
// plainly wrong.
func randomDelta(r *rand.Rand, task int) Delta {
	d := Delta{Task: task}
	for range r.IntN(6) {
		op := Op{
			Kind: []OpKind{Add, Add, Count, Update, Remove, "none"}[r.IntN(6)],
			ID:   fmt.Sprintf("%s-%05d", []string{"aaaa", "bb"}[r.IntN(2)], 1+r.IntN(12)),
			Text: fmt.Sprint("text ", r.IntN(20)), Helpful: r.IntN(4) - 1, Harmful: r.IntN(3),
		}
		if op.Kind == Add {
			if r.IntN(4) > 0 {
				op.ID = ""
			}
			op.Section = []string{"AAAA", "B B"}[r.IntN(2)]
			if r.IntN(2) == 0 {
				op.Helpful, op.Harmful = 0, 0
			}
		}
		d.Ops = append(d.Ops, op)
	}
	return d
}

func start(r *rand.Rand) *Playbook {
	p := New(nil)
	for i := range 8 {
		p.Merge(randomDelta(r, i))
	}
	return p
}

// Deltas that were made in parallel commute: every order gives the same bullets,
// in the same places, and the same report.
func TestParallelDeltasCommute(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := start(r)
		var deltas []Delta
		for i := range 2 + r.IntN(4) {
			deltas = append(deltas, randomDelta(r, 10+i%3))
		}
		n := 0
		for _, d := range deltas {
			n += len(d.Ops)
		}
		a := p.Clone()
		ra := a.Merge(deltas...)
		must(t, a)
		if ra.Ops() != n {
			t.Fatalf("seed %d: %d operations, %d in the report", seed, n, ra.Ops())
		}
		for range 5 {
			r.Shuffle(len(deltas), func(i, j int) { deltas[i], deltas[j] = deltas[j], deltas[i] })
			b := p.Clone()
			rb := b.Merge(deltas...)
			if d := cmp.Diff(a.Bullets(), b.Bullets()); d != "" || a.next != b.next {
				t.Fatalf("seed %d: %s", seed, d)
			}
			if d := cmp.Diff(ra, rb, cmpopts.IgnoreFields(Problem{}, "Err")); d != "" {
				t.Fatalf("seed %d: %s", seed, d)
			}
		}
	}
}

// Deltas of counts, updates by different tasks and removals commute even one by
// one: a removal wins, and of updates the latest.
func TestDeltasOfOldBulletsCommuteOneByOne(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := start(r)
		var deltas []Delta
		for i := range 4 {
			d := randomDelta(r, 10+i)
			d.Ops = slices.DeleteFunc(d.Ops, func(op Op) bool { return op.Kind == Add })
			for j := range d.Ops {
				d.Ops[j].Text = fmt.Sprint("new ", i, j) // no two bullets with one text
			}
			deltas = append(deltas, d)
		}
		merge := func() []Bullet {
			b := p.Clone()
			for _, d := range deltas {
				b.Merge(d)
			}
			return b.Bullets()
		}
		want := merge()
		for range 4 {
			r.Shuffle(len(deltas), func(i, j int) { deltas[i], deltas[j] = deltas[j], deltas[i] })
			if d := cmp.Diff(want, merge()); d != "" {
				t.Fatalf("seed %d: %s", seed, d)
			}
		}
	}
}

// bareList is the playbook as a bare list, merged operation by operation in loops.
type bareList struct {
	bullets []Bullet
	numbers int
}

func (m *bareList) merge(deltas []Delta) (problems int) {
	var ops []dated
	for _, d := range deltas {
		for _, op := range d.Ops {
			ops = append(ops, dated{op, d.Task})
		}
	}
	for i := range ops { // insertion sort
		for j := i; j > 0 && ops[j].compare(ops[j-1]) < 0; j-- {
			ops[j], ops[j-1] = ops[j-1], ops[j]
		}
	}
	for _, op := range ops {
		at, same := -1, -1
		section := op.Section
		for i, b := range m.bullets {
			if b.ID == op.ID {
				at = i
			}
		}
		if op.Kind == Update && at >= 0 {
			section = m.bullets[at].Section
		}
		for i := len(m.bullets) - 1; i >= 0; i-- {
			if m.bullets[i].Section == section && m.bullets[i].Text == op.Text {
				same = i
			}
		}
		switch {
		case op.Kind == Add && op.ID == "" && same >= 0 && op.Helpful == 0 && op.Harmful == 0:
		case op.Kind == Add && (op.Helpful < 0 || at >= 0):
			problems++
		case op.Kind == Add:
			b := Bullet{op.ID, op.Section, op.Text, op.Helpful, op.Harmful, op.task, op.task, 0}
			if b.ID == "" {
				prefix := map[string]string{"AAAA": "aaaa", "B B": "bb"}[op.Section]
				b.ID = fmt.Sprintf("%s-%05d", prefix, m.numbers+1)
			}
			var n int
			fmt.Sscanf(b.ID[strings.Index(b.ID, "-")+1:], "%d", &n)
			m.numbers = max(m.numbers, n)
			m.bullets = append(m.bullets, b)
		case at < 0 || op.Kind == "none" || op.Kind == Count && op.Helpful < 0:
			problems++
		case op.Kind == Count:
			m.bullets[at].Helpful += op.Helpful
			m.bullets[at].Harmful += op.Harmful
			m.bullets[at].Used = max(m.bullets[at].Used, op.task)
		case op.Kind == Remove:
			m.bullets = append(m.bullets[:at:at], m.bullets[at+1:]...)
		case op.task < m.bullets[at].Updated:
			problems++
		case m.bullets[at].Text == op.Text:
		case same >= 0:
			problems++
		default:
			m.bullets[at].Text, m.bullets[at].Updated = op.Text, op.task
		}
	}
	return problems
}

// Random deltas against the bare list, with removals, through JSON and text.
func TestMergeAgainstABareList(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 2))
		p, m := New(nil), &bareList{}
		for step := range 30 {
			var deltas []Delta
			for range 1 + r.IntN(3) {
				deltas = append(deltas, randomDelta(r, max(0, step-r.IntN(3))))
			}
			report := p.Merge(deltas...)
			problems := m.merge(deltas)
			must(t, p)
			if d := cmp.Diff(m.bullets, p.Bullets(), cmpopts.EquateEmpty()); d != "" || problems != len(report.Problems) {
				t.Fatalf("seed %d step %d: %d problems %d: %s", seed, step, len(report.Problems), problems, d)
			}
			if r.IntN(10) == 0 {
				data, err := json.Marshal(p)
				if err != nil {
					t.Fatal(err)
				}
				again := New(nil)
				if err := json.Unmarshal(data, again); err != nil {
					t.Fatal(err)
				}
				if again.Render(Layout{Counters: true, Grouped: true}) != p.Render(Layout{Counters: true, Grouped: true}) || again.next != p.next {
					t.Fatal("JSON does not round-trip")
				}
				p = again
			}
		}
	}
}

func TestJSONErrorsNameEveryBulletAndChangeNothing(t *testing.T) {
	p := book(t, "keep")
	err := json.Unmarshal([]byte(`{"next": -1, "bullets": [
		{"id": "a-1", "section": "S", "text": "ok"},
		{"id": "a-1", "section": "S", "text": "again"},
		{"id": "a-2", "section": "S", "text": "x", "harmful": -3},
		{"id": "a b", "section": "S", "text": "x"},
		{"id": "a-3", "section": "", "text": "x"},
		{"id": "a-4", "section": "S", "text": "x", "used": -1}]}`), p)
	for _, want := range []string{
		"6 problems", "next -1", "bullets[1]: playbook: duplicate: a-1", "bullets[2]: playbook: bad bullet: a-2: helpful 0, harmful -3",
		`bullets[3]: playbook: bad bullet: identity "a b"`, "bullets[4]", "section is empty", "bullets[5]", "used -1",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if !errors.Is(err, ErrDuplicate) || !errors.Is(err, ErrBullet) || p.Len() != 1 {
		t.Error(err, p.Len())
	}
	if err := json.Unmarshal([]byte(`{"bullets": 3}`), p); err == nil || p.Len() != 1 {
		t.Error(err)
	}
}

// An identity is never used again, also not after a reload.
func TestIdentitiesAreNotUsedAgain(t *testing.T) {
	p := book(t, "a", "b")
	p.Merge(Delta{Ops: []Op{{Kind: Remove, ID: "rule-00002"}}})
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []*Playbook{p.Clone(), New(nil)} {
		if q.Len() == 0 {
			if err := json.Unmarshal(data, q); err != nil {
				t.Fatal(err)
			}
		}
		if r := q.Merge(Delta{Ops: []Op{{Kind: Add, Section: "RULES", Text: "c"}}}); r.Added[0] != "rule-00003" {
			t.Error(r.Added)
		}
	}
}

// Merging costs the same whatever the length.
func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := New(nil)
			for i := range n {
				p.Merge(Delta{Ops: []Op{{Kind: Add, Section: "RULES", Text: fmt.Sprint(i)}}})
			}
			for i := 0; b.Loop(); i++ {
				r := p.Merge(Delta{Task: i, Ops: []Op{
					{Kind: Add, Section: "RULES", Text: fmt.Sprint("new ", i)},
					{Kind: Count, ID: "rule-00007", Helpful: 1},
					{Kind: Update, ID: "rule-00008", Text: fmt.Sprint("update ", i)},
				}})
				p.Merge(Delta{Task: i, Ops: []Op{{Kind: Remove, ID: r.Added[0]}}})
			}
		})
	}
}
