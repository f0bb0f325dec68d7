package memgpt

import (
	"context"
	"errors"
	"strings"
	"testing"

	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt/queue"
)

func TestWhenAnotherStepFollows(t *testing.T) {
	beats := func(name, arguments string) Reply {
		return does(name, strings.TrimSuffix(arguments, "}")+`,"request_heartbeat":true}`)
	}
	for _, c := range []struct {
		name    string
		event   Event
		replies []Reply
	}{
		{"a message that is answered needs no more", Event{Kind: Message}, []Reply{says("hi")}},
		{"a heartbeat asks for one", Event{Kind: Message}, []Reply{beats(SendMessage, `{"message":"wait"}`), says("hi")}},
		{"a failure needs one", Event{Kind: Timer, Text: "noon"}, []Reply{does("x", `{}`), {}}},
		{"an edit without a heartbeat does not leave the user waiting", Event{Kind: Message}, []Reply{does(WorkingAppend, `{"text":"a"}`), says("hi")}},
		{"nor does silence", Event{Kind: Message}, []Reply{{}, says("hi")}},
		{"nobody waits after a timer", Event{Kind: Timer, Text: "noon"}, []Reply{does(WorkingAppend, `{"text":"a"}`)}},
		{"a timer may be passed over", Event{Kind: Timer, Text: "noon"}, []Reply{{}}},
		{"a login may be greeted", Event{Kind: Login, Text: "Ann is back"}, []Reply{says("hello again")}},
		{"a heartbeat after a timer", Event{Kind: Timer, Text: "noon"}, []Reply{beats(ArchivalInsert, `{"text":"a"}`), {}}},
		{"several calls at once, one of which fails", Event{Kind: Message}, []Reply{
			{Calls: []FunctionCall{does("x", `{}`).Calls[0], says("hi").Calls[0]}}, {},
		}},
		{"what was searched for is read, though no heartbeat asks for it", Event{Kind: Message}, []Reply{does(RecallSearch, `{"query":"hello"}`), says("hi")}},
		{"the same in the archive", Event{Kind: Message}, []Reply{does(ArchivalSearch, `{"query":"hello"}`), says("hi")}},
		{"the same with nobody waiting", Event{Kind: Timer, Text: "noon"}, []Reply{does(RecallSearch, `{"query":"hello"}`), {}}},
		{"the same after the reply was sent", Event{Kind: Message}, []Reply{
			{Calls: []FunctionCall{says("hi").Calls[0], does(RecallSearch, `{"query":"hello"}`).Calls[0]}}, {},
		}},
		{"the same in Chinese", Event{Kind: Message}, []Reply{does(RecallSearch, `{"query":"你好"}`), says("你好")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &ScriptedJudge{Replies: c.replies}
			m := newMemory(t, textual(j))
			if c.event.Kind == Message {
				c.event.Message = user(0, "hello, 你好")
			}
			trace, err := m.Handle(context.Background(), c.event)
			if err != nil {
				t.Fatal(err)
			}
			if len(trace.Steps) != len(c.replies) || trace.Stopped != "" {
				t.Errorf("%d steps, want %d; stopped: %q", len(trace.Steps), len(c.replies), trace.Stopped)
			}
			last := j.Asked[len(j.Asked)-1]
			if n := len(results(&trace)); len(j.Asked) > 1 && len(last.Results) < 1 || len(last.Results) > n {
				t.Errorf("the last step saw %d results", len(last.Results))
			}
		})
	}
}

