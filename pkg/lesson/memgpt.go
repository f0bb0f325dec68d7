package lesson

import (
	"errors"
	"fmt"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/experiments/session"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/nestedkv"
	"memlab/pkg/random"
	"memlab/pkg/table"
)

// Section 2: MemGPT, the context as virtual memory.

var (
	errNoSession = errors.New("lesson: no session: want one of session.Run")
	errNoShares  = errors.New("lesson: no shares: want at least one")
)

// maxSeeds bounds the sessions of a mean: a hundred take seconds.
const maxSeeds = 100_000

// played says whether there is a session to show.
func played(s *session.Session) error {
	if s == nil || s.Ledger == nil {
		return errNoSession
	}
	return nil
}

// QueueFrames shows what fills the window at a number of moments of a session,
// as still frames beside each other: the queue grows, is warned, and is cut.
func QueueFrames(s *session.Session, from, to, frames int) (chart.Figure, error) {
	if err := played(s); err != nil {
		return chart.Figure{}, err
	}
	if from < 0 || to < from || to > len(s.Steps) || frames < 1 || to-from < frames {
		return chart.Figure{}, fmt.Errorf("lesson: %d frames of calls %d to %d: want a range within 0 to %d that holds them", frames, from, to, len(s.Steps))
	}
	parts := []struct {
		name   string
		tokens func(queue.State) int
	}{
		{"System instructions", func(q queue.State) int { return q.System }},
		{"Working context", func(q queue.State) int { return q.Working }},
		{"Recursive summary", func(q queue.State) int { return q.Summary }},
		{"Message queue", func(q queue.State) int { return q.Queue }},
	}
	f := chart.Figure{
		Title: "What fills the window",
		X:     chart.Axis{Label: "Call"},
		Y:     chart.Axis{Label: "Prompt", Unit: "tokens"},
		Marks: []chart.Mark{
			{Label: "Flush", Y: new(s.Parameters.Flush * float64(s.Parameters.Window))},
			{Label: "Warning", Y: new(s.Parameters.Warn * float64(s.Parameters.Window))},
		},
	}
	for _, p := range parts {
		f.Series = append(f.Series, chart.Series{Name: p.name, Kind: chart.StackedBars})
	}
	for i := range frames {
		step := s.Steps[from+i*(to-from)/frames]
		f.X.Categories = append(f.X.Categories, fmt.Sprint(step.Call))
		for j, p := range parts {
			f.Series[j].Y = append(f.Series[j].Y, float64(p.tokens(step.State)))
		}
	}
	return f, nil
}

// CallsOfTurn lists the calls of one turn: what each was for, how long its
// prompt was, what the cache had of it and why the rest was computed.
func CallsOfTurn(s *session.Session, turn int) (table.Table, error) {
	t := table.New("", "Call", "Purpose", "Prompt", "Cached", "Prefilled", "Because of")
	if err := played(s); err != nil {
		return t, err
	}
	replay, err := s.Replay(false)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, c := range replay.Calls {
		if c.Turn != turn {
			continue
		}
		if err := t.Add(c.Index, c.Purpose, thousands(c.Prompt), thousands(c.Cached), thousands(c.Prefilled), c.Blame); err != nil {
			return t, err
		}
	}
	if len(t.Rows) == 0 {
		return t, fmt.Errorf("lesson: no call in turn %d: want 0 to %d", turn, s.Parameters.Turns-1)
	}
	return t, nil
}

// BusiestTurn is the turn with the most calls, the earliest of them; -1 if the
// session has none.
func BusiestTurn(s *session.Session) int {
	if s == nil {
		return -1
	}
	calls, busiest := map[int]int{}, -1
	for _, step := range s.Steps {
		calls[step.Turn]++
	}
	for turn, n := range calls {
		if most := calls[busiest]; n > most || n == most && turn < busiest {
			busiest = turn
		}
	}
	return busiest
}

