package mem0_test

import (
	"slices"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
)

func TestTimeDecidesNotArrival(t *testing.T) {
	lyon, bern, oslo := mine("city", "Lyon"), mine("city", "Bern"), mine("city", "Oslo")
	late := func(d int, f dialogue.Fact) *dialogue.Message {
		return user(f.Object+string(rune('a'+d)), day(d), "", f)
	}
	for _, c := range []struct {
		name         string
		messages     []*dialogue.Message
		plain, graph []string
	}{
		{
			"an older fact that arrives late is born invalid",
			[]*dialogue.Message{late(5, bern), late(1, lyon)},
			[]string{bern.Text},
			[]string{bern.Text, "✗ " + lyon.Text},
		},
		{
			"one between two others as well",
			[]*dialogue.Message{late(1, lyon), late(9, oslo), late(5, bern)},
			[]string{oslo.Text},
			[]string{"✗ " + lyon.Text, oslo.Text, "✗ " + bern.Text},
		},
		{
			"equal times invalidate nothing",
			[]*dialogue.Message{late(3, lyon), late(3, bern)},
			[]string{lyon.Text, bern.Text},
			[]string{lyon.Text, bern.Text},
		},
		{
			"a value that returns is valid again",
			[]*dialogue.Message{late(1, lyon), late(5, bern), late(9, lyon)},
			[]string{lyon.Text},
			[]string{lyon.Text, "✗ " + bern.Text},
		},
		{
			"one that was confirmed later is not replaced",
			[]*dialogue.Message{late(1, lyon), late(9, lyon), late(5, bern)},
			[]string{lyon.Text},
			[]string{lyon.Text, "✗ " + bern.Text},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain, graph := build(t, perfect(t), nil), build(t, perfect(t), mem0g)
			for _, msg := range c.messages {
				write(t, plain, msg)
				write(t, graph, msg)
			}
			expect(t, plain, c.plain...)
			expect(t, graph, c.graph...)
		})
	}
	t.Run("its history has both intervals", func(t *testing.T) {
		m := build(t, perfect(t), mem0g)
		write(t, m, late(1, lyon), late(5, bern), late(9, lyon))
		want := []mem0.Interval{{From: day(1), To: day(5)}, {From: day(9)}}
		if got := m.History(m.Memories()[0].ID); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if got := m.History("no such memory"); got != nil {
			t.Errorf("%v", got)
		}
	})
	t.Run("mem0 counts what came too late", func(t *testing.T) {
		m := build(t, perfect(t), nil)
		write(t, m, late(5, bern), late(1, lyon))
		skipped(t, m, map[mem0.Reason]int{mem0.Outdated: 1})
		if f := m.Fate("Lyonb", lyon); f.Lost != memory.Merge || f.Detail != "outdated by Bernf#0" {
			t.Errorf("%+v", f)
		}
	})
}

func TestEntities(t *testing.T) {
	m := build(t, perfect(t), mem0g)
	write(t, m, user("a", day(3), "", about("Kim", "job", "cook")), user("b", day(4), "", person("boss", "Kim")),
		user("c", day(1), "", about("Kim", "hometown", "Oslo")))
	want := []mem0.Entity{
		{Name: "Kim", Type: dialogue.Person, Since: day(1)}, {Name: "Oslo", Since: day(1)},
		{Name: "cook", Since: day(3)}, {Name: dialogue.Me, Type: dialogue.Person, Since: day(4)},
	}
	if got := m.Entities(); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	plain := build(t, perfect(t), nil)
	write(t, plain, user("a", day(3), "", about("Kim", "job", "cook")))
	if got := plain.Entities(); len(got) != 0 {
		t.Errorf("mem0 has no graph, but %+v", got)
	}
}

// A boss who was replaced, with facts about both, among things that are more like
// the question.
func office(t *testing.T, change func(*mem0.Options)) *mem0.Memory {
	m := build(t, perfect(t), func(o *mem0.Options) {
		o.Graph, o.Hop, o.K, o.Similar = true, true, 1, 100
		if change != nil {
			change(o)
		}
	})
	write(t, m, user("a", day(1), "", person("boss", "Kim")), user("b", day(2), "", about("Kim", "job", "cook")),
		user("c", day(3), "", person("boss", "Lee")), user("d", day(4), "", about("Lee", "job", "pilot")),
		user("e", day(5), "", about("Lee", "hometown", "Rome")), user("f", day(6), "", about("Lee", "hometown", "Oslo")),
		user("g", day(7), "", mine("question", "xyz xyz")))
	return m
}

func objects(m memory.Material) []string {
	var out []string
	for _, e := range m.Memories {
		out = append(out, e.Fact.Object)
	}
	return out
}

