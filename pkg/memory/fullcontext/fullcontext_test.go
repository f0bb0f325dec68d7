package fullcontext_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/fullcontext"
	"memlab/pkg/serving"
)

func message(i int, facts ...dialogue.Fact) *dialogue.Message {
	m := &dialogue.Message{ID: fmt.Sprintf("m%d", i), Role: dialogue.User, Text: "well", Tokens: 10, Facts: facts}
	for _, f := range facts {
		m.Text += " " + f.Object
	}
	return m
}

func build(t *testing.T, window, messages int) *fullcontext.Memory {
	t.Helper()
	o := fullcontext.Defaults()
	o.Window, o.Account = window, &memory.Account{Ledger: &serving.Ledger{}}
	c, err := fullcontext.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range messages {
		if err := c.Write(t.Context(), message(i)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestTheOldestMessagesLeaveTheWindow(t *testing.T) {
	c := build(t, 35, 10)
	m, err := c.Read(t.Context(), dialogue.Query{ID: "q"})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Messages) != 3 || m.Messages[0].ID != "m7" || m.Tokens != 30 || m.Calls != 1 {
		t.Errorf("%d messages from %s, %d tokens: want 3 from m7, 30", len(m.Messages), m.Messages[0].ID, m.Tokens)
	}
	for i, want := range map[int]memory.Stage{6: memory.Keep, 7: memory.Held} {
		if got := c.Fate(fmt.Sprintf("m%d", i), dialogue.Fact{}); got.Lost != want {
			t.Errorf("message %d: %+v", i, got)
		}
	}
}

// 100 messages, instructions of 200 and a question of 20: the second question finds
// 1,200 tokens in whole blocks of 16.
func TestTheSecondQuestionReusesTheDialogue(t *testing.T) {
	c := build(t, 10_000, 100)
	for _, id := range []string{"q1", "q2"} {
		if _, err := c.Read(t.Context(), dialogue.Query{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := c.Account.Ledger.Replay(serving.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Calls[0].Cached != 0 || r.Calls[1].Cached != 1200 || r.Calls[1].Prefilled != 20 {
		t.Errorf("cached %d and %d, prefilled %d", r.Calls[0].Cached, r.Calls[1].Cached, r.Calls[1].Prefilled)
	}
	if got := c.Account.Phase(serving.Write); got != (memory.Usage{}) {
		t.Errorf("writing cost %+v", got)
	}
}

func TestForgetReachesWhatLeftTheWindow(t *testing.T) {
	secret := dialogue.Fact{Subject: dialogue.Me, Relation: "city", Object: "Lyon"}
	c := build(t, 45, 0)
	for i := range 8 {
		m := message(i)
		if i == 1 || i == 6 {
			m = message(i, secret)
		}
		if i == 7 {
			m.Text = "so you live in Lyon" // repeats it without stating it
		}
		if err := c.Write(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if n := c.Forget(func(f dialogue.Fact) bool { return f.Same(secret) }); n != 3 {
		t.Errorf("%d messages forgotten, want 3", n)
	}
	if s := fmt.Sprintf("%+v", c); strings.Contains(s, "Lyon") {
		t.Error("Lyon is still there")
	}
	m, err := c.Read(t.Context(), dialogue.Query{ID: "q"})
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range m.Messages {
		if strings.Contains(msg.Text, "Lyon") {
			t.Errorf("%s still says it", msg.ID)
		}
	}
	if len(m.Messages) != 2 || m.Tokens != 20 {
		t.Errorf("%d messages, %d tokens are left in the window, want 2 of 20", len(m.Messages), m.Tokens)
	}
	if f := c.Fate("m6", secret); f.Lost != memory.Keep {
		t.Errorf("%+v", f)
	}
}

func TestBadInput(t *testing.T) {
	for name, change := range map[string]func(*fullcontext.Options){
		"window 0": func(o *fullcontext.Options) { o.Window = 0 }, "account": func(o *fullcontext.Options) { o.Account = nil },
		"question 0": func(o *fullcontext.Options) { o.Question = 0 }, "output -1": func(o *fullcontext.Options) { o.Output = -1 },
	} {
		o := fullcontext.Defaults()
		change(&o)
		if _, err := fullcontext.New(o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := build(t, 100, 1)
	if err := c.Write(t.Context(), message(0)); err == nil {
		t.Error("a message was written twice")
	}
}

func TestAMessageThatCannotBeIsRefused(t *testing.T) {
	c := build(t, 100, 1)
	for _, m := range []*dialogue.Message{nil, {Tokens: 1}, {ID: "a"}, {ID: "a", Tokens: -5}, {ID: "a", Tokens: dialogue.MaxTokens + 1}} {
		if err := c.Write(t.Context(), m); !errors.Is(err, dialogue.ErrDialogue) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}
