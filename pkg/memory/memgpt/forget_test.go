package memgpt

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory/memgpt/queue"
)

// findings lists where a value holds one of the texts, whatever the case, in
// fields that nobody else can see and in the spare room of slices too.
func findings(v reflect.Value, path string, seen map[uintptr]bool, has func(string) bool) []string {
	var out []string
	down := func(v reflect.Value, name string) { out = append(out, findings(v, path+name, seen, has)...) }
	switch v.Kind() {
	case reflect.String:
		if has(v.String()) {
			return []string{path + ": " + v.String()}
		}
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			down(v.Elem(), "")
		}
	case reflect.Interface:
		if !v.IsNil() {
			down(v.Elem(), "")
		}
	case reflect.Struct:
		for i := range v.NumField() {
			down(v.Field(i), "."+v.Type().Field(i).Name)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			down(it.Key(), "[key]")
			down(it.Value(), fmt.Sprintf("[%v]", it.Key()))
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.Float32 || k == reflect.Int {
			break
		}
		if !v.IsNil() {
			v = v.Slice(0, v.Cap())
		}
		for i := range v.Len() {
			down(v.Index(i), fmt.Sprintf("[%d]", i))
		}
	case reflect.Array:
		for i := range v.Len() {
			down(v.Index(i), fmt.Sprintf("[%d]", i))
		}
	}
	return out
}

// inside searches an agent, but for its judge, its embedder and its account,
// which are the caller's.
func inside(m *Memory, texts ...string) []string {
	copied := *m
	copied.Options = Options{}
	recall, archival := *m.recall, *m.archival
	recall.embedder, archival.embedder, recall.embedded, archival.embedded = nil, nil, nil, nil
	copied.recall, copied.archival = &recall, &archival
	return findings(reflect.ValueOf(&copied), "", map[uintptr]bool{}, func(s string) bool {
		return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(t)) })
	})
}

// teller is the rule with a summary in words, which repeats everything.
type teller struct{ *RuleJudge }

func (teller) Summarize(_ context.Context, before string, evicted []*dialogue.Message) (string, error) {
	for _, m := range evicted {
		before += m.Text + "\n"
	}
	return before, nil
}

// Erasing a fact erases every copy of it, in both languages, whatever evicts.
func TestForgettingReachesEveryCopy(t *testing.T) {
	for _, language := range toy.Languages() {
		for name, policy := range map[string]queue.Policy{"to fit": queue.ToFit(6400), "half": queue.Share(0.5)} {
			t.Run(language+" "+name, func(t *testing.T) {
				w, err := toy.New(toy.DefaultParameters(), 3, 0, language)
				if err != nil {
					t.Fatal(err)
				}
				rule, err := NewRuleJudge(Rates{Notice: 1, Pages: 1}, w.Stream)
				if err != nil {
					t.Fatal(err)
				}
				o := Defaults(w.Embedder(), teller{rule})
				if _, batch := policy.(queue.Share); batch {
					o = Batch(w.Embedder(), teller{rule}, 0.5)
				}
				o.Entries, o.Window, o.KeepTraces = 40, 9000, 1000
				m := newMemory(t, o)
				ctx := context.Background()
				for i := range w.Dialogue.Messages {
					if err := m.Write(ctx, &w.Dialogue.Messages[i]); err != nil {
						t.Fatal(err)
					}
				}
				for _, q := range w.Dialogue.Questions {
					if _, err := m.Read(ctx, q.Query); err != nil {
						t.Fatal(err)
					}
				}
				victim := m.Working()[3].Fact
				m.archival.add(Record{ID: "p1", Text: "about " + strings.ToUpper(victim.Object), tokens: 20})
				m.archival.add(Record{ID: "p2", Text: "nothing", tokens: 20})
				if err := m.archival.index(ctx); err != nil {
					t.Fatal(err)
				}
				copies := inside(m, victim.Object)
				for _, part := range []string{".entries", ".recall", ".archival", ".kept"} {
					if !slices.ContainsFunc(copies, func(s string) bool { return strings.HasPrefix(s, part) }) {
						t.Errorf("nothing in %s before: the test shows nothing", part)
					}
				}
				if _, batch := policy.(queue.Share); batch && !strings.Contains(m.summary, victim.Object) {
					t.Error("nothing in the summary before")
				}
				records, vectors, state := len(m.recall.records), m.recall.vectors.Len(), m.State()
				n := m.Forget(victim.Same)
				if n == 0 {
					t.Fatal("nothing was forgotten")
				}
				if left := inside(m, victim.Object); len(left) > 0 {
					t.Errorf("left in %s", strings.Join(left, "\n"))
				}
				if len(m.recall.records) != records-n || m.recall.vectors.Len() != vectors-n || len(m.archival.records) != 1 {
					t.Errorf("%d forgotten, %d of %d records and %d of %d vectors left", n, len(m.recall.records), records, m.recall.vectors.Len(), vectors)
				}
				if now := m.State(); len(m.lines) != now.Messages || len(m.entries) != now.Entries || len(m.entries) >= state.Entries {
					t.Errorf("%+v", now)
				}
				if again := m.Forget(victim.Same); again != 0 {
					t.Errorf("forgotten again: %d", again)
				}
				for _, q := range w.Dialogue.Questions {
					got, err := m.Read(ctx, q.Query)
					if err != nil {
						t.Fatal(err)
					}
					for _, msg := range got.Messages {
						if strings.Contains(msg.Text, victim.Object) {
							t.Errorf("%q is still read for %q", msg.Text, q.Text)
						}
					}
				}
				if f := m.Fate("m0001", victim); f.Lost != "" {
					t.Errorf("the others are gone too: %+v", f)
				}
			})
		}
	}
}

// What is in the queue, in function calls and in replies goes as well.
func TestForgettingReachesTheQueue(t *testing.T) {
	for _, city := range []string{"Oslo", "奥斯陆"} {
		j := &ScriptedJudge{Replies: []Reply{
			does(WorkingAppend, `{"text":"city `+city+`"}`), does(RecallSearch, `{"query":"`+city+`"}`),
			does(ArchivalInsert, `{"text":"`+city+`!"}`), does(city, `{}`), says(city + "?"), says("hi"),
		}}
		o := textual(j)
		o.KeepTraces = 10
		m := newMemory(t, o)
		handle(t, m, user(0, "I live in "+city, mine("city", city)))
		handle(t, m, user(1, "hello"))
		if n := len(inside(m, city)); n < 12 {
			t.Errorf("only %d copies before", n)
		}
		n := m.Forget(func(f dialogue.Fact) bool { return f.Relation == "city" })
		if n != 2 { // the message and the reply
			t.Errorf("%d forgotten", n)
		}
		if left := inside(m, city); len(left) > 0 {
			t.Errorf("left in %s", strings.Join(left, "\n"))
		}
		if len(m.lines) != m.State().Messages || len(m.Traces()) != 1 {
			t.Errorf("%+v", m.State())
		}
	}
}
