package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/table"
)

// Section 8: the summary's numbers met again, and the scoreboard.

// ClaimTable lists rows of the claims with what is stored for them: the lecture's
// number, the mean over seeds ± half its 95% interval, and how many single seeds would
// have passed.
func ClaimTable(ids ...string) (table.Table, error) {
	if len(ids) == 0 {
		return table.Table{}, errors.New("lesson: no ids of claims: want at least one of datasets/claims.csv")
	}
	judged, err := claims.Stored()
	if err != nil {
		return table.Table{}, fmt.Errorf("lesson: %w", err)
	}
	var rows []claims.Judged
	for _, id := range ids {
		i := slices.IndexFunc(judged, func(j claims.Judged) bool { return j.ID == id && j.Kind == claims.Own })
		if i < 0 {
			return table.Table{}, fmt.Errorf("lesson: no own claim %q in datasets/claims.csv", id)
		}
		rows = append(rows, judged[i])
	}
	return claimTable(rows)
}

// SectionClaims lists all own rows of a section of the lecture.
func SectionClaims(section string) (table.Table, error) {
	judged, err := claims.Stored()
	if err != nil {
		return table.Table{}, fmt.Errorf("lesson: %w", err)
	}
	var rows []claims.Judged
	var known []string
	for _, j := range judged {
		if j.Kind != claims.Own {
			continue
		}
		if !slices.Contains(known, j.Section) {
			known = append(known, j.Section)
		}
		if j.Section == section {
			rows = append(rows, j)
		}
	}
	if len(rows) == 0 {
		return table.Table{}, fmt.Errorf("lesson: no own claims of section %q: want one of %q", section, known)
	}
	return claimTable(rows)
}

// ScoreFigure shows where the computed numbers lie in the lecture's bands: 0 is the
// middle, which is the lecture's number where it prints one with a tolerance, and 1
// and -1 are the edges. Rows are in the lecture's order, all of them or those of some
// sections; those whose band has no two edges have no place in it.
func ScoreFigure(board claims.Scoreboard, sections ...string) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Where the numbers lie in the lecture's tolerances",
		X:     chart.Axis{Label: "Rows with a tolerance, in the lecture's order"},
		Y:     chart.Axis{Label: "From the lecture's number, in tolerances"},
		Width: 1000, Height: 460,
		Marks: []chart.Mark{{Label: "Edge of the tolerance", Y: new(1.0)}, {Y: new(-1.0)}, {Y: new(0.0)}},
	}
	rows, err := claims.Rows()
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	edges := map[string]claims.Edge{}
	for _, e := range board.Edges {
		if e.BandLow != nil && e.BandHigh != nil && (len(sections) == 0 || slices.Contains(sections, e.Section)) {
			edges[e.ID] = e
		}
	}
	at := map[claims.Basis]int{}
	for _, b := range claims.Bases() {
		at[b] = len(f.Series)
		f.Series = append(f.Series, chart.Series{Name: basisNames[b], Kind: chart.Points})
	}
	place, section := 0, ""
	for _, r := range rows {
		e, ok := edges[r.ID]
		if !ok {
			continue
		}
		place++
		if r.Section != section {
			section = r.Section
			f.Marks = append(f.Marks, chart.Mark{Label: "§" + section, X: new(float64(place) - 0.5)})
		}
		middle, half := (*e.BandLow+*e.BandHigh)/2, (*e.BandHigh-*e.BandLow)/2
		s := &f.Series[at[r.Basis]]
		s.X, s.Y = append(s.X, float64(place)), append(s.Y, (e.Mean-middle)/half)
		s.Low, s.High = append(s.Low, (e.Low-middle)/half), append(s.High, (e.High-middle)/half)
	}
	f.Series = slices.DeleteFunc(f.Series, func(s chart.Series) bool { return len(s.X) == 0 })
	far := 1.2
	for _, s := range f.Series {
		for i := range s.Y {
			far = max(far, 1.1*math.Abs(s.Low[i]), 1.1*math.Abs(s.High[i]))
		}
	}
	f.Y.Min, f.Y.Max = new(-far), new(far)
	if len(f.Series) == 0 {
		return f, fmt.Errorf("lesson: no rows with a tolerance in sections %q: want others", sections)
	}
	return f, nil
}

