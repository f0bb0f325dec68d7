package mem0_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/random"
	"memlab/pkg/retrieve"
)

var ctx = context.Background()

// tb is what *testing.T, *testing.B and *rapid.T have in common.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

func user(id string, at time.Time, text string, facts ...dialogue.Fact) *dialogue.Message {
	return &dialogue.Message{ID: id, Session: 1, Time: at, Role: dialogue.User, Text: text, Tokens: 12, Facts: facts}
}

func assistant(id string, at time.Time, text string) *dialogue.Message {
	return &dialogue.Message{ID: id, Session: 1, Time: at, Role: dialogue.Assistant, Text: text, Tokens: 8}
}

// mine is a fact about the user.
func mine(relation, object string) dialogue.Fact { return about(dialogue.Me, relation, object) }

func about(subject, relation, object string) dialogue.Fact {
	return dialogue.Fact{Subject: subject, Relation: relation, Object: object, Text: subject + " " + relation + " " + object + "."}
}

func person(relation, name string) dialogue.Fact {
	f := mine(relation, name)
	f.Type = dialogue.Person
	return f
}

func lexical(t tb) retrieve.Embedder {
	t.Helper()
	e, err := retrieve.NewLexical(256)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// perfect is a rule that never errs.
func perfect(t tb) *mem0.RuleJudge { return rates(t, mem0.Rates{Recall: 1}) }

func rates(t tb, r mem0.Rates) *mem0.RuleJudge {
	t.Helper()
	j, err := mem0.Rule(r, random.Seed(1).Stream)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func build(t tb, j mem0.Judge, change func(*mem0.Options)) *mem0.Memory {
	t.Helper()
	o := mem0.Defaults()
	o.Embedder, o.Judge = lexical(t), j
	if change != nil {
		change(&o)
	}
	m, err := mem0.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func write(t tb, m *mem0.Memory, messages ...*dialogue.Message) {
	t.Helper()
	for _, msg := range messages {
		if err := m.Write(ctx, msg); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Finish(ctx); err != nil {
		t.Fatal(err)
	}
}

// texts lists the memories that hold, and with a cross those that hold no more.
func texts(m *mem0.Memory) []string {
	var out []string
	for _, e := range m.Memories() {
		mark := ""
		if !e.Invalid.IsZero() {
			mark = "✗ "
		}
		out = append(out, mark+e.Text)
	}
	return out
}

func expect(t tb, m *mem0.Memory, want ...string) {
	t.Helper()
	if got := texts(m); !slices.Equal(got, want) {
		t.Errorf("memories %q, want %q", got, want)
	}
}

func skipped(t tb, m *mem0.Memory, want map[mem0.Reason]int) {
	t.Helper()
	got := m.Report().Skipped
	if len(got) != len(want) {
		t.Errorf("skipped %v, want %v", got, want)
	}
	for why, n := range want {
		if got[why] != n {
			t.Errorf("skipped %v, want %v", got, want)
		}
	}
}

// model answers prompts in order and keeps what it was asked.
type model struct {
	replies []string
	prompts []string
}

func (m *model) judge() mem0.LLMJudge {
	return mem0.LLMJudge{Complete: func(_ context.Context, prompt string) (string, error) {
		m.prompts = append(m.prompts, prompt)
		if len(m.replies) == 0 {
			return "", fmt.Errorf("no reply left for:\n%s", prompt)
		}
		r := m.replies[0]
		m.replies = m.replies[1:]
		return r, nil
	}}
}

// fact is a model's reply that names facts, each as text, or text|subject|relation|object.
func fact(facts ...string) string {
	var list []string
	for _, f := range facts {
		p := append(strings.Split(f, "|"), "", "", "")
		list = append(list, fmt.Sprintf(`{"source":1,"text":%q,"subject":%q,"relation":%q,"object":%q}`, p[0], p[1], p[2], p[3]))
	}
	return `{"facts":[` + strings.Join(list, ",") + `]}`
}

func ops(list string) string { return `{"operations":[` + list + `]}` }

func read(t tb, m *mem0.Memory, q dialogue.Query) memory.Material {
	t.Helper()
	out, err := m.Read(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func draws(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// both runs a test on mem0 and on mem0g.
func both(t *testing.T, test func(t *testing.T, graph bool)) {
	for _, graph := range []bool{false, true} {
		t.Run(map[bool]string{false: "mem0", true: "mem0g"}[graph], func(t *testing.T) { test(t, graph) })
	}
}
