package lesson

import (
	"fmt"
	"slices"
	"strings"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/random"
	"memlab/pkg/sources"
	"memlab/pkg/table"
)

// Section 11: further reading.

// cited is the cell of a source: its name, which leads to the paper.
func cited(s sources.Source) table.Link { return table.Link{Text: s.Short, Address: s.Address()} }

// SourceTable lists what the lecture is made from: name, who, when, and the
// identifier under which it is found for good.
func SourceTable(lang chart.Lang) (table.Table, error) {
	t := table.New("", "Source", "Title", "Authors and year", "Identifier", "Section")
	t.Quoted = []string{"Source", "Title", "Authors and year", "Identifier"}
	all, err := sources.All()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, s := range all {
		err := t.Add(s.Short, s.Title, published(s, lang), table.Link{Text: s.Identifier(), Address: s.Address()}, "§"+s.Section)
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// published is who, where and when, in one column: seven columns would squeeze the
// title on a small screen.
func published(s sources.Source, lang chart.Lang) string {
	comma := ", "
	if lang == chart.Chinese {
		comma = "，"
	}
	return leading(s.Authors, lang) + comma + strings.TrimSpace(fmt.Sprintf("%s %d", s.Venue, s.Year))
}

// leading shortens a long list of authors to the first of them.
func leading(authors string, lang chart.Lang) string {
	const others = " and others"
	first, more := strings.CutSuffix(authors, others)
	if names := strings.Split(authors, ", "); len(names) > 4 {
		first, more = names[0], true
	}
	switch {
	case !more:
		return authors
	case lang == chart.Chinese:
		return first + " 等"
	}
	return first + others
}

// workNames are the kinds of work as figures and tables show them.
var workNames = map[sources.Work]string{
	sources.Write: "Work when writing", sources.Read: "Work when reading", sources.Both: "Work at both",
	sources.Serve: "Serving", sources.Measure: "Measuring", sources.Train: "Training",
}

// GaveTable lists what this lecture has from each source, and where that is in
// this lab, with how many of its numbers the lecture quotes.
func GaveTable(lang chart.Lang) (table.Table, error) {
	t := table.New("", "Source", "What this lecture has from it", "Packages", "Notebooks", "Numbers quoted")
	t.Quoted = []string{"Source", "What this lecture has from it", "Packages"}
	all, err := sources.All()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, s := range all {
		quoted, err := s.Quoted()
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		numbers := fmt.Sprint(len(quoted))
		if len(quoted) == 0 {
			numbers = "–"
		}
		err = t.Add(cited(s), s.Gave.In(string(lang)), strings.Join(s.Packages, ", "), notebooks(s), numbers)
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// notebooks are their numbers, which a narrow column shall not part.
func notebooks(s sources.Source) string { return strings.Join(s.Notebooks, ",\u00a0") }

// QuotedTable lists the numbers that the lecture quotes from one source, each with
// the row of claims.csv that carries it.
func QuotedTable(short string) (table.Table, error) {
	t := table.New("", "Number", "Of", "Task", "Place in the paper", "Row in claims.csv")
	t.Quoted = []string{"Row in claims.csv"}
	s, err := sources.Find(short)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	quoted, err := s.Quoted()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, r := range quoted {
		if err := t.Add(quotedNumber(r), r.Item, r.Task, r.Place, r.ID); err != nil {
			return t, err
		}
	}
	return t, nil
}

// quotedNumber writes a number of a paper with its qualifier and unit.
func quotedNumber(r claims.PaperResult) string {
	n := fmt.Sprintf("%g", r.Value)
	if r.Value >= 1000 {
		n = thousands(int(r.Value))
	}
	switch r.Unit {
	case "percent":
		n += "%"
	case "x":
		n += "×"
	default:
		n += " " + r.Unit
	}
	switch r.Qualifier {
	case "about":
		n = "≈ " + n
	case "more than":
		n = "> " + n
	}
	return n
}

// ReadingTable lists what to read with that much time, and what to look for.
func ReadingTable(lang chart.Lang, time sources.Time) (table.Table, error) {
	t := table.New("", "Source", "What to look for", "After notebook")
	t.Quoted = []string{"Source", "What to look for"}
	if !slices.Contains(sources.Times(), time) {
		return t, fmt.Errorf("lesson: time %q: want one of %q", time, sources.Times())
	}
	all, err := sources.All()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, s := range all {
		if s.Time != time {
			continue
		}
		if err := t.Add(cited(s), s.Read.In(string(lang)), notebooks(s)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// CodeTable lists the repositories that one can read, and where to begin.
func CodeTable(lang chart.Lang) (table.Table, error) {
	t := table.New("", "Source", "Repository", "Where to begin")
	t.Quoted = []string{"Source", "Repository", "Where to begin"}
	all, err := sources.All()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, s := range all {
		if s.Code == "" {
			continue
		}
		err := t.Add(s.Short, table.Link{Text: strings.TrimPrefix(s.Code, "https://"), Address: s.Code}, s.Look.In(string(lang)))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// TimelineFigure shows when each source was first out, from the first year on, in
// one row each, and marks where it puts the work.
func TimelineFigure(from int) (chart.Figure, error) {
	f := chart.Figure{
		Title:  "The sources by date",
		X:      chart.Axis{Label: "Years after 2000, by the month of the preprint"},
		Y:      chart.Axis{Label: "Sources so far", Min: new(0.0)},
		Height: 780,
	}
	all, err := sources.All()
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	all = slices.DeleteFunc(all, func(s sources.Source) bool { return s.Date() < float64(from) })
	if len(all) == 0 {
		return f, fmt.Errorf("lesson: no source from %d on: want an earlier year", from)
	}
	slices.SortStableFunc(all, func(a, b sources.Source) int {
		if a.Date() < b.Date() {
			return -1
		}
		if a.Date() > b.Date() {
			return 1
		}
		return 0
	})
	byWork := map[sources.Work]*chart.Series{}
	for i, s := range all {
		x, y := s.Date()-2000, float64(i+1) // a number of 2,025 would be written 2.03k
		if byWork[s.Work] == nil {
			byWork[s.Work] = &chart.Series{Name: workNames[s.Work], Kind: chart.Points}
		}
		line := byWork[s.Work]
		line.X, line.Y = append(line.X, x), append(line.Y, y)
		f.Marks = append(f.Marks, chart.Mark{Label: s.Short, X: new(x), Y: new(y)})
	}
	for _, w := range sources.Works() {
		if byWork[w] != nil {
			f.Series = append(f.Series, *byWork[w])
		}
	}
	first, last := all[0].Date()-2000, all[len(all)-1].Date()-2000
	f.X.Min, f.X.Max = new(first-0.3), new(last+0.9)
	f.Y.Max = new(float64(len(all) + 1))
	for year := int(first) + 1; float64(year) < last+0.9; year++ {
		f.X.Ticks = append(f.X.Ticks, float64(year))
	}
	return f, nil
}

// QuizTable shows numbers that the lecture quotes without their papers.
func QuizTable(seed random.Seed, questions int) (table.Table, error) {
	t := table.New("", "Question", "Number", "Of", "Task")
	quiz, err := sources.Quiz(seed, questions)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for i, q := range quiz {
		if err := t.Add(i+1, quotedNumber(q.PaperResult), q.Item, q.Task); err != nil {
			return t, err
		}
	}
	return t, nil
}

// QuizMarks checks answers, short names of sources in the order of QuizTable; "?"
// is no answer yet. A wrong one is told which notebook to look at again.
func QuizMarks(seed random.Seed, answers ...string) (table.Table, error) {
	t := table.New("", "Question", "Your answer", "Mark", "Look again at notebook")
	t.Quoted = []string{"Your answer"}
	quiz, err := sources.Quiz(seed, len(answers))
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for i, q := range quiz {
		mark, again := "✓", ""
		switch {
		case answers[i] == "?":
			mark = "○"
		case answers[i] != q.From:
			if _, err := sources.Find(answers[i]); err != nil {
				return t, fmt.Errorf("lesson: answer %d: %w", i+1, err)
			}
			s, err := sources.Find(q.From)
			if err != nil {
				return t, fmt.Errorf("lesson: %w", err)
			}
			mark, again = "✗", s.Notebooks[0]
		}
		if err := t.Add(i+1, answers[i], mark, again); err != nil {
			return t, err
		}
	}
	return t, nil
}

// QuizAnswers are the right ones.
func QuizAnswers(seed random.Seed, questions int) ([]string, error) {
	quiz, err := sources.Quiz(seed, questions)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	var out []string
	for _, q := range quiz {
		out = append(out, q.From)
	}
	return out, nil
}
