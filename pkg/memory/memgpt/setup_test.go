package memgpt

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"memlab/pkg/dialogue"
)

// textual is an agent that searches by words and needs no embedder.
func textual(j Judge) Options {
	o := Defaults(nil, j)
	o.Recall, o.Archival = BySubstring, ByWords
	return o
}

func newMemory(t testing.TB, o Options) *Memory {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func day(n int) time.Time { return time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC) }

// user is the n-th message of the user.
func user(n int, text string, facts ...dialogue.Fact) *dialogue.Message {
	return &dialogue.Message{
		ID: "m" + strconv.Itoa(n), Time: day(n), Role: dialogue.User, Text: text, Tokens: 40, Facts: facts,
	}
}

func mine(relation, object string) dialogue.Fact {
	return dialogue.Fact{Subject: dialogue.Me, Relation: relation, Object: object, Text: "my " + relation + " is " + object}
}

// does is a function call with arguments as JSON.
func does(name, arguments string) Reply {
	return Call(FunctionCall{Name: name, Arguments: json.RawMessage(arguments)})
}

func says(text string) Reply {
	r, err := called(SendMessage, map[string]any{"message": text})
	if err != nil {
		panic(err)
	}
	return r
}

// handle hands over what the user says, and fails the test on an error.
func handle(t testing.TB, m *Memory, msg *dialogue.Message) Trace {
	t.Helper()
	trace, err := m.Handle(context.Background(), Event{Kind: Message, Message: msg})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// fill writes messages of one text each.
func fill(t testing.TB, m *Memory, texts ...string) {
	t.Helper()
	for i, text := range texts {
		if err := m.Write(context.Background(), user(i, text)); err != nil {
			t.Fatal(err)
		}
	}
}

// results lists what the steps' calls gave.
func results(t *Trace) []Result {
	var out []Result
	for _, s := range t.Steps {
		out = append(out, s.Calls...)
	}
	return out
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s\nlacks %q", text, p)
		}
	}
}
