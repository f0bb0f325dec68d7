package cartridge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// What a source says of its teacher is whose answers it gives.
func TestTheTeacherOfASourceGivesItsAnswers(t *testing.T) {
	tr, _ := small(t, 1)
	study := tr.Lesson.(Study)
	constant, hard, chunks, top, all := study, study, study, study, study
	constant.ConstantTargets = true
	hard.Objective = HardLabels
	chunks.ConstantTargets, chunks.Chunk = false, 24
	top.ConstantTargets, top.TopK = false, 3
	all.ConstantTargets, all.TopK = false, study.Corpus.Facts()
	for name, s := range map[string]Study{"constant": constant, "hard": hard, "chunks": chunks, "top": top, "all": all} {
		next, ask := ok(s.Open(5)), ok(s.Open(5)).(Asking)
		a, b := newBatch(20, s.Corpus.K.Cols, s.Corpus.V.Cols), newBatch(20, s.Corpus.K.Cols, s.Corpus.V.Cols)
		if err := errors.Join(next.Next(a), next.Next(a), ask.Ask(b), ask.Ask(b)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Facts, b.Facts) || !slices.Equal(a.Q.Data, b.Q.Data) {
			t.Errorf("%s: Ask asks something else than Next", name)
		}
		who := ask.Teacher()
		if (who == nil) != (name == "top") {
			t.Fatalf("%s: the teacher is %v", name, who)
		}
		switch {
		case who == nil:
			continue
		case who.Reads():
			newTeacher(s.Model, &Corpus{K: who.Keys, V: who.Values}, who.Chunk, 0).answer(b)
		default:
			for i, fact := range b.Facts {
				copy(b.Mean.Row(i), who.Mean.Row(fact))
				b.NegEntropy[i] = who.NegEntropy[fact]
			}
		}
		if !slices.Equal(a.Mean.Data, b.Mean.Data) || !slices.Equal(a.NegEntropy, b.NegEntropy) {
			t.Errorf("%s: the teacher answers something else", name)
		}
	}
}

// An engine that answers itself gets batches without answers, and a teacher.
func TestAnEngineMayAnswerItself(t *testing.T) {
	tr, start := small(t, 40)
	study := tr.Lesson.(Study)
	study.ConstantTargets = false
	tr.Lesson = study
	want := ok(tr.Train(context.Background(), start))
	var made *several
	tr.Engine = func(s Setup) (Engine, error) {
		if !s.Teacher.Reads() {
			t.Fatal("the setup's teacher has no context")
		}
		e, err := ByHand(s)
		made = &several{Engine: e, perCall: 16, teacher: newTeacher(s.Model, &Corpus{K: s.Teacher.Keys, V: s.Teacher.Values}, s.Teacher.Chunk, 0)}
		return made, err
	}
	got := ok(tr.Train(context.Background(), start))
	if !slices.Equal(got.Losses, want.Losses) {
		t.Error("the losses are others")
	}
	if made.given {
		t.Error("it was given answers")
	}
}

func TestATeacherThatDoesNotFitIsNamed(t *testing.T) {
	m := func(rows, cols int) Matrix { return NewMatrix(rows, cols) }
	for want, teacher := range map[string]Teacher{
		"teacher's means: 0 x 0":     {},
		"teacher's means: 7 columns": {Mean: m(4, 7), NegEntropy: make([]float32, 4)},
		"teacher's entropies: 3":     {Mean: m(4, 8), NegEntropy: make([]float32, 3)},
		"teacher's keys: 8 columns":  {Keys: m(4, 8), Values: m(4, 8), Chunk: 4},
		"teacher's values: 7":        {Keys: m(4, 6), Values: m(4, 7), Chunk: 4},
		"3 of 4 keys":                {Keys: m(4, 6), Values: m(3, 8), Chunk: 4},
		"chunks of 0 facts":          {Keys: m(4, 6), Values: m(4, 8)},
		"want one of both":           {Keys: m(4, 6), Values: m(4, 8), Chunk: 4, Mean: m(4, 8)},
	} {
		s := Setup{Model: DefaultModel(), Candidates: m(5, 8), Batch: 2, Slots: 2, KeyDim: 6, Teacher: &teacher}
		if err := s.Check(); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want an error with %q", err, want)
		}
	}
}
