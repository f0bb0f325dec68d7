package multidoc

import (
	"math/rand/v2"
	"slices"

	"memlab/pkg/retrieve"
)

// Answer is what a reader said, and what it read for it.
type Answer struct {
	Right bool
	Calls int // of the model
	Read  int // prompt tokens of all calls, whether or not a prefix cache held them
}

// Fixed reads in one call the first k documents of the ranking, as far as the
// window holds them whole.
func (c *Corpus) Fixed(q Question, ranking []int, k, window int, s Sizes) Answer {
	a := Answer{Calls: 1, Read: s.Question}
	for _, doc := range ranking[:min(k, len(ranking))] {
		words := c.Documents[doc]
		if a.Read+len(words) > window {
			break
		}
		a.Read += len(words)
		a.Right = a.Right || slices.Contains(words, q.Answer)
	}
	return a
}

// Truncated reads in one call the first k documents of the ranking, each cut at
// its end to an equal share of the window.
func (c *Corpus) Truncated(q Question, ranking []int, k, window int, s Sizes) Answer {
	a := Answer{Calls: 1, Read: s.Question}
	docs := ranking[:min(k, len(ranking))]
	if len(docs) == 0 {
		return a
	}
	share := (window - s.Question) / len(docs)
	for _, doc := range docs {
		words := c.Documents[doc]
		words = words[:min(share, len(words))]
		a.Read += len(words)
		a.Right = a.Right || slices.Contains(words, q.Answer)
	}
	return a
}

// Paging reads pages of the whole ranking, one for each call, until the answer is
// there, no page is left, the reader stops, or steps calls are made, of which the
// last one answers. With overlooks it never sees the answer. The oldest pages leave
// a prompt that would exceed the window. The page that had the answer is -1 if none
// had.
func (c *Corpus) Paging(q Question, ranking []int, page, steps, window int, overlooks bool, stop float64, s Sizes, rng *rand.Rand) (Answer, int, error) {
	var a Answer
	var pages []int // tokens of each that is in the prompt
	call := func() {
		a.Calls++
		prompt := s.System + s.Question
		for _, n := range pages {
			prompt += n
		}
		for ; prompt > window && len(pages) > 0; pages = pages[1:] {
			prompt -= pages[0]
		}
		a.Read += prompt
	}
	for number := 0; a.Calls < steps-1; number++ {
		call() // which searches
		found, err := retrieve.Page(ranking, number, page)
		if err != nil {
			return a, -1, err
		}
		tokens := s.Call
		for _, doc := range found.Items {
			tokens += len(c.Documents[doc])
			a.Right = a.Right || !overlooks && slices.Contains(c.Documents[doc], q.Answer)
		}
		pages = append(pages, tokens)
		if a.Right {
			call() // which answers
			return a, number, nil
		}
		if !found.More || rng.Float64() < stop {
			break
		}
	}
	call()
	return a, -1, nil
}
