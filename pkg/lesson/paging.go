package lesson

import (
	"errors"
	"fmt"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/deepmemory"
	"memlab/pkg/experiments/world"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/multidoc"
	"memlab/pkg/random"
	"memlab/pkg/table"
)

// Section 2.2: MemGPT's experiments, small.

var (
	errNoDeep  = errors.New("lesson: no results: want those of DeepResults")
	errNoDocs  = errors.New("lesson: no results: want those of DocumentResults")
	errNoStops = errors.New("lesson: no rates of stopping: want at least one")
)

// firstSeeds are the seeds from 0 on.
func firstSeeds(n int) ([]random.Seed, error) {
	if n < 1 || n > maxSeeds {
		return nil, fmt.Errorf("lesson: %d seeds: want 1 to %d", n, maxSeeds)
	}
	list := make([]random.Seed, n)
	for i := range list {
		list[i] = random.Seed(i)
	}
	return list, nil
}

// DeepResults runs deep memory retrieval over a number of seeds, once for each way
// to search: by substring for a keyword, else for the question.
func DeepResults(c deepmemory.Config, seeds int, searches ...memgpt.Search) ([]deepmemory.Result, error) {
	list, err := firstSeeds(seeds)
	if err != nil {
		return nil, err
	}
	if len(searches) == 0 {
		return nil, fmt.Errorf("lesson: no way to search: want one or more of %q", memgpt.Searches())
	}
	out := make([]deepmemory.Result, len(searches))
	for i, search := range searches {
		c.Search, c.Keyword = search, search == memgpt.BySubstring
		if out[i], err = c.Run(list...); err != nil {
			return nil, fmt.Errorf("lesson: %w", err)
		}
	}
	return out, nil
}

// pagingNames are ways to page, by how they search.
var pagingNames = map[memgpt.Search]string{
	memgpt.ByVector:    "Paging, search by meaning",
	memgpt.ByWords:     "Paging, search by words",
	memgpt.BySubstring: "Paging, search by substring",
}

const summaryName = "Recursive summary"

// DeepFigure shows the share of right answers by the session that has the answer,
// for a reader of the recursive summary (the first result's) and for paging, with
// 95% intervals over seeds, and what the paper reports of GPT-4 beside.
func DeepFigure(results []deepmemory.Result) (chart.Figure, error) {
	if len(results) == 0 {
		return chart.Figure{}, errNoDeep
	}
	f := chart.Figure{
		Title: "Deep memory retrieval",
		X:     chart.Axis{Label: "Session that has the answer", Ticks: []float64{}},
		Y:     chart.Axis{Label: "Right answers", Unit: "%", Min: new(0.0), Max: new(100.0)},
	}
	line := func(name string, w deepmemory.Way) {
		s := chart.Series{Name: name, Kind: chart.Line}
		for i := range w.Sessions {
			o := &w.Sessions[i]
			s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, 100*o.Accuracy.Mean)
			s.Low, s.High = append(s.Low, 100*o.Accuracy.Low), append(s.High, 100*o.Accuracy.High)
		}
		f.Series = append(f.Series, s)
	}
	line(summaryName, results[0].Summary)
	for i := range results {
		line(pagingNames[results[i].Config.Search], results[i].Paging)
	}
	for i := range results[0].Summary.Sessions {
		f.X.Ticks = append(f.X.Ticks, float64(i+1))
	}
	reported, err := claims.PaperResults()
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	for _, r := range reported {
		if r.ID == "dmr-gpt4" {
			f.Marks = append(f.Marks, chart.Mark{Label: fmt.Sprintf("GPT-4, %s (reported)", r.Item), Y: new(r.Value)})
		}
	}
	return f, nil
}

// DeepTable lists what a question costs, and what had to be written before it.
func DeepTable(results []deepmemory.Result) (table.Table, error) {
	if len(results) == 0 {
		return table.Table{}, errNoDeep
	}
	t := table.New("", "Way to remember", "Right answers", "95% interval", "Calls per question", "Tokens per question",
		"Calls to write", "Tokens read to write", "Tokens written")
	add := func(name string, w *deepmemory.Way) error {
		a := w.All.Accuracy
		return t.Add(name, tenths(a.Mean), interval(a.Low, a.High), fmt.Sprintf("%.3g", w.All.Calls.Mean), thousands(int(w.All.Read.Mean)),
			fmt.Sprintf("%.3g", w.Writing.Calls.Mean), thousands(int(w.Writing.Read.Mean)), thousands(int(w.Writing.Written.Mean)))
	}
	if err := add(summaryName, &results[0].Summary); err != nil {
		return t, err
	}
	for i := range results {
		if err := add(pagingNames[results[i].Config.Search], &results[i].Paging); err != nil {
			return t, err
		}
	}
	return t, nil
}

// interval writes an interval of shares, with a word joiner behind the dash, or
// a narrow column of a page would split it there.
func interval(low, high float64) string { return fmt.Sprintf("%.1f–\u2060%.1f%%", 100*low, 100*high) }

// DocumentResults runs question answering over several documents over a number of
// seeds.
func DocumentResults(c multidoc.Config, seeds int) ([]multidoc.Result, error) {
	list, err := firstSeeds(seeds)
	if err != nil {
		return nil, err
	}
	r, err := c.Run(list...)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	return r, nil
}

