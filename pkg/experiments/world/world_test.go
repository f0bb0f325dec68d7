package world

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/serving"
)

// few is the toy with fewer conversations.
func few() Parameters {
	p := DefaultParameters()
	p.Conversations, p.LongConversations = 3, 1
	return p
}

func evaluate(t *testing.T, p Parameters, seed int, language, spec string) *Result {
	t.Helper()
	g, err := NewGroup(p, seed, language)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSetting(spec, p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.Evaluate(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSameSeedSameResultInBothLanguages(t *testing.T) {
	for _, spec := range []string{"full:alpha=1", "rag:128x16", "mem0", "mem0g+graph", "memgpt"} {
		first := evaluate(t, few(), 3, "en", spec)
		if again := evaluate(t, few(), 3, "en", spec); !reflect.DeepEqual(first, again) {
			t.Errorf("%s: two runs of one seed differ", spec)
		}
		if zh := evaluate(t, few(), 3, "zh", spec); !reflect.DeepEqual(first, zh) {
			t.Errorf("%s: English %+v, Chinese %+v", spec, first.Score, zh.Score)
		}
		if other := evaluate(t, few(), 4, "en", spec); reflect.DeepEqual(first.Score, other.Score) {
			t.Errorf("%s: seeds 3 and 4 give the same score", spec)
		}
	}
}

// mem0 and mem0g extract the same facts by the same draws, so that they differ in
// what they do with an old value and in nothing else.
func TestTheVariantsOfMem0ShareTheirDraws(t *testing.T) {
	p := few()
	for seed := range 3 {
		plain, graph := evaluate(t, p, seed, "en", "mem0"), evaluate(t, p, seed, "en", "mem0g")
		if a, b := plain.Kinds[dialogue.Current].Right, graph.Kinds[dialogue.Current].Right; a != b {
			t.Errorf("seed %d: %d and %d current values right", seed, a, b)
		}
		if a, b := plain.Score.Lost[memory.Extract], graph.Score.Lost[memory.Extract]; a != b {
			t.Errorf("seed %d: %d and %d lost in extraction", seed, a, b)
		}
		a, _ := plain.Writes()
		if b, _ := graph.Writes(); a != b {
			t.Errorf("seed %d: %g and %g calls to write", seed, a, b)
		}
	}
}

// Every question is right or lost in one stage, for every system.
func TestEveryErrorIsAttributed(t *testing.T) {
	for _, spec := range []string{
		"full", "full:alpha=1", "full:window=5000", "rag:128x16", "rag:64x1:method=bm25", "rag:128x4:method=fused",
		"mem0", "mem0:recall=.3:noop=.5:add=.3", "mem0g", "mem0g+graph", "mem0g:mixed=1", "memgpt", "memgpt:entries=3:fifo=500", "memgpt:share=.5",
	} {
		r := evaluate(t, few(), 0, "en", spec)
		for kind, s := range r.Kinds {
			lost := 0
			for _, n := range s.Lost {
				lost += n
			}
			if lost != s.Asked-s.Right {
				t.Errorf("%s, %s: %d errors, %d attributed", spec, kind, s.Asked-s.Right, lost)
			}
			if s.Lost[memory.Held] != 0 {
				t.Errorf("%s, %s: %d errors that were lost nowhere", spec, kind, s.Lost[memory.Held])
			}
		}
	}
}

func TestEachSystemLosesWhereItCan(t *testing.T) {
	p := few()
	lost := func(spec string, stages ...memory.Stage) (inside, outside int) {
		for stage, n := range evaluate(t, p, 0, "en", spec).Score.Lost {
			if slices.Contains(stages, stage) {
				inside += n
			} else {
				outside += n
			}
		}
		return inside, outside
	}
	for _, c := range []struct {
		spec   string
		stages []memory.Stage
	}{
		{"full:alpha=1", []memory.Stage{memory.ReadOver}},
		{"full:window=5000", []memory.Stage{memory.Keep}},
		{"rag:512x1", []memory.Stage{memory.RetrieveAbsent, memory.RetrieveStale}},
		{"mem0g+graph:recall=.5:noop=0:add=0", []memory.Stage{memory.Extract}},
		{"mem0g+graph:recall=1:noop=.5:add=0", []memory.Stage{memory.Merge}},
	} {
		inside, outside := lost(c.spec, c.stages...)
		if inside == 0 || outside > 0 {
			t.Errorf("%s: %d errors in %q, %d elsewhere", c.spec, inside, c.stages, outside)
		}
	}
	if inside, outside := lost("mem0g+graph:recall=1:noop=0:add=0"); inside+outside > 0 {
		t.Errorf("perfect parts: %d errors", inside+outside)
	}
}

func TestSettingsThatCannotBeAreNamed(t *testing.T) {
	p := few()
	for spec, want := range map[string]string{
		"":                  `system ""`,
		"mem1":              `"mem0g+graph"`,
		"full:alpha=2":      "want 0 to 1",
		"full:alpha=x":      "want a number",
		"full:alpha=NaN":    "want 0 to 1",
		"full:window=0":     "1 or more",
		"full:beta=1":       `no setting "beta"`,
		"rag:128":           "SIZExK",
		"rag:0x4":           "SIZExK",
		"rag:128x-1":        "SIZExK",
		"rag:64x1:64x2":     "twice",
		"rag:method=magic":  `"magic"`,
		"mem0:recall=1.2":   "probability",
		"mem0:recall=-.1":   "probability",
		"mem0:history=3":    `no setting "history"`,
		"mem0:k=0":          "1 or more",
		"mem0:k=1.5":        "whole number",
		"memgpt:entries=0":  "1 or more",
		"memgpt:fifo=-5":    "1 or more",
		"memgpt:share=0":    "more than 0 and at most 1",
		"memgpt:share=1.5":  "more than 0 and at most 1",
		"memgpt:share=NaN":  "more than 0 and at most 1",
		"memgpt:share=half": "want a number",
		"mem0:share=.5":     `no setting "share"`,

		"memgpt:share=.5:fifo=6400": "one of them",
		"full:alpha=1:alpha":        "want NAME=VALUE",
		"mem0:":                     "want NAME=VALUE",
		"mem0:noop=1":               "mem0:noop=1:add=0",
		"mem0g:mixed=2":             "want 0 or 1",
		"mem0g:history=-1":          "0 or more",
	} {
		if _, err := ParseSetting(spec, p); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v: want %q in it", spec, err, want)
		}
	}
	for name, change := range map[string]func(*Parameters){
		"conversations": func(p *Parameters) { p.Conversations = 0 },
		"p_topic":       func(p *Parameters) { p.World.Topics = 1.2 },
		"guess":         func(p *Parameters) { p.Guess = math.NaN() },
		"recall":        func(p *Parameters) { p.Recall = 2 },
	} {
		p := few()
		change(&p)
		s, err := ParseSetting("mem0", p)
		if err == nil {
			_, err = Compare(t.Context(), p, 1, []Setting{s}, nil)
		}
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewGroup(p, -1, "en"); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
	if _, err := NewGroup(p, 0, "fr"); err == nil {
		t.Error("a language that the world does not speak")
	}
}

func TestComparingStopsWhenItIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	settings, err := ParseSettings(few(), "mem0")
	if err != nil {
		t.Fatal(err)
	}
	groups := 0
	_, err = Compare(ctx, few(), 1000, settings, func() {
		if groups++; groups == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || groups > 10 {
		t.Errorf("%v after %d groups", err, groups)
	}
}

// By hand: writing costs 10 s more, a question .5 s less: even at 1 + 10/.5 = 21.
func TestCheaper(t *testing.T) {
	full := Bill{First: 1, Each: 1}
	inf := math.Inf(1)
	for _, c := range []struct {
		name     string
		b        Bill
		from, to float64
		ok       bool
	}{
		{"costly to write, cheap to read", Bill{Write: 10.5, First: 0.5, Each: 0.5}, 21, inf, true},
		{"costly in both", Bill{Write: 10, First: 2, Each: 2}, 0, 0, false},
		{"cheap in both", Bill{First: 0.5, Each: 0.5}, 1, inf, true},
		{"cheap at first only", Bill{First: 0.5, Each: 1.5}, 1, 2, true},
		{"equal", full, 1, inf, false},
	} {
		from, to, ok := c.b.Cheaper(full)
		if ok != c.ok || ok && (from != c.from || to != c.to) {
			t.Errorf("%s: %g to %g, %v: want %g to %g, %v", c.name, from, to, ok, c.from, c.to, c.ok)
		}
		if ok && from > 1 && math.Abs(c.b.After(from)-full.After(from)) > 1e-9 {
			t.Errorf("%s: %g and %g after %g questions", c.name, c.b.After(from), full.After(from), from)
		}
	}
}

func TestWritesLeaveTheSummaryOut(t *testing.T) {
	r := &Result{Conversations: 2, Spent: []memory.Spent{
		{Phase: serving.Write, Purpose: "extract", Usage: memory.Usage{Calls: 6, Prompt: 60}},
		{Phase: serving.Write, Purpose: Summary, Usage: memory.Usage{Calls: 4, Prompt: 1000}},
		{Phase: serving.Read, Purpose: "answer", Usage: memory.Usage{Calls: 9, Prompt: 90}},
	}}
	if calls, prompt := r.Writes(); calls != 3 || prompt != 30 {
		t.Errorf("%g calls, %g tokens", calls, prompt)
	}
}

func TestNoUByHand(t *testing.T) {
	for _, c := range []struct {
		accuracies []float64
		want       float64
	}{
		{[]float64{0.1, 0.2, 0.4, 0.5}, 0.2},     // rising
		{[]float64{0.8, 0.6, 0.4, 0.2}, 0.3},     // falling
		{[]float64{0.5, 0.25, 0.25, 0.5}, -0.25}, // a U
	} {
		if got := noU(c.accuracies); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %g, want %g", c.accuracies, got, c.want)
		}
	}
}

func TestTheExperimentYieldsWhatItSays(t *testing.T) {
	p := few()
	p.Conversations = 2
	got, err := New(p).Run(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range New(p).Yields {
		if _, ok := got[y.ID]; !ok {
			t.Errorf("%q was not computed", y.ID)
		}
	}
	if len(got) != len(New(p).Yields) {
		t.Errorf("%d values, %d yields", len(got), len(New(p).Yields))
	}
}

func TestFreeParametersAreParameters(t *testing.T) {
	data, err := json.Marshal(DefaultParameters())
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	for _, name := range free {
		at, rest := tree, name
		if inner, ok := strings.CutPrefix(name, "world."); ok {
			at, rest = tree["world"].(map[string]any), inner
		}
		if _, ok := at[rest]; !ok {
			t.Errorf("%q is no parameter", name)
		}
	}
}

// share=.5 is memgpt.Batch: the same as the agent set up by hand.
func TestShareIsMemGPTsOwnEviction(t *testing.T) {
	p := few()
	byHand := Setting{
		Name: "memgpt:share=.5:entries=24",
		System: func(w *toy.World, a *memory.Account) (memory.System, error) {
			judge, err := memgpt.NewRuleJudge(memgpt.DefaultRates(), w.Stream)
			if err != nil {
				return nil, err
			}
			o := memgpt.Batch(w.Embedder(), judge, 0.5)
			o.Entries, o.Account = 24, a
			return memgpt.New(o)
		},
		Reader: func(w *toy.World) (memory.Reader, error) { return memory.NewStrict(p.Guess, w.Stream) },
	}
	g, err := NewGroup(p, 1, "en")
	if err != nil {
		t.Fatal(err)
	}
	want, err := g.Evaluate(t.Context(), byHand)
	if err != nil {
		t.Fatal(err)
	}
	got := evaluate(t, p, 1, "en", byHand.Name)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, by hand %+v", got.Score, want.Score)
	}
	sliding := evaluate(t, p, 1, "en", "memgpt:entries=24")
	if a, b := got.Score.TokensEach(), sliding.Score.TokensEach(); a > b-500 {
		t.Errorf("half of the window goes at once: %.0f tokens for a question, with a sliding queue %.0f", a, b)
	}
}
