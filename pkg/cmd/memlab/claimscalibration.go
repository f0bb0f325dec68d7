package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration"
	"memlab/pkg/experiments/calibration/stored"
	"memlab/pkg/table"
)

// calibration prints what is stored on held-out rows or on sensitivity, or computes
// and stores it.
func (f *claimsFlags) calibration(ctx context.Context, out, notes io.Writer) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	if f.heldOut {
		c, err := stored.HeldOut()
		if f.update {
			c, err = updated(ctx, notes, stored.HeldOutFile, func(ctx context.Context, rows []claims.Row, done func(string)) (*stored.Calibration, error) {
				return calibration.HeldOut(ctx, rows, calibration.Subjects(), 0, done)
			})
		}
		if err != nil {
			return err
		}
		if f.json {
			return printJSON(out, c)
		}
		return printHeldOut(out, c)
	}
	s, err := stored.Sensitivities()
	if f.update {
		s, err = updated(ctx, notes, stored.SensitivityFile, func(ctx context.Context, rows []claims.Row, done func(string)) (*stored.Sensitivity, error) {
			return calibration.Sensitivity(ctx, rows, calibration.Subjects(), done)
		})
	}
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(out, s)
	}
	return printSensitivity(out, s)
}

// updated computes something and stores it.
func updated[T any](ctx context.Context, notes io.Writer, name string, compute func(context.Context, []claims.Row, func(string)) (T, error)) (T, error) {
	var nothing T
	file, err := inModule(name)
	if err != nil {
		return nothing, err
	}
	rows, err := claims.Rows()
	if err != nil {
		return nothing, err
	}
	x, err := compute(ctx, rows, func(done string) { fmt.Fprintf(notes, "%s is done\n", done) })
	if err != nil {
		return x, err
	}
	data, err := stored.Marshal(x)
	if err != nil {
		return x, err
	}
	if err := file.write(data); err != nil {
		return x, err
	}
	fmt.Fprintf(notes, "stored in %s\n", file)
	return x, nil
}

func printHeldOut(out io.Writer, c *stored.Calibration) error {
	sums, err := c.Table()
	if err != nil {
		return err
	}
	rows, err := c.RowsTable("")
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The free parameters of an experiment, fitted to every other of its fitted rows (seeds from %d), and the rows in between\n"+
		"predicted (seeds from 0). A row is hit if its mean lies in the band; beside it how many random parameters of the same ranges hit.\n\n%s\n",
		c.FirstFitSeed, sums.Text())
	fmt.Fprintf(&b, "Every row when it was held out:\n\n%s\n", rows.Text())
	b.WriteString("What the search found:\n\n")
	for _, e := range c.Experiments {
		values, err := c.ValuesTable(e.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s (random draws: %d, then steps: %d, seeds of the fit: %d)\n%s\n", e.Name, e.Draws, e.Steps, e.FitSeeds, indent(values))
	}
	for _, n := range c.NotFitted {
		fmt.Fprintf(&b, "not fitted: %s: %s\n", n.Experiment, n.Why)
	}
	_, err = io.WriteString(out, b.String())
	return err
}

func indent(t table.Table) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(t.Text()), "\n", "\n  ") + "\n"
}

func printSensitivity(out io.Writer, s *stored.Sensitivity) error {
	t, err := s.Table()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Rows that turn red when one free parameter moves by %.0f%%, or as far as its range goes:\n\n%s\n", 100*s.Step, t.Text())
	for _, e := range s.Experiments {
		fmt.Fprintf(&b, "%s (rows: %d, seeds: %d)\n", e.Name, e.Rows, e.Seeds)
		if len(e.Red) > 0 {
			fmt.Fprintf(&b, "  red at the calibrated values under so few seeds, and not counted: %s\n", strings.Join(e.Red, ", "))
		}
		for _, p := range e.Parameters {
			for _, m := range []*stored.Move{p.Down, p.Up} {
				if m != nil && len(m.Red) > 0 {
					fmt.Fprintf(&b, "  %s %s: %s\n", p.Name, claims.Number(m.Value), strings.Join(m.Red, ", "))
				}
			}
		}
	}
	_, err = io.WriteString(out, b.String())
	return err
}
