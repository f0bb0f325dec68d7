package lesson_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"memlab/pkg/chart"
	"memlab/pkg/experiments/session"
	"memlab/pkg/lesson"
	"memlab/pkg/nestedkv"
	"memlab/pkg/table"
)

func chat(t testing.TB) (session.Parameters, *session.Session) {
	t.Helper()
	p := session.DefaultParameters()
	s, err := session.Run(p, 0, p.Setting())
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

func TestQueueFramesShowWhatTheQueueSays(t *testing.T) {
	_, s := chat(t)
	f, err := lesson.QueueFrames(s, 0, 120, 24)
	if err != nil {
		t.Fatal(err)
	}
	for i, call := range f.X.Categories {
		var sum float64
		for _, part := range f.Series {
			sum += part.Y[i]
		}
		step := s.Steps[i*120/24]
		if call != fmt.Sprint(step.Call) || int(sum) != step.State.Prompt {
			t.Errorf("frame %d: call %s of %v tokens, want call %d of %d", i, call, sum, step.Call, step.State.Prompt)
		}
	}
}

func TestTheBusiestTurnHasTheMostCalls(t *testing.T) {
	_, s := chat(t)
	calls := map[int]int{}
	for _, step := range s.Steps {
		calls[step.Turn]++
	}
	busiest := lesson.BusiestTurn(s)
	for turn, n := range calls {
		if n > calls[busiest] || n == calls[busiest] && turn < busiest {
			t.Errorf("turn %d has %d calls, turn %d has %d", turn, n, busiest, calls[busiest])
		}
	}
	tab, err := lesson.CallsOfTurn(s, busiest)
	if err != nil {
		t.Fatal(err)
	}
	if len(tab.Rows) != calls[busiest] {
		t.Errorf("%d rows, want %d", len(tab.Rows), calls[busiest])
	}
}

// The text of the notebook states these in words.
func TestWhatNotebook02Says(t *testing.T) {
	p, s := chat(t)
	kept, err := s.Figures(false)
	if err != nil {
		t.Fatal(err)
	}
	if kept.Saved < 0.87 || kept.Saved > 0.91 {
		t.Errorf("saved %.3f, the text says nine tenths", kept.Saved)
	}
	if kept.WorkingShare < 0.7 || kept.WorkingShare > 0.8 {
		t.Errorf("working context %.3f, the text says three quarters", kept.WorkingShare)
	}
	layouts, err := lesson.LayoutFigure(p, 5, 0.65)
	if err != nil {
		t.Fatal(err)
	}
	front, end, log := layouts.Series[0].Y[0], layouts.Series[1].Y[0], layouts.Series[2].Y[0]
	if !(log < front && front < end) {
		t.Errorf("front %v, end %v, log %v: the text says that the end costs most and the log least", front, end, log)
	}
	at10, err := lesson.EvictionFigure(p, 5, 0.10)
	if err != nil {
		t.Fatal(err)
	}
	if front, end := at10.Series[0].Y[0], at10.Series[1].Y[0]; end >= front {
		t.Errorf("at 10%% front %v, end %v: the text says that the end wins there", front, end)
	}
}

func TestSection2DrawsInBothLanguages(t *testing.T) {
	p, s := chat(t)
	frames, err1 := lesson.QueueFrames(s, 0, 120, 24)
	layouts, err2 := lesson.LayoutFigure(p, 3, 0, 1)
	evictions, err3 := lesson.EvictionFigure(p, 3, 0.1, 0.5)
	calls, err4 := lesson.CallsOfTurn(s, lesson.BusiestTurn(s))
	served, err5 := lesson.SessionTable(s)
	causes, err6 := lesson.CauseTable(s)
	shares, err7 := lesson.EvictionTable(p, 0, 0.1, 0.5)
	papers, err8 := lesson.PaperTable("dmr-gpt35", "dmr-gpt4", "dmr-gpt4-turbo", "nested-kv")
	nested, err9 := lesson.NestedResults(nestedkv.DefaultConfig(), 3)
	links, err10 := lesson.NestedTable(nested)
	for _, err := range []error{err1, err2, err3, err4, err5, err6, err7, err8, err9, err10} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []chart.Figure{frames, layouts, evictions, lesson.NestedFigure(nested)} {
		for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
			if _, err := f.Render(lang); err != nil {
				t.Errorf("%s in %s: %v", f.Title, lang, err)
			}
		}
	}
	zh := func(s string) (string, error) { return chart.Translate(chart.Chinese, s) }
	for _, tab := range []table.Table{calls, served, causes, shares, papers, links} {
		if _, err := tab.Translate(zh); err != nil {
			t.Error(err)
		}
	}
}

