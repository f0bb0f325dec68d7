package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Tokenizer turns text into token ids; equal text must give equal ids.
type Tokenizer interface {
	Encode(text string) []int
}

// Approximate is the tokenizer of whoever has none: one token per four ASCII
// characters and one per any other character, which is about right for English
// and Chinese and wrong for code and rare scripts. The ids are made of the
// characters themselves, so equal ids mean equal text.
type Approximate struct{}

// Encode implements Tokenizer.
func (Approximate) Encode(text string) []int {
	tokens := make([]int, 0, len(text)/3+1)
	packed, n := 0, 0
	flush := func() {
		if n > 0 {
			tokens = append(tokens, packed)
			packed, n = 0, 0
		}
	}
	for _, r := range text {
		if r >= 0x80 {
			flush()
			tokens = append(tokens, int(r)<<32)
			continue
		}
		packed, n = packed<<8|int(r)|1<<31, n+1
		if n == 4 {
			flush()
		}
	}
	flush()
	return tokens
}

// chat turns messages into tokens.
type chat struct {
	tokenizer   Tokenizer
	approximate bool
	skipped     int // parts of messages that are no text
}

func newChat(t Tokenizer) *chat {
	if t == nil {
		return &chat{tokenizer: Approximate{}, approximate: true}
	}
	return &chat{tokenizer: t}
}

func (c *chat) notes() []string {
	notes := []string{"prompts are laid out as <|im_start|>role, newline, content, <|im_end|>, newline for each message; the template of the served model may differ by a few tokens per message"}
	if c.approximate {
		notes = append(notes, "no tokenizer given: one token is counted per four ASCII characters and per other character, so token counts are approximate; what is shared and what is not is exact to within a token")
	}
	if c.skipped > 0 {
		notes = append(notes, fmt.Sprintf("%d parts of messages that are not text (images, audio, files) were left out", c.skipped))
	}
	return notes
}

type logLine struct {
	chatRequest
	Body      *chatRequest `json:"body"`
	Request   *chatRequest `json:"request"`
	Response  *response    `json:"response"`
	Timestamp *float64     `json:"timestamp"`
}

type chatRequest struct {
	Messages  []message       `json:"messages"`
	Tools     json.RawMessage `json:"tools"`
	CacheSalt string          `json:"cache_salt"`
}

type message struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls json.RawMessage `json:"tool_calls"`
}

// response is a chat completion, or a batch's log of one (with body).
type response struct {
	Body    *response `json:"body"`
	Choices []struct {
		Message message `json:"message"`
	} `json:"choices"`
}

// line reads one line of a log.
func (c *chat) line(line []byte) (r Request, problem string) {
	var l logLine
	if err := json.Unmarshal(line, &l); err != nil {
		return r, jsonProblem(err)
	}
	if !utf8.Valid(line) { // JSON reads any two wrong bytes as the same character
		return r, "not UTF-8: want text in UTF-8"
	}
	if problem := twice(line, true); problem != "" {
		return r, problem
	}
	request := &l.chatRequest
	for _, other := range []*chatRequest{l.Body, l.Request} {
		switch {
		case other == nil:
		case len(request.Messages) > 0:
			return r, "more than one of messages, body and request: want one request per line"
		default:
			request = other
		}
	}
	if len(request.Messages) == 0 {
		return r, "no messages: want 1 or more"
	}
	if tools := compact(request.Tools); tools != "" {
		r.Tokens = append(r.Tokens, c.encode("<|im_start|>tools\n"+tools+"<|im_end|>\n")...)
	}
	for i, m := range request.Messages {
		if m.Role == "" {
			return r, fmt.Sprintf("message %d has no role", i)
		}
		text, err := c.text(m)
		if err != "" {
			return r, fmt.Sprintf("message %d: %s", i, err)
		}
		r.Tokens = append(r.Tokens, c.message(m.Role, text)...)
	}
	r.Tokens = append(r.Tokens, c.encode("<|im_start|>assistant\n")...)
	r.Tenant = request.CacheSalt
	if l.Timestamp != nil {
		if r.Timestamp = *l.Timestamp; r.Timestamp < 0 {
			return r, fmt.Sprintf("timestamp %g: want 0 or more", r.Timestamp)
		}
	}
	answer := l.Response
	if answer != nil && answer.Body != nil {
		answer = answer.Body
	}
	if answer != nil && len(answer.Choices) > 0 {
		text, err := c.text(answer.Choices[0].Message)
		if err != "" {
			return r, "response: " + err
		}
		r.Output = append(c.encode(text), c.encode("<|im_end|>\n")...)
	}
	r.OutputTokens = len(r.Output)
	return r, ""
}

// message encodes header, content and end apart, as special tokens do.
func (c *chat) message(role, text string) []int {
	tokens := c.encode("<|im_start|>" + role + "\n")
	tokens = append(tokens, c.encode(text)...)
	return append(tokens, c.encode("<|im_end|>\n")...)
}

func (c *chat) encode(text string) []int { return c.tokenizer.Encode(text) }

// text is the content of a message: a string, or a list of parts.
func (c *chat) text(m message) (text, problem string) {
	var b strings.Builder
	var plain string
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	switch {
	case len(m.Content) == 0 || string(m.Content) == "null":
	case json.Unmarshal(m.Content, &plain) == nil:
		b.WriteString(plain)
	case json.Unmarshal(m.Content, &parts) == nil:
		for _, p := range parts {
			if p.Text == nil {
				c.skipped++
				continue
			}
			b.WriteString(*p.Text)
		}
	default:
		return "", "content is neither a string nor a list of parts"
	}
	b.WriteString(compact(m.ToolCalls))
	return b.String(), ""
}

// compact is the value without white space, so that one and the same value is
// the same tokens however it was written; "" for null and an empty list, which
// clients write for none.
func compact(value json.RawMessage) string {
	var b bytes.Buffer
	if len(value) == 0 || json.Compact(&b, value) != nil || b.String() == "null" || b.String() == "[]" {
		return ""
	}
	return b.String()
}

// twice names a key that an object of the line has twice, since encoding/json
// would mix the two values. It looks only where messages may be: in the line
// itself and, if outer, in its body or request.
func twice(line []byte, outer bool) string {
	if bytes.Count(line, []byte(`"messages"`)) < 2 && bytes.Count(line, []byte(`"body"`)) < 2 && bytes.Count(line, []byte(`"request"`)) < 2 {
		return ""
	}
	s := scanner{text: line}
	inner := ""
	s.object(func(key []byte) bool {
		start := s.at
		if !s.once(string(key)) || !s.skip() {
			return false
		}
		if k := string(key); outer && (k == "body" || k == "request") && s.text[start] == '{' {
			inner = twice(s.text[start:s.at], false)
		}
		return inner == ""
	})
	return cmp.Or(inner, s.why)
}

// jsonProblem says what is wrong with a line without the names of Go's types.
func jsonProblem(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		field := strings.ReplaceAll(kind.Field, "chatRequest.", "")
		want := map[reflect.Kind]string{
			reflect.Float64: "a number", reflect.String: "text in quotes", reflect.Slice: "a list", reflect.Struct: "an object",
		}[kind.Type.Kind()]
		return fmt.Sprintf("%s is a %s: want %s", cmp.Or(field, "the line"), kind.Value, want)
	case errors.As(err, &syntax) && !strings.Contains(err.Error(), "unexpected end"):
		return fmt.Sprintf("byte %d: %v", syntax.Offset, err)
	}
	return "cut off in the middle: " + err.Error()
}
