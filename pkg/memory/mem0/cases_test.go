package mem0_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/retrieve"
)

// mem0#1674: the same fact was said twice, and the model deleted the first. Whatever
// it decides on a fact that a memory states already, the memory stays, once.
func TestAFactSaidTwiceIsOneMemory(t *testing.T) {
	for _, c := range []struct{ name, first, again string }{
		{"in the same words", "Lives in Lyon.|user|city|Lyon", "Lives in Lyon.|user|city|Lyon"},
		{"in other words", "Lives in Lyon.|user|city|Lyon", "Has a home in Lyon|user|city|Lyon"},
		{"as text, with other marks and capitals", "Lives in Lyon.", "lives in  Lyon"},
		{"in Chinese", "用户住在里昂。|user|城市|里昂", "用户的家在里昂|user|城市|里昂"},
		{"in Chinese, as text with other marks", "用户住在里昂。", "用户住在里昂"},
		{"in full-width letters", "用户喜欢ＧＯ语言", "用户喜欢 Go 语言"},
	} {
		for decision, skips := range map[string]map[mem0.Reason]int{
			`{"op":"NOOP","id":0}`:                {},
			`{"op":"NOOP"}`:                       {},
			`{"op":"DELETE","id":0}`:              {mem0.Restated: 1},
			`{"op":"DELETE","id":0},{"op":"ADD"}`: {mem0.Restated: 1},
			`{"op":"UPDATE","id":0}`:              {mem0.Restated: 1},
		} {
			both(t, func(t *testing.T, graph bool) {
				llm := &model{replies: []string{fact(c.first), ops(`{"op":"ADD"}`), fact(c.again), ops(decision)}}
				m := build(t, llm.judge(), func(o *mem0.Options) { o.Graph = graph })
				write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
				expect(t, m, strings.Split(c.first, "|")[0])
				if t.Failed() {
					t.Fatalf("%s: %s", c.name, decision)
				}
				if e := m.Memories()[0]; !slices.Equal(e.Sources, []string{"a", "b"}) || !e.Time.Equal(day(2)) {
					t.Errorf("%s: sources %q, said last %v", c.name, e.Sources, e.Time)
				}
				skipped(t, m, skips)
			})
		}
	}
}

// A NOOP that names a memory with another value says that the candidate is to be
// dropped; it does not confirm that value.
func TestAWrongNoopConfirmsNothing(t *testing.T) {
	both(t, func(t *testing.T, graph bool) {
		llm := &model{replies: []string{
			fact("With Alex|user|partner|Alex"), ops(`{"op":"ADD"}`), fact("With Kim|user|partner|Kim"), ops(`{"op":"NOOP","id":0}`),
		}}
		m := build(t, llm.judge(), func(o *mem0.Options) { o.Graph = graph })
		write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
		expect(t, m, "With Alex")
		if e := m.Memories()[0]; !e.Time.Equal(day(1)) || len(e.Sources) != 1 {
			t.Errorf("%+v", e)
		}
		if f := m.Fate("b", mine("partner", "Kim")); f.Lost != "merge" || f.Detail != "dropped for a#0" {
			t.Errorf("%+v", f)
		}
	})
}

// A model that lists a fact twice in one reply gives one source.
func TestAFactListedTwiceHasOneSource(t *testing.T) {
	f := "With Alex|user|partner|Alex"
	m := build(t, (&model{replies: []string{fact(f, f), ops(`{"op":"ADD"}`), ops(`{"op":"NOOP","id":0}`)}}).judge(), mem0g)
	write(t, m, user("a", day(1), "one"))
	if e := m.Memories(); len(e) != 1 || !slices.Equal(e[0].Sources, []string{"a"}) {
		t.Errorf("%+v", e)
	}
}

