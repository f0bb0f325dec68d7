package lesson_test

import (
	"math"
	"strings"
	"testing"

	"memlab/pkg/deepmemory"
	"memlab/pkg/lesson"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/multidoc"
)

func TestPagingDrawsInBothLanguages(t *testing.T) {
	c := deepmemory.DefaultConfig()
	c.Dialogues = 3
	deep, err := lesson.DeepResults(c, 4, memgpt.Searches()...)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := lesson.DocumentResults(multidoc.DefaultConfig(), 2)
	if err != nil {
		t.Fatal(err)
	}
	g := &gallery{t: t}
	figure, tab := g.figure, g.table
	figure(lesson.DeepFigure(deep))
	figure(lesson.DeepFigure(deep[:1]))
	figure(lesson.DocumentFigure(docs))
	tab(lesson.DeepTable(deep))
	tab(lesson.DocumentTable(docs))
	tab(lesson.StopTable(multidoc.DefaultConfig(), 2, 0, 0.5))
	tab(lesson.ShareTable(small(), 2, 18, 40))
	tab(lesson.PaperTable("dmr-gpt35", "dmr-gpt4", "dmr-gpt4-turbo"))
	g.inBothLanguages()
	for i, want := range []int{4, 9, 2, 4} {
		if len(g.tables[i].Rows) != want {
			t.Errorf("%q has %d rows, want %d", g.tables[i].Columns, len(g.tables[i].Rows), want)
		}
	}
}

// The figure shows the results' own numbers, in percent, and the paper's.
func TestDeepFigureShowsTheResults(t *testing.T) {
	deep, err := lesson.DeepResults(deepmemory.DefaultConfig(), 2, memgpt.ByWords, memgpt.ByVector)
	if err != nil {
		t.Fatal(err)
	}
	f, err := lesson.DeepFigure(deep)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range []deepmemory.Way{deep[0].Summary, deep[0].Paging, deep[1].Paging} {
		for s, o := range w.Sessions {
			if f.Series[i].X[s] != float64(s+1) || f.Series[i].Y[s] != 100*o.Accuracy.Mean {
				t.Errorf("%s, session %d: %v, want %v", f.Series[i].Name, s+1, f.Series[i].Y[s], 100*o.Accuracy.Mean)
			}
		}
	}
	if len(f.Marks) != 2 || *f.Marks[0].Y != 32.1 || *f.Marks[1].Y != 92.5 {
		t.Errorf("the paper's numbers for GPT-4 are 32.1 and 92.5: %+v", f.Marks)
	}
}

// The text of notebook 02 states these in words.
func TestWhatNotebook02SaysOfPaging(t *testing.T) {
	deep, err := lesson.DeepResults(deepmemory.DefaultConfig(), 20, memgpt.ByVector, memgpt.ByWords)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := lesson.DocumentResults(multidoc.DefaultConfig(), 20)
	if err != nil {
		t.Fatal(err)
	}
	summary, meaning, words := deep[0].Summary, deep[0].Paging, deep[1].Paging
	last := docs[len(docs)-1]
	full := docs[4] // 40 documents, what the window holds
	for what, ok := range map[string]bool{
		"a summary answers about one question in three":  math.Abs(summary.All.Accuracy.Mean-0.33) < 0.06,
		"it knows the last session best":                 summary.Sessions[4].Accuracy.Mean > 3*summary.Sessions[0].Accuracy.Mean,
		"paging does not care for the session":           math.Abs(meaning.Sessions[4].Accuracy.Mean-meaning.Sessions[0].Accuracy.Mean) < 0.05,
		"searching by words finds less":                  words.All.Accuracy.Mean < meaning.All.Accuracy.Mean-0.2,
		"and takes more calls":                           words.All.Calls.Mean > meaning.All.Calls.Mean+1,
		"paging writes nothing":                          meaning.Writing.Calls.Mean == 0,
		"a summary for each session":                     summary.Writing.Calls.Mean == 5,
		"the window holds 40 documents":                  full.Retrieved == 40 && last.Fixed == full.Fixed && docs[3].Fixed.Accuracy.Mean < full.Fixed.Accuracy.Mean,
		"cut documents lose their answers":               last.Truncated.Accuracy.Mean < full.Truncated.Accuracy.Mean-0.3,
		"whoever stops early is no better than a window": math.Abs(last.Paging.Accuracy.Mean-last.Fixed.Accuracy.Mean) < 0.06,
		"the retriever had the document":                 last.Recall.Mean > 0.9,
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
	c := multidoc.DefaultConfig()
	c.Rates.Stop = 0
	patient, err := lesson.DocumentResults(c, 20)
	if err != nil {
		t.Fatal(err)
	}
	if gain := patient[0].Paging.Accuracy.Mean - last.Paging.Accuracy.Mean; gain < 0.1 {
		t.Errorf("who turns every page gains %.3f, the text says more than a tenth", gain)
	}
}

func TestPagingRefusesWhatCannotBe(t *testing.T) {
	deep, docs := deepmemory.DefaultConfig(), multidoc.DefaultConfig()
	for want, err := range map[string]error{
		"0 seeds: want 1":             second(lesson.DeepResults(deep, 0, memgpt.ByWords)),
		"-1 seeds":                    second(lesson.DocumentResults(docs, -1)),
		"9223372036854775807 seeds":   second(lesson.ShareTable(small(), math.MaxInt, 18)),
		"no way to search":            second(lesson.DeepResults(deep, 2)),
		`"magic"`:                     second(lesson.DeepResults(deep, 2, "magic")),
		"bad configuration":           second(lesson.DocumentResults(multidoc.Config{}, 2)),
		"want those of DeepResults":   second(lesson.DeepFigure(nil)),
		"lesson: no results: want":    second(lesson.DeepTable(nil)),
		"those of DocumentResults":    second(lesson.DocumentFigure(nil)),
		"want those of DocumentResul": second(lesson.DocumentTable(nil)),
		"no rates of stopping":        second(lesson.StopTable(docs, 2)),
		"Stop 1.5":                    second(lesson.StopTable(docs, 2, 1.5)),
		"no sizes":                    second(lesson.ShareTable(small(), 2)),
		"lesson: 0 entries":           second(lesson.ShareTable(small(), 2, 0)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}
