package mem0_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/random"
	"memlab/pkg/serving"
)

func world(t testing.TB, seed random.Seed, number int, language string) *toy.World {
	t.Helper()
	w, err := toy.New(toy.DefaultParameters(), seed, number, language)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// system is a system for a world, with the calibrated rates.
func system(t testing.TB, w *toy.World, change func(*mem0.Options)) *mem0.Memory {
	t.Helper()
	judge, err := mem0.Rule(mem0.DefaultRates(), w.Stream)
	if err != nil {
		t.Fatal(err)
	}
	o := mem0.Defaults()
	o.Embedder, o.Judge = w.Embedder(), judge
	if change != nil {
		change(&o)
	}
	m, err := mem0.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mem0g(o *mem0.Options)      { o.Graph = true }
func mem0gGraph(o *mem0.Options) { o.Graph, o.Hop = true, true }

func evaluate(t testing.TB, w *toy.World, m *mem0.Memory) memory.Run {
	t.Helper()
	run, err := memory.Evaluate(context.Background(), &w.Dialogue, m, m.Account, memory.Strict{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// The lecture's numbers as means over 20 groups of 10 conversations: 300
// extractions, 370 ± 20 calls, 500,000 ± 40,000 tokens of prompt, .895 ± .04 and .009
// ± .02 for mem0, .761 ± .05 for mem0g's previous values, .588 ± .06 and .787 ± .05
// for two hops without and with the graph. The tighter numbers are those of the
// prototype by which the world was calibrated. Its prefill counts ten messages before
// each pair; the first five pairs have fewer (-1,290 tokens).
func TestCalibratedWorldGivesTheLecturesNumbers(t *testing.T) {
	const groups, size = 20, 10
	var plain, graph, hop memory.Score
	var previous, previousG, two, twoHop memory.Score
	extract, update := memory.Usage{}, memory.Usage{}
	for g := range groups {
		for n := range size {
			w := world(t, random.Seed(g), n, "en")
			m := system(t, w, nil)
			r := evaluate(t, w, m)
			plain.Add(r.Score(dialogue.Current))
			previous.Add(r.Score(dialogue.Previous))
			extract.Add(m.Account.Phase(serving.Write, "extract"))
			update.Add(m.Account.Phase(serving.Write, "update"))

			r = evaluate(t, w, system(t, w, mem0g))
			graph.Add(r.Score(dialogue.Current))
			previousG.Add(r.Score(dialogue.Previous))
			two.Add(r.Score(dialogue.TwoHop))

			r = evaluate(t, w, system(t, w, mem0gGraph))
			twoHop.Add(r.Score(dialogue.TwoHop))
			hop.Add(r.Score())
		}
	}
	const n = groups * size
	for _, c := range []struct {
		name            string
		got, want, near float64
	}{
		{"extractions", float64(extract.Calls) / n, 300, 0},
		{"updates", float64(update.Calls) / n, 72.8, 2.3},
		{"prefill for writing", float64(extract.Prompt+update.Prompt) / n, 505_600 - 1_290, 1_700},
		{"tokens for a question", plain.TokensEach(), 200, 0},
		{"mem0 current", plain.Accuracy(), 0.877, 0.02},
		{"mem0 previous", previous.Accuracy(), 0.014, 0.01},
		{"mem0g current", graph.Accuracy(), 0.877, 0.02},
		{"mem0g previous", previousG.Accuracy(), 0.788, 0.03},
		{"two hops by vectors", two.Accuracy(), 0.617, 0.03},
		{"two hops by the graph", twoHop.Accuracy(), 0.774, 0.03},
		{"mem0g with graph", hop.Accuracy(), 0.831, 0.02},
		{"its tokens", hop.TokensEach(), 255.8, 4},
	} {
		t.Logf("%-24s %.3f (%.3f)", c.name, c.got, c.want)
		if d := c.got - c.want; d > c.near || d < -c.near {
			t.Errorf("%s: %.3f, want %.3f ± %.3f", c.name, c.got, c.want, c.near)
		}
	}
}

// mem0 and mem0g share every draw of the judge and every vector: what holds in one
// holds in the other. So do the two languages, word by word.
func TestVariantsAndLanguagesShareTheirDraws(t *testing.T) {
	for number := range 5 {
		w, zh := world(t, 3, number, "en"), world(t, 3, number, "zh")
		plain, graph, chinese := system(t, w, nil), system(t, w, mem0g), system(t, zh, mem0g)
		for _, c := range []struct {
			w *toy.World
			m *mem0.Memory
		}{{w, plain}, {w, graph}, {zh, chinese}} {
			if err := memory.Write(ctx, &c.w.Dialogue, c.m); err != nil {
				t.Fatal(err)
			}
		}
		var held []string
		for _, e := range graph.Memories() {
			if e.Invalid.IsZero() {
				held = append(held, e.ID)
			}
		}
		var all []string
		for _, e := range plain.Memories() {
			all = append(all, e.ID)
		}
		if !slices.Equal(held, all) {
			t.Errorf("conversation %d: mem0 has %q, mem0g %q", number, all, held)
		}
		a, b := graph.Memories(), chinese.Memories()
		if len(a) != len(b) {
			t.Errorf("conversation %d: %d memories in English, %d in Chinese", number, len(a), len(b))
			continue
		}
		for i := range a {
			if a[i].ID != b[i].ID || !a[i].Invalid.Equal(b[i].Invalid) {
				t.Errorf("conversation %d: %+v in English, %+v in Chinese", number, a[i], b[i])
			}
		}
	}
}

func TestTheSameSeedGivesTheSameRun(t *testing.T) {
	first, second := world(t, 7, 0, "zh"), world(t, 7, 0, "zh")
	a, b := evaluate(t, first, system(t, first, mem0gGraph)), evaluate(t, second, system(t, second, mem0gGraph))
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs of one seed differ")
	}
	third := world(t, 8, 0, "zh")
	if reflect.DeepEqual(a, evaluate(t, third, system(t, third, mem0gGraph))) {
		t.Error("another seed gives the same run")
	}
}

// A judge that never errs answers everything with the graph; the shares of what is
// lost add up to the wrong answers in any case.
func TestPerfectPartsLoseNothing(t *testing.T) {
	for number := range 10 {
		w := world(t, 0, number, "en")
		judge, err := mem0.Rule(mem0.Rates{Recall: 1}, w.Stream)
		if err != nil {
			t.Fatal(err)
		}
		run := evaluate(t, w, system(t, w, func(o *mem0.Options) { mem0gGraph(o); o.Judge = judge }))
		if s := run.Score(); s.Right != s.Asked {
			t.Errorf("conversation %d: %d of %d, lost %v", number, s.Right, s.Asked, s.Lost)
		}
		run = evaluate(t, w, system(t, w, nil))
		s := run.Score()
		lost := 0
		for stage, n := range s.Lost {
			lost += n
			if stage == memory.Keep || stage == memory.ReadOver {
				t.Errorf("conversation %d: %d lost at %q, which mem0 has not", number, n, stage)
			}
		}
		if lost != s.Asked-s.Right {
			t.Errorf("conversation %d: %d lost, %d wrong", number, lost, s.Asked-s.Right)
		}
	}
}
