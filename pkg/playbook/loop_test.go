package playbook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"memlab/pkg/serving"
)

// parts plays every role from lists; what is beyond their end is empty.
type parts struct {
	seen    [][]Bullet // by the generator
	curated [][]Bullet // by the curator
	deltas  []Delta
	answers []string // of the rewriter
	read    [][]string
	fails   string // the role that fails
	wrote   int    // by the generator, if not 30
}

var errRole = errors.New("the model is away")

func (x *parts) fail(role string) error {
	if x.fails == role {
		return errRole
	}
	return nil
}

func (x *parts) Generate(_ context.Context, t Task, b []Bullet) (Trajectory, error) {
	x.seen = append(x.seen, b)
	return Trajectory{Task: t, Tokens: cmp.Or(x.wrote, 30)}, x.fail("generator")
}

func (x *parts) Judge(context.Context, Trajectory) (Feedback, error) {
	return Feedback{Tokens: 5}, x.fail("judge")
}

func (x *parts) Reflect(_ context.Context, t Trajectory, _ Feedback) (Reflection, error) {
	return Reflection{Task: t.Task, Tokens: 20}, x.fail("reflector")
}

func (x *parts) Curate(_ context.Context, r Reflection, b []Bullet) (Delta, error) {
	x.curated = append(x.curated, b)
	var d Delta
	if r.Task.Number < len(x.deltas) {
		d = x.deltas[r.Task.Number]
	}
	d.Task = r.Task.Number
	return d, x.fail("curator")
}

func (x *parts) Rewrite(_ context.Context, lines []string, t Trajectory, _ Feedback) (string, error) {
	x.read = append(x.read, lines)
	return x.answers[t.Task.Number], x.fail("rewriter")
}

func ten(string) int { return 10 }

func loop(x *parts, p *Playbook) *Loop {
	return &Loop{
		Generator: x, Judge: x, Reflector: x, Curator: x, Playbook: p,
		Calls: Calls{System: 100}, Ledger: &serving.Ledger{},
	}
}

func add(text string) Op { return Op{Kind: Add, Section: "RULES", Text: text} }

