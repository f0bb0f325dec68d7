package costmodel

import (
	"errors"
	"strings"
	"testing"
)

func TestKeysThatAreThereTwice(t *testing.T) {
	for input, key := range map[string]string{
		`{"hidden_size": 1, "model_type": "llama", "hidden_size": 2}`:                         "hidden_size is there twice",
		`{"model_type": "gemma3", "text_config": {"head_dim": 1, "a": {}, "head_dim": null}}`: "text_config.head_dim is there twice",
	} {
		if _, err := readString(input); !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: got %v, want %q", input, err, key)
		}
	}
}

func TestInputsSayWhatTheyAre(t *testing.T) {
	file := edited(t, "llama-3-8b", nil)
	if m := must(readString("\xef\xbb\xbf" + file))(t); m.Parameters != 8030261248 {
		t.Errorf("behind a byte order mark: %d parameters", m.Parameters)
	}
	for input, want := range map[string]string{
		"\xff\xfe{\x00}\x00": "is UTF-16 text: want UTF-8 text",
		"\xfe\xff\x00{\x00}": "is UTF-16 text: want UTF-8 text",
		"{\x00}\x00":         "is UTF-16 text: want UTF-8 text",
		"\x00{\x00}":         "is UTF-16 text: want UTF-8 text",
		"\xef\xbb\xbf":       "is empty: want a JSON object",
		"[1]":                "is a list: want a JSON object",
		"7":                  "is a number: want a JSON object",
		"true":               "is a boolean: want a JSON object",
		`"x"`:                "is a string: want a JSON object",
		"null":               "is null: want a JSON object",
		`{"a":`:              "is not valid",
	} {
		_, err := readString(input)
		if !errors.Is(err, ErrBadField) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go value") {
			t.Errorf("%q: got %v, want %q", input, err, want)
		}
	}
}

func TestNamesCannotSteerATerminal(t *testing.T) {
	for name, want := range map[string]string{
		"\x1b[31mred\x07\u202e\u009b": "[31mred",
		"\x1b\x00":                    "llama",
		"meta-llama/Llama 3 · é 模型":   "meta-llama/Llama 3 · é 模型",
	} {
		m := must(readString(edited(t, "llama-3-8b", set{"_name": nil, "_name_or_path": name})))(t)
		if m.Name != want {
			t.Errorf("%q became %q, want %q", name, m.Name, want)
		}
		if noted := strings.Contains(strings.Join(m.Notes, "\n"), "control characters"); noted != (name != want) {
			t.Errorf("%q: notes %q", name, m.Notes)
		}
	}
	_, err := readString(edited(t, "llama-3-8b", set{"num_hidden_layers": "\u009b31m"}))
	if err == nil || strings.Contains(err.Error(), "\u009b") {
		t.Errorf("got %q, want an error without the control character", err)
	}
}

func TestUnknownArchitecturesNameTheFlag(t *testing.T) {
	_, err := readString(edited(t, "llama-3-8b", set{"model_type": "martian"}))
	if err == nil || !strings.Contains(err.Error(), "ReadConfigAs (--as on the command line)") {
		t.Errorf("got %v", err)
	}
}
