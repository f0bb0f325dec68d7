package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"memlab/pkg/cartridge"
	"memlab/pkg/cartridge/gomlx"
	"memlab/pkg/random"
	"memlab/pkg/table"
)

// trainFlags is what memlab train is asked.
type trainFlags struct {
	facts, dims, slots, frozen, chunk int
	steps, batch, seed                int
	rate, distance                    float64
	engine, objective, start          string
	save, load                        string
	json                              bool
}

// A choice is one of the words that a flag may be.
type choice[T any] struct {
	word  string
	value T
}

var (
	trainEngines = []choice[cartridge.NewEngine]{{"gomlx", gomlx.Engine}, {"hand", cartridge.ByHand}, {"xla", gomlx.XLA}}

	trainObjectives = []choice[cartridge.Objective]{
		{"self-study", cartridge.Distill}, {"hard-labels", cartridge.HardLabels}, {"memorize", cartridge.Memorize},
	}

	trainStarts = []choice[func(*cartridge.Corpus, int, random.Seed) (*cartridge.Cartridge, error)]{
		{"first-tokens", func(c *cartridge.Corpus, p int, _ random.Seed) (*cartridge.Cartridge, error) {
			return cartridge.FirstTokens(c, p)
		}},
		{"random-tokens", func(c *cartridge.Corpus, p int, s random.Seed) (*cartridge.Cartridge, error) {
			return cartridge.RandomTokens(c, p, s.Stream("cartridge", "tokens"))
		}},
		{"random-vectors", func(c *cartridge.Corpus, p int, s random.Seed) (*cartridge.Cartridge, error) {
			return cartridge.RandomVectors(c, p, false, s.Stream("cartridge", "vectors"))
		}},
	}
)

func chosen[T any](flag, word string, choices []choice[T]) (T, error) {
	for _, c := range choices {
		if c.word == word {
			return c.value, nil
		}
	}
	var none T
	return none, fmt.Errorf("--%s %q: want %s", flag, word, words(choices))
}

func words[T any](choices []choice[T]) string {
	var out []string
	for _, c := range choices {
		out = append(out, c.word)
	}
	return strings.Join(out[:len(out)-1], ", ") + " or " + out[len(out)-1]
}

func trainCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train [--facts N] [--p SLOTS] [--steps N]",
		Short: "Train a small KV cache to stand for a document",
		Long: `Train a small KV cache, a cartridge, to stand for a document.

The document is a toy: N facts, each a random key and value, one token of KV. Users ask for facts
in other words. The cartridge's keys and values are trained by gradient descent to answer like the
model that has the document in its context; beside the result stand the whole document in context,
its first facts alone, and two matrices as memory. Document and questions follow from --facts,
--dims and --seed, so that a cartridge that was saved can be trained on or tested again.

Gradients come from automatic differentiation in pure Go (--engine gomlx), from formulas derived
by hand (hand) or from automatic differentiation on Google's XLA (xla); they agree to five digits.
XLA is an extra that needs a C compiler: CGO_ENABLED=1 go run -tags xla ./pkg/cmd/memlab train
--engine xla. Its plugin is got by go run github.com/gomlx/go-xla/cmd/pjrt_installer@latest
-autoinstall, or is the pjrt_c_api_cpu_plugin.so of a folder named in PJRT_PLUGIN_LIBRARY_PATH;
memlab downloads nothing.

Ctrl-C ends a training with what it has reached, which is scored and saved; a second
Ctrl-C ends everything at once.`,
		Example: `  memlab train --facts 512 --p 64 --steps 3000
  memlab train --p 32 --objective memorize --engine hand
  memlab train --facts 2048 --p 256 --chunk 512 --save document.json
  memlab train --facts 2048 --load document.json --steps 0 --json
  CGO_ENABLED=1 go run -tags xla ./pkg/cmd/memlab train --engine xla`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			context.AfterFunc(ctx, stop) // the next one is not caught
			return f.run(ctx, cmd)
		},
	}
	flags := cmd.Flags()
	number := func(to *int, name string, value int, usage string) {
		wholeVar(flags, to, name, usage)
		*to = value
		flags.Lookup(name).DefValue = fmt.Sprint(value)
	}
	number(&f.facts, "facts", 512, "facts of the document")
	number(&f.dims, "dims", 64, "numbers in a key and in a value")
	number(&f.slots, "p", 64, "slots of the cartridge, which occupies as much memory as that many facts")
	number(&f.frozen, "frozen", 0, "leading slots that training leaves as they are")
	number(&f.chunk, "chunk", 0, "facts that the teacher sees at a time; 0: all")
	number(&f.steps, "steps", 3000, "steps of training; 0 with --load: only test")
	number(&f.batch, "batch", 128, "questions in each step")
	number(&f.seed, "seed", 0, "draws document, questions and batches")
	fraction := func(to *float64, name string, value float64, usage string) {
		fractionVar(flags, to, name, usage)
		*to = value
		flags.Lookup(name).DefValue = fmt.Sprint(value)
	}
	fraction(&f.rate, "rate", 0.003, "learning rate of Adam")
	fraction(&f.distance, "distance", cartridge.DefaultDistance, "how far questions are from the words of the text")
	flags.StringVar(&f.engine, "engine", "gomlx", "who computes gradients: "+words(trainEngines)+"; xla only in a build with it")
	flags.StringVar(&f.objective, "objective", "self-study", "what is learned: "+words(trainObjectives))
	flags.StringVar(&f.start, "start", "first-tokens", "what slots start as: "+words(trainStarts))
	flags.StringVar(&f.save, "save", "", "write the cartridge to a file")
	flags.StringVar(&f.load, "load", "", "start with the cartridge of a file")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("load", "start")
	return cmd
}

