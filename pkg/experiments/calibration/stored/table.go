package stored

import (
	"fmt"
	"strings"

	"memlab/pkg/claims"
	"memlab/pkg/table"
)

// Table is a line for each experiment and split, with the hits of random values
// beside those of fitted ones.
func (c *Calibration) Table() (table.Table, error) {
	t := table.New("", "Experiment", "Free parameters", "Rows fitted", "Fitted rows hit", "Rows held out", "Held-out rows hit", "Random parameters hit")
	t.Quoted = []string{"Experiment"}
	var fit, fitHits, held, heldHits int
	var null float64
	for _, e := range c.Experiments {
		for _, s := range e.Splits {
			if err := t.Add(e.Name, len(e.Ranges), len(s.Fit), Hits(s.Fit), len(s.Held), Hits(s.Held), fmt.Sprintf("%.1f", Null(s.Held))); err != nil {
				return t, err
			}
			fit, fitHits = fit+len(s.Fit), fitHits+Hits(s.Fit)
			held, heldHits, null = held+len(s.Held), heldHits+Hits(s.Held), null+Null(s.Held)
		}
	}
	return t, t.Add("", "", fit, fitHits, held, heldHits, fmt.Sprintf("%.1f", null))
}

// RowsTable lists every held-out row of an experiment with its prediction; without
// a name those of all experiments.
func (c *Calibration) RowsTable(experiment string) (table.Table, error) {
	t := table.New("", "Row", "Lecture", "Predicted", "95% interval", "Band from", "Band to", "Hit", "Random parameters hit")
	t.Quoted = []string{"Row", "Lecture", "95% interval"}
	for _, e := range c.Experiments {
		if experiment != "" && e.Name != experiment {
			continue
		}
		for _, s := range e.Splits {
			for _, r := range s.Held {
				hit := "missed"
				if r.Hit {
					hit = "hit"
				}
				interval := ""
				if r.Low < r.High {
					interval = claims.Number(r.Low) + " to " + claims.Number(r.High)
				}
				err := t.Add(r.ID, r.Lecture, claims.Number(r.Mean), interval, open(r.BandLow), open(r.BandHigh), hit, fmt.Sprintf("%.0f%%", 100*r.Null))
				if err != nil {
					return t, err
				}
			}
		}
	}
	if len(t.Rows) == 0 {
		return t, fmt.Errorf("stored: no experiment %q: want one of %s", experiment, strings.Join(c.names(), ", "))
	}
	return t, nil
}

// ValuesTable is what the two splits of an experiment found for each parameter,
// beside the calibrated value.
func (c *Calibration) ValuesTable(experiment string) (table.Table, error) {
	for _, e := range c.Experiments {
		if e.Name != experiment {
			continue
		}
		t := table.New("", "Parameter", "Range from", "Range to", "Calibrated")
		t.Quoted = []string{"Parameter"}
		for _, s := range e.Splits {
			t.Columns = append(t.Columns, s.Name)
		}
		for i, r := range e.Ranges {
			cells := []any{r.Name, claims.Number(r.Low), claims.Number(r.High), claims.Number(r.Default)}
			for _, s := range e.Splits {
				cells = append(cells, claims.Number(s.Values[i]))
			}
			if err := t.Add(cells...); err != nil {
				return t, err
			}
		}
		return t, nil
	}
	return table.Table{}, fmt.Errorf("stored: no experiment %q: want one of %s", experiment, strings.Join(c.names(), ", "))
}

func (c *Calibration) names() []string {
	var out []string
	for _, e := range c.Experiments {
		out = append(out, e.Name)
	}
	return out
}

func open(x *float64) string {
	if x == nil {
		return ""
	}
	return claims.Number(*x)
}

// Table is a line for each parameter, with the number of rows that it turns red.
func (s *Sensitivity) Table() (table.Table, error) {
	t := table.New("", "Experiment", "Parameter", "Calibrated", "Lower", "Red if lower", "Higher", "Red if higher")
	t.Quoted = []string{"Experiment", "Parameter"}
	for _, e := range s.Experiments {
		for _, p := range e.Parameters {
			down, downRed := p.Down.cells()
			up, upRed := p.Up.cells()
			if err := t.Add(e.Name, p.Name, claims.Number(p.Value), down, downRed, up, upRed); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

func (m *Move) cells() (value, red string) {
	if m == nil {
		return "", ""
	}
	return claims.Number(m.Value), fmt.Sprint(len(m.Red))
}
