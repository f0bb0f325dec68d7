package exercise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"memlab/pkg/random"
)

// A Variant says whose numbers an exercise has: 0 the lecture's, any other one a
// student's. Of the 16 answers of notebook 10 one is right for another student as
// well, on average over 1,000 students, most often a small count; no two of these
// have all answers alike.
type Variant uint32

// VariantOf turns a student's name or number into a variant: a text, or any whole
// number. Upper and lower case, spaces around and between, and the wide digits and
// letters of a Chinese keyboard make no difference. An empty text has the lecture's
// numbers. Two students of a class of 1,000 share a variant with a probability of
// one in 8,600.
func VariantOf(who any) (Variant, error) {
	var name string
	switch who := who.(type) {
	case string:
		name = who
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		name = fmt.Sprint(who)
	default:
		return 0, fmt.Errorf("exercise: %w %v (%T): want a text such as \"student 12\", or a whole number", ErrWho, who, who)
	}
	if !utf8.ValidString(name) {
		return 0, fmt.Errorf("exercise: %w %q: want a text in UTF-8", ErrWho, name)
	}
	name = strings.Join(strings.Fields(strings.Map(narrow, name)), " ")
	if name == "" {
		return 0, nil
	}
	draw := random.Seed(0).Stream("exercise", "student", name)
	v := draw.Uint32()
	for v == 0 { // the lecture's
		v = draw.Uint32()
	}
	return Variant(v), nil
}

// narrow folds what looks the same to a reader.
func narrow(r rune) rune {
	const wide, last, shift = '！', '～', '！' - '!'
	if wide <= r && r <= last {
		r -= shift
	}
	return unicode.ToLower(r)
}

// numbers is where the numbers of an exercise are drawn from.
type numbers struct{ r *rand.Rand } // nil: they are the lecture's

// numbers of a variant are one stream for all parts of an exercise, which draw the
// same ones as long as they draw in the same order.
func (v Variant) numbers(id string) numbers {
	return numbers{random.Seed(v).Stream("exercise", group(id))}
}

// group is the lecture's number of an exercise: "10.4" of "10.4b".
func group(id string) string {
	return strings.TrimRightFunc(id, unicode.IsLetter)
}

// pick gives the lecture's value, or to a student any one of all.
func pick[T any](n numbers, lecture T, others ...T) T {
	if n.r == nil {
		return lecture
	}
	if i := n.r.IntN(1 + len(others)); i > 0 {
		return others[i-1]
	}
	return lecture
}

// one is an answer that is known when the exercise is made.
func one(x float64) func() (float64, error) { return func() (float64, error) { return x, nil } }

// count writes a whole number with its thousands parted.
func count[T int | float64](n T) string {
	digits := strconv.FormatFloat(math.Round(float64(n)), 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// about rounds to three significant digits, as a question states a number.
func about(x float64) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return math.Round(x/unit) * unit
}

// both is a sentence whose numbers are the same in both languages.
func both(en, zh string, args ...any) Text {
	return Text{EN: fmt.Sprintf(en, args...), ZH: fmt.Sprintf(zh, args...)}
}
