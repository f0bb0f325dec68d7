package costmodel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// fields reads a config.json field by field and remembers every problem, so
// that a user sees all missing fields at once and not one per attempt.
type fields struct {
	where    string
	values   map[string]json.RawMessage
	defaults map[string]int    // values the architecture's class would fill in
	rename   map[string]string // canonical name -> this architecture's name
	problems []error
	notes    []string
}

func (f *fields) problem(kind error, field, problem, want string) {
	for _, p := range f.problems {
		if e := (*FieldError)(nil); errors.As(p, &e) && e.Field == field && e.Problem == problem {
			return // asked for twice
		}
	}
	f.problems = append(f.problems, &FieldError{Where: f.where, Field: field, Problem: problem, Want: want, Kind: kind})
}

func (f *fields) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

func (f *fields) err() error { return errors.Join(f.problems...) }

// raw finds the first of the names that is present and not null.
func (f *fields) raw(names ...string) (name string, value json.RawMessage) {
	for _, n := range names {
		if r, ok := f.rename[n]; ok {
			n = r
		}
		if v, ok := f.values[n]; ok && string(v) != "null" {
			return n, v
		}
	}
	return "", nil
}

func (f *fields) has(names ...string) bool {
	_, v := f.raw(names...)
	return v != nil
}

// null says whether a field is there, but null: then the architecture's class
// does not fill in its default.
func (f *fields) null(names ...string) bool {
	for _, n := range names {
		if string(f.values[f.shown(n)]) == "null" {
			return true
		}
	}
	return false
}

// fallback is the architecture's default, if none of the names is in the file.
func (f *fields) fallback(names ...string) (name string, value int, ok bool) {
	if f.has(names...) || f.null(names...) {
		return "", 0, false
	}
	for _, n := range names {
		if v, ok := f.defaults[n]; ok {
			return n, v, true
		}
	}
	return "", 0, false
}

// absence words a note on a field without a value.
func (f *fields) absence(name string) string {
	if f.null(name) {
		return f.shown(name) + " null"
	}
	return f.shown(name) + " absent"
}

// shown is the field's name as this architecture spells it.
func (f *fields) shown(name string) string {
	if r, ok := f.rename[name]; ok {
		return r
	}
	return name
}

// limit is the largest value that is still believable for a field: far above
// any model, and small enough that no product of them overflows.
func limit(name string) int {
	switch {
	case strings.Contains(name, "layer"), strings.HasSuffix(name, "_freq"), strings.HasSuffix(name, "_step"), strings.HasSuffix(name, "_replace"):
		return 4096
	case strings.Contains(name, "window"), strings.Contains(name, "position"), strings.Contains(name, "chunk"):
		return maxTokens
	case strings.Contains(name, "vocab"), strings.Contains(name, "intermediate"), strings.Contains(name, "ffn"):
		return 1 << 26
	}
	return 1 << 20
}

// parseInt accepts 32 and 32.0 but neither 32.5 nor "32".
func parseInt(raw json.RawMessage) (int, bool) {
	text := string(bytes.TrimSpace(raw))
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return int(v), true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return 0, false
	}
	return int(v), true
}

// clip keeps an error message readable when the value is a whole document.
func clip(raw []byte) string {
	if len(raw) > 60 {
		return printable(strings.ToValidUTF8(string(raw[:57]), "")) + "..."
	}
	return printable(string(raw))
}

// printable leaves out what could steer a terminal: control characters and
// those that change the direction of writing.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s)
}

// intAtLeast reads an optional integer; absent gives false without a problem.
func (f *fields) intAtLeast(least int, names ...string) (int, bool) {
	name, raw := f.raw(names...)
	if raw == nil {
		n, v, ok := f.fallback(names...)
		if ok {
			f.note("%s absent: %d, the default of this architecture", f.shown(n), v)
		}
		return v, ok
	}
	v, ok := parseInt(raw)
	if !ok || v < least || v > limit(names[0]) {
		f.problem(ErrBadField, name, clip(raw), fmt.Sprintf("an integer from %d to %d", least, limit(names[0])))
		return least, false
	}
	return v, true
}

// need reads a positive integer that must be there.
func (f *fields) need(meaning string, names ...string) int {
	v, ok := f.intAtLeast(1, names...)
	if !ok && !f.has(names...) {
		f.problem(ErrMissingField, f.shown(names[0]), "is missing", "a positive integer: "+meaning)
		return 1
	}
	return max(v, 1)
}

// perLayer reads a field that is one integer or a list with one per layer.
func (f *fields) perLayer(layers int, meaning string, names ...string) []int {
	name, raw := f.raw(names...)
	if raw == nil || raw[0] != '[' {
		v := f.need(meaning, names...)
		return repeat(v, layers)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || len(list) != layers {
		f.problem(ErrBadField, name, fmt.Sprintf("has %d entries", len(list)), fmt.Sprintf("one positive integer or a list of %d, one per layer", layers))
		return repeat(1, layers)
	}
	out := make([]int, layers)
	for i, r := range list {
		v, ok := parseInt(r)
		if !ok || v < 1 || v > limit(names[0]) {
			f.problem(ErrBadField, fmt.Sprintf("%s[%d]", name, i), clip(r), fmt.Sprintf("an integer from 1 to %d", limit(names[0])))
			return repeat(1, layers)
		}
		out[i] = v
	}
	return out
}

func repeat(v, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// truth reads a boolean; absent gives the architecture's value.
func (f *fields) truth(absent bool, names ...string) bool {
	name, raw := f.raw(names...)
	switch string(raw) {
	case "":
		return absent
	case "true":
		return true
	case "false":
		return false
	}
	f.problem(ErrBadField, name, clip(raw), "true or false")
	return absent
}

// text reads a string; absent gives "".
func (f *fields) text(names ...string) string {
	name, raw := f.raw(names...)
	if raw == nil {
		return ""
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		f.problem(ErrBadField, name, clip(raw), "a string")
	}
	return s
}

// texts reads a list of strings; absent gives nil.
func (f *fields) texts(names ...string) []string {
	name, raw := f.raw(names...)
	if raw == nil {
		return nil
	}
	var s []string
	if err := json.Unmarshal(raw, &s); err != nil {
		f.problem(ErrBadField, name, clip(raw), "a list of strings")
	}
	return s
}

// ints reads a list of integers (layer numbers); absent gives nil.
func (f *fields) ints(names ...string) []int {
	name, raw := f.raw(names...)
	if raw == nil {
		return nil
	}
	var s []int
	if err := json.Unmarshal(raw, &s); err != nil {
		f.problem(ErrBadField, name, clip(raw), "a list of layer numbers")
	}
	return s
}
