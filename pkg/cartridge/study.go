package cartridge

import (
	"math/rand/v2"

	"memlab/pkg/random"
)

// Study says how questions about a document and a teacher's answers are made, as
// in the paper's algorithm 1: draw a chunk, draw a kind of question, ask about a
// fact of the chunk, let the model answer that has only the chunk in its context.
// The zero value of everything but Model, Corpus and Distance is the lecture's.
type Study struct {
	Model  Model
	Corpus *Corpus
	// Chunk is how many facts a teacher has in its context; 0: all.
	Chunk int
	// Families are the kinds of questions, drawn with equal probability; none
	// means Anyhow.
	Families []Family
	// Distance is how far a question is from the words of the text.
	Distance  float64
	Objective Objective
	// TopK keeps the teacher's most probable candidates only, brought back to a
	// sum of 1; 0: all.
	TopK int
	// ConstantTargets takes one answer for each fact, that of a teacher whose
	// attention is all on that fact. In the lecture's toy over .9997 of it is.
	ConstantTargets bool
}

// DefaultDistance is the calibrated distance, at which the cosine between a
// question and its key is .96.
const DefaultDistance = 0.30

// Check says what is wrong with a study.
func (s Study) Check() error {
	if err := s.Model.check(); err != nil {
		return err
	}
	if err := s.Corpus.Check(); err != nil {
		return err
	}
	if err := checkDistance(s.Distance); err != nil {
		return err
	}
	for _, f := range s.Families {
		if err := f.check(s.Corpus.K.Cols); err != nil {
			return err
		}
	}
	switch {
	case s.Chunk < 0:
		return bad("chunks of %d facts: want 1 or more, or 0 for all", s.Chunk)
	case s.TopK < 0:
		return bad("top %d candidates: want 1 or more, or 0 for all", s.TopK)
	case s.Objective < Distill || s.Objective > Memorize:
		return bad("%v: want one of %v, %v, %v", s.Objective, Distill, HardLabels, Memorize)
	}
	return nil
}

// Source gives the batches of a training, one after the other.
type Source interface {
	Next(b *Batch) error
}

// Lesson is what a trainer trains on: a Study, with fresh questions in each step,
// or a Dataset that was generated once.
type Lesson interface {
	// Open starts the batches that a seed gives.
	Open(seed random.Seed) (Source, error)
	// Shape is what batches are made for and the candidates are.
	Shape() (m Model, candidates Matrix, keyDim int)
}

// Shape is that of the document.
func (s Study) Shape() (m Model, candidates Matrix, keyDim int) {
	return s.Model, s.Corpus.V, s.Corpus.K.Cols
}

// Open draws facts with replacement and each question anew.
func (s Study) Open(seed random.Seed) (Source, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f := &fresh{
		study: s, facts: seed.Stream("cartridge", "facts"),
		families: seed.Stream("cartridge", "families"), words: seed.Stream("cartridge", "words"),
	}
	if s.Objective != Distill {
		f.mean, f.negEntropy = s.Corpus.V, make([]float32, s.Corpus.Facts())
		return f, nil
	}
	chunk := s.Chunk
	if chunk == 0 {
		chunk = s.Corpus.Facts()
	}
	teacher := newTeacher(s.Model, s.Corpus, chunk, s.TopK)
	if s.ConstantTargets {
		f.mean, f.negEntropy = teacher.constants()
	} else {
		f.teacher = teacher
	}
	return f, nil
}

// fresh has a teacher, or an answer for each fact.
type fresh struct {
	study                  Study
	facts, families, words *rand.Rand
	teacher                *teacher
	mean                   Matrix
	negEntropy             []float32
}

func (f *fresh) Teacher() *Teacher {
	switch t := f.teacher; {
	case t == nil:
		return &Teacher{Mean: f.mean, NegEntropy: f.negEntropy}
	case t.topK > 0 && t.topK < t.corpus.Facts():
		return nil
	default:
		return &Teacher{Keys: t.corpus.K, Values: t.corpus.V, Chunk: t.chunk}
	}
}

func (f *fresh) Next(b *Batch) error {
	if err := f.Ask(b); err != nil {
		return err
	}
	if f.teacher != nil {
		f.teacher.answer(b)
		return nil
	}
	for i, fact := range b.Facts {
		copy(b.Mean.Row(i), f.mean.Row(fact))
		b.NegEntropy[i] = f.negEntropy[fact]
	}
	return nil
}

func (f *fresh) Ask(b *Batch) error {
	s := f.study
	for i := range b.Facts {
		fact := f.facts.IntN(s.Corpus.Facts())
		b.Facts[i] = fact
		family := Anyhow
		if len(s.Families) > 0 {
			family = s.Families[f.families.IntN(len(s.Families))]
		}
		if s.Objective == Memorize {
			copy(b.Q.Row(i), s.Corpus.K.Row(fact))
		} else {
			family.rephrase(b.Q.Row(i), s.Corpus.K.Row(fact), s.Distance, f.words)
		}
	}
	return nil
}
