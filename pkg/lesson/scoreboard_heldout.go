package lesson

import (
	"errors"
	"fmt"
	"slices"

	"memlab/pkg/chart"
	"memlab/pkg/experiments/calibration/stored"
	"memlab/pkg/table"
)

// HeldOutFigure shows for each experiment how many rows were held out while the
// parameters were fitted on the others, how many of them were hit, and how many random
// parameters hit on the mean. Both halves are counted, each predicted from the other.
func HeldOutFigure(c *stored.Calibration) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Rows that were predicted from the others",
		X:     chart.Axis{Label: "Experiment"},
		Y:     chart.Axis{Label: "Rows"},
	}
	if c == nil || len(c.Experiments) == 0 {
		return f, errors.New("lesson: no held-out calibration is stored: run memlab claims --heldout --update")
	}
	held, hit, random := chart.Series{Name: "Held out", Kind: chart.Bars}, chart.Series{Name: "Hit by fitted parameters", Kind: chart.Bars}, chart.Series{Name: "Hit by random parameters", Kind: chart.Bars}
	for _, e := range c.Experiments {
		var rows, hits int
		var null float64
		for _, s := range e.Splits {
			rows, hits, null = rows+len(s.Held), hits+stored.Hits(s.Held), null+stored.Null(s.Held)
		}
		f.X.Categories = append(f.X.Categories, shownName(e.Name))
		held.Y, hit.Y, random.Y = append(held.Y, float64(rows)), append(hit.Y, float64(hits)), append(random.Y, null)
	}
	f.Series = []chart.Series{held, hit, random}
	return f, nil
}

// experimentNames are the experiments that have been fitted in halves.
var experimentNames = map[string]string{
	"cost": "Cost model", "session": "MemGPT session", "world": "Toy dialogues", "playbook": "Playbook", "cartridge-baselines": "Linear memories",
}

func shownName(experiment string) string {
	if shown, ok := experimentNames[experiment]; ok {
		return shown
	}
	return experiment
}

// HeldOutTable is a line for each experiment with what the figure shows, and one for
// all: the rows of the two halves, those hit of the fitted and of the held-out ones, and
// how many of the held-out ones random parameters hit on the mean.
func HeldOutTable(c *stored.Calibration) (table.Table, error) {
	t := table.New("", "Experiment", "Free parameters", "Rows of the two halves", "Fitted rows hit", "Held-out rows hit", "Random parameters hit")
	if c == nil || len(c.Experiments) == 0 {
		return t, errors.New("lesson: no held-out calibration is stored: run memlab claims --heldout --update")
	}
	all := heldOut{name: "All"}
	lines := make([]heldOut, 0, len(c.Experiments)+1)
	for _, e := range c.Experiments {
		line := heldOut{name: shownName(e.Name), free: len(e.Ranges)}
		for i, s := range e.Splits {
			line.fit, line.fitHits = line.fit+len(s.Fit), line.fitHits+stored.Hits(s.Fit)
			line.held, line.heldHits, line.null = line.held+len(s.Held), line.heldHits+stored.Hits(s.Held), line.null+stored.Null(s.Held)
			if i > 0 {
				line.halves += " + "
			}
			line.halves += fmt.Sprint(len(s.Fit))
		}
		all.free += line.free
		all.fit, all.fitHits = all.fit+line.fit, all.fitHits+line.fitHits
		all.held, all.heldHits, all.null = all.held+line.held, all.heldHits+line.heldHits, all.null+line.null
		lines = append(lines, line)
	}
	all.halves = fmt.Sprint(all.fit)
	for _, l := range append(lines, all) {
		err := t.Add(l.name, l.free, l.halves, fmt.Sprintf("%d / %d", l.fitHits, l.fit), fmt.Sprintf("%d / %d", l.heldHits, l.held), fmt.Sprintf("%.1f", l.null))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// heldOut is a line of HeldOutTable.
type heldOut struct {
	name, halves                       string
	free, fit, fitHits, held, heldHits int
	null                               float64
}

// HeldOutSum is the same in three numbers, without some of the experiments: rows held
// out, hit, and hit by random parameters on the mean.
func HeldOutSum(c *stored.Calibration, without ...string) (rows, hits int, null float64) {
	if c == nil {
		return 0, 0, 0
	}
	for _, e := range c.Experiments {
		if slices.Contains(without, e.Name) {
			continue
		}
		for _, s := range e.Splits {
			rows, hits, null = rows+len(s.Held), hits+stored.Hits(s.Held), null+stored.Null(s.Held)
		}
	}
	return rows, hits, null
}
