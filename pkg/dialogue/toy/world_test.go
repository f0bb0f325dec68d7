package toy

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/random"
)

// everyWorld runs a check on conversations of all sizes and both languages.
func everyWorld(t *testing.T, check func(t *testing.T, w *World)) {
	extreme := DefaultParameters()
	extreme.MinChanges, extreme.MinReplaced, extreme.MaxReplaced, extreme.Restated = 0, 2, 2, 3
	long := DefaultParameters()
	long.Scale = 8
	for name, p := range map[string]Parameters{"default": DefaultParameters(), "extreme": extreme, "long": long} {
		for _, language := range Languages() {
			t.Run(name+" "+language, func(t *testing.T) {
				for number := range 20 {
					check(t, world(t, p, 5, number, language))
				}
			})
		}
	}
}

func TestDialoguesPassTheCheck(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		if err := w.Dialogue.Check(); err != nil {
			t.Error(err)
		}
	})
}

func TestAReaderOfEverythingAnswersEveryQuestion(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for _, q := range w.Dialogue.Questions {
			if got := answer(w.Dialogue.Messages, q.Query); got != q.Answer || (q.Answer == "") != (q.Kind == dialogue.Never) {
				t.Errorf("%s %q: the messages say %q, the question %q", q.ID, q.Text, got, q.Answer)
			}
		}
	})
}

// Needs are enough, and each of them is necessary.
func TestNeedsDecideTheAnswer(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for _, q := range w.Dialogue.Questions {
			if want := map[dialogue.Kind]int{dialogue.Current: 1, dialogue.Previous: 2, dialogue.TwoHop: 2}[q.Kind]; len(q.Needs) != want {
				t.Fatalf("%s (%s): %d needs, want %d", q.ID, q.Kind, len(q.Needs), want)
			}
			for left := range len(q.Needs) + 1 { // one left out; at the end, none
				var read []dialogue.Message
				for _, m := range w.Dialogue.Messages {
					for n, need := range q.Needs {
						if n != left && slices.Contains(need.Messages, m.ID) {
							read = append(read, m)
						}
					}
				}
				if got := answer(read, q.Query); (got == q.Answer) != (left == len(q.Needs) || q.Kind == dialogue.Never) {
					t.Errorf("%s %q: without need %d of %d the answer is %q, the truth %q", q.ID, q.Text, left, len(q.Needs), got, q.Answer)
				}
			}
			for _, need := range q.Needs {
				var stating []string
				for _, m := range w.Dialogue.Messages {
					if slices.ContainsFunc(m.Facts, need.Fact.Same) {
						stating = append(stating, m.ID)
					}
				}
				if !slices.Equal(stating, need.Messages) {
					t.Errorf("%s: %s is stated in %v, the need says %v", q.ID, need.Fact, stating, need.Messages)
				}
			}
		}
	})
}

func TestNeedsAreInTheOrderOfTheirUse(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for _, q := range w.Dialogue.Questions {
			first, last := q.Kind != dialogue.Never, q.Kind != dialogue.Never
			switch q.Kind {
			case dialogue.Current:
				first = q.Needs[0].Fact.Object == q.Answer
			case dialogue.Previous:
				first, last = q.Needs[0].Fact.Object == q.Answer, q.Needs[1].Fact.Key() == q.Needs[0].Fact.Key() && q.Past
			case dialogue.TwoHop:
				first = q.Needs[0].Fact.Type == dialogue.Person && q.Needs[1].Fact.Subject == q.Needs[0].Fact.Object
				last = q.Needs[1].Fact.Object == q.Answer && q.Needs[0].Fact.Relation == q.Path[0] && q.Needs[1].Fact.Relation == q.Path[1]
			case dialogue.Never:
				first, last = len(q.Needs) == 0, len(lastSaid(w.Dialogue.Messages, *q.Near)) > 0
			}
			if !first || !last {
				t.Errorf("%s (%s): needs %v, near %v", q.ID, q.Kind, q.Needs, q.Near)
			}
		}
	})
}

// A value that came back, or that two keys share, would make a stale answer right.
func TestNoValueComesBack(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		holds, spent, owner := map[dialogue.Key]string{}, map[string]bool{}, map[string]dialogue.Key{}
		for _, m := range w.Dialogue.Messages {
			for _, f := range m.Facts {
				if k, taken := owner[f.Object]; taken && k != f.Key() {
					t.Errorf("%q is a value of %v and of %v", f.Object, k, f.Key())
				}
				owner[f.Object] = f.Key()
				if old := holds[f.Key()]; old != f.Object {
					spent[old] = true
					holds[f.Key()] = f.Object
				}
				if spent[f.Object] {
					t.Errorf("%s: %s comes back", m.ID, f)
				}
			}
		}
	})
}

// Of a person we hear only between being named and being replaced, and each fact
// once.
func TestFactsAboutAPersonComeWhileTheRoleIsHeld(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		holds, roleOf, told := map[string]string{}, map[string]string{}, map[string]int{}
		for _, m := range w.Dialogue.Messages {
			for _, f := range m.Facts {
				if f.Type == dialogue.Person {
					holds[f.Relation], roleOf[f.Object] = f.Object, f.Relation
				}
				if f.Subject == dialogue.Me {
					continue
				}
				if told[f.Text]++; told[f.Text] > 1 {
					t.Errorf("%s: %s is told again", m.ID, f)
				}
				if holds[roleOf[f.Subject]] != f.Subject {
					t.Errorf("%s: %s, who is not the %q then", m.ID, f, roleOf[f.Subject])
				}
				for relation := range holds {
					if strings.Contains(strings.ToLower(m.Text), relation) {
						t.Errorf("%s: %q gives the role away", m.ID, m.Text)
					}
				}
			}
		}
		if len(told) != types*len(roleOf) {
			t.Errorf("%d facts about %d persons", len(told), len(roleOf))
		}
	})
}

