package memgpt

import (
	"strings"
	"testing"
)

// Whatever is wrong with a call comes back to the judge as a result that says
// what, and the judge is asked again.
func TestABadCallIsAResultAndNotAnError(t *testing.T) {
	for _, c := range []struct {
		name, function, arguments, want string
	}{
		{"an unknown function", "core_memory.append", `{"text":"a"}`, `unknown function \"core_memory.append\": want one of send_message, `},
		{"a function without a name", "", `{}`, "unknown function"},
		{"another case is another function", "Send_Message", `{"message":"a"}`, "unknown function"},
		{"no arguments at all", SendMessage, ``, "want a JSON object"},
		{"null", SendMessage, `null`, "want a JSON object"},
		{"an array", SendMessage, `["a"]`, "want a JSON object"},
		{"a string", SendMessage, `"a"`, "want a JSON object"},
		{"a missing argument", WorkingReplace, `{"old":"a"}`, `argument \"new\" (string) is missing`},
		{"an unknown argument", WorkingAppend, `{"text":"a","name":"human"}`, `unknown argument \"name\"`},
		{"another case is another argument", WorkingAppend, `{"Text":"a"}`, `unknown argument \"Text\"`},
		{"an argument given twice", WorkingAppend, `{"text":"a","text":"b"}`, "given twice"},
		{"a number for a text", WorkingAppend, `{"text":1}`, `argument \"text\": 1: want string`},
		{"null for a text", WorkingAppend, `{"text":null}`, "is null: want string"},
		{"an object for a text", WorkingAppend, `{"text":{"a":1}}`, "is an object: want string"},
		{"an array for a text", WorkingAppend, `{"text":["a"]}`, "is an array: want string"},
		{"a text for a page", RecallSearch, `{"query":"a","page":"1"}`, "is a string: want integer"},
		{"half a page", RecallSearch, `{"query":"a","page":0.5}`, "0.5: want integer"},
		{"a page too large for a number", RecallSearch, `{"query":"a","page":99999999999999999999}`, "want integer"},
		{"a page before the first", RecallSearch, `{"query":"a","page":-1}`, "page -1"},
		{"a text for a heartbeat", SendMessage, `{"message":"a","request_heartbeat":"true"}`, "is a string: want boolean"},
		{"a number for a heartbeat", SendMessage, `{"message":"a","request_heartbeat":1}`, "1: want boolean"},
		{"an empty message", SendMessage, `{"message":" \n"}`, "is empty"},
		{"an empty entry", WorkingAppend, `{"text":""}`, "is empty"},
		{"an empty query", RecallSearch, `{"query":"　"}`, "is empty"},
		{"cut in the middle of an object", SendMessage, `{"message":"a"`, "not JSON"},
		{"cut in the middle of a string", SendMessage, `{"message":"你好`, "not JSON"},
		{"text after the object", SendMessage, `{"message":"a"} {"message":"b"}`, "text after"},
		{"a trailing comma", SendMessage, `{"message":"a",}`, "not JSON"},
		{"a name without quotes", SendMessage, `{message:"a"}`, "not JSON"},
		{"bytes that are no UTF-8", SendMessage, "{\"message\":\"\xff\"}", "not valid UTF-8"},
		{"half of a surrogate pair", SendMessage, `{"message":"\ud83d"}`, "surrogate"},
		{"text that is not there to be replaced", WorkingReplace, `{"old":"Boyfriend named James","new":"a"}`, `text \"Boyfriend named James\" is not in the working context`},
		{"text that is not there, in Chinese", WorkingReplace, `{"old":"男友叫詹姆斯","new":"前男友"}`, `text \"男友叫詹姆斯\" is not in the working context`},
		{"a page beyond the end", RecallSearch, `{"query":"x","page":3}`, "page 3: there is 1 page, number 0"},
		{"a page beyond the end of the archive", ArchivalSearch, `{"query":"x","page":1}`, "page 1: there is 1 page, number 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &ScriptedJudge{Replies: []Reply{does(c.function, c.arguments), says("sorry")}}
			m := newMemory(t, textual(j))
			trace := handle(t, m, user(0, "hello"))
			r := trace.Steps[0].Calls[0]
			if r.OK || !strings.Contains(r.Text, c.want) || !strings.HasPrefix(r.Text, `{"status":"Failed","message":"Error: `) {
				t.Errorf("%+v lacks %q", r, c.want)
			}
			if len(j.Asked) != 2 || j.Asked[1].Results[0].Text != r.Text {
				t.Errorf("asked %d times, the second time with %+v", len(j.Asked), j.Asked[1:])
			}
			if s := m.Stats(); s.Failed != 1 || s.Calls != 2 || s.Capped != 0 || len(m.Working()) != 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestArgumentsThatAreRight(t *testing.T) {
	for _, c := range []struct{ name, function, arguments string }{
		{"a page that is left out is the first", RecallSearch, `{"query":"hello"}`},
		{"order and space do not matter", RecallSearch, " {\n\"page\" : 0 , \"query\":\"hello\" }\n"},
		{"escapes are text", WorkingAppend, `{"text":"\u5317\u4eac \"quoted\" \ud83d\ude00"}`},
		{"a replacement character that is meant", WorkingAppend, `{"text":"\ufffd"}`},
		{"Chinese", ArchivalInsert, `{"text":"我搬到了北京"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(t, textual(&ScriptedJudge{Replies: []Reply{does(c.function, c.arguments), says("done")}}))
			trace := handle(t, m, user(0, "hello"))
			if r := trace.Steps[0].Calls[0]; !r.OK {
				t.Error(r.Text)
			}
		})
	}
}

// A description of the functions cannot be changed by whoever asks for it.
func TestFunctionsAreACopy(t *testing.T) {
	f := Functions()
	f[0].Name, f[1].Parameters[0].Name = "x", "x"
	if g := Functions(); g[0].Name != SendMessage || g[1].Parameters[0].Name != "text" {
		t.Errorf("%+v", g)
	}
}
