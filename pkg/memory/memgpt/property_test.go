package memgpt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/random"
	"memlab/pkg/serving"
)

// noise is a judge that returns anything, and that checks what it is shown.
type noise struct {
	*rand.Rand
	t     *testing.T
	steps int
}

func (j *noise) Notices(*dialogue.Message) bool { return j.IntN(3) > 0 }

func (j *noise) Summarize(_ context.Context, before string, evicted []*dialogue.Message) (string, error) {
	return before[:min(len(before), 50)] + fmt.Sprint(len(evicted)), nil
}

func (j *noise) Step(_ context.Context, c Context) (Reply, error) {
	j.steps++
	if c.Left < 0 || len(c.Working) > c.Entries {
		j.t.Errorf("%d steps left, %d entries of %d", c.Left, len(c.Working), c.Entries)
	}
	var r Reply
	for range j.IntN(4) {
		r.Calls = append(r.Calls, j.call(&c))
	}
	return r, nil
}

var texts = []string{"", " ", "tea", "茶", "a", "…", "\x00", "\xff", "😀", `"`, "fact", "事实 1", "long long long long"}

func (j *noise) call(c *Context) FunctionCall {
	text := func() string {
		if n := len(c.Working); n > 0 && j.IntN(2) == 0 {
			return c.Working[j.IntN(n)].Text
		}
		return texts[j.IntN(len(texts))] + fmt.Sprint(j.IntN(5))
	}
	args := map[string]any{}
	f := functions[j.IntN(len(functions))]
	for _, p := range f.Parameters {
		switch v := j.IntN(20); {
		case v == 0:
		case v == 1:
			args[p.Name] = []any{1, nil, "x", map[string]any{"a": 1}, []int{1}, true, -3, 2.5}[j.IntN(8)]
		case p.Type == "string":
			args[p.Name] = text()
		case p.Type == "integer":
			args[p.Name] = j.IntN(4) - 1
		default:
			args[p.Name] = j.IntN(3) == 0
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		j.t.Error(err)
	}
	switch j.IntN(20) {
	case 0:
		f.Name = text()
	case 1:
		raw = raw[:j.IntN(len(raw))]
	case 2:
		raw = append(raw, text()...)
	case 3:
		raw = nil
	}
	call := FunctionCall{Name: f.Name, Arguments: raw}
	if j.IntN(2) == 0 {
		call.Fact = &dialogue.Fact{Subject: dialogue.Me, Relation: text(), Object: text()}
	}
	return call
}

// check is what always holds.
func (m *Memory) check(t *testing.T, written []*dialogue.Message) {
	t.Helper()
	s := m.State()
	tokens := 0
	for _, l := range m.lines {
		tokens += l.tokens
	}
	if len(m.lines) != s.Messages || tokens != s.Queue {
		t.Fatalf("%d lines of %d tokens, the queue has %d of %d", len(m.lines), tokens, s.Messages, s.Queue)
	}
	if f, ok := m.Evict.(queue.ToFit); ok && s.Queue > int(f) {
		t.Fatalf("the queue has %d tokens, limit %d", s.Queue, int(f))
	}
	for _, msg := range written {
		i, ok := m.recall.at[msg.ID]
		if !ok || m.recall.records[i].message != msg {
			t.Fatalf("message %q is not in recall storage", msg.ID)
		}
		left := m.notes[msg.ID].left
		if queued := slices.ContainsFunc(m.lines, func(l Line) bool { return l.Message == msg }); queued == left {
			t.Fatalf("message %q: in the queue %t, has left it %t", msg.ID, queued, left)
		}
	}
	items := m.queue.Entries()
	if len(m.entries) > m.Options.Entries || len(items) != len(m.entries) || len(m.versions) != len(items) || m.queue.Room() < 0 {
		t.Fatalf("%d entries, %d items, %d versions, room for %d", len(m.entries), len(items), len(m.versions), m.queue.Room())
	}
	names := map[string]bool{}
	for i := range items {
		if want := entryItem(&m.entries[i], m.versions[i]); !reflect.DeepEqual(items[i], want) || names[want.Name] {
			t.Fatalf("entry %d is %+v, in the prompt %+v", i, want, items[i])
		}
		names[items[i].Name] = true
	}
}

// Whatever a judge does: the queue and the working context stay within their
// limits, nothing that was said gets lost, no chain is longer than its cap, no
// prompt than the window, and what is accounted for is what was read.
func TestAnyJudge(t *testing.T) {
	for seed := range 120 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		j := &noise{Rand: r, t: t}
		o := textual(j)
		o.Steps, o.Page, o.Entries, o.KeepTraces = 1+r.IntN(6), 1+r.IntN(4), 1+r.IntN(6), r.IntN(3)
		o.Recall = []Search{BySubstring, ByWords}[r.IntN(2)]
		o.Window, o.System = 1500, 300
		o.Evict = queue.ToFit(200 + r.IntN(800))
		if seed%2 == 1 {
			o.Evict, o.Warn, o.Flush, o.Summary = queue.Share(0.1+0.9*r.Float64()), 0.6, 0.95, 50
		}
		o.Layout = queue.Layouts()[r.IntN(3)]
		if r.IntN(2) == 0 {
			o.Count = func(text string) int { return len(text) / 4 }
		}
		o.Account.Ledger = &serving.Ledger{}
		m := newMemory(t, o)
		var written []*dialogue.Message
		ctx := context.Background()
		for n := range 60 {
			value := fmt.Sprintf("value%dv", n)
			msg := user(n, texts[r.IntN(len(texts))]+value, mine("x", value))
			msg.Tokens = 1 + r.IntN(120)
			if r.IntN(2) == 0 {
				msg.Role = dialogue.Assistant
			}
			var trace Trace
			var err error
			switch r.IntN(5) {
			case 0:
				trace, err = m.Handle(ctx, Event{Kind: []Kind{Login, Timer, Warning}[r.IntN(3)], Text: "event"})
			case 1, 2:
				msg.Role = dialogue.User
				written = append(written, msg)
				trace, err = m.Handle(ctx, Event{Kind: Message, Message: msg})
			case 3:
				written = append(written, msg)
				err = m.Write(ctx, msg)
			default:
				before, entries := m.State(), m.Working()
				_, trace, err = m.Ask(ctx, query("tea"))
				if m.State() != before || !reflect.DeepEqual(entries, m.Working()) {
					t.Fatal("a question changed something")
				}
			}
			if err != nil {
				t.Fatalf("seed %d, %d: %v", seed, n, err)
			}
			for _, tr := range append(trace.Raised, trace) {
				if len(tr.Steps) > o.Steps {
					t.Fatalf("%d steps, cap %d", len(tr.Steps), o.Steps)
				}
			}
			m.check(t, written)
		}
		checkCalls(t, m, j.steps)
		victim := written[len(written)-1-r.IntN(5)].Facts[0]
		if m.Forget(victim.Same) == 0 {
			t.Fatal("nothing was forgotten")
		}
		if left := inside(m, victim.Object); len(left) > 0 {
			t.Fatalf("left: %q", left)
		}
		m.check(t, nil)
	}
}

