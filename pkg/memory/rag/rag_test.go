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
