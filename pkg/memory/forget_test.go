package memory_test

import (
	"fmt"
	"slices"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

func TestMentionsAreWhatStatesOrRepeatsAFact(t *testing.T) {
	say := func(texts ...string) []*dialogue.Message {
		var out []*dialogue.Message
		for i, text := range texts {
			out = append(out, &dialogue.Message{ID: fmt.Sprint(i), Text: text})
		}
		return out
	}
	lyon := dialogue.Fact{Subject: dialogue.Me, Relation: "city", Object: "Lyon"}
	tea := dialogue.Fact{Text: "loves tea"}
	for _, c := range []struct {
		name      string
		messages  []*dialogue.Message
		states    dialogue.Fact // by the first message
		elsewhere []string
		want      []string
	}{
		{"stated and repeated, in whatever case", say("I moved", "LYON is big", "I see"), lyon, nil, []string{"0", "1"}},
		{"a fact without a triple is its sentence", say("Me too", "She LOVES tea.", "I see"), tea, nil, []string{"0", "1"}},
		{"a fact that says nothing is in no other text", say("Hm", "I see"), dialogue.Fact{}, nil, []string{"0"}},
		{"values said elsewhere", say("Hm", "in Bern", ""), lyon, []string{"bern", ""}, []string{"0", "1"}},
	} {
		c.messages[0].Facts = []dialogue.Fact{c.states}
		var got []string
		for id := range memory.Mentions(c.messages, func(f dialogue.Fact) bool { return f == c.states }, c.elsewhere...) {
			got = append(got, id)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
