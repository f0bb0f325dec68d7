package lesson

import (
	"errors"

	"memlab/pkg/experiments/calibration/stored"
	"memlab/pkg/table"
)

// SensitivityTable is a line for each experiment whose free parameters were moved one
// at a time: how many of them turn no row red whichever way they go, and which one turns
// most rows red, counted over both ways. The last line sums up.
func SensitivityTable(s *stored.Sensitivity) (table.Table, error) {
	t := table.New("", "Experiment", "Parameters moved", "Turn no row red", "The strongest", "Rows that it turns red")
	t.Quoted = []string{"The strongest"}
	if s == nil || len(s.Experiments) == 0 {
		return t, errors.New("lesson: no sensitivity is stored: run memlab claims --sensitivity --update")
	}
	for _, e := range s.Experiments {
		quiet, strongest, most := 0, "–", 0
		for _, p := range e.Parameters {
			if !p.Pinned() {
				quiet++
			}
			if n := len(reds(p)); n > most {
				strongest, most = p.Name, n
			}
		}
		if err := t.Add(shownName(e.Name), len(e.Parameters), quiet, strongest, most); err != nil {
			return t, err
		}
	}
	moved, quiet := SensitivitySum(s)
	return t, t.Add("All", moved, quiet, "", "")
}

// SensitivitySum counts the parameters that were moved, and those that turn no row red.
func SensitivitySum(s *stored.Sensitivity) (moved, quiet int) {
	if s == nil {
		return 0, 0
	}
	for _, e := range s.Experiments {
		for _, p := range e.Parameters {
			moved++
			if !p.Pinned() {
				quiet++
			}
		}
	}
	return moved, quiet
}

// reds are the rows that a parameter turns red on either side.
func reds(p stored.Parameter) map[string]bool {
	rows := map[string]bool{}
	for _, m := range []*stored.Move{p.Down, p.Up} {
		if m == nil {
			continue
		}
		for _, r := range m.Red {
			rows[r] = true
		}
	}
	return rows
}
