package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"memlab/datasets"
	"memlab/pkg/dialogue"
)

func read(t testing.TB, lines ...string) ([]dialogue.Dialogue, Report) {
	t.Helper()
	dialogues, report, err := Read(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	check(t, dialogues)
	return dialogues, report
}

func check(t testing.TB, dialogues []dialogue.Dialogue) {
	t.Helper()
	for i := range dialogues {
		if err := dialogues[i].Check(); err != nil {
			t.Error(err)
		}
	}
}

// A good line in front of others keeps a dialogue usable.
const good = `{"session": 1, "speaker": "Ana", "id": "a", "text": "The bridge is closed."}`

func TestTheSampleIsRightInEveryLine(t *testing.T) {
	dialogues, report := read(t, string(datasets.SampleDialogue))
	want := Report{Comments: 2, Dialogues: 2, Messages: 24, Questions: 12, Evidence: 17, NoEvidence: 2, TokensCounted: 24}
	want.Lines = bytes.Count(datasets.SampleDialogue, []byte("\n"))
	if !reflect.DeepEqual(report, want) {
		t.Errorf("report %+v\nwant %+v", report, want)
	}
	if want.Lines != want.Comments+want.Messages+want.Questions {
		t.Errorf("%d lines: want comments, messages and questions only", want.Lines)
	}
	for i, language := range []string{"en", "zh"} {
		d := dialogues[i]
		last := d.Messages[len(d.Messages)-1]
		if d.Language != language || last.Session != 3 || last.Role != dialogue.User {
			t.Errorf("%s: language %s, last message %+v", d.Name, d.Language, last)
		}
	}
	q := dialogues[1].Questions[4]
	if q.Answer != "40" || q.Kind != "single-hop" || q.Needs[0].Messages[0] != "c8" {
		t.Errorf("question %+v", q)
	}
	if n := dialogues[0].Questions[2].Needs; len(n) != 1 || !slices.Equal(n[0].Messages, []string{"h3", "h5"}) {
		t.Errorf("any of two: %+v", n)
	}
}

func TestALineThatIsWrongIsNamedByNumberFieldAndRemedy(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"session": 1, "speaker": "Ana", "text": "The bri`, "line 2: cut off in the middle: want one whole JSON object"},
		{`{"session": 1, "speaker": "Ana",`, "line 2: cut off in the middle: want one whole JSON object"},
		{`{"session": 1; "speaker": "Ana"}`, "line 2: no JSON at byte 14: invalid character ';' after object key:value pair"},
		{`[1, 2]`, "line 2: want a JSON object with text or question"},
		{`null`, "line 2: want a JSON object with text or question"},
		{"{\"text\": \"\xd6\xd0\xce\xc4\"}", "line 2: not UTF-8: want text in UTF-8"},
		{`{}`, ""},
		{`{"session": 1, "speaker": "Ana"}`, "line 2: text: missing: want text for a message or question for a question"},
		{`{"session": 1, "speaker": "Ana", "text": "x", "question": "y"}`, "line 2: question: a message (text) and a question in one line: want one of them"},
		{`{"session": 1, "speaker": "Ana", "text": " "}`, "line 2: text: empty: want what was said"},
		{`{"session": 1, "speaker": "Ana", "text": 5}`, "line 2: text: 5: want text in quotes"},
		{`{"speaker": "Ana", "text": "x"}`, "line 2: session: missing: want a whole number from 0"},
		{`{"session": null, "speaker": "Ana", "text": "x"}`, "line 2: session: missing: want a whole number from 0"},
		{`{"session": -1, "speaker": "Ana", "text": "x"}`, "line 2: session: -1: want a whole number from 0"},
		{`{"session": 1.5, "speaker": "Ana", "text": "x"}`, "line 2: session: 1.5: want a whole number from 0"},
		{`{"session": "first", "speaker": "Ana", "text": "x"}`, `line 2: session: "first": want a whole number from 0`},
		{`{"session": 1, "text": "x"}`, "line 2: speaker: missing: want the speaker's name, or a role"},
		{`{"session": 1, "role": "system", "text": "x"}`, `line 2: role: "system": want user or assistant`},
		{`{"session": 1, "role": "user", "text": "x", "time": "noon"}`, `line 2: time: "noon": want a time like 2031-03-02T09:10:00Z or 2031-03-02 09:10`},
		{`{"session": 1, "role": "user", "text": "x", "time": 12}`, `line 2: time: 12: want text in quotes`},
		{`{"session": 1, "role": "user", "text": "x", "tokens": 0}`, "line 2: tokens: 0: want a whole number from 1, or none to have it approximated"},
		{`{"session": 1, "role": "user", "text": "x", "tokens": 9223372036854775807}`, "line 2: tokens: 9223372036854775807: want at most 1073741824"},
		{`{"session": 1, "role": "user", "text": "x", "tokens": "9"}`, `line 2: tokens: "9": want a whole number from 1`},
		{`{"session": 1, "role": "user", "text": "x", "language": "fr"}`, `line 2: language: "fr": want en or zh`},
		{`{"session": 1, "role": "user", "text": "x", "id": "a"}`, `line 2: id: "a" is taken by line 1: want one of its own`},
		{`{"session": 1, "role": "user", "text": "x", "facts": {}}`, `line 2: facts: {}: want a list of facts with subject, relation and object`},
		{`{"question": ""}`, "line 2: question: empty: want what is asked"},
		{`{"question": "Why?", "answer": ["x"]}`, `line 2: answer: ["x"]: want text or a number`},
		{`{"question": "Why?", "evidence": "a"}`, `line 2: evidence: "a": want a list of message ids, or of lists of ids of which any will do`},
		{`{"question": "Why?", "evidence": ["a", 3]}`, `line 2: evidence: 3: want a list of message ids, or of lists of ids of which any will do`},
		{`{"question": "Why?", "evidence": [[]]}`, `line 2: evidence: []: want a list of message ids, or of lists of ids of which any will do`},
		{`{"question": "Why?", "dialogue": "other"}`, `line 2: dialogue: "other" has no usable message to ask about`},
		{`{"question": "Why?", "path": "` + strings.Repeat("x", 60) + `"}`, `line 2: path: "` + strings.Repeat("x", 39) + `...: want a list of relations`},
	} {
		dialogues, report := read(t, good, c.line)
		got := ""
		if len(report.Bad) > 0 {
			got = strings.TrimPrefix(report.Bad[0].Error(), "jsonl: ")
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
		if want := min(1, len(c.want)); report.BadLines != want || len(report.Bad) != want || len(dialogues) != 1 || len(dialogues[0].Messages) != 1 {
			t.Errorf("%s: %d bad lines, %d dialogues", c.line, report.BadLines, len(dialogues))
		}
	}
}

func TestALineCutInTheMiddleShiftsNothingElse(t *testing.T) {
	lines := []string{
		`{"session": 1, "speaker": "Ana", "text": "one"}`,
		`{"session": 1, "speaker": "Ben", "text": "two"}`,
		`{"session": 2, "speaker": "Ana", "text": "three"}`,
		`{"question": "Third?", "evidence": ["L3"]}`,
		`{"question": "Second?", "evidence": ["L2"]}`,
	}
	lines[1] = lines[1][:20]
	dialogues, report := read(t, lines...)
	if got := dialogues[0].Questions[0].Needs[0].Messages[0]; got != "L3" || dialogues[0].Messages[1].Text != "three" {
		t.Errorf("evidence %s", got)
	}
	want := []BrokenEvidence{{Line: 5, Question: "L5", ID: "L2"}}
	if report.BadLines != 1 || report.BrokenEvidence != 1 || !slices.Equal(report.Broken, want) || report.NoEvidence != 1 || report.Unnamed != 2 {
		t.Errorf("%+v", report)
	}
}

func TestEvidenceThatDoesNotExistIsLeftOutAndTheRestStays(t *testing.T) {
	dialogues, report := read(t,
		`{"question": "Before the message?", "id": "q", "evidence": ["a", "zz", "a", ["zz", "a"], ["yy", "zz"], ["a", "b"]]}`, good,
		`{"session": 1, "speaker": "Ana", "id": "b", "text": "Since May."}`,
		`{"question": "None?", "id": "p", "evidence": ["xx"]}`)
	var got []string
	for _, n := range dialogues[0].Questions[0].Needs {
		got = append(got, strings.Join(n.Messages, "|"))
	}
	if want := []string{"a", "a|b"}; !slices.Equal(got, want) { // ["zz", "a"] is a once more
		t.Errorf("needs %v, want %v", got, want)
	}
	if len(dialogues[0].Questions[1].Needs) != 0 {
		t.Errorf("needs %v, want none", dialogues[0].Questions[1].Needs)
	}
	if report.Evidence != 10 || report.BrokenEvidence != 5 || report.Repeated != 2 || report.NoEvidence != 1 || report.BadLines != 0 {
		t.Errorf("%+v", report)
	}
	if want := (BrokenEvidence{Line: 1, Question: "q", ID: "zz"}); report.Broken[0] != want {
		t.Errorf("%+v, want %+v", report.Broken[0], want)
	}
}

func TestUnknownFieldsAreNamedOnceAndTheLinesUsed(t *testing.T) {
	dialogues, report := read(t,
		`{"session": 1, "speaker": "Ana", "text": "x", "mood": "good", "Text": "y"}`,
		`{"session": 1, "speaker": "Ana", "text": "z", "mood": 3, "evidence": ["a"]}`)
	want := []UnknownField{{"Text", 1, 1}, {"mood", 1, 2}, {"evidence", 2, 1}}
	if !slices.Equal(report.Unknown, want) || report.BadLines != 0 || len(dialogues[0].Messages) != 2 {
		t.Errorf("%+v, want %+v", report, want)
	}
}

func TestMessagesAreInTheOrderOfSessionsThenLines(t *testing.T) {
	dialogues, _ := read(t,
		`{"session": 2, "speaker": "Ana", "id": "c", "text": "x"}`,
		`{"session": 1, "speaker": "Ana", "id": "a", "text": "x"}`,
		`{"session": 2, "speaker": "Ana", "id": "d", "text": "x"}`,
		`{"session": 1, "speaker": "Ana", "id": "b", "text": "x"}`)
	got := ""
	for _, m := range dialogues[0].Messages {
		got += m.ID
	}
	if got != "abcd" {
		t.Errorf("order %s", got)
	}
}

func TestManyMessagesOfASessionKeepTheirOrder(t *testing.T) {
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf(`{"session": %d, "speaker": "Ana", "text": "%d"}`, 1-i%2, i))
	}
	dialogues, _ := read(t, lines...)
	for i, m := range dialogues[0].Messages {
		if want := fmt.Sprint(2*i%200 + 1 - i/100); m.Text != want {
			t.Fatalf("message %d is %s, want %s", i, m.Text, want)
		}
	}
}

