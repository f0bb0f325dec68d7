package rag_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/rag"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

func lexical(t *testing.T) retrieve.Embedder {
	t.Helper()
	e, err := retrieve.NewLexical(512)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var texts = []string{
	"My dog is called Bello.", "What a nice name!",
	"I moved to Lyon in May.", "How do you like it?",
	"周末我喜欢去旅行。", "听起来不错。",
	"The soup needs salt.", "Noted.",
}

func build(t *testing.T, change func(*rag.Options)) *rag.Memory {
	t.Helper()
	o := rag.Defaults(lexical(t))
	o.Chunk, o.K, o.Account = 20, 1, &memory.Account{Ledger: &serving.Ledger{}}
	if change != nil {
		change(&o)
	}
	r, err := rag.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		m := &dialogue.Message{ID: fmt.Sprintf("m%d", i), Session: i / 3, Role: dialogue.User, Text: text, Tokens: 10}
		if strings.Contains(text, "Lyon") {
			m.Facts = []dialogue.Fact{{Subject: dialogue.Me, Relation: "city", Object: "Lyon"}}
		}
		if err := r.Write(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func ids(m memory.Material) string {
	var out []string
	for _, msg := range m.Messages {
		out = append(out, msg.ID)
	}
	return strings.Join(out, " ")
}

func TestEveryMethodFindsTheChunk(t *testing.T) {
	for _, method := range rag.Methods() {
		r := build(t, func(o *rag.Options) { o.Method = method })
		for question, want := range map[string]string{"Which town did I move to, Lyon?": "m2 m3", "周末喜欢做什么": "m4 m5"} {
			m, err := r.Read(t.Context(), dialogue.Query{ID: question, Text: question})
			if err != nil {
				t.Fatal(err)
			}
			if got := ids(m); got != want || m.Tokens != 20 || m.Calls != 1 {
				t.Errorf("%s, %q: %s of %d tokens, want %s", method, question, got, m.Tokens, want)
			}
		}
	}
}

// Sessions are messages 0-2, 3-5 and 6-7; chunks are closed at 20 tokens.
func TestChunksCanEndWithTheirSession(t *testing.T) {
	for split, want := range map[bool]string{false: "m2 m3", true: "m2"} {
		r := build(t, func(o *rag.Options) { o.SplitSessions = split })
		m, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: "I moved to Lyon"})
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(m); got != want {
			t.Errorf("split %v: %s, want %s", split, got, want)
		}
	}
}

func TestWritingCallsNoModel(t *testing.T) {
	r := build(t, nil)
	if got := r.Account.Phase(serving.Write); got.Calls != 0 || got.Embedded != 4 {
		t.Errorf("%+v, want 4 embedded chunks and no call", got)
	}
	if _, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: "soup"}); err != nil {
		t.Fatal(err)
	}
	if got := r.Account.Phase(serving.Read); got.Calls != 1 || got.Prompt != 200+20+20 || got.Output != 20 {
		t.Errorf("%+v", got)
	}
}

func TestForgetReachesChunksAndIndexes(t *testing.T) {
	for _, method := range rag.Methods() {
		r := build(t, func(o *rag.Options) { o.Method, o.K = method, 10 })
		n, err := r.Forget(t.Context(), func(f dialogue.Fact) bool { return f.Object == "Lyon" })
		if err != nil || n != 1 {
			t.Fatalf("%d forgotten, %v", n, err)
		}
		m, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: "Lyon how like it dog salt 周末"})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(ids(m))
		if slices.Contains(got, "m2") || !slices.Contains(got, "m3") {
			t.Errorf("%s: %v: want m3 without m2", method, got)
		}
		if f := r.Fate("m2", dialogue.Fact{}); f.Lost != memory.Keep {
			t.Errorf("%+v", f)
		}
	}
}