func TestReadingThroughTheGraph(t *testing.T) {
	role := dialogue.Query{ID: "q", Text: "xyz", Subject: dialogue.Me, Path: []string{"boss", "job"}}
	past := dialogue.Query{ID: "q", Text: "boss Kim", Subject: dialogue.Me, Path: []string{"boss"}, Past: true}
	for _, c := range []struct {
		name   string
		change func(*mem0.Options)
		query  dialogue.Query
		want   []string
	}{
		{"the role that is named, and one hop from who has it now", nil, role, []string{"xyz xyz", "Lee", "pilot", "Oslo"}},
		{"not without node lookup", func(o *mem0.Options) { o.NodeLookup = false }, role, []string{"xyz xyz"}},
		{"not without the hop", func(o *mem0.Options) { o.Hop = false }, role, []string{"xyz xyz"}},
		{
			"one hop from an edge found by its text", func(o *mem0.Options) { o.NodeLookup = false },
			dialogue.Query{ID: "q", Text: "user boss Lee"}, []string{"Lee", "pilot", "Oslo"},
		},
		{"somebody who is named", nil, dialogue.Query{ID: "q", Text: "xyz Lee?"}, []string{"xyz xyz", "pilot", "Oslo"}},
		{"part of a name is no name", nil, dialogue.Query{ID: "q", Text: "xyz Leeds?"}, []string{"xyz xyz"}},
		{"the past in a ranking of its own", func(o *mem0.Options) { o.Hop = false }, past, []string{"Lee", "Kim", "Rome"}},
		{"as many of the past as wanted", func(o *mem0.Options) { o.Hop, o.KHistory = false, 1 }, past, []string{"Lee", "Kim"}},
		{"none of the past", func(o *mem0.Options) { o.Hop, o.KHistory = false, 0 }, past, []string{"Lee"}},
		{"the first version ranks both in one list", func(o *mem0.Options) { o.Hop, o.MixInvalid = false, true }, past, []string{"Kim"}},
		{
			"and hops along what holds only", func(o *mem0.Options) { o.NodeLookup, o.MixInvalid, o.K = false, true, 2 },
			past, []string{"Kim", "Lee", "pilot", "Oslo"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := office(t, c.change)
			got := read(t, m, c.query)
			if !slices.Equal(objects(got), c.want) || got.Tokens != 20*len(c.want) {
				t.Errorf("%q of %d tokens, want %q", objects(got), got.Tokens, c.want)
			}
			if again := read(t, m, c.query); !slices.Equal(objects(again), objects(got)) {
				t.Errorf("asked again: %q", objects(again))
			}
		})
	}
	t.Run("a name in Chinese", func(t *testing.T) {
		m := build(t, perfect(t), func(o *mem0.Options) { o.Graph, o.Hop, o.K = true, true, 1 })
		write(t, m, user("a", day(1), "", about("小李", "职业", "司机")), user("b", day(2), "", mine("爱好", "钓鱼")))
		if got := objects(read(t, m, dialogue.Query{ID: "q", Text: "钓鱼的时候小李在吗？"})); !slices.Contains(got, "司机") {
			t.Errorf("%q", got)
		}
	})
	t.Run("nothing is in an empty memory", func(t *testing.T) {
		m := build(t, perfect(t), mem0gGraph)
		if got := read(t, m, role); len(got.Memories) != 0 || got.Calls != 1 || got.Tokens != 0 {
			t.Errorf("%+v", got)
		}
	})
}

// The same three facts, lost in each of the ways there are.
func TestFateNamesTheStepAndWhatTookThePlace(t *testing.T) {
	lyon, bern := mine("city", "Lyon"), mine("city", "Bern")
	for _, c := range []struct {
		name   string
		rates  mem0.Rates
		graph  bool
		lost   string
		detail string
		of     string
	}{
		{"not extracted", mem0.Rates{}, false, "extract", "not extracted", "a"},
		{"replaced", mem0.Rates{Recall: 1}, false, "merge", "replaced by b#0", "a"},
		{"invalid is held", mem0.Rates{Recall: 1}, true, "", "", "a"},
		{"dropped by a wrong NOOP", mem0.Rates{Recall: 1, NoopError: 1}, false, "merge", "dropped", "b"},
		{"both held after a wrong ADD", mem0.Rates{Recall: 1, AddError: 1}, false, "", "", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := build(t, rates(t, c.rates), func(o *mem0.Options) { o.Graph = c.graph })
			write(t, m, user("a", day(1), "", lyon), user("b", day(2), "", bern))
			f := lyon
			if c.of == "b" {
				f = bern
			}
			if got := m.Fate(c.of, f); string(got.Lost) != c.lost || got.Detail != c.detail {
				t.Errorf("%+v", got)
			}
		})
	}
	m := build(t, perfect(t), nil)
	if err := m.Write(ctx, user("a", day(1), "", lyon)); err != nil {
		t.Fatal(err)
	}
	if f := m.Fate("a", lyon); f.Detail != "waits for an answer" {
		t.Errorf("%+v", f)
	}
	if f := m.Fate("z", lyon); f.Detail != "never written" {
		t.Errorf("%+v", f)
	}
	write(t, m, user("b", day(2), "", bern), user("c", day(3), "", lyon))
	if f := m.Fate("a", lyon); f.Lost != memory.Held {
		t.Errorf("another message keeps an equal value: %+v", f)
	}
}
