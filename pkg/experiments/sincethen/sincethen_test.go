package sincethen_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/sincethen"
	"memlab/pkg/experiments/world"
	"memlab/pkg/serving"
)

func must[T any](x T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

func model(t testing.TB, name string) costmodel.Model {
	t.Helper()
	return must(costmodel.ModelByName(name))(t)
}

func engine(t testing.TB, m costmodel.Model) *costmodel.Engine {
	t.Helper()
	return must(costmodel.NewEngine(m, must(costmodel.GPUByName("h100"))(t), costmodel.DefaultParams()))(t)
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

// The numbers of Llama-3-8B on one H100 under the default parameters, from which the
// tests compute with a pencil.
const (
	weights   = 8030261248 * 2.0
	perToken  = 131072.0
	budget    = 0.9 * 80e9
	bandwidth = 0.8 * 3.35e12
	compute   = 0.73 * 989e12
	overhead  = 45e-6
	pair      = 4 * 4096 * 32.0
)

// perQuestion is the lecture's full load with a cached context, by hand.
func perQuestion(context, question, output float64) float64 {
	batch := math.Floor((budget - weights) / (perToken * (context + question + output)))
	step := math.Max((weights+batch*perToken*(context+question+output/2))/bandwidth,
		batch*(weights+pair*(context+question+output/2))/compute) + overhead
	prefill := math.Max(batch*(weights*question+pair*(question*context+question*question/2))/compute,
		(weights+batch*perToken*(context+question))/bandwidth) + overhead
	return (prefill + output*step) / batch
}

func TestASleepWorkedByHand(t *testing.T) {
	s := sincethen.Sleep{Context: 8000, Question: 50, Answer: 200, Thinking: 4000, Less: 5, Night: 20000, Notes: 2000, Price: 0.5}
	b := must(s.Bill(engine(t, model(t, "llama-3-8b"))))(t)
	near(t, "awake", b.Awake, perQuestion(8000, 50, 4200), 1e-9)
	near(t, "after", b.After, perQuestion(10000, 50, 1000), 1e-9)
	// The night prefills the whole context: a question of 8,000 tokens behind nothing.
	near(t, "night", b.Night, perQuestion(0, 8000, 20000)/2, 1e-9)
	near(t, "questions", b.Questions, b.Night/(b.Awake-b.After), 1e-12)
	near(t, "saving where it pays back", b.Saving(b.Questions), 1, 1e-12)
	if b.WaitAfter >= b.WaitAwake {
		t.Errorf("waits %s after, %s before", b.WaitAfter, b.WaitAwake)
	}
}

func TestSleepPaysOnlyForWhatItSaves(t *testing.T) {
	e := engine(t, model(t, "llama-3-8b"))
	s := sincethen.DefaultSleep()
	base := must(s.Bill(e))(t)
	s.Price *= 2
	near(t, "twice the price", must(s.Bill(e))(t).Questions, 2*base.Questions, 1e-9)
	s.Price = 0
	if b := must(s.Bill(e))(t); !b.Pays || b.Questions != 0 {
		t.Errorf("a free night pays back after %g questions", b.Questions)
	}
	s.Less = 1 // nothing saved, and notes to read
	if b := must(s.Bill(e))(t); b.Pays || b.Saving(10) >= 1 {
		t.Errorf("%+v pays", b)
	}
}

func TestStateIsAsLargeAsTheCacheOfFewTokens(t *testing.T) {
	for _, c := range []struct {
		model string
		want  int // query heads x head dimension / (2 x KV heads)
	}{{"llama-3-8b", 256}, {"llama-3-70b", 512}, {"llama-2-7b", 64}, {"qwen3-8b", 256}} {
		m := model(t, c.model)
		fixed := must(sincethen.WithState(m, 0))(t)
		if n, ok := sincethen.CrossBytes(fixed, m); !ok || n != c.want {
			t.Errorf("%s: %d (%v), want %d", c.model, n, ok, c.want)
		}
		if fixed.KVBytesPerToken(1000) != 0 || sincethen.EveryToken(fixed) != 0 {
			t.Errorf("%s still grows", c.model)
		}
		if n, ok := sincethen.CrossBytes(m, m); n != 1 || !ok {
			t.Errorf("%s is no larger than itself from %d tokens on", c.model, n)
		}
	}
	m := model(t, "llama-3-8b")
	// 32 layers x 32 heads x 128 x 128 x 2 B.
	if got := must(sincethen.WithState(m, 0))(t).KVBytesFixed(); got != 32*32*128*128*2 {
		t.Errorf("%g bytes", float64(got))
	}
	hybrid := must(sincethen.WithState(m, 4))(t)
	if sincethen.EveryToken(hybrid) != 4 || hybrid.KVBytesPerToken(1) != perToken/8 {
		t.Errorf("4 of 32 layers: %g a token", float64(hybrid.KVBytesPerToken(1)))
	}
	same := must(sincethen.WithState(m, 32))(t)
	if same.KVBytes(1000) != m.KVBytes(1000) {
		t.Error("all layers kept, and another cache")
	}
}

// A step reads and writes a state, and only reads a cache: twice as many tokens.
func TestStepsCrossAtTwiceTheTokens(t *testing.T) {
	m := model(t, "llama-3-8b")
	fixed := engine(t, must(sincethen.WithState(m, 0))(t))
	for _, batch := range []int{1, 16, 64} {
		n, ok, err := sincethen.CrossStep(fixed, engine(t, m), batch)
		if n != 512 || !ok || err != nil {
			t.Errorf("batch %d: %d, %v, %v", batch, n, ok, err)
		}
	}
	if _, _, err := sincethen.CrossStep(fixed, engine(t, m), 0); err == nil {
		t.Error("a batch of none")
	}
}

func TestMethodsWorkedByHand(t *testing.T) {
	e := engine(t, model(t, "llama-3-8b"))
	found := must(sincethen.Methods(e, sincethen.DefaultCompression()))(t)
	kv := 128000 * perToken
	want := []struct{ factor, seconds float64 }{
		{2048. / 576, 0},                   // 8 heads x 128 x 2 against 512 + 64
		{kv / (kv/8 + 28*32*128*128*2), 0}, // 28 of 32 layers keep a state
		{kv / (32 * 32 * 128 * 128 * 2), 0},
		{16 / 8.5, (kv + kv*8.5/16) / bandwidth},
		{16 / 4.5, (kv + kv*4.5/16) / bandwidth},
		{16 / 2.5, (kv + kv*2.5/16) / bandwidth},
		{2, 1.5 * kv / bandwidth}, // keys, and half of all read and written
		{2, 1.5 * kv / bandwidth},
		{10, perQuestion(128000, 1, 12800)}, // the last token is computed again
		{38.6, 14400},
	}
	if len(found) != len(want) {
		t.Fatalf("%d methods, want %d", len(found), len(want))
	}
	for i, m := range found {
		near(t, m.Name+": factor", m.Factor, want[i].factor, 1e-9)
		if want[i].seconds == 0 {
			want[i].seconds = m.GPUSeconds * 2 // only 0 is near
			if m.GPUSeconds == 0 {
				continue
			}
		}
		near(t, m.Name+": GPU seconds", m.GPUSeconds, want[i].seconds, 1e-4)
		near(t, m.Name+": bytes", float64(m.Bytes)*m.Factor, perToken, 1e-9)
	}
	c := sincethen.DefaultCompression()
	c.Window = 100_000 // attention of so many queries is no longer free
	for _, m := range must(sincethen.Methods(e, c))(t) {
		if m.Kind == sincethen.Drop {
			near(t, "scores", m.GPUSeconds, pair/2*100_000*128_000/compute, 1e-9)
		}
	}
}

func TestShrinking(t *testing.T) {
	found := must(sincethen.Shrink(2))(t)
	if again := must(sincethen.Shrink(2))(t); !reflect.DeepEqual(found, again) {
		t.Error("the same seeds give another result")
	}
	last := map[sincethen.Kind]sincethen.Shrunk{}
	for _, s := range found {
		if l, ok := last[s.Kind]; ok && !(s.Factor > l.Factor && s.Accuracy.Mean <= l.Accuracy.Mean) {
			t.Errorf("%s: %g times smaller gives %g, %g times smaller %g", s.Kind, l.Factor, l.Accuracy.Mean, s.Factor, s.Accuracy.Mean)
		}
		last[s.Kind] = s
		if s.Kind == sincethen.Drop { // what is gone is never answered, and the rest always
			near(t, "dropped", s.Accuracy.Mean, 1/s.Factor, 0.01)
		}
		if s.Kind == sincethen.Quantise {
			near(t, "bits", s.Factor, 16/(float64(s.Setting)+0.25), 1e-12)
		}
	}
	if len(last) != 4 {
		t.Errorf("%d kinds", len(last))
	}
}

func TestChanges(t *testing.T) {
	p := world.DefaultParameters()
	p.Conversations = 3
	m := model(t, "llama-3-8b")
	found := must(sincethen.Changes(t.Context(), p, engine(t, m), sincethen.DefaultSleep(), sincethen.DefaultCompression()))(t)
	if len(found) != 6 {
		t.Fatalf("%d changes", len(found))
	}
	for _, c := range found {
		for what, x := range map[string]float64{"write": c.Write, "read": c.Read, "memory": c.Memory} {
			if !(x > 0) || math.IsInf(x, 0) {
				t.Errorf("%s: %s %g", c.Name, what, x)
			}
		}
	}
	facts, sleep, prompt, state, bits, trained := found[0], found[1], found[2], found[3], found[4], found[5]
	near(t, "marking writes as much as deleting", facts.Write, 1, 1e-9)
	if sleep.Write < 1 || sleep.Read > 1 || prompt.Write > 1 || prompt.Read > 1 {
		t.Errorf("%+v %+v", sleep, prompt)
	}
	near(t, "prefill and night over prefill", sleep.Write, 1+perQuestion(0, 8000, 20000)/3/((weights*8000+pair*8000*4000)/compute+overhead), 1e-6)
	near(t, "state", state.Memory, 256./128_000, 1e-9)
	near(t, "bits", bits.Memory, 4.5/16, 1e-9)
	near(t, "a fourth of the bytes, more than a fourth of the time", bits.Read, perShare(4.5/16), 1e-3)
	near(t, "cartridge", trained.Memory, 3317./128_000, 1e-9)
	near(t, "training over prefill", trained.Write, 1+14400/((weights*128_000+pair*128_000*64_000)/compute), 1e-3)
}

// perShare is what a question costs with so small a share of the cache, over the whole.
func perShare(x float64) float64 {
	question := func(bytes float64) float64 {
		batch := math.Floor((budget - weights) / (bytes * 128_250))
		step := (weights+batch*bytes*128_150)/bandwidth + overhead
		prefill := math.Max(batch*(weights*50+pair*(50*128_000+50*50/2))/compute, (weights+batch*bytes*128_050)/bandwidth) + overhead
		return (prefill + 200*step) / batch
	}
	return question(perToken*x) / question(perToken)
}

func TestProductsWriteAndWait(t *testing.T) {
	p := world.DefaultParameters()
	p.Conversations = 3
	found := must(sincethen.Products(t.Context(), p, engine(t, model(t, "llama-3-8b")), 2))(t)
	full, deleted, marked := found[0], found[2], found[3]
	if full.Write != 0 || full.Wait != 0 || full.WriteCalls.Mean != 0 {
		t.Errorf("full context writes: %+v", full)
	}
	if !(deleted.Wait > 0 && marked.Previous.Mean > deleted.Previous.Mean+0.5) {
		t.Errorf("%+v\n%+v", deleted, marked)
	}
	// A conversation is 600 messages, 300 pairs: one extraction each, and some updates. The
	// weights are read once for each token of output, and once for each prompt.
	g := must(world.NewGroup(p, 0, "en"))(t)
	r := must(g.Evaluate(t.Context(), must(world.ParseSetting("mem0", p))(t)))(t)
	seconds := 0.0
	for _, s := range r.Spent {
		if s.Phase != serving.Write || s.Purpose == world.Summary || s.Calls == 0 { // embeddings are no calls
			continue
		}
		prompt, output := float64(s.Prompt/s.Calls), float64(s.Output/s.Calls)
		prefill := math.Max((weights*prompt+pair*prompt*prompt/2)/compute, (weights+perToken*prompt)/bandwidth) + overhead
		seconds += float64(s.Calls) * (prefill + output*((weights+perToken*(prompt+output/2))/bandwidth+overhead))
	}
	near(t, "wait", float64(deleted.Wait), seconds/3/300, 1e-3)
}

func TestReportsHaveSources(t *testing.T) {
	for _, r := range sincethen.Reports() {
		if !(r.Value > 0) || r.What == "" || !strings.Contains(r.Source, "arXiv ") {
			t.Errorf("%+v", r)
		}
		if q, err := sincethen.Quoted(r.ID); err != nil || q != r {
			t.Errorf("%s: %+v, %v", r.ID, q, err)
		}
	}
}

func TestImpossibleInputIsRefused(t *testing.T) {
	e := engine(t, model(t, "llama-3-8b"))
	sleep := func(change func(*sincethen.Sleep)) error {
		s := sincethen.DefaultSleep()
		change(&s)
		_, err := s.Bill(e)
		return err
	}
	compress := func(change func(*sincethen.Compression)) error {
		c := sincethen.DefaultCompression()
		change(&c)
		_, err := sincethen.Methods(e, c)
		return err
	}
	for want, err := range map[string]error{
		"no engine":                 second(sincethen.DefaultSleep().Bill(nil)),
		"no engine: want":           second(sincethen.Methods(&costmodel.Engine{}, sincethen.DefaultCompression())),
		"context_tokens 0":          sleep(func(s *sincethen.Sleep) { s.Context = 0 }),
		"times_less 0.5":            sleep(func(s *sincethen.Sleep) { s.Less = 0.5 }),
		"times_less NaN":            sleep(func(s *sincethen.Sleep) { s.Less = math.NaN() }),
		"notes_tokens 30000":        sleep(func(s *sincethen.Sleep) { s.Notes = 30_000 }),
		"night_price -1":            sleep(func(s *sincethen.Sleep) { s.Price = -1 }),
		"not one request of":        sleep(func(s *sincethen.Sleep) { s.Context = 1_000_000 }),
		"quantisation_group 0":      compress(func(c *sincethen.Compression) { c.Group = 0 }),
		"times_fewer_tokens 0.9":    compress(func(c *sincethen.Compression) { c.Left = 0.9 }),
		"scoring_window_tokens":     compress(func(c *sincethen.Compression) { c.Window = 200_000 }),
		"times_cheaper_training 0":  compress(func(c *sincethen.Compression) { c.Cheaper = 0 }),
		"-1 layers":                 second(sincethen.WithState(model(t, "llama-3-8b"), -1)),
		"33 layers":                 second(sincethen.WithState(model(t, "llama-3-8b"), 33)),
		`model "DeepSeek-V3"`:       second(sincethen.WithState(model(t, "deepseek-v3"), 0)),
		"seeds 1":                   second(sincethen.Shrink(1)),
		`no report "x"`:             second(sincethen.Quoted("x")),
		"full attention in all lay": second(sincethen.Methods(engine(t, model(t, "gpt-oss-20b")), sincethen.DefaultCompression())),
	} {
		if !errors.Is(err, sincethen.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
