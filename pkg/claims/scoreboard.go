package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Scoreboard sums up judged rows. A count of rows that hold says little without
// what stands beside it here: how many parameters were chosen to make them hold,
// how often one seed alone would have shown something else, and how close to the
// edges of their bands the numbers lie.
type Scoreboard struct {
	All          Standing   `json:"all"`           // of the own rows
	ByBasis      []Standing `json:"by_basis"`      // as Bases orders them
	BySection    []Standing `json:"by_section"`    // in the lecture's order
	ByExperiment []Standing `json:"by_experiment"` // as the results list them
	Quoted       int        `json:"quoted"`        // rows of papers, which nobody computes
	Free         []Free     `json:"free_parameters"`
	Failed       []Failure  `json:"failed"` // in the order of the rows
	// Edges are the rows whose bands have a width or one side, closest to the edge
	// first; those with one side only come last.
	Edges []Edge `json:"edges"`
	// Alone are the rows over several seeds, those first that the fewest single
	// seeds would have passed.
	Alone []Alone `json:"alone"`
}

// Standing counts own rows of one basis, section or experiment.
type Standing struct {
	Name          string `json:"name"`
	Rows          int    `json:"rows"`
	Reproduced    int    `json:"reproduced"`
	NotReproduced int    `json:"not_reproduced"`
	NotComputed   int    `json:"not_computed"`
	// Settled are the reproduced rows whose whole interval passes, and not only
	// some of it: more seeds will hardly turn them.
	Settled int `json:"settled"`
	// Seeds is the largest number of seeds of a row, 0 if none was computed.
	Seeds int `json:"seeds"`
	// Drawn are the rows over more than one seed; SingleSeed is the mean over
	// them of the share of seeds that would have passed alone.
	Drawn      int      `json:"drawn"`
	SingleSeed *float64 `json:"single_seed_share"`
	// AllAtOnce is the share of seeds that pass every row of an experiment, nil
	// for anything but an experiment of several seeds.
	AllAtOnce *float64 `json:"all_at_once"`
	// Free counts the free parameters that the rows were computed under.
	Free int `json:"free_parameters"`
}

// Free is a set of parameters that were chosen to make rows come out, with the
// experiments that run under it.
type Free struct {
	Experiments []string `json:"experiments"`
	Parameters  []string `json:"parameters"`
}

// Failure is an own row that does not hold.
type Failure struct {
	ID      string  `json:"id"`
	Basis   Basis   `json:"basis"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
}

// Alone says how often one seed would have been enough.
type Alone struct {
	ID         string  `json:"id"`
	Section    string  `json:"section"`
	Experiment string  `json:"experiment"`
	Basis      Basis   `json:"basis"`
	Seeds      int     `json:"seeds"`
	Share      float64 `json:"share"` // of seeds that pass alone
}

// Score sums up rows that were judged by these results.
func Score(judged []Judged, results Results) (Scoreboard, error) {
	sets, of := freeSets(results.Experiments)
	var board Scoreboard
	tally := tally{sets: sets, of: of}
	all, bases, sections, experiments := tally.count("all"), tally, tally, tally
	for _, b := range Bases() {
		bases.named(string(b))
	}
	var rows []Row
	for _, j := range judged {
		rows = append(rows, j.Row)
	}
	for _, section := range Sections(rows) {
		if slices.ContainsFunc(judged, func(j Judged) bool { return j.Section == section && j.Kind == Own }) {
			sections.named(section)
		}
	}
	for _, j := range judged {
		if j.Kind == Paper {
			board.Quoted++
			continue
		}
		if j.Verdict != Reproduced {
			board.Failed = append(board.Failed, Failure{j.ID, j.Basis, j.Verdict, j.Reason})
		}
		var seen *seen
		if s, ok := results.row(j.ID); ok {
			e, found := results.experiment(s.Experiment)
			if !found {
				return board, fmt.Errorf("claims: %q: no values of an experiment %q", j.ID, s.Experiment)
			}
			if err := s.check(j.Row, e); err != nil {
				return board, fmt.Errorf("claims: results of %q: %w", j.ID, err)
			}
			seen = newSeen(j.Row, s, e)
			board.Edges = append(board.Edges, seen.edges()...)
			if len(s.Values) > 1 {
				board.Alone = append(board.Alone, Alone{j.ID, j.Section, s.Experiment, j.Basis, len(s.Values), seen.share()})
			}
			experiments.named(s.Experiment).add(j, seen)
		}
		all.add(j, seen)
		bases.named(string(j.Basis)).add(j, seen)
		sections.named(j.Section).add(j, seen)
	}
	board.All, board.ByBasis, board.BySection = all.standing(), bases.standings(), sections.standings()
	board.ByExperiment = experiments.experiments(results.Experiments)
	for i, set := range sets {
		if all.used[i] {
			board.Free = append(board.Free, set)
		}
	}
	slices.SortStableFunc(board.Edges, Edge.compare)
	slices.SortStableFunc(board.Alone, func(a, b Alone) int { return cmp.Compare(a.Share, b.Share) })
	return board, nil
}

// StoredScoreboard sums up all rows of the datasets by the stored results.
func StoredScoreboard() (Scoreboard, error) {
	results, err := StoredResults()
	if err != nil {
		return Scoreboard{}, err
	}
	judged, err := Stored()
	if err != nil {
		return Scoreboard{}, err
	}
	return Score(judged, results)
}

// FreeCount is the number of free parameters behind all rows.
func (s Scoreboard) FreeCount() int { return s.All.Free }

// Lucky are the rows that a smaller share of single seeds than that would have
// passed: one seed would have been luck.
func (s Scoreboard) Lucky(below float64) []Alone {
	var out []Alone
	for _, a := range s.Alone {
		if a.Share < below {
			out = append(out, a)
		}
	}
	return out
}

// String is the scoreboard in one line.
func (s Scoreboard) String() string {
	var bases []string
	for _, b := range s.ByBasis {
		bases = append(bases, fmt.Sprintf("%s %d of %d", b.Name, b.Reproduced, b.Rows))
	}
	return fmt.Sprintf("reproduced: %s, with %d free parameters; not reproduced: %d; not computed yet: %d; quoted: %d",
		strings.Join(bases, ", "), s.FreeCount(), s.All.NotReproduced, s.All.NotComputed, s.Quoted)
}
