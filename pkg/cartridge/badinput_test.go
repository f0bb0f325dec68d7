package cartridge_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"memlab/pkg/cartridge"
	"memlab/pkg/random"
)

// broken returns NaN for every question.
type broken struct{ rows int }

func (b broken) Read(q cartridge.Matrix) (cartridge.Matrix, error) {
	m := cartridge.NewMatrix(q.Rows+b.rows, 8)
	for i := range m.Data {
		m.Data[i] = float32(math.NaN())
	}
	return m, nil
}

func TestImpossibleInputIsAnErrorThatSaysWhatIsWrong(t *testing.T) {
	const seed = random.Seed(1)
	c, err := cartridge.NewCorpus(16, 8, seed.Stream("corpus"))
	if err != nil {
		t.Fatal(err)
	}
	start, err := cartridge.FirstTokens(c, 4)
	if err != nil {
		t.Fatal(err)
	}
	study := cartridge.Study{Model: cartridge.DefaultModel(), Corpus: c, Distance: cartridge.DefaultDistance}
	train := func(change func(*cartridge.Trainer)) error {
		tr := cartridge.DefaultTrainer(study, 3, seed)
		change(&tr)
		_, err := tr.Train(context.Background(), start)
		return err
	}
	validate := func(v cartridge.Validation) error {
		return train(func(tr *cartridge.Trainer) { tr.Validation = &v })
	}
	score := func(r cartridge.Reader, ask cartridge.Questions, candidates cartridge.Matrix) error {
		_, err := cartridge.Score(r, ask, candidates)
		return err
	}
	long := start.Clone()
	for i := range long.V.Data {
		long.V.Data[i] = math.MaxFloat32
	}
	far := start.Clone()
	for i := range far.V.Data {
		far.V.Data[i] = 1e38
	}
	tooFar, err := study.Model.With(far)
	if err != nil {
		t.Fatal(err)
	}
	large := cartridge.Matrix{Rows: c.V.Rows, Cols: c.V.Cols, Data: make([]float32, len(c.V.Data))}
	for i := range large.Data {
		large.Data[i] = 100
	}
	tooLong, err := study.Model.With(long)
	if err != nil {
		t.Fatal(err)
	}
	document, err := study.Model.Truncated(c, 16)
	if err != nil {
		t.Fatal(err)
	}
	short := c.Original()
	short.Q.Data = short.Q.Data[:3]
	setup := cartridge.Setup{Model: study.Model, Candidates: c.V, Batch: 2, Slots: 4, KeyDim: 8}
	for name, tc := range map[string]struct {
		err  func() error
		want string
	}{
		"a memory that returns NaN is not scored":         {func() error { return score(broken{}, c.Original(), c.V) }, "NaN"},
		"nor one that overflows":                          {func() error { return score(tooLong, c.Original(), c.V) }, "what the memory returned"},
		"nor one that returns too many vectors":           {func() error { return score(broken{1}, c.Original(), c.V) }, "17 vectors"},
		"nor one whose scores overflow":                   {func() error { return score(tooFar, c.Original(), large) }, "scores of the candidates"},
		"nor no memory":                                   {func() error { return score(nil, c.Original(), c.V) }, "reader is nil"},
		"questions without their numbers are not scored":  {func() error { return score(document, short, c.V) }, "questions: 3 numbers"},
		"candidates without their numbers are not either": {func() error { return score(document, c.Original(), cartridge.Matrix{Rows: 16, Cols: 8}) }, "candidates: 0 numbers"},
		"a beta beyond float32":                           {func() error { _, err := cartridge.Model{Beta: 1e300, Gamma: 1}.With(start); return err }, "beta 1e+300"},
		"a beta that is 0 in float32":                     {func() error { _, err := cartridge.Model{Beta: 1e-300, Gamma: 1}.With(start); return err }, "beta 1e-300"},
		"a distance beyond float32":                       {func() error { _, err := c.Rephrased(1, 1e300, 0, seed.Stream("ask")); return err }, "distance 1e+300"},
		"questions about nothing":                         {func() error { _, err := (&cartridge.Corpus{}).Rephrased(1, 1, 0, seed.Stream("ask")); return err }, "keys: 0 x 0"},
		"more questions than memory":                      {func() error { _, err := c.Rephrased(math.MaxInt, 1, 0, seed.Stream("ask")); return err }, "want at most"},
		"a larger data set than memory":                   {func() error { _, err := study.Generate(math.MaxInt, seed); return err }, "want at most"},
		"a larger corpus than memory":                     {func() error { _, err := cartridge.NewCorpus(1<<40, 1<<40, seed.Stream("x")); return err }, "want at most"},
		"a part of no corpus":                             {func() error { _, err := (*cartridge.Corpus)(nil).Part(0, 1); return err }, "corpus is nil"},
		"freezing no cartridge":                           {func() error { _, err := (*cartridge.Cartridge)(nil).Freeze(1); return err }, "cartridge is nil"},
		"stacking a matrix without its numbers":           {func() error { _, err := cartridge.Stack(cartridge.Matrix{Rows: 3, Cols: 8}); return err }, "part 0: 0 numbers"},
		"larger batches than memory":                      {func() error { return train(func(tr *cartridge.Trainer) { tr.Batch = math.MaxInt }) }, "a batch: "},
		"no data set":                                     {func() error { return train(func(tr *cartridge.Trainer) { tr.Lesson = (*cartridge.Dataset)(nil) }) }, "empty data set"},
		"an epsilon that stops Adam": {func() error {
			return train(func(tr *cartridge.Trainer) { tr.Adam = cartridge.Adam{Epsilon: math.Inf(1)} })
		}, "epsilon +Inf"},
		"validation by an empty study": {func() error { return validate(cartridge.Validation{Lesson: cartridge.Study{}, Questions: 2, Every: 1}) }, "validation: "},
		"validation by no data set": {func() error {
			return validate(cartridge.Validation{Lesson: (*cartridge.Dataset)(nil), Questions: 2, Every: 1})
		}, "validation: "},
		"validation by more questions than memory": {func() error { return validate(cartridge.Validation{Questions: math.MaxInt, Every: 1}) }, "validation: "},
		"a gradient of nothing":                    {func() error { return setup.Fits(nil, nil, nil) }, "cartridge: true"},
		"a check of no engine": {func() error {
			_, err := cartridge.CheckGradient(cartridge.SmallProblem(), cartridge.GradientSource{Name: "mine"})
			return err
		}, "no engine"},
	} {
		if err := tc.err(); !errors.Is(err, cartridge.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v: want %q", name, err, tc.want)
		}
	}
}

