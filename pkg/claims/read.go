package claims

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// ReadResults reads results and holds them against the rows that they are for.
// Every problem names file and line.
func ReadResults(file string, r io.Reader, rows []Row) (Results, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Results{}, fmt.Errorf("%s: %w", file, err)
	}
	p := resultsParser{file: file, data: data, known: byID(rows), lines: map[string]int{}}
	if err := p.parse(); err != nil {
		return Results{}, err
	}
	if err := errors.Join(p.problems...); err != nil {
		return Results{}, err
	}
	return p.out, nil
}

// resultsParser reads the two lists item by item, because encoding/json tells
// where it is only between items.
type resultsParser struct {
	file     string
	data     []byte
	dec      *json.Decoder
	known    map[string]Row
	lines    map[string]int // of each row
	problems []error
	out      Results
}

func (p *resultsParser) parse() error {
	var any json.RawMessage
	if err := json.Unmarshal(p.data, &any); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return fmt.Errorf("%s:%d: %w", p.file, p.line(syntax.Offset), err)
		}
		return fmt.Errorf("%s: %w", p.file, err)
	}
	p.dec = json.NewDecoder(bytes.NewReader(p.data))
	p.dec.DisallowUnknownFields()
	if err := p.expect(json.Delim('{')); err != nil {
		return err
	}
	if err := p.list("experiments", p.experiment); err != nil {
		return err
	}
	if err := p.list("rows", p.row); err != nil {
		return err
	}
	return p.expect(json.Delim('}'))
}

func (p *resultsParser) list(name string, one func(line int) error) error {
	if err := p.expect(name); err != nil {
		return err
	}
	if err := p.expect(json.Delim('[')); err != nil {
		return err
	}
	for p.dec.More() {
		start := p.dec.InputOffset()
		// The offset is before the comma and the white space that precede the item.
		start += int64(len(p.data[start:]) - len(bytes.TrimLeft(p.data[start:], ", \t\r\n")))
		if err := one(p.line(start)); err != nil {
			var wrong *json.UnmarshalTypeError
			at := start
			if errors.As(err, &wrong) {
				at += wrong.Offset - 1
			}
			return fmt.Errorf("%s:%d: %w", p.file, p.line(at), err)
		}
	}
	return p.expect(json.Delim(']'))
}

func (p *resultsParser) expect(want json.Token) error {
	got, err := p.dec.Token()
	if err != nil || got != want {
		return fmt.Errorf("%s:%d: found %v: want %v (an object with the lists experiments and rows, in this order)",
			p.file, p.line(p.dec.InputOffset()), got, want)
	}
	return nil
}

func (p *resultsParser) line(offset int64) int {
	return 1 + bytes.Count(p.data[:min(int(offset), len(p.data))], []byte("\n"))
}

func (p *resultsParser) bad(line int, format string, args ...any) {
	p.problems = append(p.problems, fmt.Errorf("%s:%d: %w", p.file, line, fmt.Errorf(format, args...)))
}

func (p *resultsParser) experiment(line int) error {
	var e StoredExperiment
	if err := p.dec.Decode(&e); err != nil {
		return err
	}
	switch _, again := p.out.experiment(e.Name); {
	case e.Name == "" || again:
		p.bad(line, "experiment %q: want a name of its own", e.Name)
	case e.Version < 1 || e.Seeds < 1 || e.Processor == "":
		p.bad(line, "experiment %q: want version, seeds and processor", e.Name)
	case e.Deterministic && e.Seeds != 1:
		p.bad(line, "experiment %q: %d seeds: a deterministic one has 1", e.Name, e.Seeds)
	}
	p.out.Experiments = append(p.out.Experiments, e)
	return nil
}

func (p *resultsParser) row(line int) error {
	var raw json.RawMessage
	if err := p.dec.Decode(&raw); err != nil {
		return err
	}
	var s StoredRow
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return err
	}
	if hasNull(raw) {
		// encoding/json would read it as 0.
		p.bad(line, "row %q: null among the values: want numbers", s.ID)
		return nil
	}
	if at, again := p.lines[s.ID]; again {
		p.bad(line, "id %q is taken by line %d", s.ID, at)
		return nil
	}
	p.lines[s.ID] = line
	if err := p.checkRow(s); err != nil {
		p.bad(line, "row %q: %w", s.ID, err)
		return nil
	}
	p.out.Rows = append(p.out.Rows, s)
	return nil
}

func hasNull(raw json.RawMessage) bool {
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.Token()
		if err != nil {
			return false
		}
		if token == nil {
			return true
		}
	}
}

func (p *resultsParser) checkRow(s StoredRow) error {
	row, ok := p.known[s.ID]
	if !ok {
		return errors.New("claims.csv has no row of that id")
	}
	e, ok := p.out.experiment(s.Experiment)
	if !ok {
		return fmt.Errorf("experiment %q is not among the experiments", s.Experiment)
	}
	if s.Verdict != Reproduced && s.Verdict != NotReproduced {
		return fmt.Errorf("verdict %q: want %q or %q", s.Verdict, Reproduced, NotReproduced)
	}
	return s.check(row, e)
}

// check holds the numbers against what the row judges and the experiment ran.
func (s StoredRow) check(row Row, e StoredExperiment) error {
	parts := max(1, len(s.Parts))
	if err := row.Judge.accepts(parts); err != nil {
		return err
	}
	if e.Seeds < 1 {
		return fmt.Errorf("%d seeds of experiment %q: want 1 or more", e.Seeds, e.Name)
	}
	if err := rectangle("values", s.Values, e.Seeds, parts); err != nil {
		return err
	}
	if len(s.Beside) == 0 && s.BesideValues == nil {
		return nil
	}
	return rectangle("beside_values", s.BesideValues, e.Seeds, len(s.Beside))
}

func rectangle(name string, values [][]float64, seeds, parts int) error {
	if len(values) != seeds {
		return fmt.Errorf("%d %s: want one list for each of %d seeds", len(values), name, seeds)
	}
	for seed, v := range values {
		if len(v) != parts {
			return fmt.Errorf("%s of seed %d: %d numbers, want %d", name, seed, len(v), parts)
		}
		if slices.ContainsFunc(v, math.IsNaN) {
			return fmt.Errorf("%s of seed %d: not a number", name, seed)
		}
	}
	return nil
}