// trainResult is what a training came to, and what --json prints.
type trainResult struct {
	Facts     int     `json:"facts"`
	Dims      int     `json:"dims"`
	Slots     int     `json:"slots"`
	Engine    string  `json:"engine"`
	Objective string  `json:"objective"`
	Seed      int     `json:"seed"`
	Step      int     `json:"step"` // that the cartridge is of
	Steps     int     `json:"steps"`
	Loss      float64 `json:"loss"` // mean over the last steps, 0 without any
	// Ended says why a training ended before its steps.
	Ended   string        `json:"ended,omitempty"`
	Methods []trainMethod `json:"methods"`
	Saved   string        `json:"saved,omitempty"`
}

// trainMethod is how many questions one way answers.
type trainMethod struct {
	Name     string  `json:"name"`
	Tokens   float64 `json:"kv_tokens"`
	Original float64 `json:"words_of_the_text"`
	Other    float64 `json:"other_words"`
}

// The largest sizes that are taken; beyond them a matrix would not fit into the
// memory of a usual machine.
const (
	mostFacts = 100_000
	mostDims  = 4096
	mostBatch = 65_536
	// At this distance a question has nothing of the text left, and it is far
	// within what can be computed.
	mostDistance = 1e30
)

func (f *trainFlags) check(changed func(string) bool) error {
	if f.load == "" && changed("load") {
		return errors.New("--load: the name is empty: want that of a file")
	}
	least := 1
	if f.load != "" {
		least = 0
	}
	for _, n := range []struct {
		flag             string
		got, least, most int
		why              string
	}{
		{"facts", f.facts, 1, mostFacts, ""},
		{"dims", f.dims, 1, mostDims, ""},
		{"p", f.slots, 1, f.facts, ", the number of facts"},
		{"frozen", f.frozen, 0, f.slots, ", the number of slots"},
		{"chunk", f.chunk, 0, f.facts, ", the number of facts"},
		{"steps", f.steps, least, math.MaxInt32, ""},
		{"batch", f.batch, 1, mostBatch, ""},
		{"seed", f.seed, 0, math.MaxInt, ""},
	} {
		if f.load != "" && !changed("p") && (n.flag == "p" || n.flag == "frozen") {
			n.most = mostFacts // the file says how many slots there are
		}
		switch {
		case n.got < n.least:
			return fmt.Errorf("--%s %d: want %d or more", n.flag, n.got, n.least)
		case n.got > n.most:
			return fmt.Errorf("--%s %d: want at most %d%s", n.flag, n.got, n.most, n.why)
		}
	}
	if !(f.rate > 0) || math.IsInf(f.rate, 0) {
		return fmt.Errorf("--rate %g: want a positive number", f.rate)
	}
	if !(f.distance >= 0 && f.distance <= mostDistance) {
		return fmt.Errorf("--distance %g: want 0 to %g", f.distance, float64(mostDistance))
	}
	return nil
}

