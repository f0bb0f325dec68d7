package memgpt

import (
	"bytes"
	"encoding/json"
	"slices"

	"memlab/pkg/dialogue"
)

// The functions.
const (
	SendMessage    = "send_message"
	WorkingAppend  = "working_context.append"
	WorkingReplace = "working_context.replace"
	RecallSearch   = "recall_storage.search"
	ArchivalInsert = "archival_storage.insert"
	ArchivalSearch = "archival_storage.search"
)

// heartbeat is the argument that every function takes: call me again at once.
const heartbeat = "request_heartbeat"

// FunctionCall is a call as a model writes it.
type FunctionCall struct {
	Name string `json:"name"`
	// Arguments is a JSON object; whatever else a model wrote comes back as an
	// error.
	Arguments json.RawMessage `json:"arguments"`
	// Fact is what the text of an edit states, from a judge that knows it. It is
	// no part of the call: the toy's reader needs it.
	Fact *dialogue.Fact `json:"-"`
}

// NewCall is a call with arguments as they are written for a model: Chinese stays
// readable.
func NewCall(name string, arguments map[string]any) (FunctionCall, error) {
	text, err := encode(arguments)
	return FunctionCall{Name: name, Arguments: json.RawMessage(text)}, err
}

// Function describes a function to a model.
type Function struct {
	Name       string      `json:"name"`
	Text       string      `json:"description"`
	Parameters []Parameter `json:"parameters"`

	edits, searches bool
}

// Parameter is one argument.
type Parameter struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // string, integer or boolean
	Required bool   `json:"required"`
}

// Functions lists the functions that a judge can call.
func Functions() []Function {
	out := slices.Clone(functions)
	for i := range out {
		out[i].Parameters = slices.Clone(out[i].Parameters)
	}
	return out
}

var functions = []Function{
	{Name: SendMessage, Text: "Sends a message to the user.", Parameters: parameters("message")},
	{Name: WorkingAppend, Text: "Adds an entry to the working context.", Parameters: parameters("text"), edits: true},
	{
		Name: WorkingReplace, Text: "Replaces text of the working context, by nothing to delete it.",
		Parameters: parameters("old", "new"), edits: true,
	},
	{
		Name: RecallSearch, Text: "Searches all messages, a page at a time; the first page is 0.",
		Parameters: parameters("query", "page"), searches: true,
	},
	{Name: ArchivalInsert, Text: "Stores a text in archival storage.", Parameters: parameters("text"), edits: true},
	{
		Name: ArchivalSearch, Text: "Searches archival storage, a page at a time; the first page is 0.",
		Parameters: parameters("query", "page"), searches: true,
	},
}

// parameters are texts that must be there, the page, which need not, and the
// heartbeat.
func parameters(names ...string) []Parameter {
	var out []Parameter
	for _, n := range names {
		p := Parameter{Name: n, Type: "string", Required: true}
		if n == "page" {
			p = Parameter{Name: n, Type: "integer"}
		}
		out = append(out, p)
	}
	return append(out, Parameter{Name: heartbeat, Type: "boolean"})
}

// encode writes JSON for a model: one line, in UTF-8, without escapes that cost
// tokens and that a weak model copies.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}
