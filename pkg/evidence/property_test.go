package evidence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
)

// random makes a dialogue of few words, so that scores tie, with questions.
func random(r *rand.Rand, name string) dialogue.Dialogue {
	words := []string{"tea", "kiln", "oil", "lamp", "茶馆", "灯塔", "cat", "..."}
	text := func() string {
		s := words[r.IntN(len(words))]
		for range r.IntN(4) {
			s += " " + words[r.IntN(len(words))]
		}
		return s
	}
	d := dialogue.Dialogue{Name: name, Language: "en"}
	session := 1
	for i := range 1 + r.IntN(25) {
		session += r.IntN(6) / 5
		d.Messages = append(d.Messages, dialogue.Message{
			ID: fmt.Sprint(i), Session: session, Role: dialogue.User, Speaker: []string{"", "Ana"}[r.IntN(2)], Text: text(), Tokens: 1 + r.IntN(20),
		})
	}
	for i := range 1 + r.IntN(5) {
		q := dialogue.Question{Kind: dialogue.Kind(words[r.IntN(2)])}
		q.ID, q.Text = fmt.Sprint(i), text()
		for range r.IntN(4) {
			n := dialogue.Need{}
			for range 1 + r.IntN(2) {
				n.Messages = append(n.Messages, d.Messages[r.IntN(len(d.Messages))].ID)
			}
			q.Needs = append(q.Needs, n)
		}
		d.Questions = append(d.Questions, q)
	}
	return d
}

// slow retrieves for one question as the package comment says it, without any of
// the package's code: the ids of the messages within the budget.
func slow(t *testing.T, d *dialogue.Dialogue, q *dialogue.Question, m Method, size, budget, dim int) []string {
	t.Helper()
	var chunks [][]dialogue.Message
	tokens := 0
	for i, m := range d.Messages {
		if i == 0 || d.Messages[i-1].Session != m.Session || tokens >= size {
			chunks = append(chunks, nil)
			tokens = 0
		}
		last := &chunks[len(chunks)-1]
		*last = append(*last, m)
		tokens += m.Tokens
	}
	var searched []string
	for _, c := range chunks {
		s := ""
		for i, m := range c {
			if i > 0 {
				s += "\n"
			}
			if m.Speaker != "" {
				s += m.Speaker + ": "
			}
			s += m.Text
		}
		searched = append(searched, s)
	}
	words, err := retrieve.NewBM25()
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := retrieve.NewVectors(dim)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range d.Messages {
		said = append(said, strings.TrimPrefix(m.Speaker+": "+m.Text, ": "))
	}
	embedder, err := retrieve.FitLexical(said, dim)
	ctx := context.Background()
	for i, s := range searched {
		if err := words.Add(strconv.Itoa(i), s); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			continue // no message has a word
		}
		if v, err := embedder.Embed(ctx, retrieve.Passage{Text: s}); err == nil {
			if err := vectors.Add(strconv.Itoa(i), v[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	var byWords, byVector []retrieve.Hit
	if len(retrieve.Terms(q.Text)) > 0 {
		if byWords, err = words.Search(q.Text, 1000, nil); err != nil {
			t.Fatal(err)
		}
		if vectors.Len() > 0 {
			v, err := embedder.Embed(ctx, retrieve.Passage{Text: q.Text})
			if err != nil {
				t.Fatal(err)
			}
			if byVector, err = vectors.Search(v[0], 1000, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	hits := map[Method][]retrieve.Hit{BM25: byWords, Lexical: byVector, Fused: retrieve.Fuse(60, 1000, byVector, byWords)}[m]
	var found []string
	for _, h := range hits {
		i, err := strconv.Atoi(h.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range chunks[i] {
			if budget -= m.Tokens; budget < 0 {
				return found
			}
			found = append(found, m.ID)
		}
	}
	return found
}

func TestRecallIsWhatASlowerProgramFinds(t *testing.T) {
	o := Options{Methods: []Method{Fused, BM25, Lexical}, Chunks: []int{Turn, 15, 40}, Budgets: []int{5, 30, 90, 400}, Dim: 256}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		d := random(r, "x")
		var questions []*dialogue.Question
		for i := range d.Questions {
			if len(d.Questions[i].Needs) > 0 {
				questions = append(questions, &d.Questions[i])
			}
		}
		if len(questions) == 0 {
			continue
		}
		result := evaluate(t, []dialogue.Dialogue{d}, o)
		for _, c := range result.Cells {
			sum, n := 0.0, 0
			for _, q := range questions {
				if c.Kind != "" && q.Kind != c.Kind {
					continue
				}
				found := slow(t, &d, q, c.Method, c.Chunk, c.Budget, o.Dim)
				met := 0
				for _, need := range q.Needs {
					if slices.ContainsFunc(need.Messages, func(id string) bool { return slices.Contains(found, id) }) {
						met++
					}
				}
				sum += float64(met) / float64(len(q.Needs))
				n++
			}
			if c.Recall.Mean != sum/float64(n) || c.Questions != n {
				t.Fatalf("seed %d: %+v, want %v of %d questions", seed, c, sum/float64(n), n)
			}
		}
	}
}

func TestRecallNeverFallsWithTheBudget(t *testing.T) {
	budgets := []int{1, 10, 20, 50, 100, 200, 1000}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		dialogues := []dialogue.Dialogue{random(r, "x"), random(r, "y")}
		result, err := Evaluate(context.Background(), dialogues, Options{Methods: Methods(), Chunks: []int{Turn, 30}, Budgets: budgets})
		if err != nil {
			continue // no question with evidence
		}
		last := map[Cell]float64{}
		for _, c := range result.Cells {
			key := Cell{Method: c.Method, Chunk: c.Chunk, Kind: c.Kind}
			if c.Recall.Mean < last[key] {
				t.Fatalf("seed %d: %+v after %v", seed, c, last[key])
			}
			last[key] = c.Recall.Mean
		}
	}
}

func TestWorkersAndTheOrderOfMethodsChangeNothing(t *testing.T) {
	var dialogues []dialogue.Dialogue
	for seed := range uint64(12) {
		dialogues = append(dialogues, random(rand.New(rand.NewPCG(seed, 2)), fmt.Sprint(seed)))
	}
	o := Options{Methods: []Method{Lexical, LSA, BM25, Fused}, Budgets: []int{20, 60}, Chunks: []int{Turn, 30}, Workers: 1}
	want := evaluate(t, dialogues, o)
	o.Workers = 5
	if got := evaluate(t, dialogues, o); !reflect.DeepEqual(got, want) {
		t.Error("5 workers find something else than 1")
	}
	slices.Reverse(o.Methods)
	slices.Reverse(o.Budgets)
	slices.Reverse(o.Chunks)
	got := evaluate(t, dialogues, o)
	for _, c := range want.Cells {
		if g, ok := got.Cell(c.Method, c.Chunk, c.Budget, c.Kind); !ok || g != c {
			t.Errorf("%+v, want %+v", g, c)
		}
	}
}
