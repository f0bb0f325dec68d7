package locomo

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
)

// locomo10 is LOCOMO's own file.
func locomo10(t testing.TB, what string) []byte {
	t.Helper()
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		t.Skipf("MEMLAB_DATA is not set: skipped %s on LOCOMO", what)
	}
	data, err := os.ReadFile(filepath.Join(dir, "locomo", "locomo10.json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTheRealFileIsReadWholeAndItsSlipsAreCounted(t *testing.T) {
	dialogues, report := read(t, string(locomo10(t, "counts and slips")))
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"conversations", report.Conversations, 10},
		{"dialogues", len(dialogues), 10},
		{"turns", report.Turns, 5882},
		{"captions", report.Captions, 709 + 311 + 179 + 22 + 5},
		{"questions", report.Questions, 1986},
		{"multi-hop", report.Kinds[MultiHop], 282},
		{"temporal", report.Kinds[Temporal], 321},
		{"open-domain", report.Kinds[OpenDomain], 96},
		{"single-hop", report.Kinds[SingleHop], 841},
		{"adversarial", report.Kinds[Adversarial], 446},
		{"adversarial answers", report.AdversarialAnswers, 446},
		{"integer answers", report.Count(IntegerAnswer), 6},
		{"missing answers", report.Count(MissingAnswer), 444},
		{"evidence", report.Evidence, 2815},
		{"broken evidence", report.BrokenEvidence, 9},
		{"several ids in a string", report.Count(SeveralIDs), 4},
		{"mistyped ids", report.Count(MistypedID), 2},
		{"unknown ids", report.Count(UnknownID), 3},
		{"repeated evidence", report.Count(RepeatedEvidence), 1},
		{"dates without turns", report.Count(MissingSession), 16},
		{"questions without evidence", report.Count(NoEvidence), 4},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.what, c.got, c.want)
		}
	}
	for _, i := range report.Irregularities {
		switch i.Problem {
		case BadDate, UnknownSpeaker, BadTurn, BadSession, BadQuestion, BadConversation, CutOff:
			t.Errorf("the file has none of these: %v", i)
		case MissingAnswer, MissingSession:
		default:
			t.Log(i)
		}
	}
	for _, d := range dialogues {
		for i, m := range d.Messages {
			if m.Time.IsZero() || i > 0 && m.Time.Before(d.Messages[i-1].Time) {
				t.Fatalf("%s %s: time %v", d.Name, m.ID, m.Time)
			}
		}
	}
}

// The names of the categories are not in the file, so they are held against what
// the questions look like.
func TestCategoriesLookLikeTheirNames(t *testing.T) {
	dialogues, _ := read(t, string(locomo10(t, "what categories look like")))
	type look struct{ questions, when, evidence, sessions, answered int }
	looks := map[dialogue.Kind]*look{}
	for _, k := range Kinds() {
		looks[k] = &look{}
	}
	for _, d := range dialogues {
		for _, q := range d.Questions {
			l := looks[q.Kind]
			l.questions++
			if strings.HasPrefix(q.Text, "When") {
				l.when++
			}
			if q.Answer != "" {
				l.answered++
			}
			var sessions []string
			for _, n := range q.Needs {
				session, _, _ := strings.Cut(n.Messages[0], ":")
				if !slices.Contains(sessions, session) {
					sessions = append(sessions, session)
				}
			}
			l.evidence += len(q.Needs)
			l.sessions += len(sessions)
		}
	}
	share := func(n int, k dialogue.Kind) float64 { return float64(n) / float64(looks[k].questions) }
	for _, k := range Kinds() {
		t.Logf("%s: %.0f%% ask when, %.2f turns in %.2f sessions", k, 100*share(looks[k].when, k), share(looks[k].evidence, k), share(looks[k].sessions, k))
		if want := k == Temporal; share(looks[k].when, k) > .5 != want {
			t.Errorf("%s: more than half ask when: %v, want %v", k, !want, want)
		}
		if want := k == MultiHop; share(looks[k].sessions, k) > 2 != want {
			t.Errorf("%s: more than two sessions: %v, want %v", k, !want, want)
		}
		if want := k == SingleHop || k == Temporal || k == Adversarial; share(looks[k].evidence, k) < 1.3 != want {
			t.Errorf("%s: about one turn: %v, want %v", k, !want, want)
		}
		if want := k != Adversarial; (looks[k].answered > looks[k].questions/2) != want {
			t.Errorf("%s: answered: %v, want %v", k, !want, want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	data := locomo10(b, "reading")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, _, err := Read(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}