// mem0#1750: travel, then late snacks at weekends; the second overwrote the first.
func TestTwoTopicsAreTwoMemories(t *testing.T) {
	for _, c := range []struct{ name, first, second string }{
		{"in Chinese", "用户喜欢旅行|user|爱好|旅行", "用户周末吃宵夜|user|周末习惯|宵夜"},
		{"in English", "Likes to travel|user|hobby|travel", "Eats late on weekends|user|weekend habit|late snacks"},
		{"of two people", "小王是厨师|小王|职业|厨师", "小李是司机|小李|职业|司机"},
	} {
		for _, decision := range []string{
			`{"op":"ADD"}`,
			`{"op":"UPDATE","id":0,"text":"both at once"}`,
			`{"op":"DELETE","id":0},{"op":"ADD"}`,
			`{"op":"UPDATE","id":0},{"op":"DELETE","id":0}`,
		} {
			both(t, func(t *testing.T, graph bool) {
				llm := &model{replies: []string{fact(c.first), ops(`{"op":"ADD"}`), fact(c.second), ops(decision)}}
				m := build(t, llm.judge(), func(o *mem0.Options) { o.Graph = graph })
				write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
				expect(t, m, strings.Split(c.first, "|")[0], strings.Split(c.second, "|")[0])
			})
		}
	}
	t.Run("the rule takes a relation of several values as told", func(t *testing.T) {
		j := perfect(t)
		j.Several = func(relation string) bool { return relation == "喜欢" }
		m := build(t, j, nil)
		write(t, m, user("a", day(1), "", mine("喜欢", "旅行")), user("b", day(2), "", mine("喜欢", "宵夜")),
			user("c", day(3), "", mine("城市", "里昂")), user("d", day(4), "", mine("城市", "杭州")))
		expect(t, m, mine("喜欢", "旅行").Text, mine("喜欢", "宵夜").Text, mine("城市", "杭州").Text)
	})
}

// An UPDATE of the same topic under the name that the relation has already.
func TestAnUpdateOfTheSameTopicRewrites(t *testing.T) {
	replies := []string{
		fact("Lives in Lyon.|user|city|Lyon"), ops(`{"op":"ADD"}`),
		fact("Moved to Bern.|user|moved to|Bern"),
		ops(`{"op":"UPDATE","id":0,"text":"Lives in Bern.","subject":"user","relation":"city","object":"Bern"}`),
	}
	said := about("user", "moved to", "Bern")
	t.Run("mem0", func(t *testing.T) {
		m := build(t, (&model{replies: replies}).judge(), nil)
		write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
		expect(t, m, "Lives in Bern.")
		if e := m.Memories()[0]; e.ID != "a#0" || !slices.Equal(e.Sources, []string{"a", "b"}) {
			t.Errorf("%+v", e)
		}
		if f := m.Fate("b", said); f.Lost != "" {
			t.Errorf("what was said in other words: %+v", f)
		}
		if f := m.Fate("a", mine("city", "Lyon")); f.Lost != "merge" || f.Detail != "overwritten in a#0" {
			t.Errorf("what was overwritten: %+v", f)
		}
		if got := read(t, m, dialogue.Query{ID: "q", Text: "Lives in Lyon."}); len(got.Memories) != 1 {
			t.Errorf("found %d memories by the old text, want the one there is", len(got.Memories))
		}
	})
	t.Run("mem0g", func(t *testing.T) {
		m := build(t, (&model{replies: replies}).judge(), mem0g)
		write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
		expect(t, m, "✗ Lives in Lyon.", "Lives in Bern.")
	})
}

// mem0#3931, mem0#4708: the model returned the number 12 of memories 0 to 4.
func TestANumberThatWasNotShownIsSkippedAndCounted(t *testing.T) {
	for _, c := range []struct {
		name, decision string
		want           []string
		skips          map[mem0.Reason]int
	}{
		{"too large", `{"op":"DELETE","id":12},{"op":"ADD"}`, []string{"喝茶", "喝咖啡"}, map[mem0.Reason]int{mem0.OutOfRange: 1}},
		{"in quotes", `{"op":"DELETE","id":"12"},{"op":"ADD"}`, []string{"喝茶", "喝咖啡"}, map[mem0.Reason]int{mem0.OutOfRange: 1}},
		{"negative", `{"op":"UPDATE","id":-1}`, []string{"喝茶"}, map[mem0.Reason]int{mem0.OutOfRange: 1}},
		{"an id of the store", `{"op":"UPDATE","id":"a#0"}`, []string{"喝茶"}, map[mem0.Reason]int{mem0.OutOfRange: 1}},
		{"missing", `{"op":"DELETE"}`, []string{"喝茶"}, map[mem0.Reason]int{mem0.OutOfRange: 1}},
		{"for a NOOP", `{"op":"NOOP","id":7}`, []string{"喝茶"}, map[mem0.Reason]int{mem0.OutOfRange: 1}},
		{"beside a good one", `{"op":"DELETE","id":99},{"op":"DELETE","id":"0"},{"op":"ADD"}`, []string{"喝咖啡"}, map[mem0.Reason]int{mem0.OutOfRange: 1}},
		{"an unknown operation", `{"op":"MERGE","id":0},{"op":"ADD"}`, []string{"喝茶", "喝咖啡"}, map[mem0.Reason]int{mem0.UnknownOp: 1}},
		{"not an operation", `17,null,"ADD",{"op":"ADD"}`, []string{"喝茶", "喝咖啡"}, map[mem0.Reason]int{mem0.UnknownOp: 3}},
		{"two at once", `{"op":"ADD"},{"op":"ADD"}`, []string{"喝茶", "喝咖啡"}, map[mem0.Reason]int{mem0.Extra: 1}},
		{"none at all", ``, []string{"喝茶"}, map[mem0.Reason]int{mem0.NoDecision: 1}},
		{"mem0's own form", `{"id":"0","text":"喝茶","event":"NONE"},{"id":"1","text":"喝咖啡","event":"ADD"}`, []string{"喝茶", "喝咖啡"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			llm := &model{replies: []string{fact("喝茶"), ops(`{"op":"ADD"}`), fact("喝咖啡"), ops(c.decision)}}
			m := build(t, llm.judge(), nil)
			write(t, m, user("a", day(1), "我喝茶"), user("b", day(2), "我喝咖啡"))
			expect(t, m, c.want...)
			skipped(t, m, c.skips)
		})
	}
}