func TestAnswersThatAreNumbersStayAsTheyAreWritten(t *testing.T) {
	for answer, want := range map[string]string{`12345678901`: "12345678901", `1.50`: "1.50", `"40"`: "40", `null`: ""} {
		dialogues, report := read(t, good, `{"question": "How many?", "answer": `+answer+`}`)
		if got := dialogues[0].Questions[0].Answer; got != want || report.BadLines != 0 {
			t.Errorf("%s: %q, want %q", answer, got, want)
		}
	}
}

func TestNeedsOfOneMessageWithTwoFactsAreTwo(t *testing.T) {
	dialogues, report := read(t, good, `{"question": "?", "evidence": [{"fact": {"object": "x"}, "messages": ["a"]}, {"fact": {"object": "y"}, "messages": ["a"]}]}`)
	if got := len(dialogues[0].Questions[0].Needs); got != 2 || report.Repeated != 0 {
		t.Errorf("%d needs, %d repeated", got, report.Repeated)
	}
}

func TestDialoguesMayBeInterleaved(t *testing.T) {
	dialogues, report := read(t,
		`{"dialogue": "x", "session": 1, "speaker": "Ana", "id": "m", "text": "one"}`,
		`{"dialogue": "y", "session": 1, "speaker": "Ben", "id": "m", "text": "two"}`,
		`{"dialogue": "x", "session": 1, "speaker": "Ana", "text": "three"}`,
		`{"dialogue": "y", "question": "What?", "evidence": ["m"]}`)
	if len(dialogues) != 2 || dialogues[0].Name != "x" || len(dialogues[0].Messages) != 2 || len(dialogues[1].Questions) != 1 || report.BadLines != 0 {
		t.Errorf("%+v %+v", dialogues, report)
	}
}

