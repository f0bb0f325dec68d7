package lesson

import (
	"errors"

	"memlab/pkg/chart"
	"memlab/pkg/experiments/calibration/stored"
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
		name := e.Name
		if shown, ok := experimentNames[name]; ok {
			name = shown
		}
		f.X.Categories = append(f.X.Categories, name)
		held.Y, hit.Y, random.Y = append(held.Y, float64(rows)), append(hit.Y, float64(hits)), append(random.Y, null)
	}
	f.Series = []chart.Series{held, hit, random}
	return f, nil
}

// experimentNames are the experiments that have been fitted in halves.
var experimentNames = map[string]string{
	"cost": "Cost model", "session": "MemGPT session", "world": "Toy dialogues", "playbook": "Playbook", "cartridge-baselines": "Linear memories",
}

// HeldOutSum is the same in three numbers: rows held out, hit, and hit by random
// parameters on the mean.
func HeldOutSum(c *stored.Calibration) (rows, hits int, null float64) {
	if c == nil {
		return 0, 0, 0
	}
	for _, e := range c.Experiments {
		for _, s := range e.Splits {
			rows, hits, null = rows+len(s.Held), hits+stored.Hits(s.Held), null+stored.Null(s.Held)
		}
	}
	return rows, hits, null
}
