package lesson_test

import (
	"math"
	"os/exec"
	"strings"
	"testing"

	"memlab/pkg/cartridge"
	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/cartridge/stored"
	"memlab/pkg/lesson"
	"memlab/pkg/random"
)

func ok[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// A cell that does not train must not wait for GoMLX to be linked.
func TestLessonsDoNotLinkGoMLX(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "memlab/pkg/lesson", "memlab/pkg/exercise", "memlab/pkg/nb").Output()
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(string(out), "gomlx"); i >= 0 {
		t.Errorf("linked: %s", out[i:min(i+60, len(out))])
	}
}

// smallToy is a document of 48 facts, its questions and a short training.
func smallToy() (cartridge.Model, *cartridge.Corpus, cartridge.Questions, cartridge.Trainer) {
	seed := random.Seed(0)
	text := ok(cartridge.NewCorpus(48, 24, seed.Stream("corpus")))
	ask := ok(text.Rephrased(2, cartridge.DefaultDistance, cartridge.Anyhow, seed.Stream("ask")))
	model := cartridge.DefaultModel()
	study := cartridge.Study{Model: model, Corpus: text, Distance: cartridge.DefaultDistance}
	return model, text, ask, cartridge.Trainer{Lesson: study, Steps: 150, Batch: 32, Rate: 0.01}
}

func TestSection4DrawsInBothLanguages(t *testing.T) {
	g := &gallery{t: t}
	figure, tab := g.figure, g.table
	model, text, ask, trainer := smallToy()
	steps := 0
	run := ok(lesson.Train("Self-study", trainer, ok(cartridge.FirstTokens(text, 8)), text, ask, func(n int) { steps += n }))
	if steps != trainer.Steps || run.Other[len(run.Other)-1] <= run.Other[0] || run.Losses[len(run.Losses)-1] >= run.Losses[0] {
		t.Errorf("%d steps, %+v", steps, run)
	}
	figure(lesson.LossFigure(run))
	figure(lesson.LearningFigure(run))
	figure(lesson.LearningFigure(run, lesson.Run{Name: "Memorised", Steps: run.Steps, Original: run.Original, Other: run.Other}))
	tab(lesson.MethodTable(text, ask, append(ok(lesson.Untrained(model, text, 8)), ok(lesson.Trained("Self-study", model, run.Cartridge)))...))
	tab(lesson.GradientTable(ok(cartridge.CheckGradient(cartridge.SmallProblem(), cartridge.GradientSource{Name: "GoMLX", New: cartridge.ByHand}))))
	figure(lesson.ServedFigure(model, text, run.Cartridge))
	tab(lesson.SlotTable(model, text, run.Cartridge, 4))
	for _, draw := range []func() (chart.Figure, error){
		lesson.SlotsFigure, lesson.LabelsFigure, lesson.StepsFigure, lesson.StartsFigure, lesson.CompositionFigure, lesson.JointFigure,
		lesson.LongFigure, lesson.DistanceFigure, lesson.LowRankFigure,
	} {
		figure(draw())
	}
	figure(lesson.SharpnessFigure("beta"))
	figure(lesson.SharpnessFigure("gamma"))
	tab(lesson.KindsTable())
	e, c := engine(t), costmodel.PaperCartridge(128_000)
	tab(lesson.BreakEvenTable(e, c, 2_000, 128_000))
	figure(lesson.BreakEvenFigure(e, c, 2_000, 128_000))
	figure(lesson.CostFigure(e, c, 1, 100, 10_000))
	tab(lesson.RetrainTable(e, c, 0.25, 1, 7))
	tab(lesson.PaperTable("cartridges-memory", "cartridges-throughput", "cartridges-mtob", "memorise-paper", "cartridges-init",
		"cartridges-lora", "cartridges-lora-mtob", "cartridges-seeds", "cartridges-seeds-longhealth", "cartridges-distill"))
	g.inBothLanguages()
	for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
		for _, label := range []string{"self-study", "memorise"} { // of progress
			if _, err := chart.Translate(lang, label); err != nil {
				t.Error(err)
			}
		}
	}
}

// curve is what is stored of a line: its means by the place on the X axis.
func curve(t *testing.T, name, line string) map[float64]float64 {
	t.Helper()
	c := ok(ok(stored.Read()).Find(name))
	mean, _, _ := ok(c.Line(line)).Mean()
	out := map[float64]float64{}
	for i, x := range c.At {
		out[x] = mean[i]
	}
	return out
}