// The first call of a new agent that never replies was asked again for ever, and
// paid for each time.
func TestAnAgentThatNeverRepliesIsNotPaidForEver(t *testing.T) {
	for name, last := range map[string]Reply{
		"nothing is called":              {},
		"an unknown function":            does("reply", `{"text":"hi"}`),
		"an unknown function in Chinese": does("回复", `{"内容":"你好"}`),
		"a search for ever":              does(RecallSearch, `{"query":"hello"}`),
		"an edit for ever":               does(WorkingAppend, `{"text":"x","request_heartbeat":true}`),
		"a message with a heartbeat":     does(SendMessage, `{"message":"hi","request_heartbeat":true}`),
		"a page that is not there":       does(ArchivalSearch, `{"query":"x","page":7}`),
	} {
		t.Run(name, func(t *testing.T) {
			j := &ScriptedJudge{Last: &last}
			o := textual(j)
			o.Steps = 5
			m := newMemory(t, o)
			trace := handle(t, m, user(0, "hello"))
			if len(j.Asked) != 5 || trace.Stopped != StoppedBySteps || m.Stats().Capped != 1 || m.Stats().Steps != 5 {
				t.Errorf("asked %d times, stopped %q, %+v", len(j.Asked), trace.Stopped, m.Stats())
			}
			if left := j.Asked[4].Left; left != 0 {
				t.Errorf("the last step was told that %d may follow", left)
			}
			if n := o.Account.Spent(); n[0].Calls != 5 {
				t.Errorf("%+v", n)
			}
			contains(t, trace.Render("en"), "ended: the event has had all the steps")
			contains(t, trace.Render("zh"), "已中止", "上限")

			j.Last = nil
			j.Replies, j.next = []Reply{says("here I am")}, 0
			if next := handle(t, m, user(1, "anybody?")); len(next.Sent) != 1 {
				t.Errorf("the next message is not answered: %+v", next)
			}
		})
	}
}

// A question ends too, and its calls are counted.
func TestAQuestionIsCappedAndChangesNothing(t *testing.T) {
	j := &ScriptedJudge{Last: &Reply{Calls: []FunctionCall{
		does(WorkingAppend, `{"text":"x"}`).Calls[0], does(ArchivalInsert, `{"text":"x"}`).Calls[0],
		does(WorkingReplace, `{"old":"x","new":""}`).Calls[0], does(RecallSearch, `{"query":"a"}`).Calls[0],
	}}}
	m := newMemory(t, textual(j))
	fill(t, m, "a", "b")
	before, stats := m.State(), m.Stats()
	q := memory.Material{}
	for range 2 {
		got, trace, err := m.Ask(context.Background(), query("?"))
		if err != nil || got.Calls != m.Steps || trace.Stopped != StoppedBySteps || trace.Failed() != 3*m.Steps {
			t.Fatalf("%+v %v %q %d", got, err, trace.Stopped, trace.Failed())
		}
		if q.Calls > 0 && (got.Tokens != q.Tokens || len(got.Messages) != len(q.Messages)) {
			t.Errorf("the same question gives %+v, then %+v", q, got)
		}
		q = got
	}
	if m.State() != before || len(m.Working()) != 0 || len(m.archival.records) != 0 || m.Stats().Evicted != stats.Evicted {
		t.Errorf("%+v, before %+v", m.State(), before)
	}
}

// A search result that would burst the window is an error that says so.
func TestAResultThatDoesNotFitIsAnError(t *testing.T) {
	j := &ScriptedJudge{Replies: []Reply{does(RecallSearch, `{"query":"a"}`), says("too much")}}
	o := textual(j)
	o.Window, o.Evict = 2000, queue.ToFit(500)
	m := newMemory(t, o)
	for i := range 5 {
		msg := user(i, "a")
		msg.Tokens = 150
		if err := m.Write(context.Background(), msg); err != nil {
			t.Fatal(err)
		}
	}
	trace := handle(t, m, user(9, "hello"))
	contains(t, trace.Steps[0].Calls[0].Text, "the result has 760 tokens, and there is room for 430")
	if m.State().Queue > 500 || len(trace.Sent) != 1 {
		t.Errorf("%+v %+v", m.State(), trace.Sent)
	}
}

// A judge that calls on and on within one reply is ended by the window.
func TestManyCallsInOneReplyEndWithTheWindow(t *testing.T) {
	var many Reply
	for range 1000 {
		many.Calls = append(many.Calls, does(ArchivalInsert, `{"text":"x"}`).Calls[0])
	}
	m := newMemory(t, textual(&ScriptedJudge{Last: &many}))
	trace := handle(t, m, user(0, "hello"))
	if trace.Stopped != StoppedByWindow || m.State().Queue > 6400 || m.Stats().Capped != 1 {
		t.Errorf("%q %+v", trace.Stopped, m.State())
	}
	contains(t, trace.Render("zh"), "窗口放不下")
}

func TestErrorsOfTheJudgeAreErrors(t *testing.T) {
	m := newMemory(t, textual(&ScriptedJudge{}))
	if _, err := m.Handle(context.Background(), Event{Kind: Message, Message: user(0, "hello")}); !errors.Is(err, ErrScript) {
		t.Error(err)
	}
	if _, err := m.Read(context.Background(), query("?")); !errors.Is(err, ErrScript) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Read(ctx, query("?")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
