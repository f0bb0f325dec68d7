package mem0_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/random"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// listener notes which messages were extracted together.
type listener struct {
	mem0.Judge
	pairs  []string
	recent []string
}

func ids(messages []*dialogue.Message) string {
	var out []string
	for _, m := range messages {
		out = append(out, m.ID)
	}
	return strings.Join(out, " ")
}

func (l *listener) Extract(ctx context.Context, e mem0.Extraction) ([]mem0.Candidate, error) {
	l.pairs, l.recent = append(l.pairs, ids(e.Pair)), append(l.recent, ids(e.Recent))
	return l.Judge.Extract(ctx, e)
}

func TestPairsRespectSessions(t *testing.T) {
	l := &listener{Judge: perfect(t)}
	m := build(t, l, func(o *mem0.Options) { o.Recent = 3 })
	u := func(id string, session int) *dialogue.Message {
		msg := user(id, day(session), "")
		msg.Session = session
		return msg
	}
	a := func(id string, session int) *dialogue.Message {
		msg := assistant(id, day(session), "")
		msg.Session = session
		return msg
	}
	write(t, m, u("1", 1), a("2", 1), u("3", 1), u("4", 1), a("5", 1), a("6", 1), u("7", 1), a("8", 2), u("9", 2))
	want := []string{"1 2", "3", "4 5", "6", "7", "8", "9"}
	if !slices.Equal(l.pairs, want) {
		t.Errorf("pairs %q, want %q", l.pairs, want)
	}
	recent := []string{"", "1 2", "1 2 3", "3 4 5", "4 5 6", "5 6 7", "6 7 8"}
	if !slices.Equal(l.recent, recent) {
		t.Errorf("messages before them %q, want %q", l.recent, recent)
	}
}