func TestAPairStatesAtMostOneFactAndTheUserStatesIt(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for i, m := range w.Dialogue.Messages {
			want := dialogue.User
			if i%2 == 1 {
				want = dialogue.Assistant
			}
			if m.Role != want || len(m.Facts) > 1 || (want == dialogue.Assistant && len(m.Facts) > 0) {
				t.Fatalf("message %d: %s with %d facts", i, m.Role, len(m.Facts))
			}
			for _, f := range m.Facts {
				if !strings.Contains(m.Text, f.Object) || (f.Subject != dialogue.Me && !strings.Contains(m.Text, f.Subject)) {
					t.Errorf("%s: %q does not say %s", m.ID, m.Text, f)
				}
			}
			if strings.ContainsAny(m.Text, "{}") {
				t.Errorf("%s: %q has a gap", m.ID, m.Text)
			}
		}
	})
}

func TestTimesAreRegularWithDaysBetweenSessions(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for i, m := range w.Dialogue.Messages {
			session, within := i/(2*w.Parameters.SessionPairs), i%(2*w.Parameters.SessionPairs)
			want := time.Date(2025, time.January, 6+4*session, 18, 0, 30*within, 0, time.UTC)
			if !m.Time.Equal(want) || m.Time.Location() != time.UTC || m.Session != session+1 {
				t.Fatalf("%s: %v in session %d, want %v in %d", m.ID, m.Time, m.Session, want, session+1)
			}
		}
	})
}

func TestARepetitionIsWordedAnew(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		first, last := map[string]string{}, map[string]string{}
		for _, m := range w.Dialogue.Messages {
			for _, f := range m.Facts {
				if m.Text == first[f.Text] || m.Text == last[f.Text] {
					t.Errorf("%s: %q again", m.ID, m.Text)
				}
				if first[f.Text] == "" {
					first[f.Text] = m.Text
				}
				last[f.Text] = m.Text
			}
		}
	})
}

func bytesOf(t *testing.T, w *World) string {
	t.Helper()
	b, err := json.Marshal(w.Dialogue)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSameSeedSameBytesAndOthersDiffer(t *testing.T) {
	p := DefaultParameters()
	for _, language := range Languages() {
		seen := map[string]bool{}
		for _, c := range []struct {
			seed   random.Seed
			number int
		}{{0, 0}, {0, 1}, {1, 0}, {0, 10}, {10, 0}} {
			got := bytesOf(t, world(t, p, c.seed, c.number, language))
			if got != bytesOf(t, world(t, p, c.seed, c.number, language)) {
				t.Errorf("seed %d, conversation %d: two draws differ", c.seed, c.number)
			}
			if seen[got] {
				t.Errorf("seed %d, conversation %d is like an earlier one", c.seed, c.number)
			}
			seen[got] = true
		}
	}
}

func TestNeverQuestionsShiftNothingElse(t *testing.T) {
	p, none := DefaultParameters(), DefaultParameters()
	none.Never = 0
	a, b := world(t, p, 2, 3, "en"), world(t, none, 2, 3, "en")
	n := len(b.Dialogue.Questions)
	a.Dialogue.Questions = a.Dialogue.Questions[:n]
	if bytesOf(t, a) != bytesOf(t, b) {
		t.Error("without questions about what was never said the conversation is another")
	}
}

// Twins differ in words only.
func TestTwinsHaveTheSameStructure(t *testing.T) {
	p := DefaultParameters()
	for _, scale := range []int{1, 8} {
		p.Scale = scale
		for number := range 5 {
			en, zh := world(t, p, 9, number, "en"), world(t, p, 9, number, "zh")
			if a, b := structure(en), structure(zh); a != b {
				t.Errorf("scale %d, conversation %d: the twins differ in structure", scale, number)
			}
			if bytesOf(t, en) == bytesOf(t, zh) || en.Dialogue.Language != "en" || zh.Dialogue.Language != "zh" {
				t.Error("the twins are one")
			}
		}
	}
}

// structure numbers whatever is a word by its first appearance.
func structure(w *World) string {
	numbers := map[string]int{dialogue.Me: -1, "": -2}
	number := func(word string) int {
		if _, known := numbers[word]; !known {
			numbers[word] = len(numbers)
		}
		return numbers[word]
	}
	type fact struct{ Subject, Relation, Object, Text int }
	of := func(f dialogue.Fact) fact {
		return fact{number(f.Subject), number(f.Relation), number(f.Object), number(f.Text)}
	}
	d := w.Dialogue
	d.Language = ""
	d.Messages, d.Questions = slices.Clone(d.Messages), slices.Clone(d.Questions)
	var rest []any
	for i := range d.Messages {
		for _, f := range d.Messages[i].Facts {
			rest = append(rest, of(f), f.Type)
		}
		d.Messages[i].Text, d.Messages[i].Facts = "", nil
	}
	for i := range d.Questions {
		q := &d.Questions[i]
		rest = append(rest, number(q.Answer))
		for _, relation := range q.Path {
			rest = append(rest, number(relation))
		}
		for _, n := range q.Needs {
			rest = append(rest, of(n.Fact), n.Messages)
		}
		if q.Near != nil {
			rest = append(rest, number(q.Near.Relation))
		}
		q.Text, q.Answer, q.Path, q.Needs, q.Near = "", "", nil, nil, nil
	}
	b, err := json.Marshal([]any{d, rest})
	if err != nil {
		return err.Error()
	}
	return string(b)
}