func TestATrainingOfAnyLengthCanBeStopped(t *testing.T) {
	c, err := cartridge.NewCorpus(8, 4, random.Seed(1).Stream("corpus"))
	if err != nil {
		t.Fatal(err)
	}
	start, err := cartridge.FirstTokens(c, 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	tr := cartridge.DefaultTrainer(cartridge.Study{Model: cartridge.DefaultModel(), Corpus: c}, math.MaxInt, 1)
	tr.Progress = func(cartridge.Progress) { stop() }
	if r, err := tr.Train(ctx, start); !errors.Is(err, context.Canceled) || r.Step != 100 {
		t.Errorf("%v, %v", r, err)
	}
}

func TestAFileThatHoldsMoreOrLessThanACartridgeIsRefused(t *testing.T) {
	var file bytes.Buffer
	z := &cartridge.Cartridge{K: cartridge.NewMatrix(1, 1), V: cartridge.NewMatrix(1, 1)}
	if err := z.Save(&file); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "empty", " \n": "empty", file.String()[:20]: "breaks off", file.String() + "}": "follows", file.String() + file.String(): "follows",
	} {
		if _, err := cartridge.Load("z.json", strings.NewReader(text)); !errors.Is(err, cartridge.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v: want %q", text, err, want)
		}
	}
	if _, err := cartridge.Load("z.json", &file); err != nil {
		t.Error(err)
	}
}