var basisNames = map[claims.Basis]string{claims.Derived: "Derived", claims.Fitted: "Fitted", claims.Predicted: "Predicted"}

// PlacesTable counts the own rows by how they are judged: those with a tolerance, which
// have a place in the figure, and those without.
func PlacesTable() (table.Table, error) {
	t := table.New("", "How a row is judged", "Rows", "Reproduced")
	judged, err := claims.Stored()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	kinds := []struct {
		name string
		is   func(claims.Judge) bool
	}{
		{"by a tolerance or a range", func(j claims.Judge) bool {
			return j.Rule != claims.Exact && j.Rule != claims.Holds && j.Rule != claims.Below
		}},
		{"by one number, exactly", func(j claims.Judge) bool { return j.Rule == claims.Exact }},
		{"by an order that has to hold", func(j claims.Judge) bool { return j.Rule == claims.Holds }},
		{"by a limit to stay below", func(j claims.Judge) bool { return j.Rule == claims.Below }},
	}
	for _, k := range kinds {
		rows, right := 0, 0
		for _, j := range judged {
			if j.Kind != claims.Own || !k.is(j.Judge) {
				continue
			}
			rows++
			if j.Verdict == claims.Reproduced {
				right++
			}
		}
		if err := t.Add(k.name, rows, right); err != nil {
			return t, err
		}
	}
	return t, nil
}

// AloneFigure shows for each row over several seeds what share of single seeds would have
// passed, from the luckiest on.
func AloneFigure(board claims.Scoreboard) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Would one seed have shown it?",
		X:     chart.Axis{Label: "Rows over several seeds, sorted"},
		Y:     chart.Axis{Label: "Single seeds that pass", Unit: "%", Min: new(0.0), Max: new(100.0)},
	}
	if len(board.Alone) == 0 {
		return f, errors.New("lesson: no rows over several seeds: want the board of claims.StoredScoreboard")
	}
	for _, b := range claims.Bases() {
		s := chart.Series{Name: basisNames[b], Kind: chart.Points}
		for i, a := range board.Alone {
			if a.Basis == b {
				s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, 100*a.Share)
			}
		}
		if len(s.X) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	return f, nil
}

// LiveTable runs an experiment under one seed and sets every row beside the stored one;
// of a row with several numbers the largest difference counts.
func LiveTable(e claims.Experiment, seed int) (table.Table, error) {
	t := table.New("", "Row", "Stored", "Computed now", "Relative difference")
	t.Quoted = []string{"Row"}
	if e.Run == nil || seed < 0 || seed >= max(e.Seeds, 1) {
		return t, fmt.Errorf("lesson: experiment %q, seed %d: want one with seeds 0 to %d", e.Name, seed, max(e.Seeds, 1)-1)
	}
	results, err := claims.StoredResults()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	fresh, err := e.Run(seed)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, r := range results.Rows {
		if r.Experiment != e.Name {
			continue
		}
		v, ok := fresh[r.ID]
		if !ok || seed >= len(r.Values) || len(v.Parts) != len(r.Values[seed]) {
			return t, fmt.Errorf("lesson: %q has no stored value of seed %d to compare with: want one of 0 to %d", r.ID, seed, len(r.Values)-1)
		}
		var before, now []string
		largest := 0.0
		for i, x := range v.Parts {
			stored := r.Values[seed][i]
			before, now = append(before, claims.Number(stored)), append(now, claims.Number(x))
			largest = math.Max(largest, apart(stored, x))
		}
		if err := t.Add(r.ID, strings.Join(before, " / "), strings.Join(now, " / "), fmt.Sprintf("%.1g", largest)); err != nil {
			return t, err
		}
	}
	if len(t.Rows) == 0 {
		return t, fmt.Errorf("lesson: nothing is stored of experiment %q", e.Name)
	}
	return t, nil
}

// apart is the relative difference of two numbers, 0 for equal ones.
func apart(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / math.Max(math.Abs(a), math.Abs(b))
}