func TestMessagesThatCannotBe(t *testing.T) {
	m := build(t, perfect(t), nil)
	good := user("a", day(1), "", mine("city", "Lyon"))
	write(t, m, good, user("b", day(2), ""))
	none := user("c", day(3), "")
	none.Tokens = 0
	for name, msg := range map[string]*dialogue.Message{
		"none": nil, "without an id": user("", day(3), ""), "written before": good, "without tokens": none,
	} {
		if err := m.Write(ctx, msg); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	expect(t, m, good.Facts[0].Text)
	if n := m.Account.Phase(serving.Write, "extract").Calls; n != 2 {
		t.Errorf("%d extractions, want 2", n)
	}
}

// brittle fails at a call that the test chooses, in the judge or the embedder.
type brittle struct {
	mem0.Judge
	retrieve.Embedder
	calls, failAt int
	err           error
}

func (b *brittle) step() error {
	b.calls++
	if b.calls == b.failAt {
		return b.err
	}
	return nil
}

func (b *brittle) Extract(ctx context.Context, e mem0.Extraction) ([]mem0.Candidate, error) {
	if err := b.step(); err != nil {
		return nil, err
	}
	return b.Judge.Extract(ctx, e)
}

func (b *brittle) Update(ctx context.Context, u mem0.Update) ([]mem0.Operation, error) {
	if err := b.step(); err != nil {
		return nil, err
	}
	return b.Judge.Update(ctx, u)
}

func (b *brittle) Embed(ctx context.Context, p ...retrieve.Passage) ([][]float32, error) {
	if err := b.step(); err != nil {
		return nil, err
	}
	return b.Embedder.Embed(ctx, p...)
}

// state is all that can be seen of a memory from outside.
func state(t *testing.T, m *mem0.Memory) string {
	t.Helper()
	var b strings.Builder
	for _, e := range m.Memories() {
		fmt.Fprintln(&b, e, m.History(e.ID), m.Fate(e.Sources[0], e.Fact))
	}
	fmt.Fprintln(&b, m.Entities(), m.Summary(), m.Report())
	for _, id := range []string{"a", "c", "d"} {
		for _, f := range []dialogue.Fact{mine("city", "Lyon"), mine("city", "Bern"), person("boss", "Kim"), about("Kim", "job", "cook")} {
			fmt.Fprintln(&b, id, m.Fate(id, f))
		}
	}
	for _, text := range []string{"city Lyon", "Kim job", "boss"} {
		for _, past := range []bool{false, true} {
			q := dialogue.Query{ID: "q", Text: text, Subject: dialogue.Me, Path: []string{"boss", "job"}, Past: past}
			fmt.Fprintln(&b, read(t, m, q))
		}
	}
	return b.String()
}

// A pair with three facts fails at each of its calls in turn. After the failure all
// is as before the pair, and writing the message again gives what one that never
// failed has.
func TestAFailureLeavesNoTraceOfThePair(t *testing.T) {
	both(t, func(t *testing.T, graph bool) {
		for _, at := range []int{2, 0} { // after what is known, and before it
			failAtEachCall(t, graph, at)
		}
	})
	t.Run("in an UPDATE", func(t *testing.T) {
		boom := errors.New("boom")
		j := &mem0.ScriptedJudge{Replies: []mem0.Reply{
			{Facts: []mem0.Candidate{{Fact: mine("city", "Lyon")}}}, {Operations: []mem0.Operation{{Op: mem0.ADD}}},
			{Facts: []mem0.Candidate{{Fact: mine("city", "Bern")}, {Fact: mine("tea", "green")}}},
			{Operations: []mem0.Operation{{Op: mem0.UPDATE}, {Op: mem0.DELETE, Index: 9}}}, {Err: boom},
			{Facts: []mem0.Candidate{{Fact: mine("city", "Bern")}}},
			{Operations: []mem0.Operation{{Op: mem0.UPDATE}, {Op: mem0.DELETE, Index: 9}}},
		}}
		m := build(t, j, func(o *mem0.Options) { o.Hybrid = true })
		write(t, m, user("a", day(1), ""))
		before := state(t, m)
		if err := m.Write(ctx, user("c", day(2), "")); err != nil {
			t.Fatal(err)
		}
		if err := m.Finish(ctx); !errors.Is(err, boom) {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(state(t, m), "waits for an answer", "never written")
		if got != before || len(traces(m, "Bern")) != 0 {
			t.Errorf("left\n%s\nwant\n%s\nand %q", got, before, traces(m, "Bern"))
		}
		if err := m.Finish(ctx); err != nil {
			t.Fatal(err)
		}
		expect(t, m, mine("city", "Bern").Text)
		skipped(t, m, map[mem0.Reason]int{mem0.OutOfRange: 1})
	})
}

func failAtEachCall(t *testing.T, graph bool, at int) {
	boom := errors.New("boom")
	for failAt := 1; ; failAt++ {
		fresh := func() (*mem0.Memory, *brittle) {
			b := &brittle{Judge: perfect(t), Embedder: lexical(t), err: boom}
			m := build(t, b, func(o *mem0.Options) {
				o.Graph, o.Hop, o.Hybrid, o.Embedder = graph, graph, true, b
			})
			write(t, m, user("a", day(1), "", mine("city", "Lyon")), assistant("b", day(1), ""))
			if err := m.Write(ctx, user("c", day(at), "", mine("city", "Bern"), person("boss", "Kim"), about("Kim", "job", "cook"), mine("city", "Lyon"))); err != nil {
				t.Fatal(err)
			}
			b.calls = 0
			return m, b
		}
		answer := assistant("d", day(2), "")
		whole, _ := fresh()
		before := state(t, whole)
		if err := whole.Write(ctx, answer); err != nil {
			t.Fatal(err)
		}
		m, b := fresh()
		b.failAt = failAt
		err := m.Write(ctx, answer)
		if err == nil {
			if failAt < 8 {
				t.Fatalf("only %d calls", failAt)
			}
			return
		}
		if !errors.Is(err, boom) || !strings.Contains(err.Error(), `"c"`) {
			t.Errorf("call %d: %v", failAt, err)
		}
		if got := state(t, m); got != before {
			t.Errorf("call %d left\n%s\nwant\n%s", failAt, got, before)
		}
		if err := m.Write(ctx, answer); err != nil {
			t.Fatalf("again after call %d: %v", failAt, err)
		}
		if got, want := state(t, m), state(t, whole); got != want {
			t.Errorf("again after call %d\n%s\nwant\n%s", failAt, got, want)
		}
	}
}

func TestACancelledContextStopsAndCanBeRetried(t *testing.T) {
	m := build(t, perfect(t), nil)
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	said := user("a", day(1), "", mine("city", "Lyon"))
	if err := m.Write(stopped, said); err != nil {
		t.Errorf("a message that only waits: %v", err)
	}
	if err := m.Finish(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if n := m.Account.Phase(serving.Write).Calls; n != 0 {
		t.Errorf("%d calls were made", n)
	}
	expect(t, m)
	if err := m.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	expect(t, m, mine("city", "Lyon").Text)
	if _, err := m.Read(stopped, dialogue.Query{ID: "q", Text: "city"}); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
}

// No pair waits for the summary. A refresh that fails is counted, and the next one
// reads what it would have read.
func TestAFailedSummaryFailsNothing(t *testing.T) {
	j := &mem0.ScriptedJudge{Replies: []mem0.Reply{
		{}, {Err: errors.New("busy")}, {}, {Summary: "both", Tokens: 3}, {},
	}}
	m := build(t, j, func(o *mem0.Options) { o.SummaryEvery = 2; o.Account.Ledger = &serving.Ledger{} })
	write(t, m, user("a", day(1), ""))
	j.Replies = slices.Insert(j.Replies, 1, mem0.Reply{}) // the second pair's extraction
	write(t, m, user("b", day(2), ""), user("c", day(3), ""), user("d", day(4), ""))
	if m.Report().SummariesFailed != 1 || m.Summary() != "both" {
		t.Errorf("%+v, summary %q", m.Report(), m.Summary())
	}
	if u := m.Account.Phase(serving.Write, "summary"); u.Calls != 1 || u.Prompt != 200+3*12 || u.Output != 3 {
		t.Errorf("%+v, want one call that reads three messages", u)
	}
	if u := m.Account.Phase(serving.Write, "extract"); u.Prompt != 4*1000+3+12*(1+2+3+4) {
		t.Errorf("%+v: the last of 4 prompts has the summary", u)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(*mem0.Options){
		"no judge":            func(o *mem0.Options) { o.Judge = nil },
		"no account":          func(o *mem0.Options) { o.Account = nil },
		"no similar":          func(o *mem0.Options) { o.Similar = 0 },
		"negative recent":     func(o *mem0.Options) { o.Recent = -1 },
		"no memories":         func(o *mem0.Options) { o.K = 0 },
		"negative history":    func(o *mem0.Options) { o.KHistory = -1 },
		"memory of nothing":   func(o *mem0.Options) { o.MemoryTokens = 0 },
		"negative summaries":  func(o *mem0.Options) { o.SummaryEvery = -1 },
		"negative dimension":  func(o *mem0.Options) { o.Dim = -1 },
		"negative output":     func(o *mem0.Options) { o.Output = -1 },
		"hop without graph":   func(o *mem0.Options) { o.Hop = true },
		"mixed without graph": func(o *mem0.Options) { o.MixInvalid = true },
	} {
		o := mem0.Defaults()
		o.Embedder, o.Judge = lexical(t), perfect(t)
		change(&o)
		if _, err := mem0.New(o); !errors.Is(err, mem0.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, r := range []mem0.Rates{{Recall: 1.2}, {NoopError: -0.1}, {AddError: nan()}, {NoopError: 0.6, AddError: 0.5}} {
		if _, err := mem0.Rule(r, random.Seed(1).Stream); !errors.Is(err, mem0.ErrOption) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := mem0.Rule(mem0.DefaultRates(), nil); !errors.Is(err, mem0.ErrOption) {
		t.Errorf("no stream: %v", err)
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

// A pair of 12 + 8 tokens that states one fact, by hand: 1,000 + 20 for the
// extraction; 500 + 10 x 20 for the update, whatever the store holds; then a question
// that reads 20 of memory between 200 and 20.
func TestTheAccountByHand(t *testing.T) {
	both(t, func(t *testing.T, graph bool) {
		m := build(t, perfect(t), func(o *mem0.Options) { o.Graph = graph; o.Account = &memory.Account{Ledger: &serving.Ledger{}} })
		write(t, m, user("a", day(1), "", mine("city", "Lyon")), assistant("b", day(1), ""))
		write(t, m, user("c", day(2), ""), assistant("d", day(2), ""))
		got := read(t, m, dialogue.Query{ID: "q", Text: "city"})
		if got.Tokens != 20 || got.Calls != 1 {
			t.Errorf("%+v", got)
		}
		for purpose, want := range map[string]memory.Usage{
			"extract": {Calls: 2, Prompt: 2000 + 20 + 40, Output: 25},
			"update":  {Calls: 1, Prompt: 700, Output: 20},
			"memory":  {Embedded: 1},
		} {
			if u := m.Account.Phase(serving.Write, purpose); u != want {
				t.Errorf("%s: %+v, want %+v", purpose, u, want)
			}
		}
		if u := m.Account.Phase(serving.Read); u != (memory.Usage{Calls: 1, Prompt: 240, Output: 20, Embedded: 1}) {
			t.Errorf("read: %+v", u)
		}
		if n := m.Account.Ledger.Len(); n != 4 {
			t.Errorf("%d calls in the ledger, want 4", n)
		}
	})
}

// A model may name what no embedder can take. It costs that name or those words, and
// the message is entered.
func TestNamesAndTextsWithoutWordsStopNoMessage(t *testing.T) {
	for _, name := range []string{"???", "…", "—", "\u202e"} {
		llm := &model{replies: []string{
			fact("I like it|user|likes|" + name), ops(`{"op":"ADD"}`),
			fact("I like tea|user|likes|tea"), ops(fmt.Sprintf(`{"op":"UPDATE","id":0,"text":%q,"subject":"user","relation":"likes","object":%q}`, name, name)),
		}}
		m := build(t, llm.judge(), mem0gGraph)
		write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
		expect(t, m, "✗ I like it", "I like tea")
		skipped(t, m, map[mem0.Reason]int{mem0.Blank: 1})
		if got := m.Entities(); len(got) != 3 {
			t.Errorf("%q: entities %+v, want the user, tea and that one", name, got)
		}
		if got := read(t, m, dialogue.Query{ID: "q", Text: "likes " + name}); len(got.Memories) == 0 {
			t.Errorf("%q: nothing found", name)
		}
	}
}

func TestAQuestionWithoutWordsFindsNothing(t *testing.T) {
	for _, hybrid := range []bool{false, true} {
		m := build(t, perfect(t), func(o *mem0.Options) { o.Graph, o.Hop, o.Hybrid = true, true, hybrid })
		write(t, m, user("a", day(1), "", mine("city", "Lyon")))
		for _, text := range []string{"", "???", "…"} {
			if got := read(t, m, dialogue.Query{ID: "q", Text: text, Past: true}); len(got.Memories) != 0 || got.Calls != 1 {
				t.Errorf("%q: %+v", text, got)
			}
		}
	}
}

func TestAMessageThatCannotBeIsRefused(t *testing.T) {
	m := build(t, perfect(t), nil)
	for name, msg := range map[string]*dialogue.Message{
		"nil": nil, "no id": {Tokens: 1, Role: dialogue.User}, "no tokens": {ID: "a", Role: dialogue.User},
		"tokens beyond all sense": {ID: "a", Role: dialogue.User, Tokens: dialogue.MaxTokens + 1},
	} {
		if err := m.Write(ctx, msg); !errors.Is(err, dialogue.ErrDialogue) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
