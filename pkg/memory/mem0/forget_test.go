package mem0_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

type memoryOf = memory.Memory

// marked gives every text that holds a word a vector with a number of its own, and is
// like a lexical embedder for the others.
type marked struct {
	retrieve.Embedder
	word string
}

var secretNumber = float32(0.73291)

func (e marked) Embed(ctx context.Context, passages ...retrieve.Passage) ([][]float32, error) {
	out, err := e.Embedder.Embed(ctx, passages...)
	if err != nil {
		return nil, err
	}
	for i, p := range passages {
		if strings.Contains(p.Text, e.word) {
			clear(out[i])
			out[i][0], out[i][1] = secretNumber, float32(math.Sqrt(1-float64(secretNumber)*float64(secretNumber)))
		}
	}
	return out, nil
}

type place struct {
	reflect.Type
	address uintptr
}

// search looks at every string and number that can be reached from v, beyond the
// length of slices too, and says where it found the word or the number.
func search(v reflect.Value, path, word string, seen map[place]bool, found func(where string)) {
	switch v.Kind() {
	case reflect.Pointer:
		at := place{v.Type(), v.Pointer()}
		if v.IsNil() || seen[at] {
			return
		}
		seen[at] = true
		search(v.Elem(), path, word, seen, found)
	case reflect.Interface:
		if !v.IsNil() {
			search(v.Elem(), path, word, seen, found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if v.Type() == reflect.TypeFor[mem0.Options]() && (name == "Embedder" || name == "Judge") {
				continue // the host's
			}
			search(v.Field(i), path+"."+name, word, seen, found)
		}
	case reflect.Slice:
		v = v.Slice3(0, v.Cap(), v.Cap())
		if v.Type().Elem().Kind() == reflect.Uint8 {
			text := make([]byte, v.Len())
			for i := range text {
				text[i] = byte(v.Index(i).Uint())
			}
			search(reflect.ValueOf(string(text)), path, word, seen, found)
			return
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			search(v.Index(i), fmt.Sprintf("%s[%d]", path, i), word, seen, found)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			search(it.Key(), path+"[key]", word, seen, found)
			search(it.Value(), fmt.Sprintf("%s[%v]", path, it.Key()), word, seen, found)
		}
	case reflect.String:
		if strings.Contains(strings.ToLower(v.String()), strings.ToLower(word)) {
			found(path + ": " + v.String())
		}
	case reflect.Float32, reflect.Float64:
		if math.Abs(v.Float()-float64(secretNumber)) < 1e-5 {
			found(fmt.Sprintf("%s: %v", path, v.Float()))
		}
	}
}

func traces(m *mem0.Memory, word string) []string {
	var out []string
	search(reflect.ValueOf(m), "memory", word, map[place]bool{}, func(where string) { out = append(out, where) })
	return out
}

// Exercise 8: "forget my address". It was said, repeated, replaced and said back by
// the assistant; it is in memories that hold and that do not, in vectors, words, the
// graph, the summary, the messages kept and one that waits.
func TestWhatIsForgottenIsNowhere(t *testing.T) {
	for _, c := range []struct{ language, relation, secret, later string }{
		{"English", "address", "Elmstreet", "Oakroad"}, {"Chinese", "住址", "梧桐路", "长安街"},
	} {
		for _, current := range []bool{true, false} {
			both(t, func(t *testing.T, graph bool) {
				m := build(t, perfect(t), func(o *mem0.Options) {
					o.Graph, o.Hop, o.Hybrid, o.SummaryEvery = graph, graph, true, 3
					o.Embedder = marked{lexical(t), c.secret}
					o.Account.Ledger = &serving.Ledger{}
				})
				secret := mine(c.relation, c.secret)
				write(t, m, user("a", day(1), "", person("boss", "Kim")), user("b", day(2), secret.Text, secret),
					assistant("c", day(2), "So you live at "+c.secret+"."), user("d", day(3), secret.Text, secret))
				if !current {
					write(t, m, user("e", day(4), "", mine(c.relation, c.later)))
				}
				write(t, m, user("f", day(5), "", mine("tea", "green")))
				if err := m.Write(ctx, user("g", day(6), secret.Text+" And I row.", secret, mine("sport", "rowing"))); err != nil {
					t.Fatal(err)
				}
				if len(traces(m, c.secret)) < 10 {
					t.Fatalf("the search finds it only in %q", traces(m, c.secret))
				}
				got, err := m.Forget(ctx, func(f dialogue.Fact) bool { return f.Relation == c.relation && f.Object == c.secret })
				if err != nil || got.Memories != 1 || got.Records < 3 || got.Messages < 4 || !got.Summary || graph != (got.Entities == 1) {
					t.Errorf("%+v, %v", got, err)
				}
				for _, where := range traces(m, c.secret) {
					t.Errorf("still in %s", where)
				}
				if f := m.Fate("b", secret); f.Lost != memory.Keep || f.Detail != "forgotten" {
					t.Errorf("its fate: %+v", f)
				}
				if f := m.Fate("g", mine("sport", "rowing")); f.Lost != memory.Held {
					t.Errorf("what was said beside it: %+v", f)
				}
				write(t, m, user("h", day(7), ""), user("i", day(8), ""), user("j", day(9), ""))
				if s := m.Summary(); !strings.Contains(s, "green") || strings.Contains(s, c.secret) {
					t.Errorf("the new summary: %q", s)
				}
			})
		}
	}
}

// A value that was invalid stays so when the one that took its place is forgotten,
// and another person with an equal value keeps it.
func TestForgettingLeavesOthersAsTheyWere(t *testing.T) {
	m := build(t, perfect(t), mem0g)
	write(t, m, user("a", day(1), "", mine("city", "Lyon")), user("b", day(2), "", mine("city", "Bern")),
		user("c", day(3), "", about("Kim", "city", "Bern")))
	if _, err := m.Forget(ctx, func(f dialogue.Fact) bool { return f.Same(mine("city", "Bern")) }); err != nil {
		t.Fatal(err)
	}
	expect(t, m, "✗ "+mine("city", "Lyon").Text, about("Kim", "city", "Bern").Text)
	if h := m.History("a#0"); len(h) != 1 || !h[0].To.Equal(day(2)) {
		t.Errorf("Lyon held %v", h)
	}
	write(t, m, user("d", day(4), "", mine("city", "Lyon")))
	expect(t, m, mine("city", "Lyon").Text, about("Kim", "city", "Bern").Text)
}

func TestForgettingStopsWithItsContext(t *testing.T) {
	m := build(t, perfect(t), nil)
	write(t, m, user("a", day(1), "", mine("city", "Lyon")))
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Forget(stopped, func(dialogue.Fact) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	expect(t, m, mine("city", "Lyon").Text)
}

// A message whose fact was not extracted, or of which a model gave the text only, is
// still kept for the next extraction.
func TestForgettingReachesMessagesWithoutAMemory(t *testing.T) {
	match := func(f dialogue.Fact) bool {
		return strings.Contains(f.Object, "Elmstreet") || strings.Contains(f.Text, "Elmstreet")
	}
	t.Run("not extracted", func(t *testing.T) {
		m := build(t, rates(t, mem0.Rates{}), nil)
		secret := mine("address", "Elmstreet")
		write(t, m, user("a", day(1), "my home", secret), assistant("b", day(1), "Elmstreet, I see."), user("c", day(2), "the sea"))
		if got, err := m.Forget(ctx, match); err != nil || got.Messages != 2 {
			t.Errorf("%+v, %v", got, err)
		}
		for _, where := range traces(m, "Elmstreet") {
			t.Errorf("still in %s", where)
		}
	})
	t.Run("text only", func(t *testing.T) {
		llm := &model{replies: []string{fact("Elmstreet"), ops(`{"op":"ADD"}`), fact()}}
		m := build(t, llm.judge(), nil)
		write(t, m, user("a", day(1), "my home is Elmstreet"), assistant("b", day(1), "So, Elmstreet."))
		if got, err := m.Forget(ctx, match); err != nil || got.Memories != 1 || got.Messages != 2 {
			t.Errorf("%+v, %v", got, err)
		}
		for _, where := range traces(m, "Elmstreet") {
			t.Errorf("still in %s", where)
		}
	})
	t.Run("overwritten", func(t *testing.T) {
		llm := &model{replies: []string{
			fact("At Elmstreet|user|address|Elmstreet"), ops(`{"op":"ADD"}`), fact("At Oakroad|user|address|Oakroad"), ops(`{"op":"UPDATE","id":0}`),
		}}
		m := build(t, llm.judge(), func(o *mem0.Options) { o.Hybrid = true; o.Embedder = marked{lexical(t), "Elmstreet"} })
		write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
		if got, err := m.Forget(ctx, match); err != nil || got.Memories != 0 || got.Records != 1 {
			t.Errorf("%+v, %v", got, err)
		}
		for _, where := range traces(m, "Elmstreet") {
			t.Errorf("still in %s", where)
		}
		expect(t, m, "At Oakroad")
	})
}

// What was said is forgotten in every message that repeats it, whatever else its own
// message said, in whatever words it was stored and in whatever case it is written.
func TestForgettingReachesWhatOtherMessagesRepeat(t *testing.T) {
	address := func(f dialogue.Fact) bool { return f.Relation == "address" || f.Relation == "job" }
	t.Run("two facts of one message", func(t *testing.T) {
		m := build(t, perfect(t), func(o *mem0.Options) { o.Recent = 3 })
		write(t, m, user("a", day(1), "", mine("address", "Elmstreet"), mine("job", "Baker")), user("b", day(2), ""), user("c", day(3), ""),
			user("d", day(4), "elmstreet is quiet"), user("e", day(5), "A BAKER sleeps early"), user("f", day(6), "the sea"))
		if got, err := m.Forget(ctx, address); err != nil || got.Messages != 2 {
			t.Errorf("%+v, %v: want 2 messages", got, err)
		}
		for _, word := range []string{"Elmstreet", "Baker"} {
			for _, where := range traces(m, word) {
				t.Errorf("still in %s", where)
			}
		}
	})
	t.Run("stored in the words of an UPDATE", func(t *testing.T) {
		llm := &model{replies: []string{
			fact("At Elmstreet|user|address|Elmstreet"), ops(`{"op":"ADD"}`),
			fact("At Oakroad|user|address|Oakroad"), ops(`{"op":"UPDATE","id":0,"text":"In a villa","subject":"user","relation":"address","object":"villa"}`),
			fact(), fact(), fact(),
		}}
		m := build(t, llm.judge(), func(o *mem0.Options) { o.Recent = 3 })
		write(t, m, user("a", day(1), "one"), user("b", day(2), "two"), user("c", day(3), "Elmstreet?"), user("d", day(4), "Oakroad?"), user("e", day(5), "my villa"))
		if got, err := m.Forget(ctx, address); err != nil || got.Messages != 3 {
			t.Errorf("%+v, %v: want 3 messages", got, err)
		}
		for _, word := range []string{"Elmstreet", "Oakroad", "villa"} {
			for _, where := range traces(m, word) {
				t.Errorf("still in %s", where)
			}
		}
	})
	t.Run("nothing to forget by", func(t *testing.T) {
		m := build(t, perfect(t), nil)
		if _, err := m.Forget(ctx, nil); err == nil {
			t.Error("want an error")
		}
	})
}
