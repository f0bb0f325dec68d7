package toy

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/playbook"
	"memlab/pkg/random"
)

func world(t testing.TB, change func(*Parameters), seed random.Seed) *World {
	t.Helper()
	p := DefaultParameters()
	if change != nil {
		change(&p)
	}
	w, err := NewWorld(p, seed)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func agent(t testing.TB, a Agent) *Agent {
	t.Helper()
	if a.Feedback.Signal == "" {
		a.Feedback.Signal = Labels
	}
	out, err := NewAgent(a)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// No phrase is part of another of its list, and every phrasing reads as what it
// was written for.
func TestEveryLineIsUnderstood(t *testing.T) {
	for _, list := range [][]string{kinds, details, actions} {
		for i, a := range list {
			for j, b := range list {
				if i != j && strings.Contains(a, b) {
					t.Errorf("%q contains %q", a, b)
				}
			}
		}
	}
	for k := range kinds {
		if got := understand(genericText(k)); got != (advice{k, -1, -1, ""}) {
			t.Errorf("%q: %+v", genericText(k), got)
		}
		for d := range details {
			for a := range actions {
				for p := range phrasings {
					if got := understand(ruleText(k, d, a, p)); got != (advice{k, d, a, ""}) {
						t.Fatalf("%q: %+v", ruleText(k, d, a, p), got)
					}
				}
			}
		}
	}
	for a := range actions {
		if got := understand(bareText(a)); got != (advice{-1, -1, a, ""}) {
			t.Errorf("%q: %+v", bareText(a), got)
		}
		if got := understand(caseText("learn-7", 2, a)); got != (advice{2, -1, a, "learn-7"}) {
			t.Errorf("%+v", got)
		}
	}
	for _, line := range []string{"", "Be kind.", "## HEADING", "中文"} {
		if got := understand(line); got != (advice{-1, -1, -1, ""}) {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

// One kind, two details, as often as each other; a right rule for one, a wrong one
// for the other: (0.9 + 0.1 x 0.4 + 0.1 x 0.4) / 2. With an advice that has lost
// its condition, right for the first only, where half of the guesses go:
// guess = 0.5 x {1, 0} + 0.5 x 0.4.
func TestAccuracyWorkedByHand(t *testing.T) {
	w := world(t, func(p *Parameters) {
		p.Kinds, p.Details, p.Skew, p.Base, p.Known, p.Astray, p.Generic = 1, 2, 0, 0.4, 0.9, 0.5, 0.1
	}, 3)
	w.rules = []int{1, 2}
	lines := []string{ruleText(0, 0, 1, 0), ruleText(0, 1, 3, 1)}
	for want, more := range map[float64][]string{
		0.4:                    nil,
		0.5:                    {genericText(0)},
		(0.94 + 0.04) / 2:      lines,
		(0.7 + 0.2) / 2:        {bareText(1)},
		(0.97 + 0.02) / 2:      append([]string{bareText(1)}, lines...),
		(0.9 + 0.04 + 0.4) / 2: lines[:1],
	} {
		if got := w.LineAccuracy(more); math.Abs(got-want) > 1e-12 {
			t.Errorf("%q: %g, want %g", more, got, want)
		}
	}
	// Of two that contradict each other the more helpful, else the later.
	old, new := playbook.Bullet{Text: ruleText(0, 0, 1, 0), Helpful: 2}, playbook.Bullet{Text: ruleText(0, 0, 4, 0), Helpful: 1}
	if right, wrong := w.Accuracy([]playbook.Bullet{old, new}), w.LineAccuracy([]string{old.Text, new.Text}); right <= wrong {
		t.Error(right, wrong)
	}
}

// The formula is what the generator does: 20,000 tasks with each of some contexts.
func TestAccuracyIsWhatTheGeneratorDoes(t *testing.T) {
	w := world(t, func(p *Parameters) { p.Generic, p.Known = 0.3, 0.7 }, 5)
	a := agent(t, Agent{World: w})
	var rules, generics []string
	for k := range w.parameters.Kinds {
		generics = append(generics, genericText(k))
	}
	for i, right := range w.rules {
		action := right
		if i%3 == 0 {
			action = (right + 1) % w.parameters.Actions
		}
		if i%4 > 0 {
			rules = append(rules, ruleText(i/w.parameters.Details, i%w.parameters.Details, action, i))
		}
	}
	for name, lines := range map[string][]string{
		"nothing": nil, "rules": rules, "generic": generics,
		"bare": {bareText(0), bareText(3)}, "all": append([]string{bareText(1), genericText(0)}, rules...),
	} {
		bullets := make([]playbook.Bullet, len(lines))
		for i, l := range lines {
			bullets[i] = playbook.Bullet{ID: fmt.Sprint("x-", i), Text: l}
		}
		const n = 20_000
		right := 0
		for i, task := range w.Tasks("test", n) {
			task.Number = i
			tr, err := a.Generate(t.Context(), task, bullets)
			if err != nil {
				t.Fatal(err)
			}
			ok, err := w.Right(tr)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				right++
			}
		}
		want := w.Accuracy(bullets)
		if got := float64(right) / n; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
			t.Errorf("%s: %g of tasks right, formula %g", name, got, want)
		}
	}
}

// How often feedback is false, for right and wrong answers.
func TestFeedbackHasItsReliability(t *testing.T) {
	w := world(t, nil, 6)
	for _, f := range []Feedback{{Labels, 0.3, 0}, {Labels, 0, 0.2}, {Execution, 0.3, 0}, {Execution, 0.3, 0.2}, {Execution, 1, 0}} {
		a := agent(t, Agent{World: w, Feedback: f})
		const n = 20_000
		var said, all [2]float64 // that it is right, for wrong and right answers
		labels := 0.0
		for i, task := range w.Tasks("test", n) {
			task.Number = i
			s, err := w.situation(task)
			if err != nil {
				t.Fatal(err)
			}
			right := i % 2
			answer := actions[w.rules[s]]
			if right == 0 {
				answer = actions[(w.rules[s]+1)%w.parameters.Actions]
			}
			fb, err := a.Judge(t.Context(), playbook.Trajectory{Task: task, Answer: answer})
			if err != nil {
				t.Fatal(err)
			}
			all[right]++
			if fb.Correct {
				said[right]++
			}
			if fb.Answer == actions[w.rules[s]] {
				labels++
			}
			if (fb.Answer == "") == (f.Signal == Labels) || !fb.Known {
				t.Fatalf("%+v", fb)
			}
		}
		wrong := f.Silent*(1-f.Error) + (1-f.Silent)*f.Error
		if f.Signal == Labels {
			wrong = f.Error / float64(w.parameters.Actions-1)
			if math.Abs(labels/n-(1-f.Error)) > 0.02 {
				t.Errorf("%+v: %g of labels right", f, labels/n)
			}
		}
		if math.Abs(said[1]/all[1]-(1-f.Error)) > 0.02 || math.Abs(said[0]/all[0]-wrong) > 0.02 {
			t.Errorf("%+v: %g of right answers and %g of wrong ones called right", f, said[1]/all[1], said[0]/all[0])
		}
	}
}

func TestLessonsOfEachKind(t *testing.T) {
	w := world(t, nil, 7)
	task := w.Tasks("learn", 1)[0]
	s, err := w.situation(task)
	if err != nil {
		t.Fatal(err)
	}
	right, d := w.rules[s], w.parameters.Details
	wrong := actions[(right+1)%w.parameters.Actions]
	sure := world(t, func(p *Parameters) { p.Reflect, p.Raw = 1, 0 }, 7)
	for name, c := range map[string]struct {
		agent  Agent
		answer string
		f      playbook.Feedback
		want   func(advice) bool
	}{
		"a label": {Agent{World: sure, Reflector: true, Rounds: 1}, wrong, playbook.Feedback{Answer: actions[right]},
			func(a advice) bool { return a == advice{s / d, s % d, right, ""} }},
		"success": {Agent{World: sure, Reflector: true, Rounds: 1}, wrong, playbook.Feedback{Correct: true},
			func(a advice) bool { return a.detail == s%d && actions[a.action] == wrong }},
		"failure without a label": {Agent{World: sure, Reflector: true, Rounds: 1}, wrong, playbook.Feedback{},
			func(a advice) bool { return a.detail == s%d && a.action >= 0 && actions[a.action] != wrong }},
		"no reflector": {Agent{World: sure}, wrong, playbook.Feedback{Answer: actions[right]},
			func(a advice) bool { return a == advice{s / d, -1, right, task.Name} }},
		"brief": {Agent{World: sure, Reflector: true, Rounds: 1, Brevity: 1}, wrong, playbook.Feedback{Answer: actions[right]},
			func(a advice) bool { return a == advice{s / d, -1, -1, ""} }},
	} {
		r, err := agent(t, c.agent).Reflect(t.Context(), playbook.Trajectory{Task: task, Answer: c.answer, Text: guessed}, c.f)
		if err != nil || len(r.Lessons) != 1 || !c.want(understand(r.Lessons[0].Text)) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	a := agent(t, Agent{World: sure, Reflector: true, Rounds: 1})
	for text, lessons := range map[string]int{byRule: 0, asBefore: 1} {
		r, err := a.Reflect(t.Context(), playbook.Trajectory{Task: task, Answer: wrong, Text: text, Used: []string{"x-1"}}, playbook.Feedback{Correct: true})
		if err != nil || len(r.Lessons) != lessons || !r.Marks[0].Helpful || r.Marks[0].Harmful {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

// More rounds make a rule of the case more often: 1 - (1 - p)^rounds.
func TestRoundsOfReflection(t *testing.T) {
	w := world(t, nil, 8)
	for rounds, want := range map[int]float64{0: 0.2, 1: 0.5, 3: 0.875} {
		a := agent(t, Agent{World: w, Reflector: rounds > 0, Rounds: rounds})
		const n = 5000
		general := 0.0
		for i, task := range w.Tasks("learn", n) {
			task.Number = i
			r, err := a.Reflect(t.Context(), playbook.Trajectory{Task: task, Answer: actions[0]}, playbook.Feedback{Answer: actions[1]})
			if err != nil {
				t.Fatal(err)
			}
			if understand(r.Lessons[0].Text).instance == "" {
				general++
			}
		}
		if math.Abs(general/n-want) > 0.03 {
			t.Errorf("%d rounds: %g, want %g", rounds, general/n, want)
		}
	}
}

func TestTheCuratorsChoice(t *testing.T) {
	w := world(t, func(p *Parameters) { p.Notice = 1 }, 9)
	blind := world(t, func(p *Parameters) { p.Notice = 0 }, 9)
	lesson := playbook.Lesson{Section: Strategies, Text: ruleText(1, 2, 3, 0)}
	same := playbook.Bullet{ID: "a-1", Text: ruleText(1, 2, 3, 1)}
	other := playbook.Bullet{ID: "a-2", Text: ruleText(1, 2, 4, 1)}
	helpful, harmful := other, other
	helpful.Helpful, harmful.Harmful = 1, 1
	elsewhere := playbook.Bullet{ID: "a-3", Text: ruleText(1, 1, 4, 1)}
	for name, c := range map[string]struct {
		world   *World
		bullets []playbook.Bullet
		marks   []playbook.Mark
		want    []playbook.OpKind
	}{
		"nothing there":                {w, nil, nil, []playbook.OpKind{playbook.Add}},
		"about something else":         {w, []playbook.Bullet{elsewhere}, nil, []playbook.OpKind{playbook.Add}},
		"said already, noticed":        {w, []playbook.Bullet{same}, nil, nil},
		"said already, not noticed":    {blind, []playbook.Bullet{same}, nil, []playbook.OpKind{playbook.Add}},
		"contradicted":                 {w, []playbook.Bullet{other}, nil, nil},
		"contradicted by the refuted":  {w, []playbook.Bullet{harmful}, nil, []playbook.OpKind{playbook.Update}},
		"refuted now":                  {w, []playbook.Bullet{other}, []playbook.Mark{{ID: "a-2", Harmful: true}}, []playbook.OpKind{playbook.Count, playbook.Update}},
		"harmful once, helpful before": {w, []playbook.Bullet{helpful}, []playbook.Mark{{ID: "a-2", Harmful: true}}, []playbook.OpKind{playbook.Count}},
		"refuted, and said already":    {w, []playbook.Bullet{harmful, same}, nil, []playbook.OpKind{playbook.Remove}},
	} {
		d, err := agent(t, Agent{World: c.world}).Curate(t.Context(), playbook.Reflection{Lessons: []playbook.Lesson{lesson}, Marks: c.marks}, c.bullets)
		if err != nil {
			t.Fatal(err)
		}
		var got []playbook.OpKind
		for _, op := range d.Ops {
			got = append(got, op.Kind)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A sheet beyond twice the comfortable length is a summary at once under a haste
// of 1, and never one below it. What breaks off has no end.
func TestTheRewriter(t *testing.T) {
	w := world(t, func(p *Parameters) { p.Comfort, p.Haste, p.Summary = 100, 1, 4 }, 10)
	a := agent(t, Agent{World: w, Reflector: true, Rounds: 1})
	task := w.Tasks("learn", 1)[0]
	rewrite := func(a *Agent, n int) ([]string, error) {
		var lines []string
		for i := range n {
			lines = append(lines, ruleText(i/6, i%6, i%8, 0))
		}
		out, err := a.Rewrite(t.Context(), lines, playbook.Trajectory{Task: task, Answer: actions[0]}, playbook.Feedback{Answer: actions[1]})
		if err != nil {
			t.Fatal(err)
		}
		return playbook.ReadSheet(out)
	}
	if lines, err := rewrite(a, 4); err != nil || len(lines) < 4 || understand(lines[0]).kind != 0 {
		t.Errorf("%q %v", lines, err)
	}
	// A line about the same situation gives way to the lesson, the others stay.
	situation, err := w.situation(task)
	if err != nil {
		t.Fatal(err)
	}
	sure := agent(t, Agent{World: world(t, func(p *Parameters) { p.Reflect = 1 }, 10), Reflector: true, Rounds: 1})
	k, d := situation/w.parameters.Details, situation%w.parameters.Details
	before := []string{bareText(5), ruleText(k, d, 2, 0), genericText(k)}
	out, err := sure.Rewrite(t.Context(), append([]string(nil), before...), playbook.Trajectory{Task: task, Answer: actions[0]}, playbook.Feedback{Answer: actions[1]})
	if err != nil {
		t.Fatal(err)
	}
	after, err := playbook.ReadSheet(out)
	if err != nil || len(after) != 3 || after[0] != before[0] || after[2] != before[2] || understand(after[1]) != (advice{k, d, 1, ""}) {
		t.Errorf("%q %v", after, err)
	}
	lines, err := rewrite(a, 20)
	if err != nil || len(lines) != 4 {
		t.Errorf("%q %v", lines, err)
	}
	for _, l := range lines {
		if u := understand(l); u.kind >= 0 || u.action < 0 {
			t.Errorf("%q", l)
		}
	}
	for name, change := range map[string]func(*Parameters){
		"interrupted": func(p *Parameters) { p.Interrupt = 1 },
		"limited":     func(p *Parameters) { p.MaxOutput = 50 },
	} {
		short := agent(t, Agent{World: world(t, change, 10)})
		if lines, err := rewrite(short, 20); !errors.Is(err, playbook.ErrTruncated) {
			t.Errorf("%s: %q %v", name, lines, err)
		}
	}
	if text := cutOff("one two three four", 3); text != "one two " {
		t.Errorf("%q", text)
	}
}

// Systems share the draws: what one task draws depends on its number only.
func TestTasksAreTheSameForAll(t *testing.T) {
	a, b, c := world(t, nil, 1), world(t, nil, 1), world(t, nil, 2)
	if d := cmp.Diff(a.Tasks("x", 50), b.Tasks("x", 50)); d != "" || cmp.Equal(a.Tasks("x", 50), c.Tasks("x", 50)) || cmp.Equal(a.Tasks("x", 50), a.Tasks("y", 50)) {
		t.Error(d)
	}
	sum := 0.0
	for _, x := range a.weight {
		sum += x
	}
	times := make([]float64, len(a.weight))
	const n = 50_000
	for _, task := range a.Tasks("many", n) {
		s, err := a.situation(task)
		if err != nil {
			t.Fatal(err)
		}
		times[s]++
	}
	for i, x := range times {
		if p := a.weight[i]; math.Abs(x/n-p) > 5*math.Sqrt(p/n) {
			t.Errorf("situation %d: %g, want %g", i, x/n, p)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Error(sum)
	}
}

func TestBadInputIsNamed(t *testing.T) {
	for want, change := range map[string]func(*Parameters){
		"kinds 0":          func(p *Parameters) { p.Kinds = 0 },
		"kinds 99":         func(p *Parameters) { p.Kinds = 99 },
		"details 9":        func(p *Parameters) { p.Details = 9 },
		"actions 1: want":  func(p *Parameters) { p.Actions = 1 },
		"base 1.2":         func(p *Parameters) { p.Base = 1.2 },
		"known NaN":        func(p *Parameters) { p.Known = math.NaN() },
		"base + generic":   func(p *Parameters) { p.Base, p.Generic = 0.9, 0.2 },
		"skew -1":          func(p *Parameters) { p.Skew = -1 },
		"haste -1":         func(p *Parameters) { p.Haste = -1 },
		"comfort_tokens 0": func(p *Parameters) { p.Comfort = 0 },
		"p_interrupt 2":    func(p *Parameters) { p.Interrupt = 2 },
	} {
		p := DefaultParameters()
		change(&p)
		if _, err := NewWorld(p, 0); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	w := world(t, nil, 0)
	good := Agent{World: w, Feedback: Feedback{Signal: Labels}}
	for want, change := range map[string]func(*Agent){
		"no world":       func(a *Agent) { a.World = nil },
		`signal "hope"`:  func(a *Agent) { a.Feedback.Signal = "hope" },
		"error 1.5":      func(a *Agent) { a.Feedback.Error = 1.5 },
		"silent -1":      func(a *Agent) { a.Feedback.Silent = -1 },
		"brevity 2":      func(a *Agent) { a.Brevity = 2 },
		"rounds 0: want": func(a *Agent) { a.Reflector = true },
	} {
		a := good
		change(&a)
		if _, err := NewAgent(a); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	a, stranger := agent(t, good), playbook.Task{Name: "odd", Text: "Sing."}
	if _, err := a.Generate(t.Context(), stranger, nil); err == nil || !strings.Contains(err.Error(), `task "odd": "Sing."`) {
		t.Error(err)
	}
	for _, call := range []func() error{
		func() error { _, err := a.Judge(t.Context(), playbook.Trajectory{Task: stranger}); return err },
		func() error {
			_, err := a.Reflect(t.Context(), playbook.Trajectory{Task: stranger}, playbook.Feedback{})
			return err
		},
		func() error {
			_, err := a.Rewrite(t.Context(), nil, playbook.Trajectory{Task: stranger}, playbook.Feedback{})
			return err
		},
		func() error { _, err := w.Right(playbook.Trajectory{Task: stranger}); return err },
	} {
		if err := call(); err == nil {
			t.Error("no error")
		}
	}
}
