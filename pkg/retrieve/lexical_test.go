package retrieve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func embed(t *testing.T, e Embedder, texts ...string) [][]float32 {
	t.Helper()
	var passages []Passage
	for i, text := range texts {
		passages = append(passages, Passage{ID: fmt.Sprint(i), Role: Message, Text: text})
	}
	out, err := e.Embed(t.Context(), passages...)
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(out), len(texts))
	}
	for i, v := range out {
		if length, err := norm(v); err != nil || len(v) != e.Dim() || math.Abs(length-1) > 1e-6 {
			t.Fatalf("%q: %d numbers, length %g, %v", texts[i], len(v), length, err)
		}
	}
	return out
}

func lexical(t *testing.T, dim int) *Lexical {
	t.Helper()
	e, err := NewLexical(dim)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The text is nearer to the first than to the second.
func TestLexicalNearness(t *testing.T) {
	e := lexical(t, 1024)
	for _, c := range []struct{ name, text, near, far string }{
		{"shared words", "I like green tea", "green tea is what I like", "the train leaves at nine"},
		{"an inflected word", "walking dogs", "a dog that walks", "a cat that sleeps"},
		{"a misspelling", "restaurant", "restaurnat", "apartment"},
		{"Chinese", "我喜欢喝绿茶", "他爱喝绿茶", "周末去爬山"},
		{"one Chinese character", "猫", "我养了一只猫", "我养了一条狗"},
		{"Japanese", "寿司を食べたい", "昨日は寿司を食べた", "電車が遅れた"},
		{"mixed", "用Go写代码", "Go代码", "Rust程序"},
		{"case and width do not count", "ＧＰＴ mini", "gpt MINI", "gpt maxi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := embed(t, e, c.text, c.near, c.far)
			if near, far := cosine(v[0], v[1]), cosine(v[0], v[2]); near <= far+0.05 {
				t.Errorf("%q: %.3f to %q, %.3f to %q", c.text, near, c.near, far, c.far)
			}
		})
	}
}

// What the comment says that it cannot do.
func TestLexicalHasTheLimitsItStates(t *testing.T) {
	e := lexical(t, 4096)
	v := embed(t, e, "doctor", "physician", "喜欢", "爱", "green tea", "绿茶", "dog bites man", "man bites dog")
	for i := 0; i < 6; i += 2 {
		if c := cosine(v[i], v[i+1]); math.Abs(c) > 0.05 {
			t.Errorf("synonyms %d and %d: cosine %.3f", i, i+1, c)
		}
	}
	if c := cosine(v[6], v[7]); math.Abs(c-1) > 1e-6 {
		t.Errorf("another order: cosine %g, want 1", c)
	}
	for dim, most := range map[int]float64{256: 0.2, 4096: 0.05} {
		e := lexical(t, dim)
		var texts []string
		for i := range 60 { // no letter in common
			texts = append(texts, strings.Repeat(string(rune(0x4E00+100*i)), 3)+string(rune(0x4E00+100*i+1))+"，"+string(rune(0x4E00+100*i+2)))
		}
		v := embed(t, e, texts...)
		above, pairs := 0, 0
		for i := range v {
			for j := range i {
				pairs++
				if math.Abs(cosine(v[i], v[j])) > most {
					above++
				}
			}
		}
		if above > pairs/20 {
			t.Errorf("dimension %d: %d of %d unrelated pairs are above %g", dim, above, pairs, most)
		}
	}
}

// By hand: one term and no pieces in Chinese: a lone character has one feature,
// so its vector is +1 or -1 in one place. "茶，茶，茶" has the same, whatever its tf.
func TestLexicalByHand(t *testing.T) {
	v := embed(t, lexical(t, 64), "茶", "茶，茶，茶", "茶，水")
	at := slices.IndexFunc(v[0], func(x float32) bool { return x != 0 })
	if v[0][at]*v[0][at] != 1 || !slices.Equal(v[0], v[1]) {
		t.Errorf("%v, %v", v[0], v[1])
	}
	if x := float64(v[2][at]); math.Abs(math.Abs(x)-math.Sqrt(0.5)) > 1e-6 {
		t.Errorf("one of two features: %g, want %g", x, math.Sqrt(0.5))
	}
	// tf 3 weighs 1 + ln 3 = 2.0986 against 1.
	w := embed(t, lexical(t, 64), "茶，茶，茶，水")[0]
	if x := math.Abs(float64(w[at])); math.Abs(x-2.098612/math.Hypot(2.098612, 1)) > 1e-6 {
		t.Errorf("tf 3 against 1: %g", x)
	}
}

// By hand: "ab" is a word of weight 1 with the pieces <ab, ab> and <ab> of weight
// 1/2; its length is sqrt(1 + 3/4). In a million numbers the four do not meet.
func TestLexicalPiecesByHand(t *testing.T) {
	var got []float64
	for _, x := range embed(t, lexical(t, 1<<20), "ab")[0] {
		if x != 0 {
			got = append(got, math.Abs(float64(x))*math.Sqrt(1.75))
		}
	}
	slices.Sort(got)
	want := []float64{0.5, 0.5, 0.5, 1}
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
		t.Errorf("weights %v, want %v", got, want)
	}
}