func TestRolesFollowTheNamesOrWhoSpeaksFirst(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string // speaker/role
		want  string
	}{
		{"no roles: the first speaker is the user", []string{"Ana/", "Ben/", "Cy/", "Ana/"}, "user assistant assistant user"},
		{"a role holds for the name", []string{"Bot/", "Ana/", "Bot/assistant", "Ana/user"}, "assistant user assistant user"},
		{"roles need no names", []string{"/assistant", "/user"}, "assistant user"},
		{"a given role stays", []string{"Ana/user", "Ana/assistant", "Ana/"}, "user assistant user"},
	} {
		var lines []string
		guesses := 0
		for _, l := range c.lines {
			speaker, role, _ := strings.Cut(l, "/")
			if role == "" {
				guesses++
			}
			lines = append(lines, fmt.Sprintf(`{"session": 1, "speaker": %q, "role": %q, "text": "x"}`, speaker, role))
		}
		dialogues, report := read(t, lines...)
		var got []string
		for _, m := range dialogues[0].Messages {
			got = append(got, string(m.Role))
		}
		if strings.Join(got, " ") != c.want || report.RolesGuessed != guesses {
			t.Errorf("%s: %v with %d guessed, want %s with %d", c.name, got, report.RolesGuessed, c.want, guesses)
		}
	}
}