func (f *trainFlags) run(ctx context.Context, cmd *cobra.Command) error {
	if err := f.check(cmd.Flags().Changed); err != nil {
		return err
	}
	engine, err := chosen("engine", f.engine, trainEngines)
	if err != nil {
		return err
	}
	objective, err := chosen("objective", f.objective, trainObjectives)
	if err != nil {
		return err
	}
	seed := random.Seed(f.seed)
	text, err := cartridge.NewCorpus(f.facts, f.dims, seed.Stream("cartridge", "corpus", "A"))
	if err != nil {
		return err
	}
	const times = 4 // as in the lecture's scores
	ask, err := text.Rephrased(times, f.distance, cartridge.Anyhow, seed.Stream("cartridge", "ask", "A"))
	if err != nil {
		return err
	}
	start, err := f.first(text, seed, cmd.Flags().Changed("p"))
	if err != nil {
		return err
	}
	var file *newFile
	if cmd.Flags().Changed("save") {
		if file, err = createFile(f.save); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
		defer file.discard()
	}
	model := cartridge.DefaultModel()
	r := trainResult{
		Facts: f.facts, Dims: f.dims, Slots: start.Slots(), Engine: f.engine, Objective: f.objective, Seed: f.seed, Steps: f.steps,
	}
	reached, ended := start, error(nil)
	if f.steps > 0 {
		t := cartridge.DefaultTrainer(cartridge.Study{
			Model: model, Corpus: text, Chunk: f.chunk, Distance: f.distance, Objective: objective,
		}, f.steps, seed)
		t.Engine, t.Batch, t.Rate = engine, f.batch, f.rate
		trained, err := f.train(ctx, cmd.ErrOrStderr(), t, start)
		if errors.Is(err, gomlx.ErrNoXLA) {
			return errors.New("--engine xla: this memlab was built without XLA: with a C compiler, build one with it by " +
				"CGO_ENABLED=1 go run -tags xla ./pkg/cmd/memlab train --engine xla; gomlx and hand need nothing")
		}
		if trained == nil {
			return err
		}
		ended = err
		reached, r.Step, r.Loss = trained.Cartridge, trained.Step, lastLoss(trained)
	}
	if ended != nil {
		r.Ended = ended.Error()
	}
	if r.Methods, err = f.score(model, text, ask, reached); err != nil {
		return err
	}
	if file != nil {
		if err := errors.Join(reached.Save(file), file.keep()); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
		r.Saved = f.save
	}
	if f.json {
		err = json.NewEncoder(cmd.OutOrStdout()).Encode(r)
	} else {
		err = r.print(cmd.OutOrStdout())
	}
	return errors.Join(ended, err)
}

// first is the cartridge that training starts with.
func (f *trainFlags) first(text *cartridge.Corpus, seed random.Seed, slotsGiven bool) (z *cartridge.Cartridge, err error) {
	if f.load == "" {
		make, err := chosen("start", f.start, trainStarts)
		if err != nil {
			return nil, err
		}
		if z, err = make(text, f.slots, seed); err != nil {
			return nil, err
		}
	} else {
		file, err := os.Open(f.load)
		if err != nil {
			return nil, fmt.Errorf("--load: %w", err)
		}
		defer file.Close()
		if z, err = cartridge.Load(f.load, file); err != nil {
			return nil, fmt.Errorf("--load: %w", err)
		}
		slots := z.Slots()
		if slotsGiven {
			slots = f.slots
		}
		if err := z.Fits(slots, f.dims, f.dims); err != nil {
			return nil, fmt.Errorf("--load %s: %w", f.load, err)
		}
	}
	if f.frozen > 0 {
		if z, err = z.Freeze(f.frozen); err != nil {
			return nil, fmt.Errorf("--frozen: %w", err)
		}
	}
	return z, nil
}

