package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"memlab/datasets"
	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/jsonl"
)

func sample(t testing.TB) []dialogue.Dialogue {
	t.Helper()
	dialogues, _, err := jsonl.Read(bytes.NewReader(datasets.SampleDialogue))
	if err != nil {
		t.Fatal(err)
	}
	return dialogues
}

func evaluate(t testing.TB, dialogues []dialogue.Dialogue, o Options) Result {
	t.Helper()
	r, err := Evaluate(context.Background(), dialogues, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// made is a dialogue of "session tokens text" lines, messages m0, m1, ..., and
// questions "kind|text|need,need" with needs like m1/m2.
func made(t testing.TB, name string, messages []string, questions ...string) dialogue.Dialogue {
	t.Helper()
	d := dialogue.Dialogue{Name: name, Language: "en"}
	for i, line := range messages {
		m := dialogue.Message{ID: fmt.Sprintf("m%d", i), Role: dialogue.User}
		session, rest, _ := strings.Cut(line, " ")
		tokens, text, _ := strings.Cut(rest, " ")
		if _, err := fmt.Sscan(session+" "+tokens, &m.Session, &m.Tokens); err != nil {
			t.Fatal(err)
		}
		m.Text = text
		d.Messages = append(d.Messages, m)
	}
	for i, line := range questions {
		part := strings.Split(line, "|")
		q := dialogue.Question{Kind: dialogue.Kind(part[0])}
		q.ID, q.Text = fmt.Sprintf("q%d", i), part[1]
		for _, need := range strings.FieldsFunc(part[2], func(r rune) bool { return r == ',' }) {
			q.Needs = append(q.Needs, dialogue.Need{Messages: strings.Split(need, "/")})
		}
		d.Questions = append(d.Questions, q)
	}
	return d
}

// Worked by hand. Single messages: BM25 ranks m2 (both words), then m0 and m1 (one
// word each, of the same length and rarity, so in their order), and never m3, which
// shares none: the ranked text is m2 m0 m1 with 4, 10 and 13 tokens at their ends.
// Chunks of 8: {m0 m1} with 9 tokens, {m2} closed by its session, {m3}. The chunk of
// m0 and m1 has both words too, but in twice the length, so that m2 comes first:
// the same text and the same depths.
func TestRecallByHand(t *testing.T) {
	d := made(t, "hand", []string{"1 6 kiln shed", "1 3 glaze bowl", "1 4 kiln glaze", "2 5 oil"},
		"one|kiln glaze|m0", "one|kiln glaze|m1,m2", "two|kiln glaze|m3,m2,m0/m1", "none|kiln glaze|")
	r := evaluate(t, []dialogue.Dialogue{d}, Options{Methods: []Method{BM25}, Chunks: []int{Turn, 8}, Budgets: []int{3, 4, 9, 10, 13, 1000}})
	for _, chunk := range []int{Turn, 8} {
		for i, want := range []struct{ one, two float64 }{
			{0, 0},        // m2 does not fit
			{.25, 1. / 3}, // m2
			{.25, 1. / 3}, // m0 would end at 10
			{.75, 2. / 3}, // m0
			{1, 2. / 3},   // m1
			{1, 2. / 3},   // m3 is never found
		} {
			budget := []int{3, 4, 9, 10, 13, 1000}[i]
			for kind, share := range map[dialogue.Kind]float64{"one": want.one, "two": want.two, "": (2*want.one + want.two) / 3} {
				c, ok := r.Cell(BM25, chunk, budget, kind)
				if !ok || math.Abs(c.Recall.Mean-share) > 1e-12 {
					t.Errorf("chunk %s, budget %d, kind %q: recall %v, want %v", ChunkName(chunk), budget, kind, c.Recall.Mean, share)
				}
			}
		}
	}
	if _, ok := r.Cell(BM25, Turn, 3, "none"); ok {
		t.Error("a kind without evidence has a cell")
	}
	want := []Asked{{Name: "none", Questions: 1, WithoutEvidence: 1}, {Name: "one", Questions: 2}, {Name: "two", Questions: 1}}
	if !reflect.DeepEqual(r.Kinds, want) || r.Total != (Asked{"all", 4, 18, 4, 1}) {
		t.Errorf("kinds %+v, total %+v", r.Kinds, r.Total)
	}
	if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "1 dialogue(s)") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestChunksCloseWithTheirSessionOrWhenTheyAreLongEnough(t *testing.T) {
	d := made(t, "x", []string{"1 3 a", "1 5 b", "1 1 c", "2 9 d", "2 2 e", "3 1 f"})
	for size, want := range map[int]string{
		Turn: "[{0 1} {1 2} {2 3} {3 4} {4 5} {5 6}]",
		1:    "[{0 1} {1 2} {2 3} {3 4} {4 5} {5 6}]",
		8:    "[{0 2} {2 3} {3 4} {4 5} {5 6}]",
		9:    "[{0 3} {3 4} {4 5} {5 6}]",
		10:   "[{0 3} {3 5} {5 6}]",
		1000: "[{0 3} {3 5} {5 6}]",
	} {
		if got := fmt.Sprint(cut(d.Messages, size)); got != want {
			t.Errorf("size %d: %s, want %s", size, got, want)
		}
	}
}

func TestAMessageIsSearchedWithItsSpeakerAndAChunkKnowsItsMessages(t *testing.T) {
	d := made(t, "x", []string{"1 3 hello", "1 5 there", "2 1 again"})
	d.Messages[1].Speaker = "Ana"
	got := passages(d.Messages, cut(d.Messages, 8))
	if got[0].Text != "hello\nAna: there" || got[0].Role != "chunk" || fmt.Sprint(got[0].Parts) != "[m0 m1]" {
		t.Errorf("%+v", got[0])
	}
	if got[1].Text != "again" || got[1].Role != "message" || got[1].ID != "1" {
		t.Errorf("%+v", got[1])
	}
}

// Two dialogues of which one method finds what the other does not: differences are
// taken within each before they are averaged.
func TestDifferencesArePaired(t *testing.T) {
	var dialogues []dialogue.Dialogue
	for i := range 6 {
		// Words in the plural: BM25 finds nothing, pieces of words do. The one
		// question that BM25 can answer makes dialogues differ in how hard they are.
		d := made(t, fmt.Sprint(i), []string{"1 5 lanterns", "1 5 oil"}, "k|lantern|m0")
		for range i {
			d.Questions = append(d.Questions, made(t, "", []string{"1 1 x"}, "k|oil|m1").Questions[0])
			d.Questions[len(d.Questions)-1].ID = fmt.Sprint("more", len(d.Questions))
		}
		dialogues = append(dialogues, d)
	}
	r := evaluate(t, dialogues, Options{Methods: []Method{BM25, Lexical}, Chunks: []int{Turn}, Budgets: []int{5}})
	if len(r.Differences) != 1 {
		t.Fatalf("%d differences, want 1", len(r.Differences))
	}
	got := r.Differences[0]
	want := (1 + 1./2 + 1./3 + 1./4 + 1./5 + 1./6) / 6
	if got.Method != Lexical || got.Against != BM25 || math.Abs(got.Recall.Mean-want) > 1e-12 || got.Recall.Low <= 0 {
		t.Errorf("%+v, want a mean of %v", got, want)
	}
	if len(r.Warnings) != 0 {
		t.Errorf("warnings %q", r.Warnings)
	}
	words, _ := r.Cell(BM25, Turn, 5, "")
	pieces, _ := r.Cell(Lexical, Turn, 5, "")
	if math.Abs(words.Recall.Mean-(1-want)) > 1e-12 || pieces.Recall != (Interval{1, 1, 1}) || words.Dialogues != 6 || words.Questions != 21 {
		t.Errorf("%+v %+v", words, pieces)
	}
	if best, ok := r.Best(5); !ok || best != pieces {
		t.Errorf("best %+v", best)
	}
	if _, ok := r.Best(6); ok {
		t.Error("a best at a budget that was not asked for")
	}
}

func TestTheSampleInBothLanguages(t *testing.T) {
	r := evaluate(t, sample(t), Options{Methods: Methods(), Budgets: []int{60, 10000}})
	for _, m := range Methods() {
		for _, chunk := range Defaults().Chunks {
			few, _ := r.Cell(m, chunk, 60, "")
			all, _ := r.Cell(m, chunk, 10000, "")
			if few.Recall.Mean >= all.Recall.Mean && chunk == Turn || all.Recall.Mean < .5 {
				t.Errorf("%s, chunk %s: recall %.2f at 60 tokens, %.2f at all", m, ChunkName(chunk), few.Recall.Mean, all.Recall.Mean)
			}
		}
	}
	// Every two of four methods at each of four chunk sizes and two budgets.
	if got := len(r.Differences); got != 6*4*2 {
		t.Errorf("%d differences, want 48", got)
	}
	if r.Total.WithoutEvidence != 2 || r.Dialogues[1].Name != "茶馆" {
		t.Errorf("%+v", r.Dialogues)
	}
	data, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(data), `{"method":"lexical","chunk_tokens":0,"budget_tokens":60,"recall":{"mean":`) {
		t.Errorf("JSON %s %v", data[:min(len(data), 800)], err)
	}
}

func TestTextWithoutWordsIsNeverFoundAndNoError(t *testing.T) {
	d := made(t, "x", []string{"1 2 ...", "1 2 kiln", "1 2 ?!"}, "a|kiln|m1", "b|kiln|m0", "c|?|m1", "d|zebra|m1")
	r := evaluate(t, []dialogue.Dialogue{d}, Options{Methods: Methods(), Budgets: []int{100}, Chunks: []int{Turn}})
	for _, m := range []Method{LSA, BM25} {
		for kind, want := range map[dialogue.Kind]float64{"a": 1, "b": 0, "c": 0, "d": 0} {
			if c, _ := r.Cell(m, Turn, 100, kind); c.Recall.Mean != want {
				t.Errorf("%s, %s: recall %v, want %v", m, kind, c.Recall.Mean, want)
			}
		}
	}
	silent := made(t, "x", []string{"1 2 ...", "1 2 ?!"}, "a|kiln|m1")
	r = evaluate(t, []dialogue.Dialogue{silent}, Options{Methods: Methods()})
	for _, c := range r.Cells {
		if c.Recall.Mean != 0 {
			t.Errorf("%+v", c)
		}
	}
}

func TestImpossibleOptionsAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Methods: []Method{"dense"}}, `method "dense": want one of`},
		{Options{Methods: []Method{BM25, BM25}}, `method "bm25" is given twice`},
		{Options{Chunks: []int{-1}}, "chunk -1: want"},
		{Options{Chunks: []int{5, 5}}, "chunk 5 is given twice"},
		{Options{Budgets: []int{0}}, "budget 0: want 1 token or more"},
		{Options{Budgets: []int{7, 7}}, "budget 7 is given twice"},
		{Options{Dim: -1}, "dim -1"},
		{Options{Topics: -1}, "topics -1"},
		{Options{Workers: -1}, "workers -1"},
	} {
		_, err := Evaluate(context.Background(), sample(t), c.o)
		if !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}

