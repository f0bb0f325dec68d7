package retrieve

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// topics are n texts, each of one of three topics with words of its own.
func topics(n int) []string {
	words := [][]string{
		strings.Fields("doctor physician hospital nurse patient clinic fever 医院 医生 护士"),
		strings.Fields("guitar violin concert band song melody stage 音乐 歌手 乐队"),
		strings.Fields("tea coffee cup kettle milk sugar leaves 绿茶 咖啡 牛奶"),
	}
	r := rand.New(rand.NewPCG(7, 7))
	var out []string
	for i := range n {
		topic := words[i%len(words)]
		var b strings.Builder
		fmt.Fprintf(&b, "the no%d", i)
		for range 6 {
			b.WriteString(" " + topic[r.IntN(len(topic))])
		}
		out = append(out, b.String())
	}
	return out
}

// matrix is the TF-IDF matrix, written out.
func (x *LSA) matrix(texts []string) *mat.Dense {
	a := mat.NewDense(len(texts), len(x.idf), nil)
	for i, text := range texts {
		for _, c := range x.weights(termCounts(text)) {
			a.Set(i, c.column, c.weight)
		}
	}
	return a
}

// The strongest directions are those of the exact decomposition: their strengths
// agree, and a projection on them looks the same.
func TestLSAAgreesWithTheExactDecomposition(t *testing.T) {
	texts := topics(150)
	for _, dim := range []int{1, 3, 12} {
		x, err := FitLSA(texts, dim)
		if err != nil {
			t.Fatal(err)
		}
		a := x.matrix(texts)
		var svd mat.SVD
		if !svd.Factorize(a, mat.SVDThin) {
			t.Fatal("the exact decomposition does not converge")
		}
		exact := svd.Values(nil)
		for i, s := range x.strength {
			if math.Abs(s-exact[i]) > 1e-3*exact[0] {
				t.Errorf("dimension %d: strength %d is %.6f, want %.6f", dim, i, s, exact[i])
			}
		}
		var gram mat.Dense
		gram.Mul(x.topics.T(), x.topics)
		for i := range dim {
			gram.Set(i, i, gram.At(i, i)-1)
		}
		if off := mat.Norm(&gram, 2); off > 1e-9 {
			t.Errorf("dimension %d: the directions are off orthonormal by %g", dim, off)
		}
		// What is left of the corpus, against the least possible (Eckart and Young).
		var low, back mat.Dense
		low.Mul(a, x.topics)
		back.Mul(&low, x.topics.T())
		back.Sub(a, &back)
		least := 0.0
		for _, s := range exact[dim:] {
			least += s * s
		}
		if left := mat.Norm(&back, 2); left > 1.001*math.Sqrt(least) {
			t.Errorf("dimension %d: %.6f of the corpus is left, %.6f is possible", dim, left, math.Sqrt(least))
		}
	}
}

// With every direction kept, cosines are those of TF-IDF itself.
func TestLSAOfFullRankIsTFIDF(t *testing.T) {
	texts := topics(12)
	x, err := FitLSA(texts, len(texts))
	if err != nil {
		t.Fatal(err)
	}
	v, a := embed(t, x, texts...), x.matrix(texts)
	for i := range v {
		for j := range i {
			if got, want := cosine(v[i], v[j]), mat.Dot(a.RowView(i), a.RowView(j)); math.Abs(got-want) > 1e-5 {
				t.Errorf("texts %d and %d: %g, want %g", i, j, got, want)
			}
		}
	}
}

func TestLSABringsWordsOfOneCompanyTogether(t *testing.T) {
	x, err := FitLSA(topics(300), 3)
	if err != nil {
		t.Fatal(err)
	}
	v := embed(t, x, "doctor", "physician", "医院", "violin", "乐队", "kettle", "绿茶")
	for _, c := range []struct{ a, near, far int }{{0, 1, 3}, {0, 2, 5}, {3, 4, 1}, {5, 6, 4}} {
		if near, far := cosine(v[c.a], v[c.near]), cosine(v[c.a], v[c.far]); near < 0.8 || far > 0.3 {
			t.Errorf("word %d: cosine %.3f to %d, %.3f to %d", c.a, near, c.near, far, c.far)
		}
	}
}

func TestLSARefusesNonsense(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		dim   int
		want  error
		says  string
	}{
		"dimension 0":           {topics(9), 0, ErrDim, "dimension 0"},
		"no texts":              {nil, 2, ErrEmpty, "0 texts"},
		"no words":              {[]string{"?", ""}, 2, ErrEmpty, "2 texts"},
		"fewer texts than that": {topics(9), 10, ErrDim, "want at most 9"},
		"fewer terms than that": {[]string{"tea", "tea tea", "tea"}, 2, ErrDim, "want at most 1"},
		"the same text again":   {[]string{"green tea", "green tea", "black coffee"}, 3, ErrDim, "rank 2"},
	} {
		if _, err := FitLSA(c.texts, c.dim); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
	x, err := FitLSA(topics(9), 2)
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.Embed(t.Context(), Passage{ID: "q", Text: "zebra"})
	if !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), `"zebra" has no term of the corpus`) {
		t.Errorf("an unknown word: error %v", err)
	}
}

// A thousand messages of a vocabulary of ten thousand words.
func BenchmarkFitLSA(b *testing.B) {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 5, 10_000)
	var texts []string
	for range 1_000 {
		var text strings.Builder
		for range 20 {
			fmt.Fprintf(&text, "w%d ", zipf.Uint64())
		}
		texts = append(texts, text.String())
	}
	for b.Loop() {
		if _, err := FitLSA(texts, 128); err != nil {
			b.Fatal(err)
		}
	}
}