// checkCalls holds the account against the ledger.
func checkCalls(t *testing.T, m *Memory, steps int) {
	t.Helper()
	prompt, output, agent := 0, 0, 0
	for i := range m.Account.Ledger.Len() {
		c := m.Account.Ledger.Call(i)
		prompt += c.Prompt.Tokens()
		output += serving.Tokens(c.Output)
		if c.Stream != "agent" {
			continue
		}
		agent++
		if n := c.Prompt.Tokens(); n > m.Window {
			t.Fatalf("call %d reads %d tokens, window %d", i, n, m.Window)
		}
	}
	var u struct{ prompt, output int }
	for _, s := range m.Account.Spent() {
		u.prompt += s.Prompt
		u.output += s.Output
	}
	if u.prompt != prompt || u.output != output || agent != steps || m.Stats().Steps != steps {
		t.Fatalf("accounted %+v, in the ledger %d and %d, of %d calls; the judge was asked %d times", u, prompt, output, agent, steps)
	}
}

// Bytes of any kind as a call: an answer, never an error or a panic.
func FuzzCall(f *testing.F) {
	for _, fn := range functions {
		f.Add(fn.Name, []byte(`{"text":"a","query":"b","page":0,"old":"c","new":"","message":"你好","request_heartbeat":true}`))
	}
	f.Add("x", []byte(`{"text":"\ud83d"`))
	f.Fuzz(func(t *testing.T, name string, arguments []byte) {
		last := Call(FunctionCall{Name: name, Arguments: arguments})
		o := textual(&ScriptedJudge{Last: &last})
		o.Steps = 3
		m := newMemory(t, o)
		trace, err := m.Handle(context.Background(), Event{Kind: Message, Message: user(0, "hello")})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results(&trace) {
			if !json.Valid([]byte(r.Text)) && r.sent == "" {
				t.Errorf("the result is no JSON: %s", r.Text)
			}
		}
		if _, err := json.Marshal(trace); err != nil {
			t.Error(err)
		}
	})
}

// The same seed gives the same, another one something else.
func TestTheRuleDrawsByMessage(t *testing.T) {
	a, err := NewRuleJudge(DefaultRates(), random.Seed(1).Stream)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewRuleJudge(DefaultRates(), random.Seed(2).Stream)
	if err != nil {
		t.Fatal(err)
	}
	noticed, same := 0, 0
	for n := range 2000 {
		msg := user(n, "x", mine("city", "Oslo"))
		x := a.Notices(msg)
		if x != a.Notices(msg) {
			t.Fatal("asked again it notices something else")
		}
		if x {
			noticed++
		}
		if x == b.Notices(msg) {
			same++
		}
	}
	if noticed < 1690 || noticed > 1790 || same > 1650 || a.Notices(user(0, "chat")) {
		t.Errorf("%d of 2000 noticed, want about 1740; %d as under another seed", noticed, same)
	}
}

// A judge that fails for a while loses nothing: what it did not look at waits.
func TestAfterAFailureTheJudgeLooksAgain(t *testing.T) {
	m := small(t, Rates{Notice: 1, Pages: 1})
	good := m.Judge
	m.Judge = failing{good.(*RuleJudge)}
	failures := 0
	for i := range 6 {
		if err := m.Write(context.Background(), user(i, "x", mine(fmt.Sprint(i), "y"))); errors.Is(err, errDown) {
			failures++
		}
	}
	m.Judge = good
	if err := m.Finish(context.Background()); err != nil || failures != 4 {
		t.Error(err, failures)
	}
	if w := m.Working(); len(w) != 3 || w[0].Fact.Relation != "3" || m.Stats().Noticed != 4 {
		t.Errorf("%+v %+v", w, m.Stats())
	}
	m.check(t, nil)
}

var errDown = errors.New("endpoint is down")

type failing struct{ *RuleJudge }

func (failing) Step(context.Context, Context) (Reply, error) { return Reply{}, errDown }
