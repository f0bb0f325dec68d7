package locomo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"memlab/pkg/dialogue"
)

func small(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "small.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func read(t testing.TB, data string) ([]dialogue.Dialogue, Report) {
	t.Helper()
	dialogues, report, err := Read(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i := range dialogues {
		if err := dialogues[i].Check(); err != nil {
			t.Error(err)
		}
	}
	return dialogues, report
}

func TestTurnsAreInTheOrderOfSessionsWithCaptionsRolesAndTimes(t *testing.T) {
	dialogues, report := read(t, small(t))
	var got []string
	for _, m := range dialogues[0].Messages {
		at := "no time"
		if !m.Time.IsZero() {
			at = m.Time.Format(time.DateTime)
		}
		got = append(got, fmt.Sprintf("%s %d %s %s %s %d: %s", m.ID, m.Session, at, m.Role, m.Speaker, m.Tokens, m.Text))
	}
	want := []string{
		"D1:1 1 2031-02-28 12:40:00 user Nora 10: I moved the pottery class to Thursdays.",
		"D1:2 1 2031-02-28 12:40:00 assistant Piet 9: [image: nine blue bowls on a shelf]",
		"D1:3 1 2031-02-28 12:40:00 assistant Olav 7: Hello from the next room.",
		"D2:1 2 2031-03-03 07:05:00 assistant Piet 9: The kiln cracked again last night.",
		"D2:2 2 2031-03-03 07:05:00 user Nora 14: Borrow mine until June. [image: a round kiln in a shed]",
		"D10:1 10 no time user Nora 6: Four glazes are left.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(dialogues) != 1 || dialogues[0].Name != "lab-1" || dialogues[0].Language != "en" {
		t.Errorf("%d dialogues, the first %q in %q", len(dialogues), dialogues[0].Name, dialogues[0].Language)
	}
	if report.Conversations != 1 || report.Turns != 6 || report.Captions != 2 {
		t.Errorf("report: %+v", report)
	}
}

func TestQuestionsHaveTheirCategoryAnswerAndEvidence(t *testing.T) {
	dialogues, report := read(t, small(t))
	var got []string
	for _, q := range dialogues[0].Questions {
		var needs []string
		for _, n := range q.Needs {
			needs = append(needs, n.Messages...)
		}
		got = append(got, fmt.Sprintf("%s %s %q %v", q.ID, q.Kind, q.Answer, needs))
	}
	want := []string{
		`q1 multi-hop "9" [D1:2]`,
		`q2 temporal "2 March 2031" [D2:1 D10:1]`,
		`q3 open-domain "Yes" [D2:2]`,
		`q4 single-hop "4" [D10:1]`,
		`q5 adversarial "" []`,
		`q6 single-hop "Olav" [D1:3]`,
		`q8 single-hop "Thursdays" []`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if report.Questions != 7 || report.Evidence != 8 || report.BrokenEvidence != 6 || report.AdversarialAnswers != 1 {
		t.Errorf("report: %+v", report)
	}
	if report.Kinds[SingleHop] != 3 || report.Kinds[Adversarial] != 1 {
		t.Errorf("kinds: %v", report.Kinds)
	}
}

func TestEveryIrregularityIsNamedWhereItIs(t *testing.T) {
	_, report := read(t, small(t))
	var got []string
	for _, i := range report.Irregularities {
		got = append(got, i.String())
	}
	want := []string{
		`lab-1 session_1, turn 3: turn skipped "D1:2": the dia_id is taken by an earlier turn`,
		`lab-1 session_1, turn 4: unknown speaker "Olav": want "Nora" or "Piet"; taken as the assistant`,
		`lab-1 session_1, turn 5: turn skipped "D1:4": neither text nor blip_caption`,
		`lab-1 session_10: unreadable date "yesterday": want a date like 1:56 pm on 8 May, 2023`,
		`lab-1 session_11: session without turns "2031-05-01 21:00:00"`,
		`lab-1 q1: integer answer "9"`,
		`lab-1 q2: several evidence ids "D2:1; D10:1": taken as 2 ids`,
		`lab-1 q3: mistyped evidence id "D:2:2": taken as D2:2`,
		`lab-1 q3: mistyped evidence id "D02:02": taken as D2:2`,
		`lab-1 q3: repeated evidence "D2:2"`,
		`lab-1 q4: unknown evidence id "D10:9": no such turn`,
		`lab-1 q4: unknown evidence id "D": no such turn`,
		`lab-1 q5: missing answer`,
		`lab-1 q5: no evidence`,
		`lab-1 q6: several evidence ids "D1:3 D7:7": taken as 2 ids`,
		`lab-1 q6: unknown evidence id "D7:7": no such turn`,
		`lab-1 q7: question skipped: category 6: want 1 to 5`,
		`lab-1 q8: no evidence "D1:1": want a list of ids like D1:3`,
		`lab-2: conversation skipped: no turns: want conversation with session_1, session_2, ...`,
		`conversation 3: conversation skipped: sample_id is a JSON number: want string`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := report.Count(MistypedID); n != 2 {
		t.Errorf("%d mistyped ids counted, want 2", n)
	}
}

func TestOnlySlipsWithOneReadingAreRepaired(t *testing.T) {
	for id, want := range map[string]string{
		"D30:05": "D30:5", "D:11:26": "D11:26", "d4:36": "D4:36", " D1:10 ": "D1:10", "D07:3": "D7:3",
		"D": "", "D1": "", "D1:": "", ":3": "", "1:3": "", "D1:0": "", "D0:1": "", "D1:2:3": "", "D1-3": "", "D1:3a": "", "": "",
	} {
		if got := repaired(id); got != want {
			t.Errorf("repaired(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestAnIDWithAnotherReadingIsLeftAlone(t *testing.T) {
	// Both turns exist, so the id as written wins over its repaired form.
	data := `[{"sample_id": "s", "conversation": {"speaker_a": "A", "speaker_b": "B",
		"session_1_date_time": "1:00 am on 1 May, 2031",
		"session_1": [{"speaker": "A", "dia_id": "D1:5", "text": "x"}, {"speaker": "B", "dia_id": "D1:05", "text": "y"}]},
		"qa": [{"question": "?", "answer": "y", "category": 4, "evidence": ["D1:05"]}]}]`
	dialogues, report := read(t, data)
	if got := dialogues[0].Questions[0].Needs[0].Messages[0]; got != "D1:05" || report.BrokenEvidence != 0 {
		t.Errorf("evidence %s, %d broken", got, report.BrokenEvidence)
	}
}

func TestAFileThatIsCutOffIsReadUpToThere(t *testing.T) {
	whole := small(t)
	second := strings.Index(whole, `{"sample_id": "lab-2"`)
	for _, end := range []int{second, second + 20} {
		dialogues, report := read(t, whole[:end])
		last := report.Irregularities[len(report.Irregularities)-1]
		if len(dialogues) != 1 || last.Problem != CutOff || !strings.HasPrefix(last.Detail, "line ") {
			t.Errorf("cut at %d: %d dialogues, %v", end, len(dialogues), last)
		}
	}
}

func TestAByteOrderMarkIsNoTroubleAndANameIsTakenOnce(t *testing.T) {
	one := `{"sample_id": "s", "conversation": {"speaker_a": "A", "session_1_date_time": "1:00 am on 1 May, 2031",
		"session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "x"}]}}`
	dialogues, report := read(t, "\ufeff["+one+","+one+"]")
	if len(dialogues) != 1 || report.Turns != 1 || report.Count(BadConversation) != 1 {
		t.Errorf("%d dialogues, %+v", len(dialogues), report)
	}
}

func TestWhatIsNoLOCOMOFileIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, data string
		kind       error
	}{
		{"nothing", "", ErrFormat},
		{"an object", `{"sample_id": "s"}`, ErrFormat},
		{"no JSON", "\n\nhello", ErrFormat},
		{"an empty list", "[]", ErrEmpty},
		{"numbers", "[1, 2]", ErrEmpty},
		{"cut off in the first conversation", `[{"sample_id": "s", "conv`, ErrEmpty},
	} {
		_, _, err := Read(strings.NewReader(c.data))
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
	}
	if _, _, err := Read(iotest.ErrReader(os.ErrClosed)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a reader that fails: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small(f))
	f.Add(`[{"conversation": {"session_1": [{"dia_id": "D1:1", "text": "x"}]}, "qa": [{"question": "?", "category": 1, "answer": 1e3, "evidence": ["D1:1,D1:1"]}]}]`)
	f.Fuzz(func(t *testing.T, data string) {
		dialogues, report, err := Read(strings.NewReader(data))
		if err != nil {
			return
		}
		messages := 0
		for i := range dialogues {
			messages += len(dialogues[i].Messages)
			if err := dialogues[i].Check(); err != nil {
				t.Error(err)
			}
		}
		if messages != report.Turns || len(dialogues) != report.Conversations {
			t.Errorf("%d messages in %d dialogues, report %+v", messages, len(dialogues), report)
		}
	})
}