func TestBadInputOfSection2IsNamed(t *testing.T) {
	p, s := chat(t)
	for want, err := range map[string]error{
		"turn 600":           second(lesson.CallsOfTurn(s, 600)),
		"turn -1":            second(lesson.CallsOfTurn(s, -1)),
		"calls 0 to 9999":    second(lesson.QueueFrames(s, 0, 9999, 3)),
		"0 frames":           second(lesson.QueueFrames(s, 0, 10, 0)),
		"\"nowhere\"":        second(lesson.PaperTable("nowhere")),
		"1.5":                second(lesson.EvictionTable(p, 0, 1.5)),
		"7":                  second(lesson.LayoutFigure(p, 2, 7)),
		"bad configuration":  second(lesson.NestedResults(nestedkv.Config{}, 3)),
		"at least two seeds": second(lesson.LayoutFigure(p, 1, 0.5)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

func TestWhatIsMissingInSection2IsNamed(t *testing.T) {
	p, s := chat(t)
	for name, none := range map[string]*session.Session{"nil": nil, "an empty session": {}} {
		for what, err := range map[string]error{
			"frames": second(lesson.QueueFrames(none, 0, 1, 1)),
			"calls":  second(lesson.CallsOfTurn(none, 0)),
			"served": second(lesson.SessionTable(none)),
			"causes": second(lesson.CauseTable(none)),
		} {
			if err == nil || !strings.Contains(err.Error(), "no session") {
				t.Errorf("%s of %s: %v", what, name, err)
			}
		}
		if turn := lesson.BusiestTurn(none); turn != -1 {
			t.Errorf("the busiest turn of %s is %d", name, turn)
		}
	}
	for want, err := range map[string]error{
		"calls 1 to -9223372036854775808": second(lesson.QueueFrames(s, 1, math.MinInt, 3)),
		"no probabilities":                second(lesson.LayoutFigure(p, 2)),
		"lesson: no shares":               second(lesson.EvictionFigure(p, 2)),
		"no shares: want":                 second(lesson.EvictionTable(p, 0)),
		"no ids of paper results":         second(lesson.PaperTable()),
		"no results":                      second(lesson.NestedTable(nil)),
		"-5 seeds: want 1 to 100000":      second(lesson.NestedResults(nestedkv.DefaultConfig(), -5)),
		"9223372036854775807 seeds":       second(lesson.NestedResults(nestedkv.DefaultConfig(), math.MaxInt)),
		"807 seeds: an interval":          second(lesson.LayoutFigure(p, math.MaxInt, 0.5)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// Hand-copied from datasets/paper_results.csv: a number that the lecture gives
// as "about" or "more than" keeps that, and a large one is written to be read.
func TestWhatAPaperReportsKeepsItsQualifier(t *testing.T) {
	papers, err := lesson.PaperTable("locomo-store", "locomo-j", "collapse", "nested-kv", "throughput-drop-cartridges-paper")
	if err != nil {
		t.Fatal(err)
	}
	reported := map[[2]string]string{}
	for lang, want := range map[chart.Lang]map[[2]string]string{
		chart.English: {
			{"memory store of one LOCOMO conversation", "Zep"}:                                                "> 600,000 tokens",
			{"memory store of one LOCOMO conversation", "mem0g"}:                                              "≈ 14,000 tokens",
			{"LOCOMO, LLM as judge", "best RAG"}:                                                              "≈ 61 J",
			{"LOCOMO, LLM as judge", "mem0"}:                                                                  "66.9 J",
			{"Dynamic Cheatsheet on AppWorld, context and accuracy around one rewrite", "context at step 60"}: "18,282 tokens",
			{"nesting at which the answers are all wrong, 140 UUID pairs", "GPT-4"}:                           "level 3",
			{"peak throughput at 1k over that at 120k of context, SGLang", "drop"}:                            "77×",
		},
		chart.Chinese: {
			{"一段 LOCOMO 对话的记忆库", "Zep"}:   "> 600,000 个 token",
			{"一段 LOCOMO 对话的记忆库", "mem0g"}: "≈ 14,000 个 token",
			{"LOCOMO，模型当裁判", "最好的 RAG"}:   "≈ 61 J",
		},
	} {
		shown, err := papers.Translate(func(s string) (string, error) { return chart.Translate(lang, s) })
		if err != nil {
			t.Fatal(err)
		}
		clear(reported)
		for _, row := range shown.Rows {
			reported[[2]string{row[0], row[1]}] = row[2]
		}
		for of, number := range want {
			if reported[of] != number {
				t.Errorf("%s, %s: %q, want %q", lang, of, reported[of], number)
			}
		}
	}
}
