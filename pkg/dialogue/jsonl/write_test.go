package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memlab/datasets"
	"memlab/pkg/dialogue"
)

// again writes dialogues and reads them.
func again(t testing.TB, dialogues []dialogue.Dialogue) []dialogue.Dialogue {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, dialogues); err != nil {
		t.Fatal(err)
	}
	got, report, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if report.BadLines+report.BrokenEvidence+report.Repeated+report.RolesGuessed+report.TokensCounted+report.Unnamed != 0 || report.Unknown != nil {
		t.Errorf("what Write wrote is not right: %+v", report)
	}
	return got
}

func differ(a, b []dialogue.Dialogue) string { return cmp.Diff(a, b, cmpopts.EquateEmpty()) }

func TestTheSampleSurvivesWritingAndReading(t *testing.T) {
	dialogues, _ := read(t, string(datasets.SampleDialogue))
	if d := differ(dialogues, again(t, dialogues)); d != "" {
		t.Error(d)
	}
}

func TestTextIsWrittenAsItReads(t *testing.T) {
	dialogues, _ := read(t, `{"session": 1, "role": "user", "text": "<b> & 茶"}`)
	var b bytes.Buffer
	if err := Write(&b, dialogues); err != nil || !strings.Contains(b.String(), `"<b> & 茶"`) {
		t.Errorf("%s %v", b.String(), err)
	}
}

// random makes a dialogue with everything that the types can hold.
func random(r *rand.Rand, name string) dialogue.Dialogue {
	words := []string{"tea", "茶", "\"", "\\", "<b>", "\n", "\u2028", "é", "🫖", " ", "&"}
	text := func() string {
		s := "x"
		for range r.IntN(6) {
			s += words[r.IntN(len(words))]
		}
		return s
	}
	maybe := func(s string) string {
		if r.IntN(2) == 0 {
			return ""
		}
		return s
	}
	fact := func() dialogue.Fact {
		return dialogue.Fact{Subject: text(), Relation: text(), Object: text(), Type: maybe(dialogue.Person), Text: maybe(text())}
	}
	d := dialogue.Dialogue{Name: name, Language: []string{"en", "zh"}[r.IntN(2)]}
	session := 0
	for i := range 1 + r.IntN(6) {
		session += r.IntN(3)
		m := dialogue.Message{
			ID: fmt.Sprintf("%s%d", text(), i), Session: session, Role: []dialogue.Role{dialogue.User, dialogue.Assistant}[r.IntN(2)],
			Speaker: maybe(text()), Text: text(), Tokens: 1 + r.IntN(9),
		}
		if r.IntN(2) == 0 {
			m.Time = time.Date(2031, 1, 1, 0, 0, r.IntN(1e6), r.IntN(1e9), time.UTC)
		}
		for range r.IntN(3) {
			m.Facts = append(m.Facts, fact())
		}
		d.Messages = append(d.Messages, m)
	}
	for i := range r.IntN(4) {
		q := dialogue.Question{Kind: dialogue.Kind(text()), Answer: maybe(text())}
		q.ID, q.Text, q.Subject, q.Past = fmt.Sprintf("q%d", i), text(), maybe(text()), r.IntN(2) == 0
		for range r.IntN(3) {
			q.Path = append(q.Path, text())
		}
		if r.IntN(2) == 0 {
			q.Near = &dialogue.Key{Subject: text(), Relation: maybe(text())}
		}
		for j := range r.IntN(3) {
			n := dialogue.Need{}
			if r.IntN(2) == 0 {
				n.Fact = fact()
			}
			n.Fact.Type = maybe(fmt.Sprint(j))
			for range 1 + r.IntN(2) {
				n.Messages = append(n.Messages, d.Messages[r.IntN(len(d.Messages))].ID)
			}
			if len(q.Needs) == 0 || !same(q.Needs[0], n) {
				q.Needs = append(q.Needs, n)
			}
		}
		d.Questions = append(d.Questions, q)
	}
	return d
}

func TestAnyDialogueSurvivesWritingAndReading(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		dialogues := []dialogue.Dialogue{random(r, ""), random(r, "two"), random(r, "三")}
		if d := differ(dialogues, again(t, dialogues)); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
}

func TestWhatWouldBeReadDifferentlyIsNotWritten(t *testing.T) {
	for _, c := range []struct {
		name string
		spot func(d *dialogue.Dialogue)
		want string
	}{
		{"a blank text", func(d *dialogue.Dialogue) { d.Messages[0].Text = " " }, `text: empty`},
		{"no UTF-8", func(d *dialogue.Dialogue) { d.Messages[0].Text = "\xff" }, `read as something else`},
		{"no UTF-8 in the name", func(d *dialogue.Dialogue) { d.Name = "\xff" }, `read as something else`},
		{"a session below 0", func(d *dialogue.Dialogue) { d.Messages[0].Session = -1 }, `session: -1`},
		{"a year of five digits", func(d *dialogue.Dialogue) { d.Messages[0].Time = time.Date(12031, 1, 1, 0, 0, 0, 0, time.UTC) }, `time: "12031`},
		{"a zone with seconds", func(d *dialogue.Dialogue) {
			d.Messages[0].Time = time.Date(2031, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3601))
		}, `read as something else`},
		{"another language", func(d *dialogue.Dialogue) { d.Language = "fr" }, `language: "fr"`},
		{"no language", func(d *dialogue.Dialogue) { d.Language = "" }, `language is empty`},
		{"no tokens", func(d *dialogue.Dialogue) { d.Messages[0].Tokens = 0 }, `tokens 0`},
		{"a blank question", func(d *dialogue.Dialogue) { d.Questions[0].Text = "" }, `question: empty`},
		{"a need that is there twice", func(d *dialogue.Dialogue) {
			d.Questions[0].Needs = append(d.Questions[0].Needs, d.Questions[0].Needs[0])
		}, `needs the same twice`},
	} {
		dialogues, _ := read(t, good, `{"question": "Which?", "evidence": ["a"]}`)
		c.spot(&dialogues[0])
		err := Write(&bytes.Buffer{}, dialogues)
		if !errors.Is(err, ErrWrite) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
	}
	dialogues, _ := read(t, good)
	if err := Write(&bytes.Buffer{}, append(dialogues, dialogues...)); !errors.Is(err, ErrWrite) {
		t.Errorf("two of a name: %v", err)
	}
	if err := Write(closed{}, dialogues); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

func FuzzRead(f *testing.F) {
	for _, line := range strings.Split(string(datasets.SampleDialogue), "\n") {
		f.Add(line + "\n" + good)
	}
	f.Add(`{"text":"x","session":1,"role":"user","time":"0000-01-01"}` + "\n" + `{"question":"y","evidence":[{"fact":{"object":"o"},"messages":["L1","L1"]}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		dialogues, report, err := Read(strings.NewReader(data))
		if err != nil {
			return
		}
		check(t, dialogues)
		if report.Dialogues != len(dialogues) || report.Messages+report.Questions+report.Comments+report.BadLines != report.Lines {
			t.Errorf("lines do not add up: %+v", report)
		}
		if d := differ(dialogues, again(t, dialogues)); d != "" {
			t.Error(d)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	lines := bytes.Count(datasets.SampleDialogue, []byte("\n"))
	for b.Loop() {
		if _, _, err := Read(bytes.NewReader(datasets.SampleDialogue)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/line")
}