// A reply in prose, in a code fence, cut short or empty: what can be read is, and
// the rest is counted. Nothing that is stored is lost, and the account has the call.
func TestGarbageRepliesAreCounted(t *testing.T) {
	good := fact("喝茶")
	for _, c := range []struct {
		name, extract, update string
		want                  []string
		skips                 map[mem0.Reason]int
	}{
		{"fenced", "Here you are:\n```json\n" + good + "\n```\nAnything else?", "```\n" + ops(`{"op":"ADD"}`) + "\n```", []string{"喝茶"}, nil},
		{"after prose with brackets", "As [1] says {so}: " + good, "[2] " + `{"op":"add"}`, []string{"喝茶"}, nil},
		{"bare lists", `["喝茶"]`, `[{"op":"ADD"}]`, []string{"喝茶"}, nil},
		{"no JSON to extract", "I found nothing.", "", nil, map[mem0.Reason]int{mem0.Unreadable: 1}},
		{"empty", "", "", nil, map[mem0.Reason]int{mem0.Unreadable: 1}},
		{"cut short", good[:len(good)-3], "", nil, map[mem0.Reason]int{mem0.Unreadable: 1}},
		{"many brackets", strings.Repeat("[{", 50_000), "", nil, map[mem0.Reason]int{mem0.Unreadable: 1}},
		{"no JSON to decide", good, "ADD", nil, map[mem0.Reason]int{mem0.Unreadable: 1}},
		{"nothing stated", `{"facts":[]}`, "", nil, nil},
		{"facts null", `{"facts":null}`, "", nil, nil},
		{"facts without words", `{"facts":[{"text":" "},{"text":5},null,{"text":"?!"},"喝茶"]}`, ops(`{"op":"ADD"}`), []string{"喝茶"}, map[mem0.Reason]int{mem0.Blank: 4}},
		{"a source that is not there", `{"facts":[{"text":"喝茶","source":9}]}`, ops(`{"op":"ADD"}`), []string{"喝茶"}, map[mem0.Reason]int{mem0.NoSource: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := build(t, (&model{replies: []string{c.extract, c.update}}).judge(), nil)
			write(t, m, user("a", day(1), "我喝茶"))
			expect(t, m, c.want...)
			skipped(t, m, c.skips)
			if n := m.Account.Phase("write", "extract").Calls; n != 1 {
				t.Errorf("%d extractions in the account, want 1", n)
			}
		})
	}
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// mem0#3707, mem0#6312: a Chinese dialogue gave English memories. letta#799:
// Chinese reached the model as \uXXXX.
func TestPromptsKeepTheLanguageOfTheDialogue(t *testing.T) {
	for _, c := range []struct {
		name, text string
		chinese    bool
		wants      []string
	}{
		{"Chinese", "我昨天搬到了杭州，爱喝龙井。", true, []string{"保持消息原来的语言", "不要翻译", "一条记忆只写一个主题", "不要合并"}},
		{"Chinese with English words", "我用 Kubernetes 部署服务。", true, []string{"保持消息原来的语言"}},
		{"English", "I moved to Bern & like <b>tea</b>.", false, []string{"Keep the language of the messages", "Translate nothing", "One memory for one topic", "never merge"}},
		{"English with a Chinese word", "My friends call me 小明, which means little bright one.", false, []string{"Keep the language of the messages"}},
		{"Japanese", "昨日、東京に引っ越しました。", false, []string{"Keep the language of the messages"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			llm := &model{replies: []string{fact(c.text), ops(`{"op":"ADD"}`), fact(c.text + c.text), ops(`{"op":"ADD"}`)}}
			m := build(t, llm.judge(), nil)
			write(t, m, user("a", day(1), c.text), user("b", day(2), c.text))
			for i, p := range llm.prompts {
				instructions, _, _ := strings.Cut(p, "{\"")
				if got := strings.ContainsFunc(instructions, isHan); got != c.chinese {
					t.Errorf("prompt %d: instructions in Chinese: %v\n%s", i, got, p)
				}
				if !strings.Contains(p, c.text) || strings.Contains(p, `\u`) {
					t.Errorf("prompt %d does not have %q as it was written:\n%s", i, c.text, p)
				}
			}
			for _, want := range c.wants {
				if !strings.Contains(llm.prompts[0], want) {
					t.Errorf("extraction does not say %q", want)
				}
			}
			update := llm.prompts[3]
			if !strings.Contains(update, `{"id":0,`) || strings.Contains(update, "a#0") {
				t.Errorf("memories are not numbered from 0:\n%s", update)
			}
			if !strings.Contains(update, "do not merge different topics") && !strings.Contains(update, "不要合并不同的主题") {
				t.Errorf("a decision may merge topics:\n%s", update)
			}
			expect(t, m, c.text, c.text+c.text)
		})
	}
}

// A model sees the summary and the last messages, but is to take facts from the pair.
func TestExtractionSeesWhatCameBefore(t *testing.T) {
	llm := &model{replies: []string{fact(), "聊到了茶。", fact(), "聊到了茶和杭州。"}}
	m := build(t, llm.judge(), func(o *mem0.Options) { o.SummaryEvery, o.Recent = 1, 1 })
	write(t, m, user("a", day(1), "我喝茶"), assistant("b", day(1), "好的"), user("c", day(2), "我在杭州"), assistant("d", day(2), "真好"))
	p := llm.prompts[2]
	for _, want := range []string{"目前的摘要：\n聊到了茶。", "之前的消息：\n助手：好的", "新消息：\n1. 用户：我在杭州\n2. 助手：真好"} {
		if !strings.Contains(p, want) {
			t.Errorf("prompt lacks %q:\n%s", want, p)
		}
	}
	if m.Summary() != "聊到了茶和杭州。" {
		t.Errorf("summary %q", m.Summary())
	}
	u := m.Account.Phase("write", "summary")
	if u.Calls != 2 || m.Account.Phase("write", "extract", "update").Calls != 2 {
		t.Errorf("summaries cost %+v, the rest %+v", u, m.Account.Phase("write", "extract", "update"))
	}
}

// mem0#4884, mem0#6717: BM25 found nothing in Chinese text. The vectors here are the
// same for every text, so that words alone can tell.
func TestWordsFindChineseMemories(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts []string
		query string
		want  string
	}{
		{"Chinese", []string{"用户养了一只猫", "用户在银行工作", "用户喜欢喝龙井茶"}, "他买过龙井茶吗？", "用户喜欢喝龙井茶"},
		{"one character", []string{"用户养了一只猫", "用户在银行工作"}, "猫", "用户养了一只猫"},
		{"mixed", []string{"用户用 Go 写服务", "用户用 Rust 写驱动"}, "谁会 rust？", "用户用 Rust 写驱动"},
		{"English", []string{"Has a cat.", "Works at a bank."}, "Which bank is it?", "Works at a bank."},
	} {
		t.Run(c.name, func(t *testing.T) {
			llm := &model{}
			for i, f := range c.facts {
				llm.replies = append(llm.replies, fact(f+"|user|r"+string(rune('a'+i))+"|"+f), ops(`{"op":"ADD"}`))
			}
			m := build(t, llm.judge(), func(o *mem0.Options) { o.Hybrid, o.Embedder, o.K = true, flat{}, 1 })
			for i := range c.facts {
				write(t, m, user(string(rune('a'+i)), day(1+i), "text"))
			}
			if got := read(t, m, dialogue.Query{ID: "q", Text: c.query}); len(got.Memories) != 1 || got.Memories[0].Text != c.want {
				t.Errorf("found %+v, want %q", got.Memories, c.want)
			}
			if got := read(t, m, dialogue.Query{ID: "q", Text: "？！"}); len(got.Memories) != 1 {
				t.Errorf("a question without words found %d memories, want the vectors' one", len(got.Memories))
			}
		})
	}
}

