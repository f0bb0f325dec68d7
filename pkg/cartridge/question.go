package cartridge

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Questions ask for facts by number. Row i of Q is how question i puts the key
// of its fact.
type Questions struct {
	Facts []int
	Q     Matrix
}

// Family is a kind of question: the toy's counterpart of the paper's kinds of
// seed prompts. A question is the key with noise, brought back to length 1; the
// five kinds put noise of the same expected length into a fifth of the
// dimensions each (kind f into dimension j if j mod 5 is f-1): a kind varies one
// side of the wording and leaves the others as the text has them.
type Family int

// Anyhow varies everything at once; it is how users ask in the lecture, and what
// questions are scored with.
const (
	Anyhow Family = iota
	Structuring
	Summarizing
	Questioning
	UseCases
	Creative
)

var familyNames = []string{"anyhow", "structuring", "summarizing", "questioning", "use cases", "creative"}

func (f Family) String() string {
	if f < 0 || int(f) >= len(familyNames) {
		return fmt.Sprintf("family %d", int(f))
	}
	return familyNames[f]
}

// Families are the five kinds, without Anyhow.
func Families() []Family {
	return []Family{Structuring, Summarizing, Questioning, UseCases, Creative}
}

func (f Family) check(dims int) error {
	switch {
	case f < Anyhow || f > Creative:
		return bad("question family %d: want %d to %d", int(f), int(Anyhow), int(Creative))
	case f != Anyhow && dims < len(Families()):
		return bad("question family %q in %d dimensions: want %d or more, one for each family", f, dims, len(Families()))
	}
	return nil
}

// rephrase writes unit(key + distance * noise), where noise has an expected
// length of about 1.
func (f Family) rephrase(question, key []float32, distance float64, rng *rand.Rand) {
	copy(question, key)
	first, step := 0, 1
	if f != Anyhow {
		first, step = int(f)-1, len(Families())
	}
	n := (len(key) - first + step - 1) / step
	scale := float32(distance / math.Sqrt(float64(n)))
	for j := first; j < len(key); j += step {
		question[j] += float32(scale * float32(rng.NormFloat64()))
	}
	unit(question)
}

// Original asks for every fact once, in the words of the text.
func (c *Corpus) Original() Questions {
	q := Questions{Facts: make([]int, c.Facts()), Q: c.K.Clone()}
	for i := range q.Facts {
		q.Facts[i] = i
	}
	return q
}

// Rephrased asks for every fact several times, each time in other words. At
// distance .30 the cosine between a question and its key is .96.
func (c *Corpus) Rephrased(times int, distance float64, f Family, rng *rand.Rand) (Questions, error) {
	if times < 1 {
		return Questions{}, bad("%d questions for each fact: want 1 or more", times)
	}
	if err := c.Check(); err != nil {
		return Questions{}, err
	}
	if err := checkSize(fmt.Sprintf("%d questions for each fact", times), times, c.Facts()*c.K.Cols); err != nil {
		return Questions{}, err
	}
	if err := checkDistance(distance); err != nil {
		return Questions{}, err
	}
	if err := f.check(c.K.Cols); err != nil {
		return Questions{}, err
	}
	q := Questions{Facts: make([]int, times*c.Facts()), Q: NewMatrix(times*c.Facts(), c.K.Cols)}
	for i := range q.Facts {
		q.Facts[i] = i % c.Facts()
		f.rephrase(q.Q.Row(i), c.K.Row(q.Facts[i]), distance, rng)
	}
	return q, nil
}

// maxDistance keeps noise within float32; at far less nothing is left of the key.
const maxDistance = 1e30

func checkDistance(distance float64) error {
	if !(distance >= 0 && distance <= maxDistance) {
		return bad("rephrasing distance %g: want 0 to %g", distance, maxDistance)
	}
	return nil
}
