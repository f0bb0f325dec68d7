package claims

import (
	"fmt"
	"slices"
	"strings"

	"memlab/pkg/table"
)

// BasisTable is a line for each basis and one for all own rows. The last column
// counts the parameters that were chosen so that rows come out: all of them for
// fitted rows, none for the others, which run under the same values.
func (s Scoreboard) BasisTable() (table.Table, error) {
	t := table.New("", "Basis", "Rows", "Reproduced", "Whole interval inside", "Not reproduced", "One seed alone", "Parameters chosen for them")
	all := s.All
	all.Name = "All"
	for _, l := range append(slices.Clone(s.ByBasis), all) {
		chosen := l.Free
		if l.Name == string(Derived) || l.Name == string(Predicted) {
			chosen = 0
		}
		if err := t.Add(l.Name, l.Rows, l.Reproduced, l.Settled, l.NotReproduced+l.NotComputed, percent(l.SingleSeed), chosen); err != nil {
			return t, err
		}
	}
	return t, nil
}

// SectionTable is a line for each section of the lecture, with the parameters that
// its rows were computed under.
func (s Scoreboard) SectionTable() (table.Table, error) {
	t := table.New("", "Section", "Rows", "Reproduced", "Whole interval inside", "Not reproduced", "One seed alone", "Free parameters")
	for _, l := range s.BySection {
		if err := t.Add(l.Name, l.Rows, l.Reproduced, l.Settled, l.NotReproduced+l.NotComputed, percent(l.SingleSeed), l.Free); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ExperimentTable is a line for each experiment; those that share parameters
// count them all.
func (s Scoreboard) ExperimentTable() (table.Table, error) {
	t := table.New("", "Experiment", "Rows", "Reproduced", "Whole interval inside", "Seeds", "One seed alone", "One seed, all rows at once", "Free parameters")
	t.Quoted = []string{"Experiment"}
	for _, l := range s.ByExperiment {
		err := t.Add(l.Name, l.Rows, l.Reproduced, l.Settled, l.Seeds, percent(l.SingleSeed), percent(l.AllAtOnce), l.Free)
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// FreeTable names the free parameters.
func (s Scoreboard) FreeTable() (table.Table, error) {
	t := table.New("", "Experiments", "Free parameters", "Names")
	t.Quoted = []string{"Experiments", "Names"}
	for _, f := range s.Free {
		if err := t.Add(strings.Join(f.Experiments, ", "), len(f.Parameters), strings.Join(f.Parameters, ", ")); err != nil {
			return t, err
		}
	}
	return t, nil
}

// AloneTable lists the rows that a smaller share of single seeds than that would
// have passed.
func (s Scoreboard) AloneTable(below float64) (table.Table, error) {
	t := table.New("", "Row", "Section", "Basis", "Seeds", "One seed alone")
	t.Quoted = []string{"Row"}
	for _, a := range s.Lucky(below) {
		if err := t.Add(a.ID, a.Section, a.Basis, a.Seeds, percent(&a.Share)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// EdgeTable lists the n rows that are closest to an edge of their band.
func (s Scoreboard) EdgeTable(n int) (table.Table, error) {
	t := table.New("", "Row", "Basis", "Mean", "Band from", "Band to", "Margin", "Margin in intervals")
	t.Quoted = []string{"Row"}
	for _, e := range s.Edges[:min(max(n, 0), len(s.Edges))] {
		id := e.ID
		if e.Part != "" {
			id += " (" + e.Part + ")"
		}
		err := t.Add(id, e.Basis, Number(e.Mean), number(e.BandLow), number(e.BandHigh), percent(e.Margin), short(e.Intervals))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// The cells of what may be missing.
func percent(x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100**x)
}

func number(x *float64) string {
	if x == nil {
		return ""
	}
	return Number(*x)
}

func short(x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%.1f", *x)
}
