package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"memlab/pkg/dialogue/jsonl"
	"memlab/pkg/dialogue/locomo"
	"memlab/pkg/evidence"
	"memlab/pkg/table"
)

// listed is how many remarks of a kind are written out; JSON has more.
const listed = 20

// remarks says what was wrong with the file and what was made up for it.
func (r *evalDataResult) remarks(notes io.Writer) {
	if r.LOCOMO != nil {
		locomoRemarks(notes, r.File, r.LOCOMO)
	} else {
		jsonlRemarks(notes, r.File, r.JSONL)
	}
}

func locomoRemarks(notes io.Writer, file string, r *locomo.Report) {
	say := func(format string, args ...any) { fmt.Fprintf(notes, "memlab: "+format+"\n", args...) }
	say("note: captions of %d images are part of the text; tokens are approximated", r.Captions)
	if r.BrokenEvidence > 0 {
		say("%s: %d of %d evidence ids are not the id of a turn as written", file, r.BrokenEvidence, r.Evidence)
	}
	var problems []locomo.Problem
	for _, i := range r.Irregularities {
		if !slices.Contains(problems, i.Problem) {
			problems = append(problems, i.Problem)
		}
	}
	for _, p := range problems {
		n := r.Count(p)
		say("%s: %s: %d", file, p, n)
		if p == locomo.MissingAnswer || p == locomo.MissingSession { // by hundreds, and harmless
			continue
		}
		shown := 0
		for _, i := range r.Irregularities {
			if i.Problem == p && shown < listed {
				fmt.Fprintf(notes, "  %v\n", i)
				shown++
			}
		}
		andMore(notes, n-shown)
	}
}

func jsonlRemarks(notes io.Writer, file string, r *jsonl.Report) {
	say := func(format string, args ...any) { fmt.Fprintf(notes, "memlab: "+format+"\n", args...) }
	if r.BadLines > 0 {
		say("%s: %d of %d lines skipped", file, r.BadLines, r.Lines)
		for _, b := range r.Bad[:min(listed, len(r.Bad))] {
			fmt.Fprintf(notes, "  %s\n", strings.TrimPrefix(b.Error(), "jsonl: "))
		}
		andMore(notes, r.BadLines-min(listed, len(r.Bad)))
	}
	for _, u := range r.Unknown {
		say("%s: field %q is unknown and ignored: %d lines, the first is line %d", file, u.Field, u.Lines, u.Line)
	}
	if r.BrokenEvidence > 0 {
		say("%s: %d of %d evidence ids are of no message and left out", file, r.BrokenEvidence, r.Evidence)
		for _, b := range r.Broken[:min(listed, len(r.Broken))] {
			fmt.Fprintf(notes, "  line %d: question %q: %q\n", b.Line, b.Question, b.ID)
		}
		andMore(notes, r.BrokenEvidence-min(listed, len(r.Broken)))
	}
	if r.Repeated > 0 {
		say("%s: %d pieces of evidence are repeated in their question and taken once", file, r.Repeated)
	}
	if r.TokensCounted > 0 {
		say("note: tokens of %d messages are approximated: one per four ASCII characters and per other character", r.TokensCounted)
	}
}

func andMore(notes io.Writer, n int) {
	if n > 0 {
		fmt.Fprintf(notes, "  and %d more\n", n)
	}
}

// writeTables writes recall by method, chunk and budget, the categories of the best,
// and the differences between methods.
func (r *evalDataResult) writeTables(out io.Writer, o evidence.Options) error {
	var text []string
	for _, build := range []func(evidence.Options) (table.Table, error){r.recallTable, r.kindTable, r.differenceTable} {
		t, err := build(o)
		if err != nil {
			return err
		}
		if len(t.Rows) > 0 {
			text = append(text, t.Text())
		}
	}
	_, err := io.WriteString(out, strings.Join(text, "\n"))
	return err
}

func (r *evalDataResult) recallTable(o evidence.Options) (table.Table, error) {
	all := r.Recall.Total
	t := table.New(fmt.Sprintf("Evidence recall in %%: %s of %d tokens on average, %s (%d more without evidence); mean over dialogues ± its 95%% interval",
		plural(len(r.Recall.Dialogues), "dialogue"), all.Tokens/len(r.Recall.Dialogues), plural(all.Questions-all.WithoutEvidence, "question"), all.WithoutEvidence), "method", "chunk")
	t.Columns = append(t.Columns, budgets(o)...)
	for _, chunk := range o.Chunks {
		for _, method := range o.Methods {
			row := []any{method, evidence.ChunkName(chunk)}
			for _, budget := range o.Budgets {
				c, _ := r.Recall.Cell(method, chunk, budget, "") // as options asked for it
				row = append(row, percent("%.1f", c.Recall))
			}
			if err := t.Add(row...); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// kindTable is the best way at each budget, by category.
func (r *evalDataResult) kindTable(o evidence.Options) (table.Table, error) {
	t := table.New("By category, the way that finds most at each budget (questions with evidence in brackets)", "budget", "method", "chunk")
	for _, k := range r.Recall.Kinds {
		t.Columns = append(t.Columns, fmt.Sprintf("%s (%d)", k.Name, k.Questions-k.WithoutEvidence))
	}
	for _, budget := range o.Budgets {
		best, _ := r.Recall.Best(budget) // as options asked for it
		row := []any{fmt.Sprintf("%d tokens", budget), best.Method, evidence.ChunkName(best.Chunk)}
		for _, k := range r.Recall.Kinds {
			text := "–"
			for _, c := range r.Recall.Cells {
				if c.Method == best.Method && c.Chunk == best.Chunk && c.Budget == budget && string(c.Kind) == k.Name {
					text = percent("%.1f", c.Recall)
				}
			}
			row = append(row, text)
		}
		if err := t.Add(row...); err != nil {
			return t, err
		}
	}
	return t, nil
}

func (r *evalDataResult) differenceTable(o evidence.Options) (table.Table, error) {
	t := table.New("How much more the first finds than the second, in percentage points within the same dialogues", "methods", "chunk")
	t.Columns = append(t.Columns, budgets(o)...)

	for _, chunk := range o.Chunks {
		for i, against := range o.Methods {
			for _, method := range o.Methods[i+1:] {
				row := []any{fmt.Sprintf("%s – %s", method, against), evidence.ChunkName(chunk)}
				for _, budget := range o.Budgets {
					for _, d := range r.Recall.Differences {
						if d.Method == method && d.Against == against && d.Chunk == chunk && d.Budget == budget {
							row = append(row, percent("%+.1f", d.Recall))
						}
					}
				}
				if err := t.Add(row...); err != nil {
					return t, err
				}
			}
		}
	}
	return t, nil
}

func budgets(o evidence.Options) []string {
	names := make([]string, len(o.Budgets))
	for i, b := range o.Budgets {
		names[i] = fmt.Sprintf("%d tokens", b)
	}
	return names
}

// percent writes a share with half the width of its interval, where it has one.
func percent(format string, v evidence.Interval) string {
	text := fmt.Sprintf(format, 100*v.Mean)
	if v.Low < v.High {
		text += fmt.Sprintf(" ±%.1f", 50*(v.High-v.Low))
	}
	return text
}