// mem0#5405: an embedder of another dimension than the store's failed at the first
// insertion.
func TestAnEmbedderThatDoesNotFitFailsAtConstruction(t *testing.T) {
	o := mem0.Defaults()
	o.Judge = perfect(t)
	for name, c := range map[string]struct {
		e    retrieve.Embedder
		dim  int
		want error
	}{
		"no embedder":                {nil, 0, retrieve.ErrDim},
		"another dimension":          {lexical(t), 1536, retrieve.ErrDim},
		"not what it says of itself": {liar{}, 0, retrieve.ErrDim},
		"that dimension":             {lexical(t), 256, nil},
		"its own dimension":          {lexical(t), 0, nil},
	} {
		o.Embedder, o.Dim = c.e, c.dim
		if _, err := mem0.New(o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// mem0#4187: a contradiction erased the edge.
func TestAContradictionInvalidatesTheEdge(t *testing.T) {
	for _, c := range []struct{ relation, old, new string }{{"partner", "Alex", "Kim"}, {"伴侣", "小王", "小李"}} {
		for _, decision := range []string{`{"op":"DELETE","id":0},{"op":"ADD"}`, `{"op":"UPDATE","id":0}`} {
			llm := &model{replies: []string{
				fact("first|user|" + c.relation + "|" + c.old), ops(`{"op":"ADD"}`),
				fact("second|user|" + c.relation + "|" + c.new), ops(decision),
			}}
			m := build(t, llm.judge(), mem0g)
			write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
			expect(t, m, "✗ first", "second")
			if h := m.History("a#0"); len(h) != 1 || !h[0].From.Equal(day(1)) || !h[0].To.Equal(day(2)) {
				t.Errorf("the old edge held %v", h)
			}
			var names []string
			for _, e := range m.Entities() {
				names = append(names, e.Name)
			}
			if !slices.Equal(names, []string{c.old, "user", c.new}) && !slices.Equal(names, []string{"user", c.old, c.new}) {
				t.Errorf("entities %q", names)
			}
		}
	}
	t.Run("an end without another value", func(t *testing.T) {
		llm := &model{replies: []string{
			fact("With Alex.|user|partner|Alex"), ops(`{"op":"ADD"}`), fact("No longer with Alex."), ops(`{"op":"DELETE","id":0}`),
		}}
		m := build(t, llm.judge(), mem0g)
		write(t, m, user("a", day(1), "one"), user("b", day(2), "two"))
		expect(t, m, "✗ With Alex.")
	})
}

// mem0#3245: a memory was deleted and its edges stayed.
func TestDeletingAMemoryTakesItsEdgesAndLoneEntitiesAlong(t *testing.T) {
	for _, c := range []struct{ relation, name, place string }{{"partner", "Alex", "Ohio"}, {"伴侣", "小王", "苏州"}} {
		m := build(t, perfect(t), mem0gGraph)
		write(t, m, user("a", day(1), "", person(c.relation, c.name)), user("b", day(2), "", about(c.name, "hometown", c.place)))
		got, err := m.Delete(ctx, "b#0")
		if err != nil || got.Memories != 1 || got.Entities != 1 {
			t.Errorf("%+v, %v: want 1 memory and the lone entity %s", got, err, c.place)
		}
		if e := m.Entities(); len(e) != 2 || e[0].Type != dialogue.Person || e[1].Type != dialogue.Person {
			t.Errorf("entities %+v, want the user and %s", e, c.name)
		}
		if _, err := m.Delete(ctx, "b#0"); !errors.Is(err, mem0.ErrUnknown) {
			t.Errorf("deleting it again: %v", err)
		}
		found := read(t, m, dialogue.Query{ID: "q", Text: c.place, Subject: dialogue.Me, Path: []string{c.relation, "hometown"}})
		for _, e := range found.Memories {
			if strings.Contains(e.Text, c.place) {
				t.Errorf("found %+v", e)
			}
		}
	}
}
