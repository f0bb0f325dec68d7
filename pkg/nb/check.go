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

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"memlab/pkg/exercise"
)

// Open is the answer of an exercise that is still to be solved.
var Open = math.NaN()

// Check says whether got solves the exercise id: right, or the next hint. It
// never shows the answer, and an open exercise is no error.
//
// Wrong answers are kept in the kernel's own temporary folder, since each cell
// is a new process: a new wrong answer brings the next hint, the same one
// again brings the same.
func Check(id string, got float64) {
	e := Must(exercise.Find(id))
	wrong := Must(readAttempts(id))
	answer := strconv.FormatFloat(got, 'g', -1, 64) // text, for JSON has no infinity
	before := slices.Index(wrong, answer)
	if before < 0 {
		before = len(wrong)
	}
	grade := Must(e.Grade(got, before))
	if grade.Status == exercise.Wrong && before == len(wrong) {
		Must(0, writeAttempts(id, append(wrong, answer)))
	}
	fmt.Printf("%s %s %s\n", grade.Status.Mark(), id, grade.Text.In(string(Lang())))
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