// Three tasks of 40 tokens; the first adds two bullets of 10, the second one, the
// third marks one. Generator: 140, 160, 170 tokens of prompt; reflector 100 + 40 +
// 30 + 5; curator 100 + playbook + 20.
func TestLoopWorkedByHand(t *testing.T) {
	x := &parts{deltas: []Delta{{Ops: []Op{add("a"), add("b")}}, {Ops: []Op{add("c")}}, {Ops: []Op{{Kind: Count, ID: "rule-00001", Helpful: 1}}}}}
	l := loop(x, New(ten))
	steps, err := l.Online(t.Context(), []Task{{Name: "x", Tokens: 40}, {Name: "y", Tokens: 40}, {Name: "z", Tokens: 40}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := l.Ledger.Replay(serving.Options{Block: 1})
	if err != nil {
		t.Fatal(err)
	}
	type call struct {
		Stream         string
		Prompt, Cached int
		Output         int
	}
	var got []call
	for _, c := range r.Calls {
		got = append(got, call{c.Stream, c.Prompt, c.Cached, c.Output})
	}
	want := []call{
		{Generating, 140, 0, 30}, {Reflecting, 175, 0, 20}, {Curating, 120, 0, 20},
		{Generating, 160, 100, 30}, {Reflecting, 175, 100, 20}, {Curating, 140, 100, 10},
		{Generating, 170, 120, 30}, {Reflecting, 175, 100, 20}, {Curating, 150, 120, 0},
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if steps[1].Bullets != 2 || steps[1].Tokens != 20 || steps[2].Trajectory.Task.Number != 2 || len(steps[2].Merge.Counted) != 1 {
		t.Errorf("%+v", steps)
	}
}

func TestRolesThatShareACall(t *testing.T) {
	x := &parts{deltas: []Delta{{Ops: []Op{add("a")}}}}
	l := loop(x, New(ten))
	l.Calls.Inline = true
	if _, err := l.Offline(t.Context(), []Task{{Tokens: 40}}, 3); err != nil {
		t.Fatal(err)
	}
	if l.Ledger.Len() != 3 || serving.Tokens(l.Ledger.Call(0).Output) != 40 || serving.Tokens(l.Ledger.Call(2).Output) != 30 {
		t.Errorf("%d calls, %+v", l.Ledger.Len(), l.Ledger.Call(0))
	}
}

// Counts are shown to the generator only where the prompt has them, and to the
// curator always.
func TestCountsAreSeenWhereThePromptHasThem(t *testing.T) {
	for _, counters := range []bool{false, true} {
		x := &parts{}
		p := book(t, "a")
		p.Merge(Delta{Ops: []Op{{Kind: Count, ID: "rule-00001", Helpful: 3}}})
		l := loop(x, p)
		l.Layout.Counters = counters
		if _, err := l.Step(t.Context(), Task{Tokens: 1}); err != nil {
			t.Fatal(err)
		}
		if (x.seen[0][0].Helpful == 3) != counters || x.curated[0][0].Helpful != 3 {
			t.Errorf("counters %v: generator %+v, curator %+v", counters, x.seen[0], x.curated[0])
		}
	}
}

// Where a mark breaks the cache, and which layout it does not break.
func TestLayoutsAndTheCache(t *testing.T) {
	for _, c := range []struct {
		layout Layout
		op     Op
		cached int
		cause  serving.Cause
	}{
		{Layout{}, Op{Kind: Count, ID: "rule-00002", Helpful: 1}, 140, serving.Cause{Kind: serving.Edit, Segment: "task"}},
		{Layout{Counters: true}, Op{Kind: Count, ID: "rule-00002", Helpful: 1}, 110, serving.Cause{Kind: serving.Edit, Segment: Segment}},
		{Layout{}, Op{Kind: Update, ID: "rule-00003", Text: "x"}, 120, serving.Cause{Kind: serving.Edit, Segment: Segment}},
		{Layout{}, Op{Kind: Remove, ID: "rule-00001"}, 100, serving.Cause{Kind: serving.Edit, Segment: Segment}},
		{Layout{}, add("new"), 140, serving.Cause{Kind: serving.Edit, Segment: Segment}},
		// One heading, a and c, the other heading, b and d: the new one is third.
		{Layout{Grouped: true}, add("new"), 140, serving.Cause{Kind: serving.Edit, Segment: Segment}},
	} {
		x := &parts{deltas: []Delta{{Ops: []Op{c.op}}}}
		p := New(ten)
		for i, text := range []string{"a", "b", "c", "d"} {
			op := add(text)
			if i == 3 && c.layout.Grouped {
				op.Section = "OTHER RULES"
			}
			p.Merge(Delta{Ops: []Op{op}})
		}
		l := loop(x, p)
		l.Layout = c.layout
		if _, err := l.Online(t.Context(), []Task{{Tokens: 40}, {Tokens: 40}}); err != nil {
			t.Fatal(err)
		}
		r, err := l.Ledger.Replay(serving.Options{Block: 1})
		if err != nil {
			t.Fatal(err)
		}
		second := r.Stream(Generating).Calls[1]
		if second.Cached != c.cached || second.Change.Cause != c.cause {
			t.Errorf("%+v %+v: %d cached, %v; want %d, %v", c.layout, c.op, second.Cached, second.Change.Cause, c.cached, c.cause)
		}
	}
}

func TestRefineEveryAndLazily(t *testing.T) {
	e := &table{dim: 2, vectors: map[string][]float32{"a": {1, 0}, "b": {1, 0}, "c": {1, 0}, "d": {0, 1}}}
	deltas := []Delta{{Ops: []Op{add("a")}}, {Ops: []Op{add("b")}}, {Ops: []Op{add("c")}}, {Ops: []Op{add("d")}}}
	run := func(r Refine, room int) (lengths, dropped []int) {
		l := loop(&parts{deltas: deltas}, New(ten))
		r.Deduper = deduper(t, e, 0.9)
		l.Refine = r
		if room > 0 {
			l.Budget.Tokens = 100 + 40 + room
		}
		for range deltas {
			s, err := l.Step(t.Context(), Task{Tokens: 40})
			if err != nil {
				t.Fatal(err)
			}
			lengths, dropped = append(lengths, l.Playbook.Len()), append(dropped, len(s.Cut.Dropped))
		}
		return lengths, dropped
	}
	for name, c := range map[string]struct {
		refine           Refine
		room             int
		lengths, dropped []int
	}{
		"never":                {Refine{}, 0, []int{1, 2, 3, 4}, []int{0, 0, 0, 0}},
		"after each task":      {Refine{Every: 1}, 0, []int{1, 1, 1, 2}, []int{0, 0, 0, 0}},
		"every second":         {Refine{Every: 2}, 0, []int{1, 1, 2, 2}, []int{0, 0, 0, 0}},
		"lazily, without need": {Refine{Lazy: true}, 0, []int{1, 2, 3, 4}, []int{0, 0, 0, 0}},
		"lazily, when full":    {Refine{Lazy: true}, 25, []int{1, 2, 1, 2}, []int{0, 0, 0, 0}},
		"cut alone":            {Refine{}, 25, []int{1, 2, 2, 2}, []int{0, 0, 1, 1}},
	} {
		if lengths, dropped := run(c.refine, c.room); !slices.Equal(lengths, c.lengths) || !slices.Equal(dropped, c.dropped) {
			t.Errorf("%s: %v %v, want %v %v", name, lengths, dropped, c.lengths, c.dropped)
		}
	}
}

// A task that is longer than the last leaves less room; one that leaves none is
// an error, and the playbook stays.
func TestALongTaskLeavesLessRoom(t *testing.T) {
	l := loop(&parts{}, book(t, "a", "b", "c"))
	l.Playbook.count = ten
	l.Budget.Tokens = 170
	for _, c := range []struct{ task, before, dropped int }{{40, 3, 0}, {50, 2, 1}} {
		s, err := l.Step(t.Context(), Task{Tokens: c.task})
		if err != nil || s.Bullets != c.before || len(s.Cut.Dropped) != c.dropped {
			t.Errorf("%+v %v", s, err)
		}
	}
	if _, err := l.Step(t.Context(), Task{Tokens: 70}); !errors.Is(err, ErrBudget) || !strings.Contains(err.Error(), "task 2") || l.Playbook.Len() != 2 {
		t.Error(err)
	}
}

func TestALoopThatLacksSomethingSaysWhat(t *testing.T) {
	for want, change := range map[string]func(*Loop){
		"no generator":         func(l *Loop) { l.Generator = nil },
		"no judge":             func(l *Loop) { l.Judge = nil },
		"no reflector":         func(l *Loop) { l.Reflector = nil },
		"no curator":           func(l *Loop) { l.Curator = nil },
		"no playbook":          func(l *Loop) { l.Playbook = nil },
		"system_tokens 0":      func(l *Loop) { l.Calls.System = 0 },
		"refine every 5":       func(l *Loop) { l.Refine.Every = 5 },
		"lazy true":            func(l *Loop) { l.Refine.Lazy = true },
		"every -1":             func(l *Loop) { l.Refine.Every = -1 },
		"headroom 2":           func(l *Loop) { l.Budget = Budget{Tokens: 999, Headroom: 2} },
		"task 0: the model is": func(l *Loop) { l.Generator = &parts{fails: "generator"} },
		"0: the model":         func(l *Loop) { l.Judge = &parts{fails: "judge"} },
		"the model is away":    func(l *Loop) { l.Reflector = &parts{fails: "reflector"} },
		"model is away":        func(l *Loop) { l.Curator = &parts{fails: "curator"} },
	} {
		l := loop(&parts{}, New(nil))
		change(l)
		if _, err := l.Step(t.Context(), Task{Tokens: 10}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, tokens := range []int{-1, 1} {
		x := &parts{wrote: -3, answers: []string{"<cheatsheet></cheatsheet>"}}
		if _, err := loop(x, New(nil)).Step(t.Context(), Task{Tokens: tokens}); !errors.Is(err, ErrOption) {
			t.Error(err)
		}
		sheet := &SheetLoop{Generator: x, Judge: x, Rewriter: x, Calls: Calls{System: 1}}
		if _, err := sheet.Step(t.Context(), Task{Tokens: tokens}); !errors.Is(err, ErrOption) {
			t.Error(err)
		}
	}
	l := loop(&parts{}, New(nil))
	if _, err := l.Offline(t.Context(), nil, 0); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
	if _, err := l.Try(t.Context(), Task{}); err != nil || l.Ledger.Len() != 0 {
		t.Error(err)
	}
	if _, err := (&Loop{}).Try(t.Context(), Task{}); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
}

func TestReadSheet(t *testing.T) {
	for _, c := range []struct {
		output string
		want   []string
		err    string
	}{
		{"Here it is:\n<cheatsheet>\na\n\nb\n</cheatsheet>\nDone.", []string{"a", "b"}, ""},
		{"<cheatsheet></cheatsheet>", nil, ""},
		{"<cheatsheet>写着 </cheatsheet> 的一行\n</cheatsheet>", []string{"写着 </cheatsheet> 的一行"}, ""},
		{"<cheatsheet>\na\nb", nil, "no </cheatsheet> after 4 bytes"},
		{"<cheatsheet>\na\n</cheatshee", nil, "no </cheatsheet>"},
		{"a\n</cheatsheet>", nil, "no <cheatsheet>"},
		{"", nil, "no <cheatsheet> in an answer of 0 bytes"},
	} {
		got, err := ReadSheet(c.output)
		if !slices.Equal(got, c.want) || (err == nil) != (c.err == "") {
			t.Errorf("%q: %q, %v", c.output, got, err)
		}
		if c.err != "" && (!errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%v, want %q", err, c.err)
		}
	}
}

// A sheet that breaks off is refused, or taken for what there is.
func TestATruncatedSheet(t *testing.T) {
	full, broken := "<cheatsheet>\na\nb\nc\n</cheatsheet>", "<cheatsheet>\na\n"
	for accept, want := range map[bool][]string{false: {"a", "b", "c"}, true: {"a"}} {
		x := &parts{answers: []string{full, broken, full}}
		l := &SheetLoop{Generator: x, Judge: x, Rewriter: x, Count: ten, Calls: Calls{System: 100}, Ledger: &serving.Ledger{}, AcceptTruncated: accept}
		steps, err := l.Online(t.Context(), []Task{{Tokens: 40}, {Tokens: 40}})
		if err != nil {
			t.Fatal(err)
		}
		if s := steps[1]; !errors.Is(s.Truncated, ErrTruncated) || s.Refused == accept || s.Written != 10 || !slices.Equal(l.Lines(), want) || s.NewTokens != 10*len(want) {
			t.Errorf("accept %v: %+v, %q", accept, s, l.Lines())
		}
		if _, err := l.Step(t.Context(), Task{Tokens: 40}); err != nil || !slices.Equal(x.read[2], want) {
			t.Errorf("%v %q", err, x.read)
		}
		r, err := l.Ledger.Replay(serving.Options{Block: 1})
		if err != nil {
			t.Fatal(err)
		}
		// Only the system part is reused, however alike the sheets are.
		if g := r.Stream(Generating).Calls[2]; g.Cached != 100 || g.Prompt != 140+10*len(want) {
			t.Errorf("%+v", g)
		}
		if c := r.Stream(Curating).Calls[0]; c.Prompt != 100+40+35 || c.Output != 30 {
			t.Errorf("%+v", c)
		}
	}
}

func TestSheetLoopErrors(t *testing.T) {
	x := &parts{answers: []string{"<cheatsheet></cheatsheet>"}}
	for name, l := range map[string]*SheetLoop{
		"nothing": {}, "no rewriter": {Generator: x, Judge: x, Calls: Calls{System: 1}}, "no system": {Generator: x, Judge: x, Rewriter: x},
	} {
		if _, err := l.Step(t.Context(), Task{Tokens: 1}); !errors.Is(err, ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, role := range []string{"generator", "judge", "rewriter"} {
		f := &parts{fails: role, answers: x.answers}
		l := &SheetLoop{Generator: f, Judge: f, Rewriter: f, Calls: Calls{System: 1}}
		l.Set([]string{"kept"})
		if _, err := l.Online(t.Context(), []Task{{Tokens: 1}}); !errors.Is(err, errRole) || !slices.Equal(l.Lines(), []string{"kept"}) {
			t.Errorf("%s: %v", role, err)
		}
	}
}

// The scripted driver: bullets of exactly that length in every layout, other draws
// that leave the additions alone, and bad scripts.
func TestScripted(t *testing.T) {
	var first []string
	for _, l := range []Layout{{}, {Counters: true}} {
		for _, marked := range []int{0, 3} {
			s, err := NewScripted(Script{Add: 0.5, Bullet: 40, Output: 30, Marked: marked}, l, 7)
			if err != nil {
				t.Fatal(err)
			}
			p := New(nil)
			lp := &Loop{Generator: s, Judge: s, Reflector: s, Curator: s, Playbook: p, Layout: l, Calls: Calls{System: 10, Inline: true}}
			var added []string
			for i := range 100 {
				step, err := lp.Step(t.Context(), Task{Tokens: 5})
				if err != nil || len(step.Trajectory.Used) != min(marked, step.Bullets) || len(step.Merge.Problems) > 0 {
					t.Fatal(step, err)
				}
				if len(step.Merge.Added) > 0 {
					added = append(added, fmt.Sprint(i))
				}
			}
			if p.Tokens(l) != 40*p.Len() || p.Len() < 30 || p.Len() > 70 {
				t.Errorf("%d tokens in %d bullets", p.Tokens(l), p.Len())
			}
			if first == nil {
				first = added
			}
			if !slices.Equal(first, added) {
				t.Error("another layout has other additions")
			}
			must(t, p)
		}
	}
	for want, s := range map[string]Script{
		"p_add 2": {Add: 2, Bullet: 40}, "remove_share -1": {RemoveShare: -1, Bullet: 40}, "bullet_tokens 4": {Bullet: 4}, "marked_bullets -1": {Bullet: 40, Marked: -1},
	} {
		if _, err := NewScripted(s, Layout{}, 0); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// distinct draws each set alike: 3 of 5 have 10 subsets.
func TestDistinctIsUniform(t *testing.T) {
	s, err := NewScripted(Script{Bullet: 40}, Layout{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for range 10_000 {
		d := distinct(s.mark, 5, 3)
		slices.Sort(d)
		times[fmt.Sprint(d)]++
	}
	if len(times) != 10 {
		t.Errorf("%v", times)
	}
	for set, n := range times {
		if n < 850 || n > 1150 {
			t.Errorf("%s: %d of 10000, want about 1000", set, n)
		}
	}
	if d := distinct(s.mark, 2, 3); len(d) != 2 {
		t.Error(d)
	}
}