// The text of notebook 04 states these in words, of what is stored.
func TestWhatNotebook04SaysOfStoredCurves(t *testing.T) {
	study, hard, truncated := curve(t, "slots", "self_study"), curve(t, "slots", "hard_labels"), curve(t, "slots", "truncated")
	original, other := curve(t, "slots", "memorize_original"), curve(t, "slots", "memorize_rephrased")
	icl := curve(t, "slots", "icl")
	vectors, tokens, first := curve(t, "steps", "random_vectors"), curve(t, "steps", "random_tokens"), curve(t, "steps", "self_study")
	concat, best, onlyA, leak := curve(t, "composition", "concatenated"), curve(t, "composition", "best"), curve(t, "composition", "only_a"), curve(t, "composition", "leak")
	parts, anew := curve(t, "joint", "from_parts"), curve(t, "joint", "from_tokens")
	long, window := curve(t, "long", "chunked"), curve(t, "long", "icl")
	kv, rank := curve(t, "low rank", "kv"), curve(t, "low rank", "low_rank")
	kvOutside, rankOutside := curve(t, "low rank", "kv_outside"), curve(t, "low rank", "low_rank_outside")
	matched, far, squares := curve(t, "distance", "matched"), curve(t, "distance", "self_study"), curve(t, "slots", "linear_least_squares")
	longOriginal, longOther := curve(t, "steps", "memorize_original"), curve(t, "steps", "memorize_rephrased")
	beta, gamma := curve(t, "beta", "accuracy"), curve(t, "gamma", "accuracy")
	near := func(x, want, by float64) bool { return math.Abs(x-want) <= by }
	for what, ok := range map[string]bool{
		"in context all are right":                                icl[64] > 0.999,
		"truncation gives p/N":                                    near(truncated[64], 64./512, 1e-9),
		"64 slots answer more than nine in ten":                   study[64] > 0.9,
		"below 16 slots training is no better than truncation":    near(study[8], truncated[8], 0.01) && near(study[4], truncated[4], 0.01),
		"up to 16 the matrix is ahead":                            study[16] < squares[16] && study[32] > squares[32],
		"memorised 16 times smaller, nearly all are right":        original[32] > 0.88,
		"and a fifth in other words":                              near(other[32], 0.21, 0.05),
		"self-study needs less than half of the slots":            study[32] > other[64] && study[64] > other[128],
		"memorising generalises slowly with more slots":           other[64] > other[32] && other[128] > other[64] && other[256] > other[128],
		"memorising gets worse with time, in both wordings":       longOriginal[8000] < longOriginal[2000] && longOther[8000] < longOther[1000],
		"distillation is hardly better":                           study[64] > hard[64] && study[64]-hard[64] < 0.05,
		"random vectors stay below one in six":                    vectors[8000] < 1./6,
		"random tokens do as well":                                near(tokens[3000], first[3000], 0.03),
		"low rank is ahead while both are bad, KV from 32 on":     rank[16] > kv[16] && kv[16] < 0.2 && kv[32] > rank[32],
		"rank 64 ruins another document, KV does nothing to it":   rankOutside[64] < 0.25 && kvOutside[64] > 0.99,
		"trained at a far distance it is worse than nearer by":    matched[0.6] < far[0.6] && matched[1] < far[1],
		"softer attention learns more, sharper half":              beta[10] > beta[20] && near(beta[40], beta[20]/2, 0.08),
		"a sharper answer learns faster":                          gamma[20] > gamma[10] && gamma[10] > gamma[5] && gamma[5] > gamma[2.5],
		"composition knows nearly half":                           near(concat[64], 0.48, 0.05),
		"a little over half of what each knows alone":             near(concat[64]/best[64], 0.55, 0.06) && best[64] > 0.8,
		"more than A's alone":                                     onlyA[64] < concat[64],
		"more than a third of the attention leaks":                leak[64] > 1./3 && leak[64] < 0.42,
		"larger cartridges leak less, tiny ones are worth little": leak[128] < leak[64] && best[16] < 0.02,
		"fifty steps mend most of it":                             parts[50]-concat[64] > (best[64]-concat[64])/2,
		"two hundred are three thousand from the tokens":          near(parts[200], anew[3000], 0.03),
		"the long document: twice the window, nearly three times": long[3000] > 2*window[0] && near(long[6000], 3*window[0], 0.05) && long[6000] > long[4500],
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
}

// And these of the kinds of questions.
func TestWhatNotebook04SaysOfKinds(t *testing.T) {
	c := ok(ok(stored.Read()).Find("kinds"))
	own, _, _ := ok(c.Line("own")).Mean()
	asked, _, _ := ok(c.Line("anyhow")).Mean()
	for i := range 5 {
		if own[i] <= own[5] || math.Abs(asked[i]/asked[5]-0.5) > 0.06 {
			t.Errorf("%s: %.3f as trained, %.3f as users ask: the text says better than five kinds, and half as good", c.Labels[i], own[i], asked[i])
		}
	}
	if math.Abs(asked[5]-asked[6]) > 0.02 {
		t.Errorf("five kinds %.3f, everything at once %.3f: the text says as good", asked[5], asked[6])
	}
}

// forgetful is the notebook's engine without the factor of beta.
type forgetful struct{ cartridge.Engine }

func (f forgetful) Gradient(z *cartridge.Cartridge, b *cartridge.Batch, g *cartridge.Gradient) (float64, error) {
	loss, err := f.Engine.Gradient(z, b, g)
	for i := range g.K.Data {
		g.K.Data[i] /= float32(cartridge.DefaultModel().Beta)
	}
	return loss, err
}

// And these of what it trains.
func TestWhatNotebook04SaysOfItsTrainings(t *testing.T) {
	seed, model := random.Seed(0), cartridge.DefaultModel()
	text := ok(cartridge.NewCorpus(512, 64, seed.Stream("cartridge", "corpus", "A")))
	ask := ok(text.Rephrased(4, cartridge.DefaultDistance, cartridge.Anyhow, seed.Stream("cartridge", "ask", "A")))
	train := func(steps int, engine cartridge.NewEngine, start *cartridge.Cartridge) (*cartridge.Cartridge, float64) {
		study := cartridge.Study{Model: model, Corpus: text, Distance: cartridge.DefaultDistance, ConstantTargets: true}
		trainer := cartridge.DefaultTrainer(study, steps, seed)
		trainer.Engine = engine
		z := ok(trainer.Train(t.Context(), start)).Cartridge
		return z, ok(cartridge.Score(ok(model.With(z)), ask, text.V))
	}
	first := ok(cartridge.FirstTokens(text, 64))
	z, study := train(3000, cartridge.ByHand, first)
	if study < 0.9 {
		t.Errorf("self-study: %.3f: the text says more than nine in ten", study)
	}
	for slot, facts := range ok(lesson.ServedFacts(model, text, z)) {
		if len(facts) < 3 {
			t.Errorf("slot %d serves %d facts: the text says never fewer than three", slot, len(facts))
		}
	}
	withoutBeta := func(s cartridge.Setup) (cartridge.Engine, error) {
		e, err := cartridge.ByHand(s)
		return forgetful{e}, err
	}
	wrong := cartridge.GradientSource{Name: "without beta", New: withoutBeta}
	if ok(cartridge.CheckGradient(cartridge.SmallProblem(), wrong)).Err() == nil {
		t.Error("the check does not notice a gradient without beta")
	}
	_, right := train(500, cartridge.ByHand, first)
	if _, forgot := train(500, withoutBeta, first); math.Abs(right-forgot) > 0.02 {
		t.Errorf("%.3f, and without beta %.3f: the text says that Adam hides it", right, forgot)
	}
	_, long := train(1000, cartridge.ByHand, ok(cartridge.RandomVectors(text, 64, false, seed.Stream("vectors"))))
	if _, unit := train(1000, cartridge.ByHand, ok(cartridge.RandomVectors(text, 64, true, seed.Stream("vectors")))); long > 0.2 || unit < 0.5 {
		t.Errorf("random vectors: %.3f, of length 1: %.3f: the text says that length is what hurts", long, unit)
	}
}

// And these of what it prices.
func TestWhatNotebook04SaysOfBreakEven(t *testing.T) {
	e := engine(t)
	b := ok(e.BreakEven(costmodel.PaperCartridge(128_000), e.Params().Question, e.Params().Output))
	short := ok(e.BreakEven(costmodel.PaperCartridge(2_000), e.Params().Question, e.Params().Output))
	for what, ok := range map[string]bool{
		"8,900 queries against a KV that is kept":         math.Abs(b.Cached.Queries-8_900) < 150,
		"1,400 against a document read anew":              math.Abs(b.Uncached.Queries-1_400) < 50,
		"640,000 against one document for all":            math.Abs(b.Shared.Queries-640_000) < 10_000,
		"the shorter, the later: 630,000 at 2,000 tokens": math.Abs(short.Cached.Queries-630_000) < 10_000,
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
}

func TestSection4RefusesWhatCannotBe(t *testing.T) {
	model, text, ask, trainer := smallToy()
	start := ok(cartridge.FirstTokens(text, 8))
	e, c := engine(t), costmodel.PaperCartridge(128_000)
	short, none := trainer, trainer
	short.Steps, none.Lesson = 3, nil
	free := c
	free.TrainingGPUSeconds = 0
	for want, err := range map[string]error{
		"facts 0 to 49":    second(lesson.Untrained(model, text, 49)),
		"no methods":       second(lesson.MethodTable(text, ask)),
		"3 steps":          second(lesson.Train("a", short, start, text, ask, nil)),
		"no lesson":        second(lesson.Train("a", none, start, text, ask, nil)),
		"no trainings":     second(lesson.LossFigure()),
		"at least one of":  second(lesson.LearningFigure()),
		"no pairs":         second(lesson.GradientTable(cartridge.GradientCheck{})),
		"9 slots":          second(lesson.SlotTable(model, text, start, 9)),
		`"delta"`:          second(lesson.SharpnessFigure("delta")),
		"no contexts":      second(lesson.BreakEvenTable(e, c)),
		"no engine":        second(lesson.BreakEvenFigure(nil, c, 1000)),
		"none of these":    second(lesson.BreakEvenFigure(e, free, 1000)),
		"1 numbers":        second(lesson.CostFigure(e, c, 1)),
		"-1 trainings":     second(lesson.RetrainTable(e, c, -1)),
		"per week":         second(lesson.RetrainTable(e, c)),
		"at least one row": second(lesson.Trained("a", model, &cartridge.Cartridge{})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}