// DocumentFigure shows the share of right answers over the number of documents
// retrieved, for one reading of as many as fit, for one of all of them cut to fit,
// and for paging; and how often the right document is among them at all.
func DocumentFigure(results []multidoc.Result) (chart.Figure, error) {
	if len(results) == 0 {
		return chart.Figure{}, errNoDocs
	}
	ways := []struct {
		name string
		of   func(r *multidoc.Result) claims.Mean
	}{
		{"The document is among them", func(r *multidoc.Result) claims.Mean { return r.Recall }},
		{"One reading, as many as fit", func(r *multidoc.Result) claims.Mean { return r.Fixed.Accuracy }},
		{"One reading, cut to fit", func(r *multidoc.Result) claims.Mean { return r.Truncated.Accuracy }},
		{"Paging (MemGPT)", func(r *multidoc.Result) claims.Mean { return r.Paging.Accuracy }},
	}
	f := chart.Figure{
		Title: "Questions over several documents",
		X:     chart.Axis{Label: "Documents retrieved"},
		Y:     chart.Axis{Label: "Share of questions", Unit: "%", Min: new(0.0), Max: new(100.0)},
	}
	for _, w := range ways {
		s := chart.Series{Name: w.name, Kind: chart.Line}
		for i := range results {
			m := w.of(&results[i])
			s.X, s.Y = append(s.X, float64(results[i].Retrieved)), append(s.Y, 100*m.Mean)
			s.Low, s.High = append(s.Low, 100*m.Low), append(s.High, 100*m.High)
		}
		f.Series = append(f.Series, s)
	}
	return f, nil
}

// DocumentTable lists the same with what a question costs.
func DocumentTable(results []multidoc.Result) (table.Table, error) {
	if len(results) == 0 {
		return table.Table{}, errNoDocs
	}
	t := table.New("", "Documents retrieved", "The document is among them", "Right, as many as fit", "Right, cut to fit", "Right, paging",
		"Tokens read, one reading", "Calls, paging", "Tokens read, paging")
	for i := range results {
		r := &results[i]
		if err := t.Add(r.Retrieved, tenths(r.Recall.Mean), tenths(r.Fixed.Accuracy.Mean), tenths(r.Truncated.Accuracy.Mean), tenths(r.Paging.Accuracy.Mean),
			thousands(int(r.Fixed.Read.Mean)), fmt.Sprintf("%.3g", r.Paging.Calls.Mean), thousands(int(r.Paging.Read.Mean))); err != nil {
			return t, err
		}
	}
	return t, nil
}

// StopTable lists what stopping before the last page costs: paging through the
// documents with a number of rates of stopping after a page without the answer.
func StopTable(c multidoc.Config, seeds int, stops ...float64) (table.Table, error) {
	t := table.New("", "Stops after a page", "Right, paging", "95% interval", "Calls, paging", "Tokens read, paging")
	if len(stops) == 0 {
		return t, errNoStops
	}
	for _, stop := range stops {
		c.Rates.Stop = stop
		results, err := DocumentResults(c, seeds)
		if err != nil {
			return t, err
		}
		p := results[0].Paging
		if err := t.Add(percent(stop), tenths(p.Accuracy.Mean), interval(p.Accuracy.Low, p.Accuracy.High),
			fmt.Sprintf("%.3g", p.Calls.Mean), thousands(int(p.Read.Mean))); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ShareTable lists MemGPT on the toy's conversations with a queue that slides and
// with one that loses half of the window at once, for sizes of the working context.
// Where a large one leaves less of the window than the toy's queue, the queue that
// slides is what is left. Calls to write include the summaries that losing half takes.
func ShareTable(p world.Parameters, seeds int, entries ...int) (table.Table, error) {
	t := table.New("", "Entries", "Eviction", "Right answers", "95% interval", "Calls per question", "Tokens per question", "Calls to write")
	if len(entries) == 0 {
		return t, errors.New("lesson: no sizes of the working context: want at least one number of entries")
	}
	if seeds < 1 || seeds > maxSeeds {
		return t, fmt.Errorf("lesson: %d seeds: want 1 to %d", seeds, maxSeeds)
	}
	ways := []string{"message by message", "half of the window"}
	o := memgpt.Defaults(nil, nil)
	var specs []string
	for _, n := range entries {
		if most := (o.Window - o.System) / o.Entry; n < 1 || n >= most {
			return t, fmt.Errorf("lesson: %d entries: want 1 to %d, for a queue to be left", n, most-1)
		}
		fifo := min(p.FIFO, o.Window-o.System-n*o.Entry)
		specs = append(specs, fmt.Sprintf("memgpt:entries=%d:fifo=%d", n, fifo), fmt.Sprintf("memgpt:entries=%d:share=.5", n))
	}
	found, err := compare(p, seeds, specs...)
	if err != nil {
		return t, err
	}
	for i, c := range found {
		if err := t.Add(entries[i/len(ways)], ways[i%len(ways)], tenths(c.Accuracy.Mean), interval(max(0, c.Accuracy.Low), min(1, c.Accuracy.High)),
			fmt.Sprintf("%.3g", c.CallsEach.Mean), thousands(int(c.TokensEach.Mean)), fmt.Sprintf("%.1f", c.WriteCalls.Mean)); err != nil {
			return t, err
		}
	}
	return t, nil
}