// SessionTable lists what a session costs the server, with the model's outputs
// kept in the cache and without.
func SessionTable(s *session.Session) (table.Table, error) {
	if err := played(s); err != nil {
		return table.Table{}, err
	}
	t := table.New("", "Cache keeps", "Calls", "Prompt tokens", "Prefilled", "Saved", "Share due to edits of the working context")
	for _, way := range []struct {
		name    string
		outputs bool
	}{{"prompts", false}, {"prompts and outputs", true}} {
		f, err := s.Figures(way.outputs)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if err := t.Add(way.name, thousands(f.Totals.Calls), thousands(f.Totals.Prompt), thousands(f.Totals.Prefilled), tenths(f.Saved), tenths(f.WorkingShare)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// CauseTable lists why tokens were prefilled: by the lecture's rule, where a
// call's whole prefill goes to the first change of its prompt, and exactly,
// token by token.
func CauseTable(s *session.Session) (table.Table, error) {
	if err := played(s); err != nil {
		return table.Table{}, err
	}
	t := table.New("", "Cause", "Calls", "Prefilled, by first change", "Share", "Prefilled, token by token", "Share, exact")
	r, err := s.Replay(false)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, blame := range r.Blames {
		exact := r.Lost(blame.Cause)
		if err := t.Add(blame.Cause, thousands(blame.Calls), thousands(blame.Tokens), tenths(blame.Share), thousands(exact.Tokens), tenths(exact.Share)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// meanPrefill is the mean prefill of a setting over seeds, with its interval.
func meanPrefill(p session.Parameters, set session.Setting, seeds int) (mean, low, high float64, err error) {
	if seeds < 2 || seeds > maxSeeds {
		return 0, 0, 0, fmt.Errorf("lesson: %d seeds: an interval wants at least two seeds, and at most %d", seeds, maxSeeds)
	}
	prefill := make([]float64, seeds)
	for seed := range seeds {
		s, err := session.Run(p, seed, set)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("lesson: %w", err)
		}
		f, err := s.Figures(false)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("lesson: %w", err)
		}
		prefill[seed] = float64(f.Totals.Prefilled)
	}
	mean, low, high = claims.Interval(prefill)
	return mean, low, high, nil
}

var layoutNames = map[queue.Layout]string{
	queue.Front: "Working context in front",
	queue.End:   "Working context at the end",
	queue.Log:   "Append-only log",
}

// LayoutFigure shows the prefill of a session for the three layouts over how
// often a fact is stored at once, as a mean over seeds with its 95% interval.
func LayoutFigure(p session.Parameters, seeds int, storeNow ...float64) (chart.Figure, error) {
	if len(storeNow) == 0 {
		return chart.Figure{}, errors.New("lesson: no probabilities of storing at once: want at least one")
	}
	f := chart.Figure{
		Title: "Prefill of a session by layout",
		X:     chart.Axis{Label: "Probability of storing a fact at once"},
		Y:     chart.Axis{Label: "Prefill", Unit: "tokens"},
	}
	for _, layout := range queue.Layouts() {
		line := chart.Series{Name: layoutNames[layout], Kind: chart.Line}
		for _, share := range storeNow {
			set := p.Setting()
			set.Layout, set.StoreNow = layout, share
			mean, low, high, err := meanPrefill(p, set, seeds)
			if err != nil {
				return f, err
			}
			line.X, line.Y = append(line.X, share), append(line.Y, mean)
			line.Low, line.High = append(line.Low, low), append(line.High, high)
		}
		f.Series = append(f.Series, line)
	}
	return f, nil
}

// EvictionFigure shows the prefill of a session for the three layouts over the
// share of the window that one eviction removes.
func EvictionFigure(p session.Parameters, seeds int, shares ...float64) (chart.Figure, error) {
	if len(shares) == 0 {
		return chart.Figure{}, errNoShares
	}
	f := chart.Figure{
		Title: "Prefill of a session by eviction share",
		X:     chart.Axis{Label: "Share of the window that one eviction removes"},
		Y:     chart.Axis{Label: "Prefill", Unit: "tokens"},
	}
	for _, share := range shares {
		f.X.Categories = append(f.X.Categories, percent(share))
	}
	for _, layout := range queue.Layouts() {
		bars := chart.Series{Name: layoutNames[layout], Kind: chart.Bars}
		for _, share := range shares {
			set := p.Setting()
			set.Layout, set.Evict = layout, share
			mean, low, high, err := meanPrefill(p, set, seeds)
			if err != nil {
				return f, err
			}
			bars.Y, bars.Low, bars.High = append(bars.Y, mean), append(bars.Low, low), append(bars.High, high)
		}
		f.Series = append(f.Series, bars)
	}
	return f, nil
}

// EvictionTable lists what the share that one eviction removes decides: how
// often it happens, what is computed again, and how much history stays.
func EvictionTable(p session.Parameters, seed int, shares ...float64) (table.Table, error) {
	t := table.New("", "One eviction removes", "Calls", "Evictions", "Edits", "Prefilled", "by evictions", "by edits of the working context", "Mean prompt")
	if len(shares) == 0 {
		return t, errNoShares
	}
	for _, share := range shares {
		set := p.Setting()
		set.Evict = share
		s, err := session.Run(p, seed, set)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		f, err := s.Figures(false)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if err := t.Add(percent(share), thousands(f.Totals.Calls), s.Evictions, s.Edits(), thousands(f.Totals.Prefilled), thousands(f.EvictPrefill), thousands(f.WorkingPrefill), thousands(int(f.MeanContext))); err != nil {
			return t, err
		}
	}
	return t, nil
}

// PaperTable lists numbers that a paper reports, under the ids of claims.csv;
// ≈ and > stand for the "about" and "more than" of the file.
func PaperTable(ids ...string) (table.Table, error) {
	t := table.New("", "Task", "Setting", "Reported", "Source")
	if len(ids) == 0 {
		return t, errors.New("lesson: no ids of paper results: want at least one of datasets/paper_results.csv")
	}
	results, err := claims.PaperResults()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, id := range ids {
		found := false
		for _, r := range results {
			if r.ID != id {
				continue
			}
			found = true
			value := quotedNumber(r)
			if r.Unit == "levels" { // an ordinal: the third level, not three of them
				value = fmt.Sprintf("level %g", r.Value)
			}
			if err := t.Add(r.Task, r.Item, value, fmt.Sprintf("%s, arXiv %s", r.Paper, r.ArXiv)); err != nil {
				return t, err
			}
		}
		if !found {
			return t, fmt.Errorf("lesson: no paper result %q in datasets/paper_results.csv", id)
		}
	}
	return t, nil
}

// percent writes a share of 0 to 1.
func percent(share float64) string { return fmt.Sprintf("%.3g%%", 100*share) }

// tenths writes a share of 0 to 1 so that the points of a column stand below
// each other.
func tenths(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// NestedResults runs nested key-value retrieval over a number of seeds.
func NestedResults(c nestedkv.Config, seeds int) ([]nestedkv.Result, error) {
	if seeds < 1 || seeds > maxSeeds {
		return nil, fmt.Errorf("lesson: %d seeds: want 1 to %d", seeds, maxSeeds)
	}
	list := make([]random.Seed, seeds)
	for i := range list {
		list[i] = random.Seed(i)
	}
	r, err := c.Run(list...)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	return r, nil
}

// NestedFigure shows the share of right answers by levels of nesting, for one
// reading of everything and for paging, with 95% intervals over seeds.
func NestedFigure(results []nestedkv.Result) chart.Figure {
	fixed := chart.Series{Name: "One reading (fixed context)", Kind: chart.Line}
	paging := chart.Series{Name: "Paging (MemGPT)", Kind: chart.Line}
	add := func(s *chart.Series, level int, m claims.Mean) {
		s.X, s.Y = append(s.X, float64(level)), append(s.Y, 100*m.Mean)
		s.Low, s.High = append(s.Low, 100*m.Low), append(s.High, 100*m.High)
	}
	for _, r := range results {
		add(&fixed, r.Level, r.Fixed.Accuracy)
		add(&paging, r.Level, r.Paging.Accuracy)
	}
	return chart.Figure{
		Title:  "Nested key-value retrieval",
		X:      chart.Axis{Label: "Levels of nesting"},
		Y:      chart.Axis{Label: "Right answers", Unit: "%", Min: new(0.0), Max: new(100.0)},
		Series: []chart.Series{fixed, paging},
	}
}

// NestedTable lists what a question costs by levels of nesting.
func NestedTable(results []nestedkv.Result) (table.Table, error) {
	if len(results) == 0 {
		return table.Table{}, errors.New("lesson: no results: want those of NestedResults")
	}
	t := table.New("", "Levels of nesting", "Right, one reading", "Right, paging", "Calls, paging", "Tokens read, one reading", "Tokens read, paging")
	for _, r := range results {
		if err := t.Add(r.Level, tenths(r.Fixed.Accuracy.Mean), tenths(r.Paging.Accuracy.Mean), fmt.Sprintf("%.3g", r.Paging.Calls.Mean),
			thousands(int(r.Fixed.Read.Mean)), thousands(int(r.Paging.Read.Mean))); err != nil {
			return t, err
		}
	}
	return t, nil
}
