package claims

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"memlab/datasets"
)

// PaperResult is one number that the lecture quotes from a paper.
type PaperResult struct {
	ID        string  `json:"id"`                  // of the quoted row in claims.csv
	Item      string  `json:"item"`                // which of the row's numbers
	Qualifier string  `json:"qualifier,omitempty"` // "about", "more than"
	Value     float64 `json:"value"`
	Unit      string  `json:"unit"`
	Paper     string  `json:"paper"`
	ArXiv     string  `json:"arxiv"`
	Task      string  `json:"task"`
	Place     string  `json:"place,omitempty"` // in the paper, where the lecture names it
}

// PaperResults returns the numbers of datasets/paper_results.csv.
func PaperResults() ([]PaperResult, error) {
	return ReadPaperResults("datasets/paper_results.csv", bytes.NewReader(datasets.PaperResults))
}

// ReadPaperResults reads quoted numbers; problems name file and line.
func ReadPaperResults(file string, r io.Reader) ([]PaperResult, error) {
	columns := []string{"id", "item", "qualifier", "value", "unit", "paper", "arxiv", "task", "place"}
	var out []PaperResult
	var problems []error
	first := map[[2]string]int{}
	err := eachRecord(file, r, columns, func(line int, cell map[string]string) {
		for _, name := range []string{"id", "item", "unit", "paper", "arxiv", "task"} {
			if cell[name] == "" {
				problems = append(problems, fmt.Errorf("%s:%d: %s is empty", file, line, name))
			}
		}
		if q := cell["qualifier"]; q != "" && q != "about" && q != "more than" {
			problems = append(problems, fmt.Errorf("%s:%d: qualifier %q: want about, more than or nothing", file, line, q))
		}
		value, err := finite(cell["value"])
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: value %q: want a number", file, line, cell["value"]))
		}
		key := [2]string{cell["id"], cell["item"]}
		if at, ok := first[key]; ok {
			problems = append(problems, fmt.Errorf("%s:%d: %q of %q is taken by line %d", file, line, cell["item"], cell["id"], at))
		}
		first[key] = line
		out = append(out, PaperResult{
			ID: cell["id"], Item: cell["item"], Qualifier: cell["qualifier"], Value: value, Unit: cell["unit"],
			Paper: cell["paper"], ArXiv: cell["arxiv"], Task: cell["task"], Place: cell["place"],
		})
	})
	if err := errors.Join(append(problems, err)...); err != nil {
		return nil, err
	}
	return out, nil
}

// Source says where in the literature the number is.
func (p PaperResult) Source() string {
	s := fmt.Sprintf("%s (arXiv %s)", p.Paper, p.ArXiv)
	if p.Place != "" {
		s += ", " + p.Place
	}
	return s + ": " + p.Task
}

// sources maps the id of each quoted row to where it is from.
func sources() (map[string]string, error) {
	results, err := PaperResults()
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, p := range results {
		out[p.ID] = p.Source()
	}
	return out, nil
}
