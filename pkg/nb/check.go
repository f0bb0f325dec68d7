package nb

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"memlab/pkg/exercise"
)

// Open is the answer of an exercise that is still to be solved.
var Open = math.NaN()

// Ask prints the questions of an exercise with the student's own numbers: of all
// its parts for a number of the lecture such as "10.4", of one for "10.4a". me is the
// student's name or number; an empty text brings the lecture's numbers.
func Ask(number string, me any) {
	v := Must(exercise.VariantOf(me))
	var b strings.Builder
	for _, e := range Must(v.Parts(number)) {
		fmt.Fprintf(&b, "**%s** %s\n\n", e.ID, e.Question.In(string(Lang())))
	}
	markdown(strings.TrimSpace(b.String()) + "\n")
}

// Variant is whose numbers me stands for: a name, a whole number, or "" for the
// lecture's.
func Variant(me any) exercise.Variant { return Must(exercise.VariantOf(me)) }

// Check says whether answer solves the exercise id: right, or the next hint.
// It never shows the right one, and an open exercise is no error. A whole
// number will do where one is asked for. With a third argument the exercise has that
// student's own numbers, which Ask has shown; without one it has the lecture's, and
// while it is open its question is shown with the first hint.
//
// Wrong answers are kept in the kernel's own temporary folder, since each cell
// is a new process: a new wrong answer brings the next hint, the same one
// again brings the same.
func Check[T ~int | ~int64 | ~float64](id string, answer T, me ...any) {
	got := float64(answer)
	var whose exercise.Variant
	switch len(me) {
	case 0:
	case 1:
		whose = Variant(me[0])
	default:
		fail(fmt.Errorf("nb: exercise %s is checked for %d students: want at most one", id, len(me)))
	}
	e := Must(whose.Find(id))
	wrong := Must(readAttempts(e))
	written := strconv.FormatFloat(got, 'g', -1, 64) // text, for JSON has no infinity
	before := slices.Index(wrong, written)
	if before < 0 {
		before = len(wrong)
	}
	grade := Must(e.Grade(got, before))
	// A slip has its own hint, and the ladder of the others waits.
	if grade.Status == exercise.Wrong && !grade.Slip && before == len(wrong) {
		Must(0, writeAttempts(e, append(wrong, written)))
	}
	text := grade.Text
	if grade.Status == exercise.Open && len(me) == 0 {
		text = exercise.Text{EN: e.Question.EN + " " + text.EN, ZH: e.Question.ZH + text.ZH}
	}
	markdown(fmt.Sprintf("%s %s %s\n", grade.Status.Mark(), id, text.In(string(Lang()))))
}

// markdown displays a text that breaks between words; a stream breaks anywhere.
func markdown(text string) {
	if !gonbui.IsNotebook {
		fmt.Print(text)
		return
	}
	display(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextMarkdown: text,
		protocol.MIMETextPlain:    text,
	}})
}

// attemptsFile is empty outside a notebook, where nothing is kept.
func attemptsFile(e exercise.Exercise) string {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, fmt.Sprintf("exercise-%s-%d.json", e.ID, e.Variant))
}

func readAttempts(e exercise.Exercise) ([]string, error) {
	name := attemptsFile(e)
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("nb: earlier answers: %w", err)
	}
	var wrong []string
	if err := json.Unmarshal(data, &wrong); err != nil {
		return nil, fmt.Errorf("nb: earlier answers in %s: %w", name, err)
	}
	return wrong, nil
}

func writeAttempts(e exercise.Exercise, wrong []string) error {
	name := attemptsFile(e)
	if name == "" {
		return nil
	}
	data, err := json.Marshal(wrong)
	if err != nil {
		return fmt.Errorf("nb: %w", err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return fmt.Errorf("nb: %w", err)
	}
	return nil
}
