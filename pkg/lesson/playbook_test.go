package lesson_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"memlab/pkg/chart"
	experiment "memlab/pkg/experiments/playbook"
	"memlab/pkg/lesson"
	"memlab/pkg/playbook"
	"memlab/pkg/serving"
)

// taught is a learner's course with a memory, and with a rewriter that bears some
// length.
func taught(t *testing.T, m experiment.Memory, comfort int) *experiment.Course {
	t.Helper()
	l := experiment.DefaultLearner()
	l.Memory, l.World.Comfort = m, comfort
	c, err := experiment.Learn(l, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSection5DrawsInBothLanguages(t *testing.T) {
	g := &gallery{t: t}
	figure, tab := g.figure, g.table
	p := experiment.DefaultParameters()
	grown, sheet := taught(t, experiment.Playbook, 1000), taught(t, experiment.Cheatsheet, 1000)
	figure(lesson.GrowthFigure(grown, sheet))
	figure(lesson.WorthFigure(grown, sheet, taught(t, experiment.Nothing, 1000)))
	figure(lesson.ComfortFigure(2))
	figure(lesson.TruncationFigure(2))
	figure(lesson.BrevityFigure(2))
	figure(lesson.ReflectionFigure(2))
	figure(lesson.EpochsFigure(2))
	figure(lesson.PollutionFigure(2))
	joined, err := lesson.Deduplicated(2)
	if err != nil {
		t.Fatal(err)
	}
	figure(lesson.DedupFigure(joined), nil)
	tab(lesson.DedupTable(joined))
	served, err := lesson.Served(p, 2)
	if err != nil {
		t.Fatal(err)
	}
	figure(lesson.ReuseFigure(served), nil)
	tab(lesson.ServingTable(served))
	tab(lesson.KeptTable(2))
	tab(lesson.CostTable(p, 2))
	figure(lesson.CapacityFigure(p, engine(t), 1000, 64_000))
	tab(lesson.CapacityTable(p, engine(t), 1000, 64_000))
	tab(lesson.PlaybookBudgetTable(p, engine(t), 2, 500, 4000))
	tab(lesson.FallTable(sheet))
	tab(lesson.GrowthTable(experiment.DefaultLearner(), 0, 0, 200))
	tab(lesson.BulletTable(draft()))
	tab(lesson.ReportTable(mergeOfEverySort()))
	tab(lesson.PaperTable("ace-appworld", "ace-ablation", "ace-finance"))
	for _, order := range []func([]serving.Habit) (serving.Arrangement, error){serving.InOrder, serving.Arrange} {
		a, err := order(experiment.Checklist())
		if err != nil {
			t.Fatal(err)
		}
		tab(lesson.OrderTable(a))
	}
	tab(lesson.CountsTable(p, 2))
	g.inBothLanguages()
}

func draft() *playbook.Playbook {
	p := playbook.New(nil)
	p.Merge(playbook.Delta{Task: 1, Ops: []playbook.Op{{Kind: playbook.Add, Section: "HARD RULES", Text: "Read the page count first."}}})
	return p
}

// mergeOfEverySort has an operation for each row of a report.
func mergeOfEverySort() playbook.Report {
	const id, text = "hr-00001", "Read the page count first."
	p := draft()
	p.Merge(playbook.Delta{Task: 9, Ops: []playbook.Op{{Kind: playbook.Add, Text: "Ids are not places in a list."}, {Kind: playbook.Update, ID: id, Text: text + ".."}}})
	return p.Merge(
		playbook.Delta{Task: 2, Ops: []playbook.Op{{Kind: playbook.Update, ID: id, Text: text}}},
		playbook.Delta{Task: 10, Ops: []playbook.Op{
			{Kind: playbook.Count, ID: id, Helpful: 1}, {Kind: playbook.Count, ID: id, Helpful: -9}, {Kind: playbook.Update, ID: id, Text: text + "."},
			{Kind: playbook.Remove, ID: "othe-00002"}, {Kind: playbook.Add, Text: "Sort by date."}, {Kind: playbook.Add, Section: "HARD RULES", Text: text + "."}, {Kind: playbook.Count, ID: "hr-00077", Helpful: 1},
		}},
	)
}

func TestReportTableNamesEveryOperation(t *testing.T) {
	x, err := lesson.ReportTable(mergeOfEverySort())
	if err != nil {
		t.Fatal(err)
	}
	text := x.Text()
	for _, want := range []string{
		"counted", "text replaced", "removed", "added", "the playbook says so already",
		"refused: there is no such bullet", "refused: a later task wrote the text",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(x.Rows) != 8 {
		t.Errorf("%d rows: want one for each of 8 operations", len(x.Rows))
	}
}

// last is the last value of each line of a figure.
func last(f chart.Figure) map[string]float64 {
	out := map[string]float64{}
	for _, s := range f.Series {
		out[s.Name] = s.Y[len(s.Y)-1]
	}
	return out
}

// at is the value of a line at a place.
func at(t *testing.T, f chart.Figure, line string, x float64) float64 {
	t.Helper()
	for _, s := range f.Series {
		for i := range s.X {
			if s.Name == line && math.Abs(s.X[i]-x) < 1e-9 {
				return s.Y[i]
			}
		}
	}
	t.Fatalf("%s: no %q at %g", f.Title, line, x)
	return 0
}

// The text of notebook 05 states these in words.
func TestWhatNotebook05Says(t *testing.T) {
	must := func(f chart.Figure, err error) chart.Figure {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	const line, refused, accepted = "Playbook", "A sheet without its end is refused", "It is taken for the whole"
	grown, sheet, faithful := taught(t, experiment.Playbook, 1000), taught(t, experiment.Cheatsheet, 1000), taught(t, experiment.Cheatsheet, 1<<20)
	fall, fell := sheet.FirstFall()
	longest := 0
	for _, m := range sheet.Moments {
		longest = max(longest, m.Tokens)
	}
	comfort := must(lesson.ComfortFigure(8))
	wide := comfort.Series[0]
	broken, brief := must(lesson.TruncationFigure(5)), must(lesson.BrevityFigure(5))
	reflected, epochs, polluted := must(lesson.ReflectionFigure(5)), must(lesson.EpochsFigure(5)), must(lesson.PollutionFigure(5))
	first := at(t, reflected, line, 1) - at(t, reflected, line, 0)
	with, without := last(epochs)["With a reflector"]-at(t, epochs, "With a reflector", 1), last(epochs)["Without"]-at(t, epochs, "Without", 1)
	joined, err := lesson.Deduplicated(5)
	if err != nil {
		t.Fatal(err)
	}
	byThreshold := map[float64]experiment.Point{}
	for _, p := range joined[:len(joined)-1] {
		byThreshold[p.Learner.Threshold] = p
	}
	never := joined[len(joined)-1]
	served, err := lesson.Served(experiment.DefaultParameters(), 8)
	if err != nil {
		t.Fatal(err)
	}
	grows, counts, dedup, whole := served[0], served[1], served[2], served[3]
	p := experiment.DefaultParameters()
	capacity, err := experiment.Capacities(p, engine(t), 250, 7000)
	if err != nil {
		t.Fatal(err)
	}
	given, err := serving.InOrder(experiment.Checklist())
	if err != nil {
		t.Fatal(err)
	}
	best, err := serving.Arrange(experiment.Checklist())
	if err != nil {
		t.Fatal(err)
	}
	estimate, err := p.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := experiment.Curve(5, experiment.Kept()...)
	if err != nil {
		t.Fatal(err)
	}
	for what, ok := range map[string]bool{
		"the toy has 96 situations and eight actions":       grown.Learner.World.Kinds*grown.Learner.World.Details == 96 && grown.Learner.World.Actions == 8,
		"the sheet ends worse than nothing":                 sheet.End().Accuracy < sheet.Before.Accuracy,
		"a fall leaves it below nothing":                    fell && fall.After.Accuracy < fall.Unadapted && fall.Before.Accuracy > fall.Unadapted+0.1,
		"the end of the sheet has advice without condition": strings.Contains(sheet.Text(), "Always round at the very end."),
		"a rewriter that is always faithful is as good":     math.Abs(faithful.End().Accuracy-grown.End().Accuracy) < 0.01,
		"longer sheets end no better":                       last(comfort)["Rewritten sheet"] < 0.65 && wide.High[3]-wide.Low[3] > 0.15,
		"one rewrite in fifty costs a good part":            at(t, broken, accepted, 2) < at(t, broken, refused, 2)-0.1,
		"refusing costs little":                             at(t, broken, refused, 10) > at(t, broken, refused, 0)-0.03,
		"half of the lessons short: less than half is lost": brief.Series[0].Y[2]-0.5 > 0.75*(brief.Series[0].Y[0]-0.5),
		"all short: worth next to nothing":                  last(brief)[line] < 0.57,
		"the playbook ends at 0.89 with 3,600 tokens":       math.Abs(grown.End().Accuracy-0.89) < 0.005 && math.Abs(float64(grown.End().Tokens)-3600) < 50,
		"the sheet never gets beyond 1,800":                 longest < 1800,
		"the first round of reflection brings most":         first > last(reflected)[line]-at(t, reflected, line, 1),
		"epochs help most without a reflector":              without > with && with > 0,
		"labels bear about half":                            at(t, polluted, "Labels", 40) > 0.5 && at(t, polluted, "Labels", 50) < 0.6,
		"execution bears a fifth to a third":                at(t, polluted, "Execution alone", 20) > 0.5 && at(t, polluted, "Execution alone", 40) < 0.45,
		"0.9 joins what says the same":                      byThreshold[0.9].Misjoined.Mean == 0 && byThreshold[0.9].Accuracy.Mean > never.Accuracy.Mean-0.005,
		"a fifth of the list goes":                          math.Abs(byThreshold[0.9].Bullets.Mean/never.Bullets.Mean-0.8) < 0.03,
		"at 0.7 nine of ten pairs differ":                   math.Abs(byThreshold[0.7].Misjoined.Mean/byThreshold[0.7].Joined.Mean-0.9) < 0.05,
		"counts cost two thirds of what was cached":         math.Abs(counts.Reuse.Mean/grows.Reuse.Mean-1.0/3) < 0.03,
		"dedup costs little":                                grows.Reuse.Mean-dedup.Reuse.Mean < 0.04,
		"counts make prefill nine times as long":            math.Abs(counts.Prefill.Mean/grows.Prefill.Mean-9) < 0.5,
		"and are hardly seen in GPU time":                   math.Abs(counts.Ratio.Mean-1.03) < 0.005,
		"decode takes two seconds":                          math.Abs(grows.Decode.Mean/300-2) < 0.1,
		"the whole rewrite is twelve times as dear":         math.Abs(whole.Ratio.Mean-12) < 0.9,
		"and writes a million tokens more":                  math.Abs(whole.Output.Mean-grows.Output.Mean-1e6) < 1.5e5,
		"the learner's prompts come in the same order":      kept[0].Reuse.Mean > kept[5].Reuse.Mean && kept[5].Reuse.Mean > kept[1].Reuse.Mean && kept[1].Reuse.Mean > kept[6].Reuse.Mean,
		"headings have a price":                             kept[0].Reuse.Mean-kept[2].Reuse.Mean > 0.04,
		"a step alone is 5% longer":                         math.Abs(float64(capacity[1].Step/capacity[0].Step)-1.05) < 0.005,
		"85% of the throughput of a full batch":             math.Abs(capacity[1].Private.TokensPerSecond/capacity[0].Private.TokensPerSecond-0.15) < 0.005,
		"seven hundred requests read one playbook":          math.Abs(float64(capacity[1].Shared.Requests)-700) < 10,
		"the order is worth a factor of ten":                math.Abs(given.Prefill/best.Prefill-10) < 0.5,
		"the means are 3,588 and 7,176":                     estimate.Mean == 3588 && estimate.End == 7176,
		"the finer estimate is the run":                     math.Abs(estimate.Counters-counts.Reuse.Mean) < 0.01 && estimate.Counters < estimate.Exercise,
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
	for change, set := range map[string]func(*serving.Habit){
		"rare edits": func(h *serving.Habit) { h.Change = 0.01 }, "a long state": func(h *serving.Habit) { h.Tokens = 2000 },
	} {
		parts := experiment.Checklist()
		set(&parts[0])
		a, err := serving.Arrange(parts)
		if err != nil {
			t.Fatal(err)
		}
		if a.Parts[2].Segment != "state" || a.Parts[3].Segment != "history" {
			t.Errorf("%s: the state does not move before the history: %v", change, a.Parts)
		}
	}
	growth, err := lesson.GrowthTable(experiment.DefaultLearner(), 0, 3, 13)
	if err != nil {
		t.Fatal(err)
	}
	const rule = "[cm-00006]"
	if !strings.Contains(growth.Rows[2][3], rule) || growth.Rows[9][1] != rule || !strings.Contains(growth.Rows[1][3], "In case learn-4") {
		t.Errorf("task 5 does not add the rule that task 12 goes by: %q, %q", growth.Rows[2], growth.Rows[9])
	}
}

func TestSection5RefusesWhatCannotBe(t *testing.T) {
	l, p := experiment.DefaultLearner(), experiment.DefaultParameters()
	for want, err := range map[string]error{
		"no courses":            second(lesson.GrowthFigure()),
		"without tasks":         second(lesson.WorthFigure(nil)),
		"no course:":            second(lesson.FallTable(nil)),
		"no rewrite lost":       second(lesson.FallTable(taught(t, experiment.Playbook, 1000))),
		"at least two seeds":    second(lesson.BrevityFigure(1)),
		"0 seeds":               second(lesson.Served(p, 0)),
		"-1 seeds":              second(lesson.CostTable(p, -1)),
		"tasks 5 to 5":          second(lesson.GrowthTable(l, 0, 5, 5)),
		"no playbook":           second(lesson.BulletTable(nil)),
		"no engine":             second(lesson.CapacityTable(p, nil, 1000)),
		"engine":                second(lesson.PlaybookBudgetTable(p, nil, 2, 1000)),
		"tokens for the prompt": second(lesson.PlaybookBudgetTable(p, engine(t), 2, 0)),
		"not one request":       second(lesson.CapacityFigure(p, engine(t), 1_000_000)),
		"no parts":              second(lesson.OrderTable(serving.Arrangement{})),
		"0 tokens for each":     second(lesson.CountsTable(p, 0)),
		"no contexts":           second(lesson.CapacityFigure(p, engine(t))),
		"playbook of -5":        second(lesson.CapacityTable(p, engine(t), -5)),
		"tasks 0 to 99999999":   second(lesson.GrowthTable(l, 0, 0, 99_999_999)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}

// The statements of 5.5: a quarter of the length keeps more than half of what the
// playbook gained, and room for 4,000 tokens loses nothing worth speaking of.
func TestPlaybookBudgetTableSaysWhatTheTextSays(t *testing.T) {
	x, err := lesson.PlaybookBudgetTable(experiment.DefaultParameters(), engine(t), 5, 1000, 2000, 4000)
	if err != nil {
		t.Fatal(err)
	}
	number := func(row, column int) float64 {
		s, _, _ := strings.Cut(x.Rows[row][column], "\u00a0")
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("row %q: %v", x.Rows[row], err)
		}
		return v
	}
	const dropped, accuracy, joined, requests = 1, 2, 3, 5
	for i := 1; i < len(x.Rows); i++ {
		if number(i, accuracy) < number(i-1, accuracy) || number(i, dropped) > number(i-1, dropped) {
			t.Errorf("more room, and worse: %q, %q", x.Rows[i-1], x.Rows[i])
		}
	}
	const base = 0.5 // without any context
	whole := number(3, accuracy) - base
	if kept := (number(0, accuracy) - base) / whole; kept < 0.5 || kept > 0.6 {
		t.Errorf("1,000 tokens keep %.2f of the gain", kept)
	}
	if number(1, joined) <= number(1, accuracy) || whole-(number(2, accuracy)-base) > 0.005 {
		t.Errorf("%q", x.Rows)
	}
	if more := number(0, requests) / number(3, requests); more < 2 {
		t.Errorf("%.2f times the requests", more)
	}
}
