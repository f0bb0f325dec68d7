package playbook

import (
	"math"
	"strings"
	"testing"

	"memlab/pkg/serving"
)

// The closed forms against means over 40 seeds, at the lecture's rates and at
// others, within 2 percent.
func TestClosedForms(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Parameters){
		"as in the lecture": func(*Parameters) {},
		"other rates":       func(p *Parameters) { p.Add, p.Counters, p.Bullet, p.Task = 0.9, 1, 60, 500 },
		"fewer tasks":       func(p *Parameters) { p.Tasks, p.Counters, p.System = 200, 5, 900 },
	} {
		p := DefaultParameters()
		change(&p)
		e, err := p.Estimate()
		if err != nil {
			t.Fatal(err)
		}
		const n = 40
		var mean, end, append_, counters, rewritten, first, ratio float64
		for seed := range n {
			var f [2]Figures
			served := map[Variant]*Served{}
			for i, v := range []Variant{Append, Counters} {
				if served[v], err = Serve(p, seed, v); err != nil {
					t.Fatal(err)
				}
				if f[i], err = served[v].Figures(1, nil); err != nil {
					t.Fatal(err)
				}
			}
			s := served[Append]
			mean += average(s.Tokens) / n
			end += float64(s.Tokens[len(s.Tokens)-1]) / n
			first += average(s.FirstChanged) / average(s.Tokens) / n
			append_ += f[0].Reuse / n
			counters += f[1].Reuse / n
			written := 0
			for _, x := range s.Tokens[1:] {
				written += x
			}
			rewritten += float64(written+s.End) / n
			ratio += (float64(p.Output) + float64(written+s.End)/float64(p.Tasks)) / (float64(p.Output) + float64(s.Written)/float64(p.Tasks)) / n
		}
		// The least place of k different ones among m is at (m-k)/(k+1).
		bullets := e.Mean / float64(p.Bullet)
		wantFirst := e.FirstChange * (bullets - float64(p.Counters)) / bullets
		for what, x := range map[string][2]float64{
			"mean": {e.Mean, mean}, "end": {e.End, end}, "append": {e.Append, append_}, "counters": {e.Counters, counters},
			"rewritten": {e.Rewritten, rewritten}, "token ratio": {e.TokenRatio, ratio}, "first change": {wantFirst, first},
		} {
			if math.Abs(x[0]/x[1]-1) > 0.025 {
				t.Errorf("%s: %s: closed form %.5g, simulated %.5g", name, what, x[0], x[1])
			}
		}
	}
}

// The numbers of exercise 5 and §5.4 as a pocket calculator gives them.
func TestEstimateByHand(t *testing.T) {
	e, err := DefaultParameters().Estimate()
	if err != nil {
		t.Fatal(err)
	}
	for what, x := range map[string][2]float64{
		"mean": {e.Mean, 24 * 299. / 2}, "end": {e.End, 24 * 299}, "prompt": {e.Prompt, 4388}, "append": {e.Append, 1 - 324/4388.},
		"counters": {e.Counters, (500 + 40*(89.7-3)/4) / 4388}, "rewritten": {e.Rewritten, 24 * 300 * 301 / 2},
		"ratio": {e.TokenRatio, (300 + 3612) / 324.}, "exercise": {e.Exercise, (500 + 3588/4.) / 4388},
	} {
		if math.Abs(x[0]/x[1]-1) > 1e-12 {
			t.Errorf("%s: %g, want %g", what, x[0], x[1])
		}
	}
}

// All variants add the same bullets at the same tasks.
func TestVariantsShareTheAdditions(t *testing.T) {
	p := DefaultParameters()
	base, err := Serve(p, 4, Append)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []Variant{Counters, Rewrite} {
		s, err := Serve(p, 4, v)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range s.Tokens {
			if n != base.Tokens[i] {
				t.Fatalf("%s: task %d has %d tokens, append %d", v, i, n, base.Tokens[i])
			}
		}
		// Each task writes what the next prompt shows.
		if written := int(average(s.Tokens)*float64(p.Tasks)+0.5) + s.End; v == Rewrite && s.Written != written {
			t.Errorf("%d tokens written, %d shown", s.Written, written)
		}
		if s.End != base.End {
			t.Errorf("%s: %d at the end, append %d", v, s.End, base.End)
		}
	}
	d, err := Serve(p, 4, Dedup)
	if err != nil {
		t.Fatal(err)
	}
	if d.Written != base.Written || d.Tokens[49] != base.Tokens[49] || d.Tokens[50] >= base.Tokens[50] {
		t.Errorf("dedup wrote %d of %d, then %d of %d", d.Written, base.Written, d.Tokens[50], base.Tokens[50])
	}
}

// Why tokens are prefilled: the growing playbook moves the task, counters are
// edits of the playbook, a rewrite is one of the sheet.
func TestCausesOfEachVariant(t *testing.T) {
	p := DefaultParameters()
	for v, segment := range map[Variant]string{Counters: "playbook", Rewrite: "cheatsheet", Append: "task"} {
		s, err := Serve(p, 2, v)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Ledger.Replay(serving.Options{Block: 1})
		if err != nil {
			t.Fatal(err)
		}
		edits := r.Blamed(serving.Cause{Kind: serving.Edit, Segment: segment})
		want := 0.95
		if v == Append { // when nothing was added; else the playbook grew in front of the task
			want = 0.3
		}
		if edits.Share < want {
			t.Errorf("%s: edits of %s are %.2f: %+v", v, segment, edits.Share, r.Blames)
		}
		if v == Append {
			fresh := r.Lost(serving.Cause{Kind: serving.NewContent})
			if fresh.Share < 0.95 {
				t.Errorf("append prefills more than new content: %+v", r.Causes)
			}
		}
	}
}

