package claims

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"memlab/datasets"
)

// Kind says who is responsible for a number.
type Kind string

// The kinds of rows.
const (
	Own   Kind = "own"   // the lecture's: computed again here
	Paper Kind = "paper" // a paper's: quoted, never computed
)

// Basis says what it is worth that a number comes out.
type Basis string

// The bases of own rows, from the least to the most telling.
const (
	Derived   Basis = "derived"   // arithmetic on what the lecture gives
	Fitted    Basis = "fitted"    // parameters were chosen so that it comes out
	Predicted Basis = "predicted" // comes out without a parameter chosen for it
)

// Bases lists the bases in the order of a scoreboard.
func Bases() []Basis { return []Basis{Derived, Fitted, Predicted} }

// MarshalJSON writes null for the missing basis of a quoted row.
func (b Basis) MarshalJSON() ([]byte, error) {
	if b == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(b))
}

// Row is one number that the lecture prints. LectureValue and Tolerance are nil
// where the lecture prints words or several numbers. The fields without a JSON
// name describe the row to people.
type Row struct {
	ID           string   `json:"id"`
	Section      string   `json:"section"`
	Kind         Kind     `json:"kind"`
	Basis        Basis    `json:"basis"`
	Lecture      string   `json:"lecture"`
	LectureValue *float64 `json:"lecture_value"`
	Tolerance    *float64 `json:"tolerance"`

	Quantity string `json:"-"`
	Unit     string `json:"-"`
	Judge    Judge  `json:"-"`
	Note     string `json:"-"` // what the number alone does not say
}

// Rows returns the rows of datasets/claims.csv.
func Rows() ([]Row, error) {
	return ReadRows("datasets/claims.csv", bytes.NewReader(datasets.Claims))
}

var rowColumns = []string{
	"id", "section", "quantity", "unit", "lecture", "lecture_value", "tolerance", "kind", "judged", "basis", "note",
}

// ReadRows reads rows and reports everything that is wrong with them at once,
// each problem with file and line.
func ReadRows(file string, r io.Reader) ([]Row, error) {
	var rows []Row
	var problems []error
	first := map[string]int{} // the line of each id
	err := eachRecord(file, r, rowColumns, func(line int, cell map[string]string) {
		row, err := parseRow(cell)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %q: %w", file, line, cell["id"], err))
			return
		}
		if at, ok := first[row.ID]; ok {
			problems = append(problems, fmt.Errorf("%s:%d: id %q is taken by line %d", file, line, row.ID, at))
			return
		}
		first[row.ID] = line
		rows = append(rows, row)
	})
	if err := errors.Join(append(problems, err)...); err != nil {
		return nil, err
	}
	return rows, nil
}

func parseRow(cell map[string]string) (Row, error) {
	row := Row{
		ID: cell["id"], Section: cell["section"], Quantity: cell["quantity"], Unit: cell["unit"],
		Kind: Kind(cell["kind"]), Basis: Basis(cell["basis"]), Lecture: cell["lecture"], Note: cell["note"],
	}
	for _, name := range []string{"id", "section", "quantity", "unit", "lecture"} {
		if cell[name] == "" {
			return row, fmt.Errorf("%s is empty", name)
		}
	}
	if _, err := parseSection(row.Section); err != nil {
		return row, err
	}
	var err error
	if row.LectureValue, err = optionalNumber("lecture_value", cell["lecture_value"]); err != nil {
		return row, err
	}
	if row.Tolerance, err = optionalNumber("tolerance", cell["tolerance"]); err != nil {
		return row, err
	}
	if row.Tolerance != nil && *row.Tolerance < 0 {
		return row, fmt.Errorf("tolerance %g: want 0 or more", *row.Tolerance)
	}
	if row.Judge, err = ParseJudge(cell["judged"], row.LectureValue, row.Tolerance); err != nil {
		return row, err
	}
	quoted := row.Judge.Rule == Quoted
	switch {
	case row.Kind != Own && row.Kind != Paper:
		return row, fmt.Errorf("kind %q: want own or paper", row.Kind)
	case quoted != (row.Kind == Paper):
		return row, fmt.Errorf("judged %q for kind %s: papers' numbers are quoted, own ones are not", cell["judged"], row.Kind)
	case quoted && row.Basis != "":
		return row, fmt.Errorf("basis %q: a quoted number has none", row.Basis)
	case !quoted && !slices.Contains(Bases(), row.Basis):
		return row, fmt.Errorf("basis %q: want derived, fitted or predicted", row.Basis)
	}
	return row, nil
}

// optionalNumber reads a finite number, or nil from an empty cell.
func optionalNumber(column, text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	x, err := finite(text)
	if err != nil {
		return nil, fmt.Errorf("%s %q: want a number or nothing", column, text)
	}
	return &x, nil
}

func finite(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = strconv.ErrRange
	}
	return x, err
}

// eachRecord reads a CSV file with exactly these columns, in any order, and
// passes on each record by the names of its columns.
func eachRecord(file string, r io.Reader, columns []string, record func(line int, cell map[string]string)) error {
	c := csv.NewReader(r)
	names, err := c.Read()
	if err != nil {
		return fmt.Errorf("%s:1: no line with the names of the columns: %w", file, err)
	}
	if !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(columns))) {
		return fmt.Errorf("%s:1: columns %s: want %s", file, strings.Join(names, ","), strings.Join(columns, ","))
	}
	for {
		cells, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return fmt.Errorf("%s:%d: %w", file, syntax.Line, syntax.Err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		line, _ := c.FieldPos(0)
		cell := map[string]string{}
		for i, name := range names {
			cell[name] = cells[i]
		}
		record(line, cell)
	}
}

// parseSection splits "10.1" into 10 and 1.
func parseSection(s string) (at [2]int, err error) {
	chapter, section, ok := strings.Cut(s, ".")
	if ok {
		at[0], err = strconv.Atoi(chapter)
		if err == nil {
			at[1], err = strconv.Atoi(section)
		}
	}
	if !ok || err != nil || at[0] < 0 || at[1] < 0 {
		return at, fmt.Errorf("section %q: want chapter.section, e.g. 10.1", s)
	}
	return at, nil
}

// Sections lists the sections that rows come from, in the lecture's order.
func Sections(rows []Row) []string {
	var out []string
	for _, r := range rows {
		if !slices.Contains(out, r.Section) {
			out = append(out, r.Section)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		x, errX := parseSection(a)
		y, errY := parseSection(b)
		if errX != nil || errY != nil {
			return cmp.Compare(a, b)
		}
		return slices.Compare(x[:], y[:])
	})
	return out
}

// InSection returns the rows of one section; an unknown section gives an error
// that lists the known ones.
func InSection(rows []Row, section string) ([]Row, error) {
	var out []Row
	for _, r := range rows {
		if r.Section == section {
			out = append(out, r)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("claims: no section %q: want one of %s", section, strings.Join(Sections(rows), ", "))
	}
	return out, nil
}
