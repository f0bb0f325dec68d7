package toy

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"memlab/pkg/dialogue"
	"memlab/pkg/random"
)

const groups, conversations = 40, 10

func world(t testing.TB, p Parameters, seed random.Seed, number int, language string) *World {
	t.Helper()
	w, err := New(p, seed, number, language)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// series is one number for each of many draws.
type series []float64

// near fails unless the mean is within 4 standard errors of what the parameters
// imply, and the spread within a third of the calibration's.
func (s series) near(t *testing.T, what string, mean, sd float64) {
	t.Helper()
	m, d := stat.MeanStdDev(s, nil)
	if e := 4 * sd / math.Sqrt(float64(len(s))); math.Abs(m-mean) > e {
		t.Errorf("%s: mean %.3f of %d, want %.2f ± %.2f", what, m, len(s), mean, e)
	}
	if math.Abs(d-sd) > sd/3 {
		t.Errorf("%s: standard deviation %.2f, want about %.2f", what, d, sd)
	}
}

// The lecture asks 389 questions about 10 conversations, and its printed shares
// fit 200 + 109 + 80 only. The world's means, by hand: 10 x (16+4) current; 10 x (8
// + 4 x 3/4) = 110 previous, with sd sqrt(40 x 3/4 x 1/4) = 2.7; 10 x 4 x 2 two-hop.
func TestQuestionsOfTenConversationsAreThoseOfTheLecture(t *testing.T) {
	var previous, all series
	for g := range groups {
		n := map[dialogue.Kind]int{}
		for i := range conversations {
			for _, q := range world(t, DefaultParameters(), random.Seed(g), i, "en").Dialogue.Questions {
				n[q.Kind]++
			}
		}
		if n[dialogue.Current] != 200 || n[dialogue.TwoHop] != 80 || n[dialogue.Never] != 40 {
			t.Fatalf("group %d: %v: want 200 current, 80 two-hop and 40 never", g, n)
		}
		previous = append(previous, float64(n[dialogue.Previous]))
		all = append(all, float64(n[dialogue.Current]+n[dialogue.Previous]+n[dialogue.TwoHop]))
	}
	sd := math.Sqrt(40 * 0.75 * 0.25)
	previous.near(t, "previous", 110, sd)
	all.near(t, "questions", 390, sd)
	if m := stat.Mean(all, nil); math.Abs(m-389) > 2.5 {
		t.Errorf("%.1f questions on average: want near the lecture's 389", m)
	}
}

// Statements by hand: 8 static + 8 x 2.5 values + 4 x 2.5 persons, the latter 30
// said .85 times more, + 2 facts of 10 persons = 83.5. Tokens: 600 x 43.
func TestStatementsAndTokensOfAConversation(t *testing.T) {
	var statements, tokens, topics, changes, persons series
	for g := range groups {
		var s, k, m, c, r float64
		for i := range conversations {
			w := world(t, DefaultParameters(), random.Seed(g), i, "zh")
			d, err := draw(w.Parameters, w.Stream)
			if err != nil {
				t.Fatal(err)
			}
			stated := 0
			for i := range w.Dialogue.Messages {
				stated += len(w.Dialogue.Messages[i].Facts)
			}
			mentioned := 0
			for _, about := range d.topics {
				if about.topic != chat {
					mentioned++
				}
			}
			s += float64(stated) / conversations
			k += float64(w.Dialogue.Tokens()) / conversations
			m += float64(mentioned-stated) / float64(300-stated) / conversations
			for _, times := range d.attributes[statics:] {
				c += float64(len(times)-1) / 8 / conversations
			}
			r += float64(d.persons) / 4 / conversations
		}
		statements, tokens, topics = append(statements, s), append(tokens, k), append(topics, m)
		changes, persons = append(changes, c), append(persons, r)
	}
	statements.near(t, "statements", 83.5, 2.6)
	tokens.near(t, "tokens", 25_800, 43*0.5*math.Sqrt(600.0/conversations))
	topics.near(t, "share of pairs that mention a topic", 0.35, math.Sqrt(0.35*0.65/216.5/conversations))
	changes.near(t, "changes of an attribute", 1.5, math.Sqrt(0.25/80))
	persons.near(t, "persons in a role", 2.5, math.Sqrt(1.25/40))
}

func TestNoMessageIsShorterThanTheShortest(t *testing.T) {
	p := DefaultParameters()
	p.MinTokens = 40
	shortest := 0
	w := world(t, p, 1, 0, "en")
	for i := range w.Dialogue.Messages {
		switch n := w.Dialogue.Messages[i].Tokens; {
		case n < 40:
			t.Fatalf("%d tokens, want 40 or more", n)
		case n == 40:
			shortest++
		}
	}
	if shortest < 200 { // half of them lie below 40
		t.Errorf("%d messages of 40 tokens", shortest)
	}
}

func TestScalesAreThoseOfDemo4(t *testing.T) {
	for _, scale := range []int{1, 2, 4, 8} {
		p := DefaultParameters()
		p.Scale = scale
		for number := range 5 {
			for _, language := range Languages() {
				d := &world(t, p, 3, number, language).Dialogue
				statements := 0
				for i := range d.Messages {
					statements += len(d.Messages[i].Facts)
				}
				s := float64(scale)
				// The static attributes and the first values do not scale.
				want := 8 + 8*(1+1.5*s)*1.85 + 4*(1+1.5*s)*(1.85+2)
				if len(d.Messages) != 600*scale || math.Abs(float64(statements)-want) > 36*math.Sqrt(s) {
					t.Errorf("scale %d: %d messages, %d statements: want %d, about %.0f", scale, len(d.Messages), statements, 600*scale, want)
				}
				if got, want := float64(d.Tokens()), 25_800*s; math.Abs(got-want) > 5*530*math.Sqrt(s) {
					t.Errorf("scale %d: %.0f tokens, want about %.0f", scale, got, want)
				}
			}
		}
	}
}
