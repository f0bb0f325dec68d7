package memgpt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// Chinese became \uXXXX on its way to the model: six characters for one, and
// models copied the escapes. Nothing that a model is given has one.
func TestTextStaysReadableForTheModel(t *testing.T) {
	for _, text := range []string{
		"我和詹姆斯分手了", "Tom & Anna <3", "emoji 😀 and é", "quotes \" and \\", "日本語と한국어",
	} {
		t.Run(text, func(t *testing.T) {
			escaped := []byte(`{"text":"`)
			for _, r := range text { // as a model writes it that has seen escapes
				if r > 0xffff {
					escaped = fmt.Appendf(escaped, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
					continue
				}
				escaped = fmt.Appendf(escaped, `\u%04x`, r)
			}
			escaped = append(escaped, `"}`...)
			search, err := called(RecallSearch, map[string]any{"query": text})
			if err != nil {
				t.Fatal(err)
			}
			j := &ScriptedJudge{Replies: []Reply{
				does(WorkingAppend, string(escaped)), search, does(text, `{}`),
				Call(FunctionCall{Name: WorkingReplace, Arguments: json.RawMessage(`{"old":` + quote(t, text+"?") + `,"new":""}`)}), says(text),
			}}
			m := newMemory(t, textual(j))
			trace := handle(t, m, user(0, text))
			if got := m.Working()[0].Text; got != text || trace.Sent[0] != text {
				t.Errorf("kept %q, sent %q", got, trace.Sent[0])
			}
			var all strings.Builder
			for _, r := range results(&trace) {
				all.WriteString(r.Arguments + r.Text + "\n")
			}
			for _, l := range m.lines {
				all.WriteString(l.Text + "\n")
			}
			all.WriteString(trace.Render("zh"))
			if strings.Contains(all.String(), `\u`) {
				t.Errorf("escapes in\n%s", &all)
			}
			if n := strings.Count(all.String(), strings.Trim(quote(t, text), `"`)); n < 8 {
				t.Errorf("the text is there %d times:\n%s", n, &all)
			}
		})
	}
}

// quote is a text as JSON.
func quote(t *testing.T, text string) string {
	t.Helper()
	q, err := encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// The time in the system prompt makes every prompt new from its first line on.
// Here it comes with the event, at the end; the same calls with a clock in front
// reuse nothing.
func TestTheTimeStandsAtTheEnd(t *testing.T) {
	for _, layout := range []queue.Layout{queue.Front, queue.End, queue.Log} {
		for _, hour := range []string{"It is %d o'clock.", "现在是%d点。"} {
			t.Run(fmt.Sprint(layout, " ", hour), func(t *testing.T) {
				var tail, front serving.Ledger
				o := textual(&ScriptedJudge{Last: &Reply{}})
				o.Account.Ledger, o.Layout = &tail, layout
				m := newMemory(t, o)
				for i := range 20 {
					if err := m.Write(context.Background(), user(i, "hello")); err != nil {
						t.Fatal(err)
					}
					if _, err := m.Handle(context.Background(), Event{Kind: Timer, Text: fmt.Sprintf(hour, i)}); err != nil {
						t.Fatal(err)
					}
				}
				first := tail.Call(0).Prompt[0]
				for i := range tail.Len() {
					c := tail.Call(i)
					if c.Prompt[0].Name != queue.System || !slices.EqualFunc(c.Prompt[0].Items, first.Items, sameItem) {
						t.Fatalf("call %d: the instructions are %+v, were %+v", i, c.Prompt[0], first)
					}
					c.Prompt[0].Items = append(slices.Clip(c.Prompt[0].Items), serving.Item{Kind: "clock", Version: i, Tokens: 20})
					// As a clock in the middle of the first block of instructions.
					slices.Reverse(c.Prompt[0].Items)
					if err := front.Add(c); err != nil {
						t.Fatal(err)
					}
				}
				good, err := tail.Replay(serving.Options{})
				if err != nil {
					t.Fatal(err)
				}
				bad, err := front.Replay(serving.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if good.Totals.Saved() < 0.8 || bad.Totals.Cached != 0 {
					t.Errorf("at the end %.2f saved, in front %d tokens", good.Totals.Saved(), bad.Totals.Cached)
				}
			})
		}
	}
}

func sameItem(a, b serving.Item) bool {
	return a.Kind == b.Kind && a.Name == b.Name && a.Version == b.Version && a.Tokens == b.Tokens
}

// Figure 4 of the paper, and the same in Chinese.
func TestAnEntryIsReplaced(t *testing.T) {
	for _, c := range []struct{ before, old, text, after string }{
		{"Boyfriend named James", "Boyfriend named James", "Ex-boyfriend named James", "Ex-boyfriend named James"},
		{"男友叫詹姆斯", "男友叫詹姆斯", "前男友叫詹姆斯", "前男友叫詹姆斯"},
		{"Lives in Ohio, likes tea", "Ohio", "Texas", "Lives in Texas, likes tea"},
		{"住在北京，喜欢喝茶", "北京", "上海", "住在上海，喜欢喝茶"},
		{"Lives in Ohio, likes tea", ", likes tea", "", "Lives in Ohio"},
		{"住在北京，喜欢喝茶", "住在北京，喜欢喝茶", "", ""},
	} {
		t.Run(c.before+" to "+c.after, func(t *testing.T) {
			j := &ScriptedJudge{Replies: []Reply{
				does(WorkingAppend, `{"text":"other 其他"}`),
				does(WorkingAppend, `{"text":"`+c.before+`"}`),
				does(WorkingReplace, `{"old":"`+c.old+`","new":"`+c.text+`"}`),
				does(WorkingReplace, `{"old":"，那不是 that is not","new":"x"}`),
				says("done"),
			}}
			m := newMemory(t, textual(j))
			trace := handle(t, m, user(0, "news"))
			var got []string
			for _, e := range m.Working() {
				got = append(got, e.Text)
			}
			want := []string{"other 其他", c.after}
			if c.after == "" {
				want = want[:1]
			}
			if !slices.Equal(got, want) || trace.Failed() != 1 {
				t.Errorf("%q, want %q; %d failed", got, want, trace.Failed())
			}
		})
	}
}

func TestWhatIsInSeveralEntriesIsAmbiguous(t *testing.T) {
	j := &ScriptedJudge{Replies: []Reply{
		does(WorkingAppend, `{"text":"tea at home"}`), does(WorkingAppend, `{"text":"tea at work"}`), does(WorkingAppend, `{"text":"tea"}`),
		does(WorkingReplace, `{"old":"tea at","new":"coffee at"}`), does(WorkingReplace, `{"old":"tea","new":"coffee"}`), says("done"),
	}}
	m := newMemory(t, textual(j))
	trace := handle(t, m, user(0, "news"))
	contains(t, trace.Steps[3].Calls[0].Text, "is in 2 entries")
	if w := m.Working(); w[0].Text != "tea at home" || w[2].Text != "coffee" {
		t.Errorf("%+v", w)
	}
}

// A full working context is an error that the model has to act on.
func TestAFullWorkingContextIsAnError(t *testing.T) {
	for name, text := range map[string]string{"English": "fact %d", "Chinese": "事实 %d"} {
		t.Run(name, func(t *testing.T) {
			j := &ScriptedJudge{}
			for i := range 20 {
				j.Replies = append(j.Replies, does(WorkingAppend, fmt.Sprintf(`{"text":%q}`, fmt.Sprintf(text, i))))
			}
			j.Replies = append(j.Replies, says("done"))
			o := textual(j)
			o.Steps = 30
			m := newMemory(t, o)
			trace := handle(t, m, user(0, "news"))
			if n := len(m.Working()); n != 18 || trace.Failed() != 2 || m.State().Working != 360 {
				t.Errorf("%d entries of %d tokens, %d failed", n, m.State().Working, trace.Failed())
			}
			contains(t, trace.Steps[19].Calls[0].Text, "working context is full, it has 18 of 18 entries")
		})
	}
}

// Where texts are counted, tokens are what is full.
func TestALongEntryIsAnError(t *testing.T) {
	j := &ScriptedJudge{Replies: []Reply{
		does(WorkingAppend, `{"text":"`+strings.Repeat("字", 361)+`"}`), does(WorkingAppend, `{"text":"short"}`),
		does(WorkingReplace, `{"old":"short","new":"`+strings.Repeat("x", 400)+`"}`), says("done"),
	}}
	o := textual(j)
	o.Count = func(text string) int { return len([]rune(text)) }
	m := newMemory(t, o)
	trace := handle(t, m, user(0, "news"))
	contains(t, trace.Steps[0].Calls[0].Text, "working context is full", "361 tokens")
	contains(t, trace.Steps[2].Calls[0].Text, "working context is full", "400 tokens")
	if w := m.Working(); len(w) != 1 || w[0].Text != "short" {
		t.Errorf("%+v", w)
	}
}

// What goes into the archive can be read again: a text that could not is refused.
func TestATextTooLongToReadIsNotArchived(t *testing.T) {
	for _, text := range []string{strings.Repeat("tea ", 400), strings.Repeat("茶", 1600)} {
		insert, err := called(ArchivalInsert, map[string]any{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		o := textual(&ScriptedJudge{Replies: []Reply{insert, says("done")}})
		o.Count = func(text string) int { return len([]rune(text)) }
		m := newMemory(t, o)
		trace := handle(t, m, user(0, "news"))
		contains(t, trace.Steps[0].Calls[0].Text, "the text has 1600 tokens: want at most 1268")
		if len(m.archival.records) != 0 {
			t.Error("it was stored")
		}
	}
}

func TestAMessageThatCannotBeIsRefused(t *testing.T) {
	m := newMemory(t, textual(&ScriptedJudge{}))
	for _, msg := range []*dialogue.Message{nil, {Tokens: 1}, {ID: "a"}, {ID: "a", Tokens: -5}} {
		if err := m.Write(t.Context(), msg); !errors.Is(err, dialogue.ErrDialogue) {
			t.Errorf("%+v: %v", msg, err)
		}
	}
}
