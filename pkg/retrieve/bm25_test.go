package retrieve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func bm25(t *testing.T, options ...BM25Option) *BM25 {
	t.Helper()
	x, err := NewBM25(options...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func fill(t *testing.T, x *BM25, texts ...string) {
	t.Helper()
	for i, text := range texts {
		if err := x.Add(fmt.Sprint(i), text); err != nil {
			t.Fatal(err)
		}
	}
}

// check finds a broken invariant.
func (x *BM25) check() error {
	total, held := 0, 0
	live := map[int32]bool{}
	for id, n := range x.at {
		if x.docs[n].id != id {
			return fmt.Errorf("%q is said to be document %d, which is %q", id, n, x.docs[n].id)
		}
		live[n] = true
		total += x.docs[n].length
		held += len(x.docs[n].distinct)
	}
	for i, d := range x.docs {
		if !live[int32(i)] && (d.id != "" || d.distinct != nil || d.length != 0) {
			return fmt.Errorf("document %d is removed and still %q with %q", i, d.id, d.distinct)
		}
	}
	if total != x.total || len(x.docs) != len(live)+x.removed {
		return fmt.Errorf("%d of %d numbers in use, %d removed, %d terms counted as %d", len(live), len(x.docs), x.removed, total, x.total)
	}
	for term, list := range x.postings {
		if len(list) == 0 || !slices.IsSortedFunc(list, func(a, b posting) int { return cmp.Compare(a.doc, b.doc) }) {
			return fmt.Errorf("postings of %q: %v", term, list)
		}
		held -= len(list)
		for _, p := range list {
			if p.tf < 1 || !slices.Contains(x.docs[p.doc].distinct, term) {
				return fmt.Errorf("posting %v of %q", p, term)
			}
		}
	}
	if held != 0 {
		return fmt.Errorf("%d terms of documents without a posting", held)
	}
	return nil
}

// By hand: N = 3, lengths 3, 3, 2, mean 8/3. "tea" is in documents 0 (once) and 2
// (twice): idf = ln(1 + (3-2+0.5)/(2+0.5)) = ln 1.6 = 0.470004.
// Document 0: length 3/(8/3) = 1.125, 1.2*(0.25+0.75*1.125) = 1.3125,
// 0.470004 * 1*2.2/(1+1.3125) = 0.447139.
// Document 2: length 0.75, 1.2*(0.25+0.75*0.75) = 0.975,
// 0.470004 * 2*2.2/(2+0.975) = 0.695131.
func TestBM25ByHand(t *testing.T) {
	x := bm25(t)
	fill(t, x, "Green tea, please.", "Black coffee now", "tea tea")
	hits, err := x.Search("tea?", 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	sameHits(t, hits, []Hit{{"2", 0.695131}, {"0", 0.447139}}, 5e-7)
}

func TestBM25ParametersAtTheirEnds(t *testing.T) {
	texts := []string{"tea", "tea tea tea tea and more words of a long text"}
	for _, c := range []struct {
		name  string
		k1, b float64
		equal bool
	}{
		{"presence only", 0, 1, true},
		{"lengths do not count, repetition does", 2, 0, false},
	} {
		x := bm25(t, WithK1(c.k1), WithB(c.b))
		fill(t, x, texts...)
		hits, err := x.Search("tea", 2, nil)
		if err != nil || len(hits) != 2 || (hits[0].Score == hits[1].Score) != c.equal {
			t.Errorf("%s: %v, %v", c.name, hits, err)
		}
	}
}

// mem0#4884, mem0#6717 and their kind: every text finds itself, and a part of it.
func TestBM25FindsInEveryScript(t *testing.T) {
	texts := []string{
		"我喜欢喝绿茶", "周末常去爬山", "わたしは寿司を食べたい", "コーヒーが好きです", "고양이를 좋아해",
		"Alex's dog likes 3 walks", "用GPT4写Go代码", "生日快乐🎂", "Привет, мир", "我养了一只猫",
	}
	x := bm25(t)
	fill(t, x, texts...)
	for query, want := range map[string]string{
		"绿茶": "0", "茶": "0", "她喜欢什么茶？": "0", "爬山": "1", "寿司": "2", "ｺｰﾋｰ": "3", "고양이": "4",
		"alex": "5", "Alex’s": "5", "DOG": "5", "gpt4": "6", "代码": "6", "🎂": "7", "МИР": "8", "猫": "9",
	} {
		hits, err := x.Search(query, 1, nil)
		if err != nil || len(hits) != 1 || hits[0].ID != want {
			t.Errorf("%q: %v, %v: want %s", query, hits, err, want)
		}
	}
	for i, text := range texts {
		if hits, err := x.Search(text, 1, nil); err != nil || hits[0].ID != fmt.Sprint(i) {
			t.Errorf("%q does not find itself: %v, %v", text, hits, err)
		}
	}
}

// slowBM25 is the model: it counts everything anew for each query.
type slowBM25 struct {
	ids, texts []string
}

func (s *slowBM25) search(text string, k int, keep func(string) bool) []Hit {
	tf := func(doc, term string) (n float64) {
		for _, t := range scan(doc) {
			if t.text == term {
				n++
			}
		}
		return n
	}
	total := 0.0
	for _, doc := range s.texts {
		total += float64(len(Terms(doc)))
	}
	n := float64(len(s.texts))
	var all []Hit
	for i, doc := range s.texts {
		score := 0.0
		for _, term := range Terms(text) {
			with := 0.0
			for _, other := range s.texts {
				with += min(1, tf(other, term))
			}
			f := tf(doc, term)
			length := float64(len(Terms(doc)))
			score += math.Log(1+(n-with+.5)/(with+.5)) * f * 2.2 / (f + 1.2*(.25+.75*length/(total/n)))
		}
		if score > 0 && (keep == nil || keep(s.ids[i])) {
			all = append(all, Hit{s.ids[i], score})
		}
	}
	slices.SortStableFunc(all, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(k, len(all))]
}

// Random texts are added, removed and searched; few words make many ties.
func TestBM25AgreesWithANaiveCount(t *testing.T) {
	words := []string{"tea ", "dog ", "Alex's ", "绿茶", "猫", "茶", "喝", "。", "🎂", "7 "}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 9))
		text := func() string {
			var b strings.Builder
			for range r.IntN(7) {
				b.WriteString(words[r.IntN(len(words))])
			}
			return b.String()
		}
		x, slow := bm25(t), &slowBM25{}
		for step := range 400 {
			id := fmt.Sprint(r.IntN(30))
			known := slices.Index(slow.ids, id)
			switch r.IntN(5) {
			case 0, 1:
				doc := text()
				err := x.Add(id, doc)
				if (known >= 0) != errors.Is(err, ErrDuplicate) || (known >= 0) != (err != nil) {
					t.Fatalf("seed %d, step %d: error %v", seed, step, err)
				} else if known < 0 {
					slow.ids, slow.texts = append(slow.ids, id), append(slow.texts, doc)
				}
			case 2, 3:
				if x.Remove(id) != (known >= 0) {
					t.Fatalf("seed %d, step %d: removal of %s", seed, step, id)
				} else if known >= 0 {
					slow.ids, slow.texts = slices.Delete(slow.ids, known, known+1), slices.Delete(slow.texts, known, known+1)
				}
			case 4:
				query, k := text(), 1+r.IntN(12)
				var keep func(string) bool
				if r.IntN(2) == 0 {
					keep = func(id string) bool { return id[0] != '1' }
				}
				hits, err := x.Search(query, k, keep)
				if len(Terms(query)) == 0 {
					if !errors.Is(err, ErrEmpty) {
						t.Fatalf("%q: error %v, want ErrEmpty", query, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				sameHits(t, hits, slow.search(query, k, keep), 1e-12)
			}
			if err := x.check(); err != nil || x.Len() != len(slow.ids) {
				t.Fatalf("seed %d, step %d: %d documents, want %d: %v", seed, step, x.Len(), len(slow.ids), err)
			}
		}
	}
}

func TestRemovedTextLeavesNoTerm(t *testing.T) {
	x := bm25(t)
	for i := range 500 {
		if err := x.Add(fmt.Sprint(i), fmt.Sprintf("common word%d 密码", i)); err != nil {
			t.Fatal(err)
		}
	}
	if len(x.docs) != 500 || len(x.postings) != 504 {
		t.Fatalf("%d documents, %d terms", len(x.docs), len(x.postings))
	}
	for i := range 499 {
		if !x.Remove(fmt.Sprint(i)) || x.Remove(fmt.Sprint(i)) {
			t.Fatalf("document %d: want the first removal to find it, the second not", i)
		}
		if err := x.check(); err != nil {
			t.Fatal(err)
		}
	}
	if len(x.docs) > 130 {
		t.Errorf("%d numbers are kept for 1 document", len(x.docs))
	}
	for term, list := range x.postings {
		if strings.HasPrefix(term, "word") && term != "word499" || len(list) != 1 {
			t.Errorf("%q is left with %v", term, list)
		}
		for _, left := range list[:cap(list)][1:] {
			if left != (posting{}) {
				t.Errorf("%q: posting %v behind the last", term, left)
			}
		}
	}
	if hits, err := x.Search("common word7", 10, nil); err != nil || len(hits) != 1 || hits[0].ID != "499" {
		t.Errorf("%v, %v", hits, err)
	}
	if !x.Remove("499") || len(x.postings) != 0 || x.total != 0 {
		t.Errorf("%d terms are left in an empty index", len(x.postings))
	}
	if hits, err := x.Search("common", 1, nil); err != nil || len(hits) != 0 {
		t.Errorf("an empty index: %v, %v", hits, err)
	}
}

func TestBM25RefusesNonsense(t *testing.T) {
	for name, o := range map[string]BM25Option{
		"k1 below 0": WithK1(-1), "k1 NaN": WithK1(math.NaN()), "k1 infinite": WithK1(math.Inf(1)),
		"b below 0": WithB(-0.1), "b above 1": WithB(1.1), "b NaN": WithB(math.NaN()),
	} {
		if _, err := NewBM25(o); !errors.Is(err, ErrOption) {
			t.Errorf("%s: error %v, want ErrOption", name, err)
		}
	}
	x := bm25(t)
	fill(t, x, "", "...", "tea")
	if err := x.Add("1", "again"); !errors.Is(err, ErrDuplicate) {
		t.Errorf("error %v, want ErrDuplicate", err)
	}
	if _, err := x.Search("tea", 0, nil); !errors.Is(err, ErrCount) {
		t.Errorf("k 0: error %v, want ErrCount", err)
	}
	for _, query := range []string{"", " ", "?!", "。"} {
		if _, err := x.Search(query, 1, nil); !errors.Is(err, ErrEmpty) {
			t.Errorf("query %q: error %v, want ErrEmpty", query, err)
		}
	}
	if hits, err := x.Search("tea", 9, nil); err != nil || len(hits) != 1 || hits[0].ID != "2" {
		t.Errorf("%v, %v", hits, err)
	}
	if !x.Remove("0") || !x.Remove("1") || x.Len() != 1 {
		t.Error("empty texts are not removed")
	}
}

func TestSearchesMayRunAtOnce(t *testing.T) {
	x := bm25(t)
	v := vectors(t, 16)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 200 {
		if err := x.Add(fmt.Sprint(i), fmt.Sprintf("tea number%d 绿茶", i%17)); err != nil {
			t.Fatal(err)
		}
		if err := v.Add(fmt.Sprint(i), randomVector(r, 16)); err != nil {
			t.Fatal(err)
		}
	}
	query := randomVector(r, 16)
	words, _ := x.Search("tea number3", 20, nil)
	near, _ := v.Search(query, 20, nil)
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for range 50 {
				a, err := x.Search("tea number3", 20, nil)
				b, err2 := v.Search(query, 20, nil)
				if err != nil || err2 != nil || !slices.Equal(a, words) || !slices.Equal(b, near) {
					t.Fatalf("%v, %v, %v, %v", a, err, b, err2)
				}
			}
		})
	}
}

