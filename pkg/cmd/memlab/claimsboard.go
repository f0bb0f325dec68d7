package main

import (
	"fmt"
	"io"
	"strings"

	"memlab/pkg/claims"
	"memlab/pkg/table"
)

// What the scoreboard lists: the rows that one seed in ten or more would have
// missed, and so many of those that are closest to an edge.
const (
	luckyBelow = 0.9
	edgesShown = 20
)

// printScoreboard prints tables with a sentence in front of each.
func printScoreboard(out io.Writer, s claims.Scoreboard) error {
	var b strings.Builder
	for _, part := range []struct {
		says string
		make func() (table.Table, error)
	}{
		{"Rows of the lecture's own numbers. Whole interval inside: the 95% interval of the mean lies in the band and does not only meet it.\n" +
			"One seed alone: mean share of seeds that would have passed by themselves, over the rows with several seeds.", s.BasisTable},
		{"By section of the lecture:", s.SectionTable},
		{"By experiment. All rows at once: the share of seeds under which one run shows every number of the experiment.", s.ExperimentTable},
		{fmt.Sprintf("Rows that fewer than %.0f%% of single seeds would have passed:", 100*luckyBelow),
			func() (table.Table, error) { return s.AloneTable(luckyBelow) }},
		{fmt.Sprintf("The %d rows closest to an edge. Margin: from the mean to the edge, as a share of half the band (100%% in the middle),\n"+
			"and in half widths of the 95%% interval (below 1 it crosses the edge). Orders and limits, whose bands are open, come last.", min(edgesShown, len(s.Edges))),
			func() (table.Table, error) { return s.EdgeTable(edgesShown) }},
	} {
		t, err := part.make()
		if err != nil {
			return err
		}
		if len(t.Rows) > 0 {
			fmt.Fprintf(&b, "%s\n\n%s\n", part.says, t.Text())
		}
	}
	b.WriteString("Parameters that were chosen to make rows come out; experiments that share them count them once:\n\n")
	for _, f := range s.Free {
		if len(f.Parameters) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: %d (%s)\n", strings.Join(f.Experiments, ", "), len(f.Parameters), strings.Join(f.Parameters, ", "))
	}
	if len(s.Failed) > 0 {
		b.WriteString("\nRows that do not hold:\n\n")
	}
	for _, f := range s.Failed {
		fmt.Fprintf(&b, "%s (%s): %s: %s\n", f.ID, f.Basis, f.Verdict, f.Reason)
	}
	fmt.Fprintf(&b, "\n%v\n", s)
	_, err := io.WriteString(out, b.String())
	return err
}