func TestNothingIsFoundInNothing(t *testing.T) {
	r, err := rag.New(rag.Defaults(lexical(t)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: "anything"})
	if err != nil || len(m.Messages) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

// lying says that it has other vectors than it gives.
type lying struct{ retrieve.Embedder }

func (lying) Dim() int { return 3 }

func TestBadInput(t *testing.T) {
	for name, change := range map[string]func(*rag.Options){
		"chunk 0": func(o *rag.Options) { o.Chunk = 0 }, "k 0": func(o *rag.Options) { o.K = 0 },
		`method "magic"`: func(o *rag.Options) { o.Method = "magic" }, "embedder": func(o *rag.Options) { o.Embedder = nil },
		"account": func(o *rag.Options) { o.Account = nil }, "output -1": func(o *rag.Options) { o.Output = -1 },
	} {
		o := rag.Defaults(lexical(t))
		change(&o)
		if _, err := rag.New(o); !errors.Is(err, rag.ErrOption) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := rag.New(rag.Defaults(lying{lexical(t)})); !errors.Is(err, retrieve.ErrDim) {
		t.Errorf("an embedder of another dimension: %v", err)
	}
	r := build(t, nil)
	if err := r.Write(t.Context(), &dialogue.Message{ID: "m1", Text: "x", Tokens: 1}); err == nil {
		t.Error("a message was written twice")
	}
}

// failing stops embedding after some passages.
type failing struct {
	retrieve.Embedder
	left int
}

var errGone = errors.New("the service is gone")

func (f *failing) Embed(ctx context.Context, p ...retrieve.Passage) ([][]float32, error) {
	if f.left--; f.left < 0 {
		return nil, errGone
	}
	return f.Embedder.Embed(ctx, p...)
}

func TestAFailedWriteCanBeRepeated(t *testing.T) {
	e := &failing{lexical(t), 1} // the constructor's probe
	o := rag.Defaults(e)
	o.Chunk = 10
	r, err := rag.New(o)
	if err != nil {
		t.Fatal(err)
	}
	m := &dialogue.Message{ID: "m0", Text: "I moved to Lyon", Tokens: 10}
	if err := r.Write(t.Context(), m); !errors.Is(err, errGone) {
		t.Fatal(err)
	}
	e.left = 10
	if err := r.Write(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: "Lyon"})
	if err != nil || ids(got) != "m0" {
		t.Errorf("%s, %v", ids(got), err)
	}
}

// changing is an embedder whose answers a test changes.
type changing struct {
	retrieve.Embedder
	change func([][]float32) ([][]float32, error)
}

func (c *changing) Embed(ctx context.Context, passages ...retrieve.Passage) ([][]float32, error) {
	out, err := c.Embedder.Embed(ctx, passages...)
	if err == nil && c.change != nil {
		out, err = c.change(out)
	}
	return out, err
}

func TestAnEmbedderThatReturnsTheWrongVectorsIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		change func([][]float32) ([][]float32, error)
		want   error
	}{
		"none":      {func([][]float32) ([][]float32, error) { return nil, nil }, retrieve.ErrCount},
		"too many":  {func(v [][]float32) ([][]float32, error) { return append(v, v...), nil }, retrieve.ErrCount},
		"too short": {func(v [][]float32) ([][]float32, error) { return [][]float32{v[0][:3]}, nil }, retrieve.ErrDim},
		"nil":       {func([][]float32) ([][]float32, error) { return [][]float32{nil}, nil }, retrieve.ErrDim},
	} {
		e := &changing{Embedder: lexical(t)}
		r := build(t, func(o *rag.Options) { o.Embedder = e })
		e.change = c.change
		if _, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: "dog"}); !errors.Is(err, c.want) {
			t.Errorf("%s: reading: %v, want %v", name, err, c.want)
		}
		err := r.Write(t.Context(), &dialogue.Message{ID: "new", Role: dialogue.User, Text: "A cat.", Tokens: 30})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: writing: %v, want %v", name, err, c.want)
		}
		if f := r.Fate("new", dialogue.Fact{}); f.Lost != memory.Keep {
			t.Errorf("%s: a message that was refused is held: %+v", name, f)
		}
	}
}

// "..." can be neither embedded nor searched for: it is held, and a question without
// words finds nothing.
func TestTextsWithoutWordsAreHeldAndNeverFound(t *testing.T) {
	for _, method := range rag.Methods() {
		r := build(t, func(o *rag.Options) { o.Method, o.Chunk = method, 10 })
		if err := r.Write(t.Context(), &dialogue.Message{ID: "dots", Role: dialogue.User, Text: "...", Tokens: 10}); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if f := r.Fate("dots", dialogue.Fact{}); f.Lost != memory.Held {
			t.Errorf("%s: %+v", method, f)
		}
		for text, want := range map[string]int{"???": 0, "": 0, "dog": 1} {
			m, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: text})
			if err != nil || len(m.Messages) != want {
				t.Errorf("%s: %q finds %q, %v: want %d messages", method, text, ids(m), err, want)
			}
		}
	}
}

// An embedder that fails while something is forgotten leaves all as it was, and
// forgetting may be tried again.
func TestForgettingErasesAllOrNothing(t *testing.T) {
	e := &changing{Embedder: lexical(t)}
	r := build(t, func(o *rag.Options) { o.Embedder, o.Method, o.K = e, rag.Fused, 100 })
	match := func(f dialogue.Fact) bool { return f.Object == "Lyon" }
	everything := func() string {
		m, err := r.Read(t.Context(), dialogue.Query{ID: "q", Text: "the dog in Lyon"})
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Fields(ids(m))
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	before := everything()
	e.change = func([][]float32) ([][]float32, error) { return nil, errors.New("no connection") }
	if n, err := r.Forget(t.Context(), match); err == nil || n != 0 {
		t.Errorf("%d forgotten, %v: want an error and nothing erased", n, err)
	}
	e.change = nil
	if after := everything(); after != before {
		t.Errorf("%s, before %s", after, before)
	}
	if f := r.Fate("m2", dialogue.Fact{}); f.Lost != memory.Held {
		t.Errorf("%+v", f)
	}
	if n, err := r.Forget(t.Context(), match); err != nil || n != 1 {
		t.Errorf("%d forgotten, %v", n, err)
	}
	if after := everything(); strings.Contains(after, "m2") || !strings.Contains(after, "m3") {
		t.Errorf("left: %s", after)
	}
}

func TestAMessageThatCannotBeIsRefused(t *testing.T) {
	r := build(t, nil)
	for _, m := range []*dialogue.Message{nil, {Tokens: 1}, {ID: "a"}, {ID: "a", Tokens: -5}} {
		if err := r.Write(t.Context(), m); !errors.Is(err, dialogue.ErrDialogue) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}
