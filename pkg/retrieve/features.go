package retrieve

import (
	"math"
	"strings"
)

// minGram and maxGram are the lengths of the pieces that words are cut into.
const minGram, maxGram = 3, 5

// counts are the features of a text, in the order of their first appearance, so
// that sums come out the same every time.
type counts struct {
	names []string
	times map[string]int
}

func (c *counts) add(feature string) {
	if c.times[feature]++; c.times[feature] == 1 {
		c.names = append(c.names, feature)
	}
}

// termCounts are the terms of a text and its single characters of unspaced scripts.
func termCounts(text string) counts {
	c := counts{times: map[string]int{}}
	for _, t := range scan(text) {
		c.add(t.text)
	}
	return c
}

// gramCounts are the terms and, of each word, its pieces of 3 to 5 letters, with
// signs for its two ends: green has <gr, gre, ..., een>, so that greens and
// green have most in common.
func gramCounts(text string) counts {
	c := counts{times: map[string]int{}}
	for _, t := range scan(text) {
		c.add(t.text)
		if t.kind != word {
			continue
		}
		rs := []rune("<" + t.text + ">")
		for n := minGram; n <= maxGram; n++ {
			for i := 0; i+n <= len(rs); i++ {
				c.add(gramMark + string(rs[i:i+n]))
			}
		}
	}
	return c
}

// gramMark tells a piece from a word: no term holds a space.
const gramMark = " "

// weigh gives a feature its weight in a text: sublinear in how often it occurs,
// as 1 + ln(tf), by idf; a piece of a word counts half as much as a word.
func weigh(feature string, times int, idf float64) float64 {
	w := (1 + math.Log(float64(times))) * idf
	if strings.HasPrefix(feature, gramMark) {
		w /= 2
	}
	return w
}

// frequencies counts in how many texts each feature occurs.
func frequencies(texts []counts) map[string]int {
	in := map[string]int{}
	for _, c := range texts {
		for _, name := range c.names {
			in[name]++
		}
	}
	return in
}

// smoothIDF is ln((1+N)/(1+n)) + 1: at least 1, and defined for a feature that
// no text has.
func smoothIDF(texts, with int) float64 {
	return math.Log(float64(1+texts)/float64(1+with)) + 1
}