func TestWhatCannotBeEvaluatedIsAnError(t *testing.T) {
	ctx := context.Background()
	if _, err := Evaluate(ctx, nil, Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("no dialogues: %v", err)
	}
	asked := made(t, "x", []string{"1 2 kiln"}, "a|kiln|")
	if _, err := Evaluate(ctx, []dialogue.Dialogue{asked}, Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("no evidence: %v", err)
	}
	broken := made(t, "x", []string{"1 2 kiln"}, "a|kiln|m7")
	if _, err := Evaluate(ctx, []dialogue.Dialogue{broken}, Options{}); !errors.Is(err, dialogue.ErrDialogue) {
		t.Errorf("broken evidence: %v", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Evaluate(ctx, sample(t), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestADialogueWithoutEvidenceIsNamed(t *testing.T) {
	r := evaluate(t, append(sample(t), made(t, "idle", []string{"1 2 kiln"}, "a|kiln|")), Options{})
	if c := r.Cells[0]; c.Dialogues != 2 || len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0], `"idle"`) {
		t.Errorf("%+v, warnings %q", c, r.Warnings)
	}
}

func TestTheErrorIsNotTheEchoOfAnother(t *testing.T) {
	bad := errors.New("bad")
	for _, c := range []struct {
		errs []error
		want int
	}{
		{nil, -1}, {[]error{nil, nil}, -1}, {[]error{nil, context.Canceled, bad}, 2}, {[]error{nil, context.Canceled}, 1},
	} {
		if got := first(c.errs); got != c.want {
			t.Errorf("%v: %d, want %d", c.errs, got, c.want)
		}
	}
}
