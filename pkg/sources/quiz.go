package sources

import (
	"fmt"
	"slices"

	"memlab/pkg/claims"
	"memlab/pkg/random"
)

// Question asks which source a quoted number is from.
type Question struct {
	claims.PaperResult
	From string // the short name that is asked for
}

// Quiz draws questions without repeating a number or naming a paper; as far as
// there are enough of them, each source is asked for before one is asked again.
func Quiz(seed random.Seed, questions int) ([]Question, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	draw := seed.Stream("sources", "quiz")
	var piles [][]Question
	total := 0
	for _, s := range all {
		quoted, err := s.Quoted()
		if err != nil {
			return nil, err
		}
		var pile []Question
		for _, r := range quoted {
			if named(r, all) {
				continue // its task or its item gives the paper away
			}
			pile = append(pile, Question{r, s.Short})
		}
		draw.Shuffle(len(pile), func(i, j int) { pile[i], pile[j] = pile[j], pile[i] })
		if len(pile) > 0 {
			piles = append(piles, pile)
		}
		total += len(pile)
	}
	if questions < 1 || questions > total {
		return nil, fmt.Errorf("sources: %d questions: want 1 to %d, the numbers that do not name their paper", questions, total)
	}
	var out []Question
	for round := 0; len(out) < questions; round++ {
		draw.Shuffle(len(piles), func(i, j int) { piles[i], piles[j] = piles[j], piles[i] })
		for _, pile := range piles {
			if round < len(pile) && len(out) < questions {
				out = append(out, pile[round])
			}
		}
	}
	return out, nil
}

// named says whether a number's own words hold the name of its source.
func named(r claims.PaperResult, all []Source) bool {
	return slices.ContainsFunc(all, func(s Source) bool {
		return s.ArXiv == r.ArXiv && (word(r.Item, s.Short) || word(r.Task, s.Short))
	})
}

// word says whether the name begins a word of the text: mem0g names mem0, and
// "pace" does not name ACE.
func word(text, name string) bool {
	for at := 0; at+len(name) <= len(text); at++ {
		if text[at:at+len(name)] == name && (at == 0 || text[at-1] == ' ' || text[at-1] == '(') {
			return true
		}
	}
	return false
}
