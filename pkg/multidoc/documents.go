package multidoc

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"memlab/pkg/random"
	"memlab/pkg/retrieve"
)

// Question is some words, and the one word that answers them.
type Question struct {
	Words  []string
	Answer string
	Gold   string // id of the document that has the answer
}

// Corpus is a collection of documents with a question about some of them.
type Corpus struct {
	Documents [][]string // the words of each; its id is its number
	Questions []Question

	index *retrieve.BM25
}

// Draw makes a collection: one question about each of the first documents. Where
// in its document an answer stands is drawn too, all places alike.
func (c Collection) Draw(seed random.Seed, questions int) (*Corpus, error) {
	if err := checkCounts(count{"questions", questions, 1, maxCount}); err != nil {
		return nil, err
	}
	if err := c.check(questions); err != nil {
		return nil, err
	}
	stream := func(purpose string) *rand.Rand { return seed.Stream("multidoc", purpose) }
	asked, topic, filler, places := stream("questions"), stream("topic"), stream("filler"), stream("places")
	var out Corpus
	for i := range c.Documents {
		gold := make([]bool, c.Topic) // words of the question about it
		if i < questions {
			q := Question{Answer: "answer" + strconv.Itoa(i), Gold: strconv.Itoa(i)}
			for _, w := range asked.Perm(c.Topic)[:c.Query] {
				gold[w] = true
				q.Words = append(q.Words, spell(w))
			}
			out.Questions = append(out.Questions, q)
		}
		var words []string
		for w := range c.Topic {
			share := c.Near
			if gold[w] {
				share = c.Gold
			}
			if topic.Float64() < share {
				words = append(words, spell(w))
			}
		}
		last := c.Words
		if i < questions {
			last--
		}
		for len(words) < last {
			words = append(words, spell(c.Topic+filler.IntN(vocabulary)))
		}
		filler.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		if i < questions {
			words = slices.Insert(words, places.IntN(c.Words), out.Questions[i].Answer)
		}
		out.Documents = append(out.Documents, words)
	}
	return &out, out.fill()
}

// fill indexes the documents.
func (c *Corpus) fill() (err error) {
	if c.index, err = retrieve.NewBM25(); err != nil {
		return err
	}
	for i, words := range c.Documents {
		if err := c.index.Add(strconv.Itoa(i), strings.Join(words, " ")); err != nil {
			return err
		}
	}
	return nil
}

// vocabulary is how many words the documents have beside the topic's.
const vocabulary = 4000

// spell is the word of a number, of syllables as "ba" and "ko".
func spell(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b []byte
	for range 2 {
		b = append(b, consonants[n%len(consonants)], vowels[n/len(consonants)%len(vowels)])
		n /= len(consonants) * len(vowels)
	}
	for ; n > 0; n /= len(consonants) {
		b = append(b, consonants[n%len(consonants)], 'a')
	}
	return string(b)
}

// Retrieve ranks all documents that share a word with the question, as places in
// Documents.
func (c *Corpus) Retrieve(q Question) ([]int, error) {
	hits, err := c.index.Search(strings.Join(q.Words, " "), len(c.Documents), nil)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(hits))
	for i, h := range hits {
		if out[i], err = strconv.Atoi(h.ID); err != nil {
			return nil, err
		}
	}
	return out, nil
}