// train shows how far it is; it ends with the training or with ctx.
func (f *trainFlags) train(ctx context.Context, notes io.Writer, t cartridge.Trainer, start *cartridge.Cartridge) (*cartridge.Result, error) {
	bar := progress{notes}.bar("training", int64(t.Steps), progressbar.OptionSetPredictTime(true))
	t.ProgressEvery = 20
	t.Progress = func(p cartridge.Progress) {
		bar.Describe(fmt.Sprintf("training, loss %.3f", p.Loss))
		_ = bar.Set(p.Step)
	}
	r, err := t.Train(ctx, start)
	if done := bar.Exit(); err == nil {
		err = done
	}
	return r, err
}

// lastLoss is the mean over the last steps, up to a hundred.
func lastLoss(r *cartridge.Result) float64 {
	last := r.Losses[max(0, len(r.Losses)-100):]
	sum := 0.0
	for _, x := range last {
		sum += x / float64(len(last))
	}
	return sum
}

func (f *trainFlags) score(m cartridge.Model, text *cartridge.Corpus, ask cartridge.Questions, z *cartridge.Cartridge) ([]trainMethod, error) {
	var out []trainMethod
	add := func(name string, tokens float64, r cartridge.Reader, err error) error {
		if err != nil {
			return err
		}
		method := trainMethod{Name: name, Tokens: tokens}
		if method.Original, err = cartridge.Score(r, text.Original(), text.V); err != nil {
			return err
		}
		method.Other, err = cartridge.Score(r, ask, text.V)
		out = append(out, method)
		return err
	}
	slots := min(z.Slots(), text.Facts())
	trained, err := m.With(z)
	if err := add("cartridge", float64(z.Slots()), trained, err); err != nil {
		return nil, err
	}
	whole, err := m.Truncated(text, text.Facts())
	if err := add("whole document in context", float64(text.Facts()), whole, err); err != nil {
		return nil, err
	}
	first, err := m.Truncated(text, slots)
	if err := add(fmt.Sprintf("first %d facts in context", slots), float64(slots), first, err); err != nil {
		return nil, err
	}
	sum, err := cartridge.LinearSum(text)
	if err := add("matrix, associations added up", sum.Tokens(), sum, err); err != nil {
		return nil, err
	}
	if text.Facts() < text.K.Cols {
		return out, nil // fewer facts than dimensions do not determine a matrix
	}
	squares, err := cartridge.LinearLeastSquares(text)
	return out, add("matrix, least squares", squares.Tokens(), squares, err)
}

func (r *trainResult) print(out io.Writer) error {
	title := fmt.Sprintf("A cartridge of %d slots for %d facts after %d of %d steps", r.Slots, r.Facts, r.Step, r.Steps)
	if r.Step > 0 {
		title += fmt.Sprintf(", loss %.4f", r.Loss)
	}
	t := table.New(title, "memory", "tokens of KV", "words of the text", "other words")
	for _, m := range r.Methods {
		if err := t.Add(m.Name, m.Tokens, fmt.Sprintf("%.3f", m.Original), fmt.Sprintf("%.3f", m.Other)); err != nil {
			return err
		}
	}
	text := t.Text()
	if r.Saved != "" {
		text += "\nsaved in " + r.Saved + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

// newFile is a file that takes its name when it is complete, so that nothing good
// is overwritten by half of something.
type newFile struct {
	*os.File
	name string
	done bool
}

func createFile(name string) (*newFile, error) {
	if name == "" {
		return nil, errors.New("the name is empty: want that of a file")
	}
	// What is renamed onto a device, a pipe or a link would take its place.
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	switch info, err := os.Lstat(name); {
	case err != nil: // there is none yet
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, want a file", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is a device, a pipe or a link to nothing, want a usual file or a new name", name)
	}
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	var path *os.PathError
	if errors.As(err, &path) {
		return nil, fmt.Errorf("%s: no file can be made in folder %s: %w", name, filepath.Dir(name), path.Err)
	}
	if err != nil {
		return nil, err
	}
	return &newFile{File: file, name: name}, nil
}

func (f *newFile) keep() error {
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	f.done = true
	return os.Rename(f.Name(), f.name)
}

func (f *newFile) discard() {
	if !f.done {
		f.Close()
		os.Remove(f.Name())
	}
}