// A vocabulary as a language has it: a few words everywhere, most of them rare.
func BenchmarkBM25Search(b *testing.B) {
	x, err := NewBM25()
	if err != nil {
		b.Fatal(err)
	}
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 5, 20_000)
	for i := range 10_000 {
		var text strings.Builder
		for range 20 {
			fmt.Fprintf(&text, "w%d ", zipf.Uint64())
		}
		if err := x.Add(fmt.Sprint(i), text.String()); err != nil {
			b.Fatal(err)
		}
	}
	for name, query := range map[string]string{"common": "w0 w1 w2 w3 w4", "rare": "w500 w900 w1300 w1700 w2100"} {
		b.Run(name, func(b *testing.B) {
			postings := 0
			for _, term := range Terms(query) {
				postings += len(x.postings[term])
			}
			for b.Loop() {
				if _, err := x.Search(query, 10, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*postings), "ns/posting")
			b.ReportMetric(float64(postings), "postings")
		})
	}
}

func BenchmarkTerms(b *testing.B) {
	for name, text := range map[string]string{
		"English": strings.Repeat("Alex's dog likes long walks in the park. ", 10),
		"Chinese": strings.Repeat("我喜欢周末去爬山，然后喝一杯绿茶。", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Terms(text)
			}
		})
	}
}
