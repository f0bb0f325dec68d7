package memory_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/random"
)

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

func said(d int, subject, relation, object string) memory.Memory {
	return memory.Memory{Fact: dialogue.Fact{Subject: subject, Relation: relation, Object: object}, Time: day(d)}
}

func ask(kind dialogue.Kind, past bool, path ...string) *dialogue.Question {
	return &dialogue.Question{
		Query: dialogue.Query{ID: "q", Subject: dialogue.Me, Path: path, Past: past}, Kind: kind,
	}
}

func TestStrictReader(t *testing.T) {
	me := dialogue.Me
	moved := []memory.Memory{said(3, me, "city", "Lyon"), said(1, me, "city", "Oslo"), said(2, me, "city", "Bern")}
	friends := []memory.Memory{
		said(1, me, "friend", "Kim"), said(4, me, "friend", "Lee"),
		said(2, "Kim", "job", "baker"), said(5, "Lee", "job", "pilot"),
	}
	for _, c := range []struct {
		name     string
		question *dialogue.Question
		memories []memory.Memory
		want     string
	}{
		{"the current value is the latest, whatever the order", ask(dialogue.Current, false, "city"), moved, "Lyon"},
		{"the previous value is the second latest", ask(dialogue.Previous, true, "city"), moved, "Bern"},
		{
			"an old value said again is newer than one that was not", ask(dialogue.Previous, true, "city"),
			append([]memory.Memory{said(9, me, "city", "Oslo")}, moved...), "Lyon",
		},
		{
			"a value said again does not become its own predecessor", ask(dialogue.Previous, true, "city"),
			append([]memory.Memory{said(4, me, "city", "Lyon")}, moved...), "Bern",
		},
		{"one value has no predecessor", ask(dialogue.Previous, true, "city"), moved[:1], ""},
		{"two hops go through the current name", ask(dialogue.TwoHop, false, "friend", "job"), friends, "pilot"},
		{"a former friend's job is no answer", ask(dialogue.TwoHop, false, "friend", "job"), friends[:3], ""},
		{"without the name there is no second hop", ask(dialogue.TwoHop, false, "friend", "job"), friends[2:], ""},
		{"nothing is known from nothing", ask(dialogue.Current, false, "city"), nil, ""},
		{"another subject's city is not mine", ask(dialogue.Current, false, "city"), []memory.Memory{said(1, "Kim", "city", "Rome")}, ""},
		{"a question about nothing is not answered", ask(dialogue.Current, false), moved, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := memory.Strict{}.Answer(c.question, &memory.Material{Memories: c.memories})
			if got.Value != c.want || got.Said != (c.want != "") {
				t.Errorf("%+v, want %q", got, c.want)
			}
		})
	}
}

// Half of the questions about what was never said are guessed at, if something
// near is there; none if it is not. 400 draws at p = .5: sd .025.
func TestStrictReaderGuessesAtItsRate(t *testing.T) {
	reader, err := memory.NewStrict(0.5, random.Seed(1).Stream)
	if err != nil {
		t.Fatal(err)
	}
	near := &memory.Material{Memories: []memory.Memory{said(1, dialogue.Me, "shoes", "boots")}}
	guessed := 0
	for i := range 400 {
		q := ask(dialogue.Never, false, "shoe size")
		q.ID = day(1).AddDate(0, 0, i).String()
		q.Near = &dialogue.Key{Subject: dialogue.Me, Relation: "shoes"}
		if reader.Answer(q, near).Said {
			guessed++
		}
		if reader.Answer(q, &memory.Material{}).Said {
			t.Fatal("guessed from nothing")
		}
	}
	if math.Abs(float64(guessed)-200) > 50 {
		t.Errorf("%d of 400 guessed, want about 200", guessed)
	}
}

// One message of facts in the middle of 100, alpha 1 and half length = length:
// overlooked with probability 1/2 x 4 x 1/4 = 1/2; at the very start almost never.
func TestAlphaReaderOverlooksTheMiddle(t *testing.T) {
	strict, _ := memory.NewStrict(0, random.Seed(1).Stream)
	reader, err := memory.NewAlpha(strict, 1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	missed := func(at int) float64 {
		m := &memory.Material{}
		for i := range 101 {
			msg := &dialogue.Message{Tokens: 10, Time: day(1)}
			if i == at {
				msg.Facts = []dialogue.Fact{{Subject: dialogue.Me, Relation: "city", Object: "Lyon"}}
			}
			m.Messages = append(m.Messages, msg)
		}
		n := 0
		for i := range 1000 {
			q := ask(dialogue.Current, false, "city")
			q.ID = day(1).AddDate(0, 0, i).String()
			if !reader.Answer(q, m).Said {
				n++
			}
		}
		return float64(n) / 1000
	}
	// L = 1010: 1010/2010 x 4u(1-u); sd of a share of 1,000 draws is at most .016.
	for at, want := range map[int]float64{50: 0.5025, 0: 0.0099, 25: 0.3800} {
		if got := missed(at); math.Abs(got-want) > 0.06 {
			t.Errorf("message %d of 101 missed by %.3f of the questions, want %.3f", at, got, want)
		}
	}
}

func TestAlphaZeroIsTheStrictReader(t *testing.T) {
	reader, err := memory.NewAlpha(memory.Strict{}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := &memory.Material{Memories: []memory.Memory{said(1, dialogue.Me, "city", "Lyon")}}
	if got := reader.Answer(ask(dialogue.Current, false, "city"), m); got.Value != "Lyon" {
		t.Errorf("%+v", got)
	}
}

func TestReadersRefuseImpossibleRates(t *testing.T) {
	stream := random.Seed(1).Stream
	for _, p := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		if _, err := memory.NewStrict(p, stream); !errors.Is(err, memory.ErrRate) {
			t.Errorf("guess %g: %v", p, err)
		}
		if _, err := memory.NewAlpha(memory.Strict{Stream: stream}, p, 1); !errors.Is(err, memory.ErrRate) {
			t.Errorf("alpha %g: %v", p, err)
		}
	}
	for _, half := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := memory.NewAlpha(memory.Strict{Stream: stream}, 0.5, half); !errors.Is(err, memory.ErrRate) {
			t.Errorf("half %g: %v", half, err)
		}
	}
	if _, err := memory.NewStrict(0.5, nil); !errors.Is(err, memory.ErrRate) {
		t.Errorf("guessing without a stream: %v", err)
	}
	if _, err := memory.NewAlpha(memory.Strict{}, 0.5, 1); !errors.Is(err, memory.ErrRate) {
		t.Errorf("alpha without a stream: %v", err)
	}
}
