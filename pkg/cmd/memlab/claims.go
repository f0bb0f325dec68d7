package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/cartridge"
	costexperiment "memlab/pkg/experiments/cost"
	"memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/session"
	"memlab/pkg/experiments/world"
)

// experiments are all that compute claims.
func experiments() []claims.Experiment {
	return append([]claims.Experiment{
		costexperiment.Experiment(),
		session.Experiment(),
		world.Experiment(),
		world.Long(),
		playbook.Experiment(),
	}, cartridge.Experiments()...)
}

// claimsFlags is what memlab claims is asked.
type claimsFlags struct {
	section       string
	seeds         int
	seedsGiven    bool
	update, check bool
	scoreboard    bool
	heldOut       bool
	sensitivity   bool
	json          bool
	registry      *claims.Registry
}

func claimsCommand() *cobra.Command {
	var f claimsFlags
	cmd := &cobra.Command{
		Use:   "claims [--section 1.2] [--seeds N] [--scoreboard | --heldout | --sensitivity] [--check | --update]",
		Short: "Every number the lecture prints, computed again and judged",
		Long: `Every number the lecture prints, computed again and judged.

A row is reproduced when the 95% interval of its mean over seeds meets the lecture's number
with its tolerance; "alone" is the share of single seeds that would have passed.
Without --seeds, --check and --update the stored results are judged and nothing runs.

--scoreboard sums up: by basis, section and experiment, with the number of parameters that were
chosen to make rows come out, the rows that one seed alone would often have missed, and those
that lie closest to the edge of their band.

--heldout says what fitted numbers are worth: the free parameters are fitted anew to every other
fitted row of an experiment, by a search that is written down, and the rows in between are
predicted. --sensitivity moves one free parameter at a time by 20% and counts the rows that turn
red. Both are stored, as they take minutes; with --update they are computed anew.`,
		Example: `  memlab claims
  memlab claims --scoreboard
  memlab claims --heldout
  memlab claims --section 1.2 --json
  memlab claims --check            recompute everything; fails if a stored value does not come out again
  memlab claims --check --seeds 1  the same for seed 0 of each experiment
  memlab claims --update           recompute everything and store it in ` + claims.ResultsFile,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.seedsGiven = cmd.Flags().Changed("seeds")
			if f.heldOut || f.sensitivity {
				return f.calibration(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			return f.run(cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.section, "section", "", "only this section of the lecture, for example 1.2")
	wholeVar(flags, &f.seeds, "seeds", "run the experiments now, with seeds 0 to N-1; experiments that draw nothing run once")
	flags.BoolVar(&f.check, "check", false, "recompute, and fail if a result is not as stored")
	flags.BoolVar(&f.update, "update", false, "recompute all seeds and store the results; run it inside the module")
	flags.BoolVar(&f.scoreboard, "scoreboard", false, "sum up instead of listing every row")
	flags.BoolVar(&f.heldOut, "heldout", false, "half of the fitted rows, predicted from the other half")
	flags.BoolVar(&f.sensitivity, "sensitivity", false, "the rows that one parameter alone turns red")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("update", "check")
	cmd.MarkFlagsMutuallyExclusive("update", "seeds")
	cmd.MarkFlagsMutuallyExclusive("scoreboard", "heldout", "sensitivity")
	for _, other := range []string{"section", "seeds", "check"} {
		cmd.MarkFlagsMutuallyExclusive("heldout", other)
		cmd.MarkFlagsMutuallyExclusive("sensitivity", other)
	}
	return cmd
}

func (f *claimsFlags) run(out, notes io.Writer) error {
	if f.seedsGiven && f.seeds < 1 {
		return fmt.Errorf("--seeds %d: want 1 or more", f.seeds)
	}
	all, err := claims.Rows()
	if err != nil {
		return err
	}
	if f.registry, err = claims.NewRegistry(all, experiments()...); err != nil {
		return err
	}
	rows := all
	if f.section != "" {
		if rows, err = claims.InSection(all, f.section); err != nil {
			return err
		}
	}
	results, differences, err := f.results(rows, notes)
	if err != nil {
		return err
	}
	judged, err := claims.JudgeAll(rows, results)
	if err != nil {
		return err
	}
	if err := f.print(out, judged, results); err != nil {
		return err
	}
	if f.check {
		return checked(differences)
	}
	return nil
}

// results are the stored ones, or those of a run; with --check the stored ones
// and where a run differs.
func (f *claimsFlags) results(rows []claims.Row, notes io.Writer) (claims.Results, []claims.Difference, error) {
	some := f.registry.For(rows)
	if f.update {
		file, err := inModule(claims.ResultsFile)
		if err != nil {
			return claims.Results{}, nil, err
		}
		fresh, err := some.Run(0)
		if err != nil {
			return fresh, nil, err
		}
		if f.section != "" {
			// What belongs to other sections stays as it is in the file.
			old, err := file.read(f.registry.Rows())
			if err != nil {
				return fresh, nil, err
			}
			fresh = old.With(fresh)
		}
		if err := file.writeResults(fresh); err != nil {
			return fresh, nil, err
		}
		fmt.Fprintf(notes, "stored in %s\n", file)
		return fresh, nil, nil
	}
	if f.seedsGiven && !f.check {
		fresh, err := some.Run(f.seeds)
		return fresh, nil, err
	}
	stored, err := claims.StoredResults()
	if err != nil {
		return stored, nil, err
	}
	if !f.check {
		for _, old := range f.registry.Stale(stored) {
			fmt.Fprintf(notes, "memlab: stored results are old: %v\n", old)
		}
		return stored, nil, nil
	}
	fresh, err := some.Run(f.seeds)
	if err != nil {
		return stored, nil, err
	}
	return stored, claims.Compare(f.registry.Rows(), stored, fresh), nil
}

func checked(differences []claims.Difference) error {
	if len(differences) == 0 {
		return nil
	}
	var lines []string
	for _, d := range differences {
		lines = append(lines, "  "+d.Error())
	}
	return fmt.Errorf("%d results are not as stored (memlab claims --update stores new ones):\n%s",
		len(differences), strings.Join(lines, "\n"))
}

func (f *claimsFlags) print(out io.Writer, judged []claims.Judged, results claims.Results) error {
	board, err := claims.Score(judged, results)
	if err != nil {
		return err
	}
	switch {
	case f.json && f.scoreboard:
		return printJSON(out, board)
	case f.json:
		return printJSON(out, judged)
	case f.scoreboard:
		return printScoreboard(out, board)
	}
	t, err := claims.Table(judged)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(t.Text())
	if said := reasons(judged); len(said) > 0 {
		b.WriteString("\n" + strings.Join(said, "\n") + "\n")
	}
	fmt.Fprintf(&b, "\n%v\n", board)
	_, err = io.WriteString(out, b.String())
	return err
}

func printJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// reasons are those that a reader would miss: of rows that do not hold, that
// have more to say than their number, or that are quoted.
func reasons(judged []claims.Judged) []string {
	var out []string
	for _, j := range judged {
		if j.Verdict == claims.NotReproduced || j.Verdict == claims.IsQuoted || j.Explained {
			out = append(out, j.ID+": "+j.Reason)
		}
	}
	return out
}

// errOutside says why nothing can be stored.
var errOutside = errors.New("--update stores in datasets/ of the module: run it inside the module's folder")
