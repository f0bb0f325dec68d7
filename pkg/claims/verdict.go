package claims

import (
	"bytes"
	"fmt"
	"slices"

	"memlab/datasets"
)

// Verdict says whether a row holds.
type Verdict string

// The verdicts.
const (
	Reproduced    Verdict = "reproduced"
	NotReproduced Verdict = "not reproduced"
	NotComputed   Verdict = "not computed yet"
	IsQuoted      Verdict = "quoted"
)

// Judged is a row with what was computed for it. Of a row with several numbers
// Value, Low and High are those of the one nearest to failing; of an order they
// say whether it holds (1) or not (0) in the mean and at the two ends of the
// margin's interval. They are nil where there is nothing: Low and High also for
// a single seed of an experiment that draws.
type Judged struct {
	Row
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Seeds *int     `json:"seeds"`
	// SingleSeedShare is the share of seeds that would have passed alone.
	SingleSeedShare *float64 `json:"single_seed_share"`
	Verdict         Verdict  `json:"verdict"`
	Reason          string   `json:"reason"`
	// Explained: the reason says more than the numbers do.
	Explained bool `json:"-"`
}

// Stored judges all rows of the datasets by the stored results.
func Stored() ([]Judged, error) {
	rows, err := Rows()
	if err != nil {
		return nil, err
	}
	results, err := StoredResults()
	if err != nil {
		return nil, err
	}
	return JudgeAll(rows, results)
}

// StoredResults returns datasets/claims_results.json.
func StoredResults() (Results, error) {
	rows, err := Rows()
	if err != nil {
		return Results{}, err
	}
	return ReadResults(ResultsFile, bytes.NewReader(datasets.ClaimsResults), rows)
}

// JudgeAll judges every row by the results, in the order of the rows.
func JudgeAll(rows []Row, results Results) ([]Judged, error) {
	papers, err := sources()
	if err != nil {
		return nil, err
	}
	out := make([]Judged, len(rows))
	for i, row := range rows {
		if row.Kind == Paper {
			source, ok := papers[row.ID]
			if !ok {
				source = "no source is recorded"
			}
			out[i] = Judged{Row: row, Verdict: IsQuoted, Reason: "quoted from " + source}
			continue
		}
		at := slices.IndexFunc(results.Rows, func(s StoredRow) bool { return s.ID == row.ID })
		if at < 0 {
			out[i] = Judged{Row: row, Verdict: NotComputed, Reason: "no experiment has computed it yet"}
			continue
		}
		s := results.Rows[at]
		e, ok := results.experiment(s.Experiment)
		if !ok {
			return nil, fmt.Errorf("claims: results of %q name the experiment %q, which is not among them", s.ID, s.Experiment)
		}
		if err := s.check(row, e); err != nil {
			return nil, fmt.Errorf("claims: results of %q: %w", s.ID, err)
		}
		out[i] = judge(row, &s, e.Deterministic)
	}
	return out, nil
}

// estimate is one of a row's numbers over all seeds.
type estimate struct {
	name            string
	mean, low, high float64
	passed          bool
}

// estimates are the row's numbers over all seeds, and the seeds that pass alone.
func estimates(row Row, s *StoredRow) (parts []estimate, alone int) {
	n := len(s.Values)
	parts = make([]estimate, len(s.Values[0]))
	for _, seed := range s.Values {
		if row.Judge.Passes(seed) {
			alone++
		}
	}
	for i := range parts {
		values := make([]float64, n)
		for seed := range values {
			values[seed] = s.Values[seed][i]
		}
		p := &parts[i]
		if len(s.Parts) > 0 {
			p.name = s.Parts[i]
		}
		p.mean, p.low, p.high = Interval(values)
		switch row.Judge.Rule {
		case Exact:
			p.passed = !slices.ContainsFunc(values, func(x float64) bool { return !row.Judge.passes(i, x) })
		case Holds:
			p.passed = p.mean > 0
		default:
			p.passed = row.Judge.meets(i, p.low, p.high)
		}
	}
	return parts, alone
}

func judge(row Row, s *StoredRow, deterministic bool) Judged {
	n := len(s.Values)
	parts, alone := estimates(row, s)
	shown := nearestToFailing(row.Judge, parts)
	share := float64(alone) / float64(n)
	out := Judged{Row: row, Seeds: &n, SingleSeedShare: &share, Verdict: NotReproduced}
	if !slices.ContainsFunc(parts, func(p estimate) bool { return !p.passed }) {
		out.Verdict = Reproduced
	}
	value, low, high := parts[shown].mean, parts[shown].low, parts[shown].high
	if row.Judge.Rule == Holds {
		value, low, high = oneIf(value > 0), oneIf(low > 0), oneIf(high > 0)
	}
	out.Value = &value
	if deterministic || n > 1 {
		out.Low, out.High = &low, &high
	}
	out.Reason = reason(row, parts, shown, s, deterministic)
	out.Explained = row.Note != "" || s.Why != "" || len(s.Beside) > 0 || len(parts) > 1
	return out
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// nearestToFailing finds the part that failed worst or, if none did, that is
// farthest from the middle of its band.
func nearestToFailing(j Judge, parts []estimate) int {
	worst := 0
	for i, p := range parts {
		w := parts[worst]
		if p.passed != w.passed {
			if w.passed {
				worst = i
			}
			continue
		}
		if j.band(i).distance(p.mean) > j.band(worst).distance(w.mean) {
			worst = i
		}
	}
	return worst
}
