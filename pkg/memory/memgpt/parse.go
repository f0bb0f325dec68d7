package memgpt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// arguments are those of a call that was found right.
type arguments struct {
	text      map[string]string
	page      int
	heartbeat bool
}

// parse checks a call strictly: nothing is guessed, repaired or passed over.
// After an error the heartbeat is no longer of interest: a failure chains anyway.
func parse(c FunctionCall) (*Function, arguments, error) {
	i := slices.IndexFunc(functions, func(f Function) bool { return f.Name == c.Name })
	if i < 0 {
		names := make([]string, len(functions))
		for j := range functions {
			names[j] = functions[j].Name
		}
		return nil, arguments{}, fmt.Errorf("unknown function %q: want one of %s", c.Name, strings.Join(names, ", "))
	}
	f := &functions[i]
	args, err := f.arguments(c.Arguments)
	if err != nil {
		return f, arguments{}, fmt.Errorf("%s: %w", f.Name, err)
	}
	return f, args, nil
}

func (f *Function) arguments(raw []byte) (arguments, error) {
	a := arguments{text: make(map[string]string, 2)}
	if !utf8.Valid(raw) {
		return a, errors.New("arguments are not valid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return a, errors.New("arguments: want a JSON object")
	}
	var given [4]string // no function has more parameters
	seen := given[:0]
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return a, notJSON(err)
		}
		if slices.Contains(seen, name) {
			return a, fmt.Errorf("argument %q is given twice", name)
		}
		seen = append(seen, name)
		value, err := d.Token()
		if err != nil {
			return a, notJSON(err)
		}
		if err := f.take(&a, name, value, raw); err != nil {
			return a, err
		}
	}
	if _, err := d.Token(); err != nil {
		return a, notJSON(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return a, errors.New("arguments: text after the JSON object")
	}
	for _, p := range f.Parameters {
		if p.Required && !slices.Contains(seen, p.Name) {
			return a, fmt.Errorf("argument %q (%s) is missing", p.Name, p.Type)
		}
	}
	return a, nil
}

func notJSON(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("arguments are not JSON: %w", err)
}

func (f *Function) take(a *arguments, name string, value json.Token, raw []byte) error {
	i := slices.IndexFunc(f.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return fmt.Errorf("unknown argument %q", name)
	}
	switch v := value.(type) {
	case string:
		if f.Parameters[i].Type != "string" {
			break
		}
		if broken(v, raw) {
			return fmt.Errorf("argument %q: half of a surrogate pair", name)
		}
		if name != "new" && strings.TrimSpace(v) == "" {
			return fmt.Errorf("argument %q is empty", name)
		}
		a.text[name] = v
		return nil
	case json.Number:
		n, err := strconv.Atoi(v.String())
		if f.Parameters[i].Type != "integer" || err != nil {
			return fmt.Errorf("argument %q: %s: want %s", name, short(v.String(), 40), f.Parameters[i].Type)
		}
		a.page = n
		return nil
	case bool:
		if f.Parameters[i].Type == "boolean" {
			a.heartbeat = v
			return nil
		}
	}
	return fmt.Errorf("argument %q is %s: want %s", name, kindOf(value), f.Parameters[i].Type)
}

// broken reports a half surrogate, which decoding turned into U+FFFD.
func broken(s string, raw []byte) bool {
	return strings.ContainsRune(s, utf8.RuneError) &&
		!bytes.ContainsRune(raw, utf8.RuneError) && !bytes.Contains(bytes.ToLower(raw), []byte(`\ufffd`))
}

func kindOf(t json.Token) string {
	switch t := t.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Delim:
		if t == '[' {
			return "an array"
		}
		return "an object"
	}
	return "null"
}

// short cuts a text after n characters.
func short(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}
