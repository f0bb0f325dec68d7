package lesson_test

import (
	"math"
	"strings"
	"testing"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/choice"
	"memlab/pkg/experiments/world"
	"memlab/pkg/lesson"
	"memlab/pkg/serving"
)

func llama(t testing.TB) costmodel.Model {
	t.Helper()
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSection6DrawsInBothLanguages(t *testing.T) {
	p, e := small(), engine(t)
	sizes := choice.DefaultSizes()
	sizes.Seeds = 2
	g := &gallery{t: t}
	tab := g.table
	cold, err := lesson.Ways(p, e, false, 2)
	if err != nil {
		t.Fatal(err)
	}
	warm, err := lesson.Ways(p, e, true, 2)
	if err != nil {
		t.Fatal(err)
	}
	tab(lesson.LevelTable(p, llama(t)))
	tab(lesson.CheapestTable(cold, warm, []float64{0, 0.8}, 1, 1000))
	tab(lesson.DecisionTable(world.DefaultParameters(), e, sizes))
	best, err := serving.Arrange(choice.CodingAgent())
	if err != nil {
		t.Fatal(err)
	}
	tab(lesson.OrderTable(best))
	for shared, title := range map[bool]string{false: "A document for each user", true: "One document for all"} {
		ways, err := lesson.DocumentWays(e, 128_000, shared)
		if err != nil {
			t.Fatal(err)
		}
		f, err := lesson.RatioFigure(title, ways, 1, 100, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		g.figures = append(g.figures, f)
	}
	for title, ways := range map[string][]choice.Way{
		"A conversation without a prefix cache": cold, "A conversation with a prefix cache": warm,
	} {
		f, err := lesson.RatioFigure(title, ways, 1, 10, 100)
		if err != nil {
			t.Fatal(err)
		}
		g.figures = append(g.figures, f)
	}
	g.inBothLanguages()
}

// The text of notebook 06 states these in words.
func TestWhatNotebook06Says(t *testing.T) {
	p, e := world.DefaultParameters(), engine(t)
	warm, err := lesson.Ways(p, e, true, 2)
	if err != nil {
		t.Fatal(err)
	}
	cold, err := lesson.Ways(p, e, false, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ways             []choice.Way
		questions, least float64
		want             string
	}{
		{cold, 1000, 0.8, "mem0g+graph"},
		{cold, 10, 0.8, "rag:128x16"},
		{warm, 10, 0.8, "rag:128x16"},
		{warm, 100, 0.8, "full"},
		{warm, 1000, 0.8, "mem0g+graph"},
		{warm, 1000, 1, "full"},
	} {
		got, err := choice.Cheapest(c.ways, c.questions, c.least)
		if err != nil || got.Name != c.want {
			t.Errorf("%g questions, %g right: %s (%v), the text says %s", c.questions, c.least, got.Name, err, c.want)
		}
	}
	private, err := lesson.DocumentWays(e, 128_000, false)
	if err != nil {
		t.Fatal(err)
	}
	if from := choice.From(private[1], private[2]); math.Abs(from-8900) > 100 {
		t.Errorf("a cartridge pays back after %.0f questions, the text says some 8,900", from)
	}
	best, err := serving.Arrange(choice.CodingAgent())
	if err != nil {
		t.Fatal(err)
	}
	front, err := lesson.AgentLayout("code", "task", "history", "playbook", "preferences", "instructions")
	if err != nil {
		t.Fatal(err)
	}
	if front.Prefill < 3*best.Prefill {
		t.Errorf("the worst order prefills %.0f, the best %.0f: the text says more than three times", front.Prefill, best.Prefill)
	}
}

func TestSection6RefusesWhatCannotBe(t *testing.T) {
	p := small()
	for want, err := range map[string]error{
		"no engine":         second(lesson.DecisionTable(p, nil, choice.DefaultSizes())),
		"engine is nil":     second(lesson.Ways(p, nil, true, 1)),
		"engine":            second(lesson.DocumentWays(nil, 10, true)),
		"want one or more":  second(lesson.RatioFigure("", nil, 1, 2)),
		"questions 0":       second(lesson.RatioFigure("", []choice.Way{{Name: "mem0"}}, 0, 2)),
		"document_tokens 0": second(lesson.DocumentWays(engine(t), 0, true)),
		"6 parts":           second(lesson.AgentLayout("code")),
		`no part "cod"`:     second(lesson.AgentLayout("cod", "task", "history", "playbook", "preferences", "instructions")),
		"twice":             second(lesson.AgentLayout("code", "code", "history", "playbook", "preferences", "instructions")),
	} {
		if err == nil || !strings.Contains(err.Error(), want) && want != "twice" {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}
