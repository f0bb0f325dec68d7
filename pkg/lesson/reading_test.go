package lesson_test

import (
	"strings"
	"testing"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/lesson"
	"memlab/pkg/random"
	"memlab/pkg/sources"
	"memlab/pkg/table"
)

func TestSection11DrawsInBothLanguages(t *testing.T) {
	timeline, err := lesson.TimelineFigure(2020)
	if err != nil {
		t.Fatal(err)
	}
	all, err := sources.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
		if _, err := timeline.Render(lang); err != nil {
			t.Errorf("%s: %v", lang, err)
		}
		var tables []table.Table
		tab := func(x table.Table, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			if len(x.Rows) == 0 {
				t.Errorf("%q has no rows", x.Columns)
			}
			tables = append(tables, x)
		}
		tab(lesson.SourceTable(lang))
		tab(lesson.GaveTable(lang))
		tab(lesson.CodeTable(lang))
		for _, time := range sources.Times() {
			tab(lesson.ReadingTable(lang, time))
		}
		for _, s := range all {
			if quoted, err := s.Quoted(); err != nil || len(quoted) > 0 {
				tab(lesson.QuotedTable(s.Short))
			}
		}
		for seed := range 10 {
			tab(lesson.QuizTable(random.Seed(seed), 12))
			tab(lesson.QuizMarks(random.Seed(seed), "MemGPT", "?", "GEPA"))
		}
		for _, x := range tables {
			if _, err := x.Translate(func(s string) (string, error) { return chart.Translate(lang, s) }); err != nil {
				t.Errorf("%s: %q: %v", lang, x.Columns, err)
			}
		}
	}
}

// The text of notebook 11 states these in words.
func TestWhatNotebook11Says(t *testing.T) {
	all, err := sources.All()
	if err != nil {
		t.Fatal(err)
	}
	results, err := claims.PaperResults()
	if err != nil {
		t.Fatal(err)
	}
	numbers, from, before2023, hour, since2025 := 0, 0, 0, 0, 0
	for _, s := range all {
		quoted, err := s.Quoted()
		if err != nil {
			t.Fatal(err)
		}
		if numbers += len(quoted); len(quoted) > 0 {
			from++
		}
		if s.Date() < 2023 {
			before2023++
		}
		if s.Date() >= 2025 {
			since2025++
		}
		if s.Time == sources.Hour {
			hour++
		}
	}
	if numbers != len(results) || from != 4 || before2023 != 3 || hour != 4 {
		t.Errorf("%d of %d numbers from %d sources, %d before 2023, %d for an hour: the text says all, four, three and four", numbers, len(results), from, before2023, hour)
	}
	if 3*since2025 < len(all) {
		t.Errorf("%d of %d since 2025: the text says a third or more", since2025, len(all))
	}
}

func TestTheQuizMarksItsOwnAnswersRight(t *testing.T) {
	answers, err := lesson.QuizAnswers(3, 6)
	if err != nil {
		t.Fatal(err)
	}
	marks, err := lesson.QuizMarks(3, answers...)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range marks.Rows {
		if row[2] != "✓" || row[3] != "" {
			t.Errorf("%v is not right", row)
		}
	}
	answers[0] = "GEPA" // which no number is from
	answers[1] = "?"
	if marks, err = lesson.QuizMarks(3, answers...); err != nil || marks.Rows[0][2] != "✗" || marks.Rows[0][3] == "" || marks.Rows[1][2] != "○" {
		t.Errorf("%v, %v", marks.Rows, err)
	}
}

func TestSection11RefusesWhatCannotBe(t *testing.T) {
	for want, err := range map[string]error{
		`no source "mem1"`:   second(lesson.QuotedTable("mem1")),
		`time "year"`:        second(lesson.ReadingTable(chart.English, "year")),
		"no source from":     second(lesson.TimelineFigure(2100)),
		"1000 questions":     second(lesson.QuizTable(0, 1000)),
		"0 questions":        second(lesson.QuizMarks(0)),
		"answer 1: sources:": second(lesson.QuizMarks(0, "mem1")),
		"-1 questions":       second(lesson.QuizAnswers(0, -1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}
