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

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"memlab/pkg/exercise"
)

// Open is the answer of an exercise that is still to be solved.
var Open = math.NaN()

// Check says whether answer solves the exercise id: right, or the next hint.
// It never shows the right one, and an open exercise is no error. A whole
// number will do where one is asked for.
//
// Wrong answers are kept in the kernel's own temporary folder, since each cell
// is a new process: a new wrong answer brings the next hint, the same one
// again brings the same.
func Check[T ~int | ~int64 | ~float64](id string, answer T) {
	got := float64(answer)
	e := Must(exercise.Find(id))
	wrong := Must(readAttempts(id))
	written := strconv.FormatFloat(got, 'g', -1, 64) // text, for JSON has no infinity
	before := slices.Index(wrong, written)
	if before < 0 {
		before = len(wrong)
	}
	grade := Must(e.Grade(got, before))
	// A slip has its own hint, and the ladder of the others waits.
	if grade.Status == exercise.Wrong && !grade.Slip && before == len(wrong) {
		Must(0, writeAttempts(id, append(wrong, written)))
	}
	text := fmt.Sprintf("%s %s %s\n", grade.Status.Mark(), id, grade.Text.In(string(Lang())))
	if !gonbui.IsNotebook {
		fmt.Print(text)
		return
	}
	// Markdown, which breaks lines between words; a stream breaks them anywhere.
	display(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextMarkdown: text,
		protocol.MIMETextPlain:    text,
	}})
}

// attemptsFile is empty outside a notebook, where nothing is kept.
func attemptsFile(id string) string {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "exercise-"+id+".json")
}

func readAttempts(id string) ([]string, error) {
	name := attemptsFile(id)
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

func writeAttempts(id string, wrong []string) error {
	name := attemptsFile(id)
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
