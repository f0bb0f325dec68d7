package trace

import (
	"slices"
	"strings"
	"testing"

	"memlab/pkg/prefixcache"
)

func TestApproximateTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "word": 1, "words": 2, "记忆": 2, "a记b": 3, "a longer line\n": 4} {
		if got := (Approximate{}).Encode(text); len(got) != want {
			t.Errorf("%q: %d tokens, want %d", text, len(got), want)
		}
	}
	seen := map[int]string{}
	for _, text := range []string{"a", "aa", "\x00", "\x00\x00", "aaa", "b", "记", "\U0001F600", "abcd", "bcda"} {
		for _, id := range (Approximate{}).Encode(text) {
			if other, ok := seen[id]; ok || id < 0 {
				t.Errorf("%q and %q have the token %d", text, other, id)
			}
			seen[id] = text
		}
	}
}

// A conversation that goes on reuses its whole past, answers included.
func TestAChatGoesOn(t *testing.T) {
	log := `{"timestamp":1,"request":{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is a KV cache?"}]},"response":{"choices":[{"message":{"role":"assistant","content":"Keys and values of past tokens."}}]}}
{"timestamp":2,"request":{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is a KV cache?"},{"role":"assistant","content":"Keys and values of past tokens."},{"role":"user","content":[{"type":"text","text":"And why?"},{"type":"image_url","image_url":{"url":"x"}}]}]}}
{"custom_id":"3","body":{"messages":[{"role":"user","content":"What is a KV cache?"}],"cache_salt":"t"}}
{"messages":[{"role":"user","content":null,"tool_calls":[{"id":"1"}]}]}
{"messages":[]}
{"messages":[{"content":"who?"}]}
{"messages":[{"role":"user","content":5}]}
{"messages":[{"role":"us
`
	tr := read(t, []byte(log), Options{})
	if tr.Format != OpenAI || len(tr.Requests) != 4 || tr.BadLines != 4 {
		t.Fatalf("format %q, %d requests, bad %v", tr.Format, len(tr.Requests), tr.Bad)
	}
	for i, says := range []string{"no messages", "message 0 has no role", "message 0: content is neither", "cut off in the middle"} {
		if b := tr.Bad[i]; b.Line != 5+i || !strings.Contains(b.Problem, says) {
			t.Errorf("bad line %+v: want line %d with %q", b, 5+i, says)
		}
	}
	first, second := tr.Requests[0], tr.Requests[1]
	past := slices.Concat(first.Tokens, first.Output)
	if len(second.Tokens) <= len(past) || !slices.Equal(second.Tokens[:len(past)], past) {
		t.Errorf("the second prompt does not begin with the first and its answer")
	}
	if tr.Requests[2].Tenant != "t" || len(tr.Requests[3].Tokens) == 0 {
		t.Errorf("%+v, %+v", tr.Requests[2], tr.Requests[3])
	}
	notes := strings.Join(tr.Notes, "\n")
	if !strings.Contains(notes, "no tokenizer given") || !strings.Contains(notes, "1 parts of messages that are not text") {
		t.Errorf("notes: %s", notes)
	}
	c, err := prefixcache.NewBlockHash(prefixcache.Unlimited, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := prefixcache.Replay(c, tr.All(), 0)
	if common := len(past) - 1; err != nil || s.HitTokens < common {
		t.Errorf("%+v (error %v): want at least the %d tokens of the past", s, err, common)
	}
}

type letters struct{}

func (letters) Encode(text string) []int {
	var t []int
	for _, b := range []byte(text) {
		t = append(t, int(b))
	}
	return t
}

func TestATokenizerOfOnesOwn(t *testing.T) {
	tr := read(t, []byte(`{"messages":[{"role":"user","content":"hi"}]}`), Options{Tokenizer: letters{}})
	want := "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"
	if got := tr.Requests[0].Tokens; !slices.Equal(got, letters{}.Encode(want)) {
		t.Errorf("%d tokens, want those of %q", len(got), want)
	}
	if notes := strings.Join(tr.Notes, "\n"); strings.Contains(notes, "approximate") {
		t.Errorf("notes: %s", notes)
	}
}

// Clients write "tool_calls": null for none, and white space as they like.
func TestOneConversationIsTheSameTokensHoweverItIsWritten(t *testing.T) {
	for name, pair := range map[string][2]string{
		"no tool calls":    {`{"messages":[{"role":"user","content":"a"}]}`, `{"messages":[{"role":"user","content":"a","tool_calls":null}],"tools":null}`},
		"empty tool calls": {`{"messages":[{"role":"user","content":"a"}]}`, `{"messages":[{"role":"user","content":"a","tool_calls":[]}],"tools":[ ]}`},
		"white space":      {`{"messages":[{"role":"user","tool_calls":[{"id":"1"}]}],"tools":[{"a":1}]}`, `{"messages":[{"role":"user","tool_calls":[ {"id": "1"} ]}],"tools":[ { "a" : 1 } ]}`},
	} {
		tr := read(t, []byte(pair[0]+"\n"+pair[1]), Options{})
		if len(tr.Requests) != 2 || !slices.Equal(tr.Requests[0].Tokens, tr.Requests[1].Tokens) {
			t.Errorf("%s: %+v", name, tr.Requests)
		}
	}
	tr := read(t, []byte(`{"messages":[{"role":"user","content":"a"}]}`+"\n"+`{"messages":[{"role":"user","content":"a","tool_calls":[{"id":"1"}]}],"tools":[1]}`), Options{})
	if a, b := tr.Requests[0].Tokens, tr.Requests[1].Tokens; len(b) <= len(a)+4 {
		t.Errorf("tools and tool calls make %d tokens of %d", len(b), len(a))
	}
}

func TestBadChatLinesAreNamed(t *testing.T) {
	const ok = `{"messages":[{"role":"user","content":"a"}]}`
	const messages = `"messages":[{"role":"user","content":"a"}]`
	for line, says := range map[string]string{
		`{` + messages + `,"timestamp":"2024-01-01"}`:               "timestamp is a string: want a number",
		`{` + messages + `,"timestamp":-1}`:                         "timestamp -1: want 0 or more",
		`{"messages":"x"}`:                                          "messages is a string: want a list",
		`{"messages":[{"role":5}]}`:                                 "messages.role is a number: want text in quotes",
		`{"messages":[5]}`:                                          "messages is a number: want an object",
		`{"body":5}`:                                                "body is a number: want an object",
		`{` + messages + `,"response":"failed"}`:                    "response is a string: want an object",
		`5`:                                                         "the line is a number: want an object",
		`{"messages":[{"role":user}]}`:                              "byte 22: invalid character",
		`{` + messages + `,` + messages + `}`:                       "messages comes twice: want it once",
		`{"body":{` + messages + `,` + messages + `}}`:              "messages comes twice",
		`{"body":{` + messages + `},"body":{}}`:                     "body comes twice",
		`{` + messages + `,"body":{` + messages + `}}`:              "more than one of messages, body and request",
		`{"request":{` + messages + `},"body":{` + messages + `}}`:  "more than one of messages, body and request",
		"{\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}": "not UTF-8",
	} {
		tr := read(t, []byte(ok+"\n"+line), Options{})
		if len(tr.Requests) != 1 || len(tr.Bad) != 1 || !strings.Contains(tr.Bad[0].Problem, says) {
			t.Errorf("%s: %d requests, bad %v: want %q", line, len(tr.Requests), tr.Bad, says)
		}
	}
	talk := `{"messages":[{"role":"user","content":"say \"messages\": and \"messages\""}]}`
	if tr := read(t, []byte(talk), Options{}); len(tr.Requests) != 1 {
		t.Errorf("bad %v", tr.Bad)
	}
}
