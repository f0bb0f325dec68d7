package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"memlab/pkg/claims"
	"memlab/pkg/exercise"
)

// exercisesFlags is what memlab exercises is asked.
type exercisesFlags struct {
	class     string
	only      []string
	questions string

	given func(flag string) bool
}

func exercisesCommand() *cobra.Command {
	var f exercisesFlags
	cmd := &cobra.Command{
		Use:   "exercises --class FILE",
		Short: "The exercises of notebook 10 for a class: each student's numbers and answers",
		Long: `The exercises of notebook 10 for a class, as CSV: each student's numbers and answers.

FILE has one student a line: the name or number that the student writes behind "const me =" in
notebook 10. Upper and lower case and spaces at the ends make no difference; empty lines are passed over.
An answer counts as right within its tolerance, a share of the answer.`,
		Example: `  memlab exercises --class class.txt > answers.csv
  memlab exercises --class class.txt --only 10.1,10.4b
  memlab exercises --class class.txt --questions zh`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.given = cmd.Flags().Changed
			return f.run(cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.class, "class", "", "a file with one student a line")
	flags.StringSliceVar(&f.only, "only", []string{"10"}, "these exercises: 10.4 for 10.4a, 10.4b and 10.4c, or 10.4b; 10 for all of notebook 10")
	flags.StringVar(&f.questions, "questions", "", "a further column with the questions, in English (en) or Chinese (zh)")
	return cmd
}

// a student of a class.
type student struct {
	name    string
	variant exercise.Variant
}

func (f *exercisesFlags) run(out io.Writer) error {
	switch {
	case !f.given("class"):
		return errors.New("missing: --class; for example memlab exercises --class class.txt")
	case f.class == "":
		return errors.New(`--class "": want the name of a file with one student a line`)
	case f.given("questions") && f.questions != "en" && f.questions != "zh":
		return fmt.Errorf("--questions %q: want en or zh", f.questions)
	}
	data, err := os.ReadFile(f.class)
	if err != nil {
		return fmt.Errorf("--class: %w", err)
	}
	class, err := readClass(f.class, string(data))
	if err != nil {
		return err
	}
	if _, err := f.chosen(0); err != nil {
		return err // before the first line is written
	}
	w := csv.NewWriter(out)
	header := []string{"student", "variant", "exercise", "answer", "unit", "tolerance"}
	if f.questions != "" {
		header = append(header, "question")
	}
	if err := w.Write(header); err != nil {
		return err
	}
	for _, s := range class {
		if err := f.write(w, s); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func (f *exercisesFlags) write(w *csv.Writer, s student) error {
	chosen, err := f.chosen(s.variant)
	if err != nil {
		return err
	}
	for _, e := range chosen {
		answer, err := e.Answer()
		if err != nil {
			return fmt.Errorf("exercise %s of %q: %w", e.ID, s.name, err)
		}
		row := []string{s.name, fmt.Sprint(s.variant), e.ID, claims.Number(answer), e.Unit, claims.Number(e.Tolerance)}
		if f.questions != "" {
			row = append(row, e.Question.In(f.questions))
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// chosen are the exercises that --only names, each once and in its order.
func (f *exercisesFlags) chosen(v exercise.Variant) ([]exercise.Exercise, error) {
	var chosen []exercise.Exercise
	taken := map[string]bool{}
	take := func(e exercise.Exercise) {
		if !taken[e.ID] {
			taken[e.ID] = true
			chosen = append(chosen, e)
		}
	}
	for _, number := range f.only {
		if number == "10" {
			for _, e := range v.All() {
				if strings.HasPrefix(e.ID, "10.") {
					take(e)
				}
			}
			continue
		}
		parts, err := v.Parts(number)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		for _, e := range parts {
			take(e)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("--only names no exercise: want for example 10.1,10.4b")
	}
	return chosen, nil
}

// readClass reads one student a line.
func readClass(file, text string) ([]student, error) {
	var class []student
	first := map[exercise.Variant]int{} // the line of a variant
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		name := strings.TrimSpace(line)
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("%s: line %d: not UTF-8: save the list as UTF-8 text", file, i+1)
		}
		v, err := exercise.VariantOf(name)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, i+1, err)
		}
		if v == 0 {
			continue // an empty line
		}
		if j, ok := first[v]; ok {
			return nil, fmt.Errorf("%s: line %d: %q has the same numbers as line %d: want each student once", file, i+1, name, j)
		}
		first[v] = i + 1
		class = append(class, student{name, v})
	}
	if len(class) == 0 {
		return nil, fmt.Errorf("%s: no student in it: want one name or number a line", file)
	}
	return class, nil
}
