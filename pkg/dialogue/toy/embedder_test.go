package toy

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat"

	"memlab/pkg/dialogue"
	"memlab/pkg/random"
	"memlab/pkg/retrieve"
)

func embed(t *testing.T, w *World, p ...retrieve.Passage) [][]float32 {
	t.Helper()
	out, err := w.Embedder().Embed(t.Context(), p...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// passages of every role and meaning: what systems will embed.
func passages(w *World) []retrieve.Passage {
	var out []retrieve.Passage
	for i, m := range w.Dialogue.Messages {
		out = append(out, retrieve.Passage{ID: m.ID, Role: retrieve.Message, Text: m.Text})
		if i%4 == 0 {
			out = append(out, retrieve.Passage{ID: "c" + m.ID, Role: retrieve.Chunk, Text: m.Text, Parts: []string{m.ID, w.Dialogue.Messages[i+1].ID}})
		}
		for _, f := range m.Facts {
			out = append(out,
				retrieve.Passage{ID: "fact of " + m.ID, Role: retrieve.Memory, Text: f.Text},
				retrieve.Passage{ID: "search " + m.ID, Role: retrieve.Query, Text: f.Key().Text()})
			if f.Type == dialogue.Person {
				out = append(out, retrieve.Passage{ID: "node " + m.ID, Role: retrieve.Entity, Text: f.Object})
			}
		}
	}
	for _, q := range w.Dialogue.Questions {
		out = append(out,
			retrieve.Passage{ID: q.ID, Role: retrieve.Query, Text: q.Text},
			retrieve.Passage{ID: "path " + q.ID, Role: retrieve.Query, Text: strings.Join(q.Path, " ")})
	}
	return out
}

func TestVectorsAreUnitAndOfTheDimensionStated(t *testing.T) {
	w := world(t, DefaultParameters(), 1, 0, "en")
	if err := retrieve.Probe(t.Context(), w.Embedder()); err != nil {
		t.Error(err)
	}
	if err := retrieve.CheckDim(w.Embedder(), 256); err != nil {
		t.Error(err)
	}
	for i, v := range embed(t, w, passages(w)...) {
		if l := cosine(v, v); len(v) != Dim || math.Abs(l-1) > 1e-5 {
			t.Fatalf("passage %d: %d numbers, squared length %g", i, len(v), l)
		}
	}
}

func TestVectorsDoNotDependOnWhatWasEmbeddedBefore(t *testing.T) {
	w := world(t, DefaultParameters(), 1, 0, "en")
	all := passages(w)
	want := embed(t, w, all...)
	again := world(t, DefaultParameters(), 1, 0, "en")
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(all)) {
		got := embed(t, again, all[i])[0]
		if !slices.Equal(got, want[i]) {
			t.Fatalf("%s %q depends on the order", all[i].Role, all[i].ID)
		}
		clear(got) // a caller's own copy
	}
	for i, got := range embed(t, again, all...) {
		if !slices.Equal(got, want[i]) {
			t.Fatalf("%s %q: a caller could spoil it", all[i].Role, all[i].ID)
		}
	}
}

func TestTwinsHaveTheSameVectors(t *testing.T) {
	for number := range 3 {
		en, zh := world(t, DefaultParameters(), 4, number, "en"), world(t, DefaultParameters(), 4, number, "zh")
		a, b := passages(en), passages(zh)
		va, vb := embed(t, en, a...), embed(t, zh, b...)
		for i := range va {
			if a[i].Text == b[i].Text || !slices.Equal(va[i], vb[i]) {
				t.Fatalf("%s %q: %q and %q have different vectors", a[i].Role, a[i].ID, a[i].Text, b[i].Text)
			}
		}
	}
}

func TestOtherSeedsAndNumbersHaveOtherVectors(t *testing.T) {
	p := retrieve.Passage{ID: "q", Role: retrieve.Query, Text: "partner"}
	v := embed(t, world(t, DefaultParameters(), 1, 0, "en"), p)[0]
	for _, c := range []struct {
		seed   random.Seed
		number int
	}{{1, 1}, {2, 0}} {
		if r := cosine(v, embed(t, world(t, DefaultParameters(), c.seed, c.number, "en"), p)[0]); math.Abs(r) > 0.3 {
			t.Errorf("seed %d, number %d: cosine %.2f with another world's", c.seed, c.number, r)
		}
	}
}

// The cosines that the lecture's retrieval lives from, by hand. Two noisy copies of
// unit directions a and b with noises s and u have cosine a.b/sqrt((1+s²)(1+u²)), as
// random directions in 256 dimensions are nearly at right angles (sd 1/16).
func TestCosinesAreThoseOfTheModel(t *testing.T) {
	p := DefaultParameters()
	noise := func(s, u float64) float64 { return 1 / math.Sqrt((1+s*s)*(1+u*u)) }
	wt, wn := p.TypeWeight, p.NameWeight
	typed, holds := math.Sqrt(1+wt*wt), math.Sqrt(1+wn*wn)
	want := map[string]float64{
		"question, statement of attribute":     noise(.7, 1),
		"question, memory of attribute":        noise(.7, 1.8),
		"search, statement of attribute":       noise(.7, 1),
		"role question, statement of role":     noise(.7, 1) / holds,
		"role question, topic mention":         noise(.7, 1),
		"two-hop question, person's fact":      noise(.7, 1) * wt * wt / (typed * typed),
		"two-hop question, role statement":     noise(.7, 1) / (typed * holds),
		"two-hop question, own hometown":       noise(.7, 1) * wt / typed,
		"two-hop question, own job":            noise(.7, 1) * wt / typed,
		"search for person's fact, that fact":  noise(.7, 1),
		"name, person's fact":                  noise(0, 1) / typed,
		"name, role statement":                 noise(0, 1) * wn / holds,
		"never question, attribute near it":    noise(.7, 1) / math.Sqrt(1+p.NearWeight*p.NearWeight),
		"never question, its search":           noise(.7, .7),
		"question, small talk":                 0,
		"question, statement of another":       0,
		"unknown text, question":               0,
		"message, chunk of it and small talk":  noise(.75, 0) / math.Sqrt2,
		"two chunks of the same messages":      noise(.75, .75),
		"two memories of one fact":             noise(1.8, 1.8),
		"one memory in two systems":            1,
		"unknown text, the same text":          1,
		"two-hop question, search of its path": noise(.7, .7),
	}
	got := map[string]series{}
	for number := range 100 {
		measure(t, world(t, p, 8, number, "en"), got)
	}
	for name, mean := range want {
		s := got[name]
		if len(s) < 50 {
			t.Errorf("%s: %d pairs", name, len(s))
			continue
		}
		m, sd := stat.MeanStdDev(s, nil)
		// Unlike directions have cosines of sd 1/16 at most; the small term is for
		// the mean of a ratio.
		if e := 4*sd/math.Sqrt(float64(len(s))) + 0.006; math.Abs(m-mean) > e {
			t.Errorf("%s: cosine %.4f over %d pairs, want %.4f ± %.4f", name, m, len(s), mean, e)
		}
	}
	for name := range got {
		if _, expected := want[name]; !expected {
			t.Errorf("%s: measured and not expected", name)
		}
	}
}

func measure(t *testing.T, w *World, got map[string]series) {
	t.Helper()
	message := func(id string) retrieve.Passage { return retrieve.Passage{ID: id, Role: retrieve.Message, Text: "x"} }
	query := func(id, text string) retrieve.Passage {
		return retrieve.Passage{ID: id, Role: retrieve.Query, Text: text}
	}
	add := func(name string, a, b retrieve.Passage) {
		v := embed(t, w, a, b)
		got[name] = append(got[name], cosine(v[0], v[1]))
	}
	find := func(kind dialogue.Kind, path ...string) *dialogue.Question {
		for i := range w.Dialogue.Questions {
			if q := &w.Dialogue.Questions[i]; q.Kind == kind && slices.Equal(q.Path, path) {
				return q
			}
		}
		t.Fatalf("no %s question for %v", kind, path)
		return nil
	}
	asking := func(q *dialogue.Question) retrieve.Passage { return query(q.ID, q.Text) }

	city, blood := find(dialogue.Current, "city"), find(dialogue.Current, "blood type")
	said, fact := city.Needs[0].Messages[0], city.Needs[0].Fact
	memory := func(id string) retrieve.Passage {
		return retrieve.Passage{ID: id, Role: retrieve.Memory, Text: fact.Text}
	}
	add("question, statement of attribute", asking(city), message(said))
	add("question, memory of attribute", asking(city), memory("one"))
	add("search, statement of attribute", query("s", "city"), message(said))
	add("question, statement of another", asking(blood), message(said))
	add("two memories of one fact", memory("one"), memory("two"))
	add("one memory in two systems", memory("one"), memory("one"))
	add("unknown text, question", query("q", "What is the point?"), asking(city))
	add("unknown text, the same text", query("q", "What is the point?"), retrieve.Passage{ID: "m", Role: retrieve.Memory, Text: "What is the point?"})
	add("question, small talk", asking(city), message("m0002"))
	n, err := strconv.Atoi(said[1:])
	if err != nil {
		t.Fatal(err)
	}
	chunk := func(id string) retrieve.Passage {
		return retrieve.Passage{ID: id, Role: retrieve.Chunk, Text: "x", Parts: []string{said, messageID(n)}}
	}
	add("message, chunk of it and small talk", message(said), chunk("one"))
	add("two chunks of the same messages", chunk("one"), chunk("two"))

	for j, path := range [][]string{{"partner", "hometown"}, {"boss", "job"}} {
		partner, hop := find(dialogue.Current, path[0]), find(dialogue.TwoHop, path...)
		edge, of, name := hop.Needs[0].Messages[0], hop.Needs[1].Messages[0], hop.Needs[0].Fact.Object
		entity := retrieve.Passage{ID: name, Role: retrieve.Entity, Text: name}
		add("role question, statement of role", asking(partner), message(edge))
		add("two-hop question, person's fact", asking(hop), message(of))
		add("two-hop question, role statement", asking(hop), message(edge))
		add("two-hop question, own "+path[1], asking(hop), message(find(dialogue.Current, path[1]).Needs[0].Messages[0]))
		add("two-hop question, search of its path", asking(hop), query("s", strings.Join(path, " ")))
		add("search for person's fact, that fact", query("s", name+" "+path[1]), message(of))
		add("name, person's fact", entity, message(of))
		add("name, role statement", entity, message(edge))
		for i, m := range w.Dialogue.Messages {
			if w.embedder.about[i] == (meaning{topic: role, index: 2 * j}) {
				add("role question, topic mention", asking(partner), message(m.ID))
			}
		}
	}
	for i := range w.Dialogue.Questions {
		if q := &w.Dialogue.Questions[i]; q.Kind == dialogue.Never {
			add("never question, attribute near it", asking(q), message(find(dialogue.Current, q.Near.Relation).Needs[0].Messages[0]))
			add("never question, its search", asking(q), query("s", q.Path[0]))
		}
	}
}

// Without shared types the user's own hometown is unlike everybody else's.
func TestSharedTypesCanBeOff(t *testing.T) {
	p := DefaultParameters()
	p.SharedTypes = false
	var s series
	for number := range 50 {
		w := world(t, p, 8, number, "en")
		v := embed(t, w,
			retrieve.Passage{ID: "a", Role: retrieve.Query, Text: "partner hometown"}, retrieve.Passage{ID: "b", Role: retrieve.Query, Text: "hometown"},
			retrieve.Passage{ID: "c", Role: retrieve.Query, Text: "partner job"}, retrieve.Passage{ID: "d", Role: retrieve.Query, Text: "job"})
		s = append(s, cosine(v[0], v[1]), cosine(v[2], v[3]))
	}
	if m := stat.Mean(s, nil); math.Abs(m) > 0.025 {
		t.Errorf("cosine %.3f, want 0", m)
	}
}

func TestWhatCannotBeEmbedded(t *testing.T) {
	w := world(t, DefaultParameters(), 1, 0, "en")
	for name, c := range map[string]struct {
		p    retrieve.Passage
		want string
	}{
		"a blank text":          {retrieve.Passage{ID: "q7", Role: retrieve.Query, Text: " \n"}, `query "q7"`},
		"a blank message":       {retrieve.Passage{ID: "m0001", Role: retrieve.Message}, "empty text"},
		"a chunk without parts": {retrieve.Passage{ID: "c1", Role: retrieve.Chunk, Text: "x"}, "without parts"},
		"a part unknown":        {retrieve.Passage{ID: "c1", Role: retrieve.Chunk, Text: "x", Parts: []string{"m0001", "m9999"}}, `part "m9999"`},
		"a role unknown":        {retrieve.Passage{ID: "x", Role: "thing", Text: "x"}, `role "thing"`},
	} {
		if _, err := w.Embedder().Embed(t.Context(), c.p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
	if _, err := w.Embedder().Embed(t.Context(), retrieve.Passage{Role: retrieve.Query}); !errors.Is(err, retrieve.ErrEmpty) {
		t.Error(err)
	}
}

// The race detector, and seldom the map itself, tell when the lock is missing.
func TestEmbeddingFromManySidesAtOnce(t *testing.T) {
	for number := range 10 {
		w, alone := world(t, DefaultParameters(), 1, number, "en"), world(t, DefaultParameters(), 1, number, "en")
		all := passages(w)
		want := embed(t, alone, all...)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for i := range all {
					got, err := w.Embedder().Embed(t.Context(), all[i])
					if err != nil || !slices.Equal(got[0], want[i]) {
						t.Errorf("%s %q: the vector is another when others embed too (%v)", all[i].Role, all[i].ID, err)
					}
				}
			})
		}
		group.Wait()
	}
}

func TestStreamsOfAConversationAreItsOwn(t *testing.T) {
	w := world(t, DefaultParameters(), 6, 12, "en")
	if w.Stream("judge").Uint64() != random.Seed(6).Stream("dialogue", "12", "judge").Uint64() {
		t.Error("a stream is not that of seed, number and names")
	}
	if w.Stream("judge").Uint64() == w.Stream("reader").Uint64() {
		t.Error("two names, one stream")
	}
}
