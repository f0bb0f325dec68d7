package evidence

import (
	"cmp"
	"fmt"
	"slices"

	"memlab/pkg/claims"
	"memlab/pkg/dialogue"
)

// summarise turns scores by dialogue and question into a result.
func summarise(dialogues []dialogue.Dialogue, scored [][]score, o Options) (Result, error) {
	r := asked(dialogues)
	if r.Total.Questions == r.Total.WithoutEvidence {
		return r, fmt.Errorf("evidence: %w: none of %d questions in %d dialogues names the messages it rests on",
			ErrNothing, r.Total.Questions, len(dialogues))
	}
	kinds := []dialogue.Kind{""}
	for _, k := range r.Kinds {
		kinds = append(kinds, dialogue.Kind(k.Name))
	}
	list := o.combinations()
	for i, c := range list {
		for _, kind := range kinds {
			means, questions := byDialogue(scored, kind, func(s score) float64 { return s.recall[i] })
			if len(means) > 0 {
				r.Cells = append(r.Cells, Cell{
					Method: c.method, Chunk: c.chunk, Budget: c.budget, Kind: kind,
					Recall: interval(means), Questions: questions, Dialogues: len(means),
				})
			}
		}
		for j, other := range list {
			if j > i && c.chunk == other.chunk && c.budget == other.budget {
				means, _ := byDialogue(scored, "", func(s score) float64 { return s.recall[j] - s.recall[i] })
				r.Differences = append(r.Differences, Difference{
					Method: other.method, Against: c.method, Chunk: c.chunk, Budget: c.budget, Recall: interval(means),
				})
			}
		}
	}
	r.Warnings = warnings(&r, scored)
	return r, nil
}

// byDialogue averages over the questions of each dialogue that has any of the kind.
func byDialogue(scored [][]score, kind dialogue.Kind, of func(score) float64) (means []float64, questions int) {
	for _, scores := range scored {
		sum, n := 0.0, 0
		for _, s := range scores {
			if kind == "" || s.kind == kind {
				sum += of(s)
				n++
			}
		}
		if n > 0 {
			means = append(means, sum/float64(n))
			questions += n
		}
	}
	return means, questions
}

func interval(values []float64) Interval {
	mean, low, high := claims.Interval(values)
	return Interval{mean, low, high}
}

// asked counts what there is.
func asked(dialogues []dialogue.Dialogue) Result {
	var r Result
	kinds := map[dialogue.Kind]*Asked{}
	r.Total.Name = "all"
	for i := range dialogues {
		d := &dialogues[i]
		a := Asked{Name: d.Name, Messages: len(d.Messages), Tokens: d.Tokens(), Questions: len(d.Questions)}
		for _, q := range d.Questions {
			k := kinds[q.Kind]
			if k == nil {
				k = &Asked{Name: string(q.Kind)}
				kinds[q.Kind] = k
			}
			k.Questions++
			if len(q.Needs) == 0 {
				k.WithoutEvidence++
				a.WithoutEvidence++
			}
		}
		r.Dialogues = append(r.Dialogues, a)
		r.Total.Messages += a.Messages
		r.Total.Tokens += a.Tokens
		r.Total.Questions += a.Questions
		r.Total.WithoutEvidence += a.WithoutEvidence
	}
	for _, k := range kinds {
		r.Kinds = append(r.Kinds, *k)
	}
	slices.SortFunc(r.Kinds, func(a, b Asked) int { return cmp.Compare(a.Name, b.Name) })
	return r
}

func warnings(r *Result, scored [][]score) []string {
	var out []string
	n := 0
	for i, scores := range scored {
		if len(scores) > 0 {
			n++
			continue
		}
		out = append(out, fmt.Sprintf("dialogue %q has no question with evidence and counts nowhere", r.Dialogues[i].Name))
	}
	if n < 5 {
		out = append(out, fmt.Sprintf("%d dialogue(s) with evidence: an interval over so few says little, and over one there is none", n))
	}
	return out
}
