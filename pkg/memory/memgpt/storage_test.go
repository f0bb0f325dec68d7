package memgpt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/retrieve"
)

func query(text string) dialogue.Query {
	return dialogue.Query{ID: "q " + text, Text: text, Subject: dialogue.Me, Path: []string{"city"}}
}

// A search that ignored its page gave the first one again and again.
func TestPagesAreDifferentAndEnd(t *testing.T) {
	lexical, err := retrieve.NewLexical(64)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"tea number %d", "第 %d 杯茶"} {
		word := "tea"
		if !strings.Contains(text, word) {
			word = "茶"
		}
		for _, function := range []string{RecallSearch, ArchivalSearch} {
			for _, how := range Searches() {
				t.Run(fmt.Sprint(function, " by ", how, " for ", word), func(t *testing.T) {
					j := &ScriptedJudge{}
					o := textual(j)
					o.Recall, o.Archival, o.Embedder = how, how, lexical
					m := newMemory(t, o)
					ctx := context.Background()
					for i := range 12 {
						body := fmt.Sprintf(text, i)
						if function == RecallSearch {
							if err := m.Write(ctx, user(i, body)); err != nil {
								t.Fatal(err)
							}
							continue
						}
						m.archival.add(Record{ID: fmt.Sprint(i), Text: body, tokens: 40})
					}
					var found []string
					for page := range 4 {
						j.Replies = append(j.Replies, does(function, fmt.Sprintf(`{"query":%q,"page":%d}`, word, page)))
					}
					j.Replies = append(j.Replies, says("done"))
					_, trace, err := m.Ask(ctx, query(word))
					if err != nil {
						t.Fatal(err)
					}
					for page, want := range []int{5, 5, 2} {
						r := trace.Steps[page].Calls[0]
						if len(r.Found) != want || r.Page != page || r.Pages != 3 {
							t.Fatalf("page %d: %d found, page %d of %d", page, len(r.Found), r.Page, r.Pages)
						}
						contains(t, r.Text, fmt.Sprintf(`"page":%d,"pages":3`, page))
						for _, f := range r.Found {
							found = append(found, f.ID)
						}
					}
					slices.Sort(found)
					if n := len(slices.Compact(found)); n != 12 {
						t.Errorf("%d different ones on three pages, want 12", n)
					}
					contains(t, trace.Steps[3].Calls[0].Text, "page 3: there are 3 pages, numbers 0 to 2")
				})
			}
		}
	}
}

func TestRecallByTextIsMemGPTs(t *testing.T) {
	m := newMemory(t, textual(&ScriptedJudge{Last: &Reply{}}))
	fill(t, m, "I moved to Oslo.", "我搬到了北京。", "OSLO is cold", "nothing", "北京很冷")
	for text, want := range map[string]string{
		"oslo": "m0 m2", "Oslo is": "m2", "北京": "m1 m4", "Rome": "", "上海": "",
	} {
		p, err := m.recall.find(context.Background(), retrieve.Passage{Text: text}, 0, 5)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range p.records {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// A message without a word has no direction to be found in, and is no error.
func TestMessagesWithNothingToEmbed(t *testing.T) {
	lexical, err := retrieve.NewLexical(64)
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults(lexical, &ScriptedJudge{Last: &Reply{}})
	m := newMemory(t, o)
	fill(t, m, "hello", "…", " ", "你好", "!?")
	if err := m.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s := m.Stats(); s.Unsearchable != 3 || m.recall.vectors.Len() != 2 {
		t.Errorf("%+v, %d vectors", s, m.recall.vectors.Len())
	}
	if err := m.Finish(context.Background()); err != nil || m.recall.vectors.Len() != 2 {
		t.Error(err)
	}
}

// The same words in one question find the same order on every page, and another
// question asks anew: in the toy the query's noise depends on both.
func TestPagesOfOneQuestionAreOfOneRanking(t *testing.T) {
	w, err := toy.New(toy.DefaultParameters(), 1, 0, "zh")
	if err != nil {
		t.Fatal(err)
	}
	j := &ScriptedJudge{Last: &Reply{}}
	m := newMemory(t, Defaults(w.Embedder(), j))
	for i := range w.Dialogue.Messages[:100] {
		if err := m.Write(context.Background(), &w.Dialogue.Messages[i]); err != nil {
			t.Fatal(err)
		}
	}
	all, err := m.recall.find(context.Background(), retrieve.Passage{ID: "q/search", Role: retrieve.Query, Text: "工作"}, 0, 100)
	if err != nil || len(all.records) != 100 {
		t.Fatal(len(all.records), err)
	}
	for page := range 20 {
		p, err := m.recall.find(context.Background(), retrieve.Passage{ID: "q/search", Role: retrieve.Query, Text: "工作"}, page, 5)
		if err != nil || !slices.Equal(p.records, all.records[5*page:5*page+5]) || p.pages != 20 || p.more != (page < 19) {
			t.Fatalf("page %d: %+v %v", page, p, err)
		}
	}
}
