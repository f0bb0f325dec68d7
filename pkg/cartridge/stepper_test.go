package cartridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/random"
)

// several is the hand-written engine as a Stepper.
type several struct {
	Engine
	perCall int
	k, v    moments
	t       int
	calls   []int    // how many steps each call took
	wrong   int      // a call that returns a loss too few, counted from 1
	teacher *teacher // finds the answers; nil: they are given
	given   bool     // answers, in the first call
}

func (s *several) StepsPerCall() int { return s.perCall }

func (s *several) Answers() bool { return s.teacher != nil }

func (s *several) Reset() error {
	s.k, s.v, s.t = moments{}, moments{}, 0
	return nil
}

func (s *several) Steps(z *Cartridge, batches []*Batch, updates []Update) (losses []float64, err error) {
	if s.k.m == nil {
		s.k, s.v = newMoments(z.K), newMoments(z.V)
	}
	s.calls = append(s.calls, len(batches))
	g := NewGradient(z)
	for i, b := range batches {
		if s.teacher != nil {
			s.given = s.given || !slices.Equal(b.NegEntropy, make([]float32, len(b.NegEntropy))) && len(s.calls) == 1
			s.teacher.answer(b)
		}
		loss, err := s.Gradient(z, b, g)
		if err != nil {
			return nil, err
		}
		losses = append(losses, loss)
		s.t++
		if want := updates[i].Adam.at(s.t, 0.01); updates[i] != want {
			return nil, fmt.Errorf("update %+v: want %+v", updates[i], want)
		}
		updates[i].update(z.K, g.K, z.Frozen, s.k, s.t, 0.01)
		updates[i].update(z.V, g.V, z.Frozen, s.v, s.t, 0.01)
	}
	if len(s.calls) == s.wrong {
		losses = losses[1:]
	}
	return losses, nil
}

func stepping(perCall int, made *[]*several) NewEngine {
	return func(s Setup) (Engine, error) {
		e, err := ByHand(s)
		*made = append(*made, &several{Engine: e, perCall: perCall})
		return (*made)[len(*made)-1], err
	}
}

// However many steps a call takes, everything that is seen of a training is the same.
func TestStepsTakenTogetherAreTheSameTraining(t *testing.T) {
	train := func(e NewEngine) string {
		tr, start := small(t, 203)
		tr.Engine, tr.Snapshots, tr.CheckpointEvery, tr.ProgressEvery = e, []int{0, 1, 37, 203}, 50, 7
		tr.Validation = &Validation{Questions: 16, Every: 30}
		var seen bytes.Buffer
		tr.Progress = func(p Progress) {
			fmt.Fprintln(&seen, p.Step, p.Loss, p.Rate, p.Validation == nil || *p.Validation > 0)
		}
		tr.Checkpoint = func(step int, z *Cartridge) error {
			_, err := fmt.Fprintln(&seen, "checkpoint", step)
			return errors.Join(err, z.Save(&seen))
		}
		r := ok(tr.Train(context.Background(), ok(start.Freeze(3))))
		fmt.Fprintln(&seen, r.Step, r.Losses, r.Validation)
		for _, z := range []*Cartridge{r.Cartridge, r.Snapshots[0], r.Snapshots[1], r.Snapshots[37], r.Snapshots[203]} {
			seen.Write(bytesOf(t, z))
		}
		return seen.String()
	}
	want := train(ByHand)
	for _, perCall := range []int{1, 2, 16, 1000} {
		var made []*several
		if train(stepping(perCall, &made)) != want {
			t.Errorf("%d steps per call: another training", perCall)
		}
		if perCall == 16 {
			// The first engine trains, the second validates. Calls end at steps 1 and 37
			// (snapshots), at 30, 60 ... (validation) and at 50, 100 ... (checkpoints).
			want := []int{1, 16, 13, 7, 13, 10, 16, 14, 10, 16, 4, 16, 14, 16, 14, 16, 4, 3}
			if got := made[0].calls; !slices.Equal(got, want) || made[1].calls != nil {
				t.Errorf("calls of %v steps: want %v", got, want)
			}
		}
	}
}

func TestStepsTakenTogetherEndWhereSomethingIsWrong(t *testing.T) {
	var made []*several
	tr, start := small(t, 100)
	tr.Engine = stepping(16, &made)
	ctx, stop := context.WithCancel(context.Background())
	tr.ProgressEvery = 20
	tr.Progress = func(p Progress) { stop() } // in the second call, of steps 17 to 32
	r, err := tr.Train(ctx, start)
	if !errors.Is(err, context.Canceled) || r.Step != 32 || len(r.Losses) != 32 {
		t.Errorf("cancelled in step 20: %v after step %d", err, r.Step)
	}

	tr, start = small(t, 100)
	tr.Engine, tr.Lesson = stepping(16, &made), ending{tr.Lesson.(Study), 21}
	if r, err = tr.Train(context.Background(), start); !errors.Is(err, errEnd) || r.Step != 20 || len(r.Losses) != 20 {
		t.Errorf("no batch 21: %v after step %d", err, r.Step)
	}
	plain, _ := small(t, 20)
	if !bytes.Equal(bytesOf(t, r.Cartridge), bytesOf(t, ok(plain.Train(context.Background(), start)).Cartridge)) {
		t.Error("what was reached before the missing batch is lost")
	}

	tr, start = small(t, 100)
	tr.Engine = func(s Setup) (Engine, error) {
		e, err := ByHand(s)
		return &several{Engine: e, perCall: 16, wrong: 2}, err
	}
	if _, err = tr.Train(context.Background(), start); err == nil || !strings.Contains(err.Error(), "step 17: the engine returns 15 losses of 16 steps") {
		t.Errorf("a loss too few: %v", err)
	}
}

var errEnd = errors.New("no more")

// ending is a study with an end.
type ending struct {
	Study
	at int
}

type endingSource struct {
	Source
	left int
}

func (e ending) Open(seed random.Seed) (Source, error) {
	s, err := e.Study.Open(seed)
	return &endingSource{s, e.at - 1}, err
}

func (e *endingSource) Next(b *Batch) error {
	if e.left--; e.left == -1 { // once: who does not listen misses it
		return errEnd
	}
	return e.Source.Next(b)
}