func TestFittedLexicalLetsCommonWordsCountLittle(t *testing.T) {
	var corpus []string
	for i := range 50 {
		corpus = append(corpus, fmt.Sprintf("please tell me about the number%d", i), fmt.Sprintf("请你告诉我关于%c", 0x4E00+50*i))
	}
	fitted, err := FitLexical(corpus, 1024)
	if err != nil {
		t.Fatal(err)
	}
	pair := []string{"please tell me about the zebra", "please tell me about the violin"}
	before, after := embed(t, lexical(t, 1024), pair...), embed(t, fitted, pair...)
	if b, a := cosine(before[0], before[1]), cosine(after[0], after[1]); a > b-0.2 {
		t.Errorf("common words: cosine %.3f without and %.3f with idf", b, a)
	}
	// By hand: two features, one in 100 of 101 texts, one in 1.
	two, err := FitLexical(append(slices.Repeat([]string{"水"}, 100), "茶"), 64)
	if err != nil {
		t.Fatal(err)
	}
	common, rare := math.Log(102./101)+1, math.Log(102./2)+1
	v := embed(t, two, "水", "水，茶")
	if c := math.Abs(cosine(v[0], v[1])); math.Abs(c-common/math.Hypot(common, rare)) > 1e-6 {
		t.Errorf("cosine %g, want %g", c, common/math.Hypot(common, rare))
	}
}

func TestEmbeddersRepeatThemselves(t *testing.T) {
	corpus := topics(40)
	for _, build := range []func() (Embedder, error){
		func() (Embedder, error) { return NewLexical(100) },
		func() (Embedder, error) { return FitLexical(corpus, 100) },
		func() (Embedder, error) { return FitLSA(corpus, 10) },
	} {
		a, err := build()
		if err != nil {
			t.Fatal(err)
		}
		b, err := build()
		if err != nil {
			t.Fatal(err)
		}
		together := embed(t, a, corpus...)
		for i, text := range corpus {
			if alone := embed(t, b, text)[0]; !slices.Equal(alone, together[i]) {
				t.Fatalf("%T: %q differs", a, text)
			}
		}
	}
}

// The first value is fixed: stored results depend on it.
func TestLexicalStartsWithItsGoldenValue(t *testing.T) {
	if h := hash("茶"); h != 0xe56680553eabf908 {
		t.Errorf("%#x, want 0xe56680553eabf908", h)
	}
}

func TestEmbeddersNameTheEmptyPassage(t *testing.T) {
	lsa, err := FitLSA(topics(40), 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Embedder{lexical(t, 64), lsa} {
		for _, text := range []string{"", " \n", "?!。"} {
			out, err := e.Embed(t.Context(), Passage{ID: "good", Text: "tea"}, Passage{ID: "m17", Role: Memory, Text: text})
			if out != nil || !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), `passage 1, id "m17"`) {
				t.Errorf("%T, %q: %v, error %v", e, text, out, err)
			}
		}
		if out, err := e.Embed(t.Context()); err != nil || len(out) != 0 {
			t.Errorf("%T: nothing to embed: %v, %v", e, out, err)
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		if _, err := e.Embed(stopped, Passage{Text: "tea"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%T, cancelled: error %v", e, err)
		}
	}
}

func TestLexicalRefusesNonsense(t *testing.T) {
	for _, dim := range []int{0, -1, maxDim + 1} {
		if _, err := NewLexical(dim); !errors.Is(err, ErrDim) {
			t.Errorf("dimension %d: error %v", dim, err)
		}
		if _, err := FitLexical([]string{"tea"}, dim); !errors.Is(err, ErrDim) {
			t.Errorf("fitted, dimension %d: error %v", dim, err)
		}
	}
	for _, corpus := range [][]string{nil, {""}, {"?", "。"}} {
		if _, err := FitLexical(corpus, 8); !errors.Is(err, ErrEmpty) {
			t.Errorf("corpus %q: error %v", corpus, err)
		}
	}
	// With one number, two features of opposite sign cancel out.
	e := lexical(t, 1)
	found := false
	for r := rune(0x4E00); r < 0x4E40; r++ {
		_, err := e.Embed(t.Context(), Passage{ID: "p", Text: "茶，" + string(r)})
		if err != nil {
			found = errors.Is(err, ErrZero) && strings.Contains(err.Error(), `id "p"`)
			break
		}
	}
	if !found {
		t.Error("no text cancels out in one dimension, or its error does not say so")
	}
}

func BenchmarkLexical(b *testing.B) {
	e, err := FitLexical(topics(200), 256)
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"English": "Alex's dog likes long walks in the park on Sunday mornings",
		"Chinese": "我喜欢周末去爬山，然后喝一杯绿茶",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Embed(b.Context(), Passage{Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