// The four quoted numbers, and ours beside three of them.
func TestCostsBesideThePaper(t *testing.T) {
	costs, err := Costs(DefaultParameters(), 10)
	if err != nil || len(costs) != 4 {
		t.Fatal(costs, err)
	}
	for _, c := range costs {
		if c.Quoted.Value <= 0 || c.Quoted.Paper != "ACE" || c.Why == "" {
			t.Errorf("%+v", c)
		}
		if c.Ours == nil {
			if !strings.Contains(c.Quantity, "GEPA") || !strings.Contains(c.Why, "not computed") {
				t.Errorf("%+v", c)
			}
			continue
		}
		t.Logf("%s: %.1f (%.1f to %.1f), paper %.1f", c.Quantity, c.Ours.Mean, c.Ours.Low, c.Ours.High, c.Quoted.Value)
		if math.Abs(c.Ours.Mean-c.Quoted.Value) > 2 {
			t.Errorf("%s: %.1f, paper %.1f", c.Quantity, c.Ours.Mean, c.Quoted.Value)
		}
	}
}

// The longer the playbook, the fewer requests and the slower each step, unless
// the playbook is shared and read once a step for all.
func TestALongPlaybookCostsAtDecode(t *testing.T) {
	p := DefaultParameters()
	e, err := p.Engine()
	if err != nil {
		t.Fatal(err)
	}
	lengths := []int{0, 3588, 7176, 20_000, 80_000}
	cs, err := Capacities(p, e, lengths...)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cs {
		t.Logf("%+v", c)
		room := e.RoomTokens()
		if want := room / (p.System + lengths[i] + p.Task + p.Output); c.Private.Requests != want {
			t.Errorf("%d tokens: %d requests, want %d", c.Playbook, c.Private.Requests, want)
		}
		if want := (room - p.System - lengths[i]) / (p.Task + p.Output); c.Shared.Requests != want || c.Cascade.Requests != want {
			t.Errorf("%d tokens: %d requests share it, want %d", c.Playbook, c.Shared.Requests, want)
		}
		if i == 0 {
			continue
		}
		before := cs[i-1]
		if c.Step <= before.Step || c.Private.TokensPerSecond >= before.Private.TokensPerSecond || c.Shared.TokensPerSecond >= before.Shared.TokensPerSecond {
			t.Errorf("%+v after %+v", c, before)
		}
		if c.Cascade.TokensPerSecond <= c.Shared.TokensPerSecond || c.Shared.TokensPerSecond < c.Private.TokensPerSecond {
			t.Errorf("%+v", c)
		}
	}
	if _, err := Capacities(p, e, -1); err == nil {
		t.Error("no error")
	}
}

// The lecture's checklist is what the adviser finds: stable parts first, then what
// only grows, then the small state, then the task.
func TestTheChecklistIsTheBestOrder(t *testing.T) {
	best, err := serving.Arrange(Checklist())
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, part := range best.Parts {
		order = append(order, part.Segment)
	}
	if got := strings.Join(order, " "); got != "system knowledge history state task" {
		t.Error(got)
	}
}

// The adviser's formula on the scripted agent: what it expects of a prompt is what
// the closed forms of reuse say, and the layout of the lecture is the best one.
func TestHabitsOfThePlaybook(t *testing.T) {
	p := DefaultParameters()
	e, err := p.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	expect := func(v Variant, table float64) (given, best float64, order string) {
		h, err := p.Habits(v, table)
		if err != nil {
			t.Fatal(err)
		}
		a, err := serving.InOrder(h)
		if err != nil {
			t.Fatal(err)
		}
		b, err := serving.Arrange(h)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range b.Parts {
			order += part.Segment + " "
		}
		return a.Prefill, b.Prefill, order
	}
	grown := float64(p.Bullet) * p.Add // prefilled in any order
	if given, best, _ := expect(Append, 0); math.Abs(given+grown-(1-e.Append)*e.Prompt) > 1e-9 || best != given {
		t.Errorf("append: %g, %g, want %g", given, best, (1-e.Append)*e.Prompt-grown)
	}
	inBullets, _, _ := expect(Counters, 0)
	if math.Abs(inBullets-(1-e.Counters)*e.Prompt) > 1e-9 {
		t.Errorf("counters: %g, want %g", inBullets, (1-e.Counters)*e.Prompt)
	}
	if given, best, order := expect(Counters, 4); order != "system playbook counts task " || best >= given || best >= inBullets/3 {
		t.Errorf("a table of counts: %g, best %g in the order %s", given, best, order)
	}
	if given, _, _ := expect(Rewrite, 0); given != e.Mean+float64(p.Task) {
		t.Errorf("rewrite: %g", given)
	}
	if _, err := p.Habits(Dedup, 0); err == nil {
		t.Error("no error")
	}
}
