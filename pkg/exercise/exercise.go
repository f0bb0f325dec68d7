// Package exercise holds the exercises of the lessons: a question, steps of
// help, and an answer that is computed, never typed in. It is for notebooks
// (through nb.Ask and nb.Check) and for whoever sets a class other exercises:
// a Variant draws each student numbers of their own. The main type is Exercise;
// Grade compares a number with the answer and returns what to say, which is
// never the answer itself. Grading costs one evaluation of the answer: ten
// sessions are played for 10.3, a tenth of a second of drawing goes into 10.6, the
// others are arithmetic. The exercises follow the lecture's section numbers.
package exercise

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Errors that a caller may branch on with errors.Is.
var (
	// ErrUnknown: no exercise has that name.
	ErrUnknown = errors.New("unknown exercise")
	// ErrExercise: an exercise lacks something or has an impossible value.
	ErrExercise = errors.New("bad exercise")
	// ErrWho: what names a student is neither a text nor a whole number.
	ErrWho = errors.New("bad student")
	// ErrAttempts: the number of attempts is negative.
	ErrAttempts = errors.New("bad number of attempts")
)

// Text is a sentence in both languages of the lab.
type Text struct{ EN, ZH string }

// In returns the text in the language, "zh" or else English.
func (t Text) In(lang string) string {
	if lang == "zh" {
		return t.ZH
	}
	return t.EN
}

// A Slip is a wrong answer that people often arrive at, with the hint that
// mends just this one. Where the numbers of a variant make it the right answer, it
// is none: Grade looks at the answer first.
type Slip struct {
	Value func() (float64, error)
	Hint  Text
}

// An Exercise asks for one number.
type Exercise struct {
	ID       string // the lecture's section and a running number, as in "1.1"
	Variant  Variant
	Question Text
	Unit     string // of the answer, empty for a count
	// Answer computes the number that is asked for.
	Answer func() (float64, error)
	// Tolerance is the relative error that still counts as right.
	Tolerance float64
	// Slips are tried in order before the hints.
	Slips []Slip
	// Hints lead there step by step; the last one stays.
	Hints []Text
}

// A Status is what has become of an answer.
type Status int

// What an answer can be: not given yet, wrong, or right.
const (
	Open Status = iota
	Wrong
	Right
)

// Mark returns the sign of the status: ○ open, ✗ wrong, ✓ right.
func (s Status) Mark() string {
	switch s {
	case Right:
		return "✓"
	case Wrong:
		return "✗"
	default:
		return "○"
	}
}

// A Grade is the verdict on one answer and what to tell the student.
type Grade struct {
	Status Status
	Slip   bool // a wrong answer that has a hint of its own
	Text   Text
}

// Grade compares got, in the exercise's unit, with the answer. NaN stands for
// an exercise that is still open. attempts is the number of different wrong
// answers given before, and decides how far the hints go.
func (e Exercise) Grade(got float64, attempts int) (Grade, error) {
	if attempts < 0 {
		return Grade{}, fmt.Errorf("exercise %s: %w %d: want 0 or more", e.ID, ErrAttempts, attempts)
	}
	if err := e.check(); err != nil {
		return Grade{}, err
	}
	want, err := e.Answer()
	if err != nil {
		return Grade{}, fmt.Errorf("exercise %s: %w", e.ID, err)
	}
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return Grade{}, e.bad("its answer is %g: want a number that can be given", want)
	}
	switch {
	case math.IsNaN(got):
		return Grade{Status: Open, Text: Text{
			EN: "Hint: " + e.hint(0).EN,
			ZH: "提示：" + e.hint(0).ZH,
		}}, nil
	case near(got, want, e.Tolerance):
		return Grade{Status: Right, Text: Text{EN: "right", ZH: "答对了"}}, nil
	}
	hint, slip := e.hint(min(attempts, len(e.Hints))+1), false // the open exercise has shown the first
	for _, s := range e.Slips {
		value, err := s.Value()
		if err != nil {
			return Grade{}, fmt.Errorf("exercise %s: %w", e.ID, err)
		}
		if near(got, value, e.Tolerance) {
			hint, slip = s.Hint, true
			break
		}
	}
	if !slip && got == 0 {
		hint, slip = dropped, true
	}
	for _, prefix := range []float64{1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9} {
		if slip || !near(got, prefix*want, e.Tolerance) {
			continue
		}
		slip = true
		hint = Text{
			EN: fmt.Sprintf("the digits are right, the prefix is not: the answer is wanted in %s.", e.unit().EN),
			ZH: fmt.Sprintf("数字对了，数量级不对：请以%s作答。", e.unit().ZH),
		}
	}
	return Grade{Wrong, slip, Text{EN: "not yet: " + hint.EN, ZH: "还不对：" + hint.ZH}}, nil
}

