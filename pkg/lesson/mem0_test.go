package lesson_test

import (
	"math"
	"strings"
	"testing"

	"memlab/pkg/chart"
	"memlab/pkg/dialogue"
	"memlab/pkg/experiments/world"
	"memlab/pkg/lesson"
	"memlab/pkg/memory"
	"memlab/pkg/table"
)

// small is the toy with fewer conversations.
func small() world.Parameters {
	p := world.DefaultParameters()
	p.Conversations, p.LongConversations = 3, 1
	return p
}

func TestSection3DrawsInBothLanguages(t *testing.T) {
	p := small()
	systems, err := lesson.Systems(p, 2, "full", "full:alpha=.5", "full:alpha=1", "rag:128x16", "rag:2048x1", "mem0", "mem0g", "mem0g+graph", "memgpt", "mem0g:mixed=1")
	if err != nil {
		t.Fatal(err)
	}
	var figures []chart.Figure
	var tables []table.Table
	figure := func(f chart.Figure, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		figures = append(figures, f)
	}
	tab := func(x table.Table, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, x)
	}
	figure(lesson.LostFigure(systems), nil)
	figure(lesson.KindFigure(systems[3:]), nil)
	figure(lesson.ChunkFigure(p, 2, []int{64, 2048}, []int{1, 4}))
	figure(lesson.PartsFigure(p, 2, 0, 0.3))
	figure(lesson.LengthFigure(p, 2, []int{1, 2}, "full", "mem0g+graph"))
	for _, cached := range []bool{false, true} {
		bills, err := lesson.Bills(p, 0, engine(t), cached, "full", "rag:128x16", "mem0", "memgpt")
		if err != nil {
			t.Fatal(err)
		}
		figure(lesson.BillFigure(bills, 1, 50))
		tab(lesson.BillTable(bills))
	}
	tab(lesson.MainTable(systems))
	tab(lesson.NeverTable(systems))
	tab(lesson.PaperTable("locomo-j", "locomo-p95", "locomo-temporal", "locomo-store"))
	for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
		chat, err := lesson.Conversation(p, 0, lang)
		if err != nil {
			t.Fatal(err)
		}
		topic := world.MostSaid(chat)
		tab(lesson.DialogueTable(chat, 170, 182))
		tab(lesson.Story(p, chat, topic))
		tab(lesson.ForgetTable(p, chat, topic))
		for _, f := range figures {
			if _, err := f.Render(lang); err != nil {
				t.Errorf("%s: %v", lang, err)
			}
		}
		for _, x := range tables {
			if _, err := x.Translate(func(s string) (string, error) { return chart.Translate(lang, s) }); err != nil {
				t.Errorf("%s: %q: %v", lang, x.Columns, err)
			}
		}
	}
}

// The text of notebook 03 states these in words.
func TestWhatNotebook03Says(t *testing.T) {
	p := world.DefaultParameters()
	found, err := lesson.Systems(p, 3, "full", "rag:128x16", "rag:2048x1", "mem0", "mem0g+graph", "memgpt")
	if err != nil {
		t.Fatal(err)
	}
	full, rag, big, mem0, graph, memgpt := found[0], found[1], found[2], found[3], found[4], found[5]
	for what, ok := range map[string]bool{
		"a perfect reader knows everything":              full.Accuracy.Mean == 1,
		"one large chunk is nearly useless":              big.Accuracy.Mean < 0.3,
		"mem0 forgets the past":                          mem0.Kinds[dialogue.Previous].Mean < 0.05,
		"from 200 tokens":                                mem0.TokensEach.Mean == 200,
		"RAG needs no call to write":                     rag.WriteCalls.Mean == 0,
		"some 370 calls":                                 math.Abs(mem0.WriteCalls.Mean-370) < 10,
		"MemGPT is the best memory system":               memgpt.Accuracy.Mean > max(mem0.Accuracy.Mean, graph.Accuracy.Mean),
		"RAG finds an older value":                       rag.Lost[memory.RetrieveStale].Mean > 0.01 && big.Lost[memory.RetrieveStale].Mean > 0.1,
		"RAG loses nothing when it writes":               rag.Lost[memory.Extract].Mean+rag.Lost[memory.Merge].Mean+rag.Lost[memory.Keep].Mean == 0,
		"mem0g finds what it has":                        graph.Lost[memory.RetrieveAbsent].Mean+graph.Lost[memory.RetrieveStale].Mean < 0.01,
		"full context tempts the reader at its rate":     math.Abs(1-full.Kinds[dialogue.Never].Mean-p.Guess) < 0.1,
		"one large chunk tempts less than everything":    big.Kinds[dialogue.Never].Mean > full.Kinds[dialogue.Never].Mean,
		"tokens per question of full context: 26,000":    math.Abs(full.TokensEach.Mean-26_000) < 500,
		"RAG of small chunks is near the memory systems": math.Abs(rag.Accuracy.Mean-graph.Accuracy.Mean) < 0.08,
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
	cold, err := lesson.Bills(p, 0, engine(t), false, "full", "rag:128x16", "mem0", "mem0g+graph", "memgpt")
	if err != nil {
		t.Fatal(err)
	}
	warm, err := lesson.Bills(p, 0, engine(t), true, "full", "rag:128x16", "mem0", "mem0g+graph", "memgpt")
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok1 := cold[2].Cheaper(cold[0])
	after, _, ok2 := warm[2].Cheaper(warm[0])
	if !ok1 || !ok2 || after < 7*before {
		t.Errorf("mem0 pays back after %.0f questions, with a prefix cache after %.0f: the text says an order of magnitude later", before, after)
	}
	for i, b := range warm {
		if b.Each > warm[1].Each {
			t.Errorf("with a cache system %d costs more for a question than RAG", i)
		}
	}
}

func TestSection3RefusesWhatCannotBe(t *testing.T) {
	p := small()
	chat, err := lesson.Conversation(p, 0, chart.English)
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"messages 5 to 5":    second(lesson.DialogueTable(chat, 5, 5)),
		"messages -1 to 3":   second(lesson.DialogueTable(chat, -1, 3)),
		"messages 0 to 9999": second(lesson.DialogueTable(chat, 0, 9999)),
		`about "shoe size"`:  second(lesson.Story(p, chat, "shoe size")),
		"seed -1":            second(lesson.Conversation(p, -1, chart.English)),
		"language":           second(lesson.Conversation(p, 0, "fr")),
		`system "mem1"`:      second(lesson.Systems(p, 2, "mem1")),
		"seeds 0":            second(lesson.Systems(p, 0, "mem0")),
		"no system":          second(lesson.Systems(p, 1)),
		"no engine":          second(lesson.Bills(p, 0, nil, true, "mem0")),
		"want one or more":   second(lesson.BillFigure(nil, 1, 2)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}