func TestTimesAndTokens(t *testing.T) {
	for at, want := range map[string]string{
		"2031-03-02T09:10:00Z": "2031-03-02T09:10:00Z", "2031-03-02T09:10:00+02:00": "2031-03-02T07:10:00Z",
		"2031-03-02 09:10": "2031-03-02T09:10:00Z", "2031-03-02 09:10:11": "2031-03-02T09:10:11Z",
		"2031-03-02T09:10:11": "2031-03-02T09:10:11Z", "2031-03-02": "2031-03-02T00:00:00Z",
	} {
		dialogues, report := read(t, fmt.Sprintf(`{"session": 0, "role": "user", "text": "x", "time": %q}`, at))
		if got := dialogues[0].Messages[0].Time.UTC().Format(time.RFC3339); got != want || report.Untimed != 0 {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
	dialogues, report := read(t,
		`{"session": 1, "role": "user", "text": "nine bytes", "tokens": 7}`,
		`{"session": 1, "role": "user", "text": "nine bytes"}`,
		`{"session": 1, "role": "user", "text": "四个汉字"}`)
	var got []int
	for _, m := range dialogues[0].Messages {
		got = append(got, m.Tokens)
	}
	// 10 ASCII characters by four and four, then two; each Chinese one by itself.
	if !slices.Equal(got, []int{7, 3, 4}) || report.TokensCounted != 2 || report.Untimed != 3 {
		t.Errorf("tokens %v, report %+v", got, report)
	}
}

func TestLanguageIsGivenOrSeen(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"session": 1, "role": "user", "text": "我在用 Kubernetes 部署一个服务，先装 Helm。"}`, "zh"},
		{`{"session": 1, "role": "user", "text": "My friend 李雷 came by yesterday."}`, "en"},
		{`{"session": 1, "role": "user", "text": "My friend came by.", "language": "zh"}`, "zh"},
		{`{"session": 1, "role": "user", "text": "123"}`, "en"},
	} {
		dialogues, _ := read(t, c.line)
		if dialogues[0].Language != c.want {
			t.Errorf("%s: %s, want %s", c.line, dialogues[0].Language, c.want)
		}
	}
	_, report := read(t, `{"language": "en", "comment": "first"}`, good, `{"language": "zh", "session": 1, "role": "user", "text": "x"}`)
	if report.BadLines != 1 || report.Bad[0].Error() != "jsonl: line 3: language: zh: the dialogue is in en by an earlier line" {
		t.Errorf("%+v", report)
	}
}

func TestByteOrderMarkBlankLinesAndCarriageReturnsAreNoTrouble(t *testing.T) {
	_, report := read(t, "\ufeff"+good+"\r", "", "  \r", good[:len(good)-1]+`, "id": "b"}`)
	if report.Lines != 2 || report.BadLines != 0 || report.Messages != 2 {
		t.Errorf("%+v", report)
	}
}

func TestAnInputWithoutDialoguesIsAnError(t *testing.T) {
	for data, want := range map[string]string{
		"":                        "jsonl: no usable dialogue: the input has no lines with text",
		"\n\n":                    "jsonl: no usable dialogue: the input has no lines with text",
		"hello\n":                 "jsonl: no usable dialogue in 1 lines: jsonl: line 1: no JSON at byte 1: invalid character 'h' looking for beginning of value",
		`{"question": "Why?"}`:    `jsonl: no usable dialogue in 1 lines: jsonl: line 1: dialogue: "" has no usable message to ask about`,
		`{"comment": "only one"}`: "jsonl: no usable dialogue: the input has no messages",
	} {
		_, _, err := Read(strings.NewReader(data))
		if !errors.Is(err, ErrEmpty) || err.Error() != want {
			t.Errorf("%q: %v, want %s", data, err, want)
		}
	}
	if _, _, err := Read(iotest.ErrReader(os.ErrClosed)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a reader that fails: %v", err)
	}
}

func TestManyBadLinesAreCountedAndTheFirstListed(t *testing.T) {
	lines := []string{good}
	for range 3 * KeepBad {
		lines = append(lines, "{", `{"question": "?", "evidence": ["zz"]}`)
	}
	_, report := read(t, lines...)
	if report.BadLines != 3*KeepBad || len(report.Bad) != KeepBad || report.BrokenEvidence != 3*KeepBad || len(report.Broken) != KeepBad {
		t.Errorf("%d bad lines, %d listed; %d broken, %d listed", report.BadLines, len(report.Bad), report.BrokenEvidence, len(report.Broken))
	}
}