// dropped is for who has divided whole numbers in Go, as on a pocket calculator.
var dropped = Text{
	EN: "it is not 0. If you wrote a quotient: between whole numbers Go drops the remainder, and 2/3 is 0. Write 2.0/3.",
	ZH: "不是 0。如果写的是除式：Go 的整数相除会丢掉余数，2/3 等于 0。要写成 2.0/3。",
}

// check is what Grade needs of an exercise that somebody else has written.
func (e Exercise) check() error {
	switch {
	case e.Answer == nil:
		return e.bad("no Answer: want a function that computes it")
	case len(e.Hints) == 0:
		return e.bad("no Hints: want one or more")
	case !(e.Tolerance >= 0 && e.Tolerance < 1):
		return e.bad("Tolerance %g: want a share from 0 to less than 1", e.Tolerance)
	}
	for i, s := range e.Slips {
		if s.Value == nil {
			return e.bad("slip %d has no Value: want a function that computes it", i)
		}
	}
	return nil
}

func (e Exercise) bad(format string, args ...any) error {
	return fmt.Errorf("exercise %q: %w: %s", e.ID, ErrExercise, fmt.Sprintf(format, args...))
}

func (e Exercise) hint(attempts int) Text {
	return e.Hints[min(attempts, len(e.Hints)-1)]
}

func (e Exercise) unit() Text {
	if e.Unit == "" {
		return Text{EN: "plain numbers", ZH: "纯数字"}
	}
	zh, ok := unitsZH[e.Unit]
	if !ok {
		zh = " " + e.Unit + " "
	}
	return Text{EN: e.Unit, ZH: zh}
}

// unitsZH are the units that Chinese has a word for.
var unitsZH = map[string]string{
	"tokens":          " token ",
	"thousand tokens": "千 token ",
	"million tokens":  "百万 token ",
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Abs(want)
}

// makers are the exercises in the order of the lessons, their numbers still to be
// drawn. A maker only draws and writes texts: what takes time waits for Answer.
var makers = []func(numbers) Exercise{
	firstCheck, context70B, friendsOnOneCard,
	roomFor70B, copiesBeside70B, oneOfTheWeights, writePrefill, breakEvenQuestions, cachedReading,
	evictionPrefill, cheaperTraining, nightTraining, weeklyTraining, firstChange, reuseWithCounts,
	logitOfToken, logitOfRandom, agentLayout, placesToForget,
	sleepBreakEven, stateInTokens, rowsMissed,
	waitingForOne,
}

// All returns the exercises with the lecture's numbers, in the order of the lessons.
func All() []Exercise { return Variant(0).All() }

// All returns the exercises with the variant's numbers.
func (v Variant) All() []Exercise {
	var all []Exercise
	for _, draw := range makers {
		e := draw(numbers{}) // for its name, from which its numbers are drawn
		if v != 0 {
			e = draw(v.numbers(e.ID))
		}
		e.Variant = v
		all = append(all, e)
	}
	return all
}

// Find returns the exercise with the name id and the lecture's numbers.
func Find(id string) (Exercise, error) { return Variant(0).Find(id) }

// Find returns the exercise with the name id and the variant's numbers. An unknown
// name is an error that lists the known ones.
func (v Variant) Find(id string) (Exercise, error) {
	var known []string
	for _, e := range v.All() {
		if e.ID == id {
			return e, nil
		}
		known = append(known, e.ID)
	}
	return Exercise{}, fmt.Errorf("%w %q: there are %s", ErrUnknown, id, strings.Join(known, ", "))
}

// Parts returns the exercises under a number of the lecture, "10.4" for 10.4a,
// 10.4b and 10.4c, or the one that has just this name.
func (v Variant) Parts(number string) ([]Exercise, error) {
	var parts []Exercise
	for _, e := range v.All() {
		if e.ID == number || group(e.ID) == number {
			parts = append(parts, e)
		}
	}
	if len(parts) == 0 {
		_, err := v.Find(number)
		return nil, err
	}
	return parts, nil
}
