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
	json          bool
	registry      *claims.Registry
}

func claimsCommand() *cobra.Command {
	var f claimsFlags
	cmd := &cobra.Command{
		Use:   "claims [--section 1.2] [--seeds N] [--check | --update]",
		Short: "Every number the lecture prints, computed again and judged",
		Long: `Every number the lecture prints, computed again and judged.

A row is reproduced when the 95% interval of its mean over seeds meets the lecture's number
with its tolerance; "alone" is the share of single seeds that would have passed.
Without --seeds, --check and --update the stored results are judged and nothing runs.`,
		Example: `  memlab claims
  memlab claims --section 1.2 --json
  memlab claims --check            recompute everything; fails if a stored value does not come out again
  memlab claims --check --seeds 1  the same for seed 0 of each experiment
  memlab claims --update           recompute everything and store it in ` + claims.ResultsFile,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.seedsGiven = cmd.Flags().Changed("seeds")
			return f.run(cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.section, "section", "", "only this section of the lecture, for example 1.2")
	wholeVar(flags, &f.seeds, "seeds", "run the experiments now, with seeds 0 to N-1; experiments that draw nothing run once")
	flags.BoolVar(&f.check, "check", false, "recompute, and fail if a result is not as stored")
	flags.BoolVar(&f.update, "update", false, "recompute all seeds and store the results; run it inside the module")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("update", "check")
	cmd.MarkFlagsMutuallyExclusive("update", "seeds")
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
		file, err := resultsFile()
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
		if err := file.write(fresh); err != nil {
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
	if f.json {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(judged)
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
	fmt.Fprintf(&b, "\n%v\n", claims.Count(judged, results))
	_, err = io.WriteString(out, b.String())
	return err
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
var errOutside = errors.New("--update stores in " + claims.ResultsFile + ": run it inside the module's folder")
