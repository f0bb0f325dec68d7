package multidoc

import "math"

// Rates are what a reader gets right or wrong, as probabilities from 0 to 1.
type Rates struct {
	// Read is that a reader says the answer that is before it; drawn once for a
	// question and way. Else the answer is passed over.
	Read float64 `json:"read"`
	// Stop is that a reader who pages gives up after a page without the answer
	// although another page follows.
	Stop float64 `json:"stop"`
}

// Paging is the chance that paging answers right if the answer is on that page,
// from 0, of the results; of a negative page, on none that may be read, it is 0:
// Read x (1-Stop)^page.
func (r Rates) Paging(page int) float64 {
	if page < 0 {
		return 0
	}
	return r.Read * math.Pow(1-r.Stop, float64(page))
}

// Sizes are lengths in tokens. A word of a document is one token.
type Sizes struct {
	Question int `json:"question"` // the task and the question
	System   int `json:"system"`   // instructions and functions, in each prompt of paging
	Call     int `json:"call"`     // what a search adds to the next prompt beside the page
}

// Collection is how the documents are made: some are about the topic of all
// questions, and each question is some words of that topic.
type Collection struct {
	Documents int `json:"documents"`
	Words     int `json:"words"`       // of a document, the answer included
	Topic     int `json:"topic_words"` // that questions are made of
	Query     int `json:"query_words"` // of a question, all different
	// Near is the probability that a document has a given word of the topic:
	// the share of a question's words that a distractor shares with it.
	Near float64 `json:"near"`
	// Gold is the same of the document that has the answer, for the words of
	// its question.
	Gold float64 `json:"gold"`
}

// maxCount bounds counts and lengths, so that a wrong number ends in an error and
// not in a run without end.
const maxCount = 1_000_000

type count struct {
	name           string
	got, from, end int
}

func checkCounts(list ...count) error {
	for _, n := range list {
		if n.got < n.from || n.got > n.end {
			return bad("%s %d: want %d to %d", n.name, n.got, n.from, n.end)
		}
	}
	return nil
}

type rate struct {
	name string
	got  float64
}

func checkRates(list ...rate) error {
	for _, p := range list {
		if !(p.got >= 0 && p.got <= 1) {
			return bad("%s %g: want a probability from 0 to 1", p.name, p.got)
		}
	}
	return nil
}

func (c Collection) check(questions int) error {
	if err := checkCounts(
		count{"documents", c.Documents, 1, maxCount}, count{"words of a document", c.Words, 1, maxCount},
		count{"words of a question", c.Query, 1, maxCount}, count{"words of the topic", c.Topic, c.Query, maxCount},
	); err != nil {
		return err
	}
	switch {
	case c.Documents*c.Words > 100*maxCount:
		return bad("%d documents of %d words: want at most %d words in all", c.Documents, c.Words, 100*maxCount)
	case c.Topic >= c.Words:
		return bad("topic of %d words: want fewer than the %d of a document, which has its answer too", c.Topic, c.Words)
	case questions > c.Documents:
		return bad("%d questions about %d documents: want one document or more for each", questions, c.Documents)
	}
	return checkRates(rate{"Near", c.Near}, rate{"Gold", c.Gold})
}
