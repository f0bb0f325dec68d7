package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/table"
)

// Section 4.6: after how many queries training has paid back.

// The three ways to have a document in the context that a cartridge competes with.
var inContextNames = []string{"Read anew for every query", "KV kept, one document for each user", "KV kept, one document for all"}

func ways(b costmodel.BreakEven) []costmodel.Against {
	return []costmodel.Against{b.Uncached, b.Cached, b.Shared}
}

// breakEvens are those of one training over lengths of the document.
func breakEvens(e *costmodel.Engine, c costmodel.Cartridge, documents []int) ([]costmodel.BreakEven, error) {
	if err := checkEngine(e, documents); err != nil {
		return nil, err
	}
	var out []costmodel.BreakEven
	for _, n := range documents {
		c.Document = n
		b, err := e.BreakEven(c, e.Params().Question, e.Params().Output)
		if err != nil {
			return nil, fmt.Errorf("lesson: %w", err)
		}
		out = append(out, b)
	}
	return out, nil
}

// BreakEvenTable lists after how many queries a cartridge has paid back, against
// each way in context. The document of c is replaced by each of documents.
func BreakEvenTable(e *costmodel.Engine, c costmodel.Cartridge, documents ...int) (table.Table, error) {
	t := table.New("", append([]string{"Document", "Cartridge"}, inContextNames...)...)
	all, err := breakEvens(e, c, documents)
	if err != nil {
		return t, err
	}
	for _, b := range all {
		row := []any{tokens(b.Spec.Document), thousands(b.Tokens)}
		for _, a := range ways(b) {
			row = append(row, queries(a, 1))
		}
		if err := t.Add(row...); err != nil {
			return t, err
		}
	}
	return t, nil
}

// queries writes the number of queries that a number of trainings takes, to three
// digits.
func queries(a costmodel.Against, trainings float64) string {
	if !a.Pays {
		return "never"
	}
	n := a.Queries * trainings
	if n < 1 {
		return "1"
	}
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(n))-2))
	return thousands(int(math.Ceil(n/unit) * unit))
}

// lecturesBreakEven is the number of queries that the lecture prints for a document
// of 128,000 tokens against a KV that is kept.
func lecturesBreakEven() (float64, error) {
	rows, err := claims.Rows()
	if err != nil {
		return 0, fmt.Errorf("lesson: %w", err)
	}
	const id = "breakeven-128k"
	for _, r := range rows {
		if r.ID == id && r.LectureValue != nil {
			return *r.LectureValue, nil
		}
	}
	return 0, fmt.Errorf("lesson: no number %q in datasets/claims.csv", id)
}

// BreakEvenFigure shows the same over the length of the document, with the
// lecture's number where a document is as long as the lecture's.
func BreakEvenFigure(e *costmodel.Engine, c costmodel.Cartridge, documents ...int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Queries until a cartridge has paid back",
		X:     chart.Axis{Label: "Length of the document", Unit: "tokens", Log: true, Ticks: floats(documents)},
		Y:     chart.Axis{Label: "Queries", Log: true},
	}
	all, err := breakEvens(e, c, documents)
	if err != nil {
		return f, err
	}
	const lectures = 128_000
	if slices.Contains(documents, lectures) {
		n, err := lecturesBreakEven()
		if err != nil {
			return f, err
		}
		f.Marks = []chart.Mark{{Label: fmt.Sprintf("Lecture: %s", thousands(int(n))), X: new(float64(lectures)), Y: new(n)}}
	}
	for i, name := range inContextNames {
		s := chart.Series{Name: name, Kind: chart.Line}
		for _, b := range all {
			if a := ways(b)[i]; a.Pays && a.Queries > 0 {
				s.X, s.Y = append(s.X, float64(b.Spec.Document)), append(s.Y, a.Queries)
			}
		}
		if len(s.X) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	if len(f.Series) == 0 {
		return f, errors.New("lesson: a cartridge pays back at none of these lengths: want a shorter training or longer documents")
	}
	return f, nil
}

// CostFigure shows what one document has cost after some queries: training and
// queries of the cartridge, and the queries alone of the ways in context.
func CostFigure(e *costmodel.Engine, c costmodel.Cartridge, counts ...int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "What a document has cost after some queries",
		X:     chart.Axis{Label: "Queries", Log: true},
		Y:     chart.Axis{Label: "GPU time", Unit: "s", Log: true},
	}
	all, err := breakEvens(e, c, []int{c.Document})
	if err != nil {
		return f, err
	}
	if len(counts) < 2 {
		return f, fmt.Errorf("lesson: %d numbers of queries: want two or more", len(counts))
	}
	b := all[0]
	line := func(name string, once, each float64) {
		s := chart.Series{Name: name, Kind: chart.Line}
		for _, n := range counts {
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, once+each*float64(n))
		}
		f.Series = append(f.Series, s)
	}
	line("Cartridge, one for each user", b.Training, b.Cached.Cartridge.GPUSecondsPerRequest)
	line("Cartridge, one for all", b.Training, b.Shared.Cartridge.GPUSecondsPerRequest)
	for i, a := range ways(b) {
		if a.InContext.Fit.Batch > 0 {
			line(inContextNames[i], 0, a.InContext.GPUSecondsPerRequest)
		}
	}
	return f, nil
}

// RetrainTable lists how many queries a week a document must draw that changes,
// and is trained again, a number of times a week.
func RetrainTable(e *costmodel.Engine, c costmodel.Cartridge, perWeek ...float64) (table.Table, error) {
	t := table.New("", append([]string{"Trained, times a week"}, inContextNames...)...)
	all, err := breakEvens(e, c, []int{c.Document})
	if err != nil {
		return t, err
	}
	if len(perWeek) == 0 {
		return t, errors.New("lesson: no trainings per week: want at least one")
	}
	for _, n := range perWeek {
		if !(n > 0) || math.IsInf(n, 0) {
			return t, fmt.Errorf("lesson: %g trainings a week: want a positive number", n)
		}
		row := []any{fmt.Sprintf("%.3g", n)}
		for _, a := range ways(all[0]) {
			row = append(row, queries(a, n))
		}
		if err := t.Add(row...); err != nil {
			return t, err
		}
	}
	return t, nil
}
