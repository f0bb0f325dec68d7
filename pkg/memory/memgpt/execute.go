package memgpt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// Result is what came of a function call.
type Result struct {
	Function  string `json:"function"`
	Arguments string `json:"arguments"` // readable: without escapes that JSON does not need
	OK        bool   `json:"ok"`
	Heartbeat bool   `json:"heartbeat,omitempty"` // the model asked to be called again
	// Text is what the model is given: a line of JSON.
	Text string `json:"text"`
	// Found is what a search found, of which page of how many.
	Found []Record `json:"found,omitempty"`
	Page  int      `json:"page,omitempty"`
	Pages int      `json:"pages,omitempty"`
	// Query is what was searched for.
	Query string `json:"query,omitempty"`

	sent string // the message to the user
}

// Message is what somebody said; nil of a passage.
func (r *Record) Message() *dialogue.Message { return r.message }

// payload is a result as the model reads it.
type payload struct {
	Status  string   `json:"status"`
	Message string   `json:"message,omitempty"`
	Page    *int     `json:"page,omitempty"`
	Pages   int      `json:"pages,omitempty"`
	Results []Record `json:"results,omitempty"`
}

func named(function string) *Function {
	for i := range functions {
		if functions[i].Name == function {
			return &functions[i]
		}
	}
	return nil
}

// readable is the arguments in one line, in UTF-8 and without needless escapes,
// if they are JSON; else as they are.
func readable(raw []byte) string {
	if !bytes.Contains(raw, []byte(`\u`)) {
		var b bytes.Buffer
		if json.Compact(&b, raw) == nil {
			return b.String()
		}
		return string(bytes.ToValidUTF8(raw, []byte("\uFFFD")))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil && !d.More() {
		if text, err := encode(v); err == nil {
			return text
		}
	}
	return string(bytes.ToValidUTF8(raw, []byte("\uFFFD")))
}

// carryOut executes the calls of a reply and shows the model what came of them.
// It says whether another step must follow.
func (m *Memory) carryOut(ctx context.Context, c *chain, s *Step, reply *Reply) (more bool, err error) {
	if len(reply.Calls) == 0 && c.event.waits() && !c.sent {
		r := failed(&FunctionCall{}, errors.New("nothing was called: call "+SendMessage+" to reply"))
		return true, m.give(c, s, &r)
	}
	for i := range reply.Calls {
		call := &reply.Calls[i]
		c.called++
		if c.tokens+m.callTokens(call)+m.Result > m.limit(c) {
			m.stop(c, StoppedByWindow)
			return false, nil
		}
		m.stats.Calls++
		r, err := m.execute(ctx, c, call)
		if err != nil {
			return false, err
		}
		if err := m.showCall(c, call, &r); err != nil {
			return false, err
		}
		if err := m.give(c, s, &r); err != nil || c.stopped != "" {
			return false, err
		}
		more = more || !r.OK || r.Heartbeat || named(call.Name).searches
	}
	return more || c.event.waits() && !c.sent, nil
}

// showCall puts a call where the model sees it. A message to the user is one
// that was said: it goes into recall storage too.
func (m *Memory) showCall(c *chain, call *FunctionCall, r *Result) error {
	item := serving.Item{Kind: "call", Name: c.name(0), Tokens: m.callTokens(call)}
	line := Line{Role: "assistant", Text: call.Name + " " + r.Arguments, tokens: item.Tokens}
	if r.sent != "" {
		c.sent = true
		if c.trace != nil {
			c.trace.Sent = append(c.trace.Sent, r.sent)
		}
		if c.queued {
			line.Text, line.Message = r.sent, m.said(c, r.sent, item.Tokens)
		}
	}
	return m.show(c, item, line)
}

// said enters a message of the agent into recall storage.
func (m *Memory) said(c *chain, text string, tokens int) *dialogue.Message {
	msg := &dialogue.Message{ID: "reply " + c.name(0), Role: dialogue.Assistant, Text: text, Tokens: tokens}
	if e := c.event.Message; e != nil {
		msg.Session, msg.Time = e.Session, e.Time
	}
	for {
		if _, taken := m.recall.at[msg.ID]; !taken {
			break
		}
		msg.ID += "'"
	}
	m.recall.add(Record{ID: msg.ID, Time: msg.Time, Role: string(msg.Role), Text: text, tokens: tokens, message: msg})
	return msg
}

// give gives a result to the model, or says that it is too long.
func (m *Memory) give(c *chain, s *Step, r *Result) error {
	tokens := m.resultTokens(r)
	if room := m.limit(c) - c.tokens; r.sent == "" && tokens > room {
		*r = Result{Function: r.Function, Arguments: r.Arguments}
		r.fail(fmt.Errorf("the result has %d tokens, and there is room for %d", tokens, room))
		tokens = m.resultTokens(r)
		if tokens > room {
			m.stop(c, StoppedByWindow)
			return nil
		}
	}
	if !r.OK {
		m.stats.Failed++
	}
	c.results = append(c.results, *r)
	s.Calls = append(s.Calls, *r)
	if r.sent != "" {
		return nil // nothing to tell
	}
	item := serving.Item{Kind: "result", Name: c.name(0), Version: len(c.results), Tokens: tokens}
	return m.show(c, item, Line{Role: "function", Text: r.Text, tokens: tokens})
}

func (m *Memory) resultTokens(r *Result) int {
	n := m.size(r.Text, m.Result)
	if m.Count == nil {
		for i := range r.Found {
			n += r.Found[i].tokens
		}
	}
	return n
}

// show puts a line at the end of the chain's prompts.
func (m *Memory) show(c *chain, item serving.Item, line Line) error {
	c.tokens += item.Tokens
	if c.queued {
		return m.push(item, line)
	}
	c.tail = append(c.tail, item)
	return nil
}

func failed(call *FunctionCall, err error) Result {
	r := Result{Function: call.Name, Arguments: readable(call.Arguments)}
	r.fail(err)
	return r
}

func (r *Result) fail(err error) {
	r.OK = false
	// A payload of text can always be encoded.
	r.Text, _ = encode(payload{Status: "Failed", Message: "Error: " + strings.TrimPrefix(err.Error(), "retrieve: ")})
}

// execute carries out a call. An error of its own making is a result; one of the
// embedder is an error.
func (m *Memory) execute(ctx context.Context, c *chain, call *FunctionCall) (Result, error) {
	f, args, err := parse(*call)
	if err != nil {
		return failed(call, err), nil
	}
	if f.edits && c.readOnly {
		return failed(call, fmt.Errorf("%s: a question changes nothing", f.Name)), nil
	}
	r := Result{Function: f.Name, Arguments: readable(call.Arguments), OK: true, Heartbeat: args.heartbeat}
	p := payload{Status: "OK"}
	switch f.Name {
	case SendMessage:
		r.sent = args.text["message"]
	case WorkingAppend:
		err = m.append(c, args.text["text"], call.Fact)
	case WorkingReplace:
		err = m.replace(c, args.text["old"], args.text["new"], call.Fact)
	case ArchivalInsert:
		err = m.insert(c, args.text["text"])
	case RecallSearch, ArchivalSearch:
		from := m.recall
		if f.Name == ArchivalSearch {
			from = m.archival
		}
		r.Query = args.text["query"]
		var found page
		query := retrieve.Passage{ID: c.id + "/search", Role: retrieve.Query, Text: r.Query}
		if found, err = from.find(ctx, query, args.page, m.Page); err == nil {
			for _, rec := range found.records {
				r.Found = append(r.Found, *rec)
			}
			r.Page, r.Pages = found.number, found.pages
			p.Page, p.Pages, p.Results = &r.Page, r.Pages, r.Found
		}
		if err == nil && from.vectors != nil && from.vectors.Len() > 0 {
			e := serving.Embedding{Phase: c.phase, Purpose: "query", Turn: c.turn, Texts: 1}
			if err := m.Account.Embed(e); err != nil {
				return r, err
			}
		}
	}
	switch {
	case err == nil:
		r.Text, err = encode(p)
		return r, err
	case wrong(err):
		return failed(call, err), nil
	}
	return r, fmt.Errorf("%s: %w", f.Name, err)
}

// wrong tells what the model did wrong from what went wrong around it.
func wrong(err error) bool {
	var edit editError
	return nothing(err) || errors.Is(err, retrieve.ErrPage) || errors.As(err, &edit)
}

// insert stores a text, if a page of texts as long can be read again.
func (m *Memory) insert(c *chain, text string) error {
	tokens := m.size(text, m.Entry)
	if most := (m.most() - m.Question - m.Call - m.Result) / m.Page; tokens > most {
		return cannot(ArchivalInsert, "the text has %d tokens: want at most %d, or a page of such texts could not be read", tokens, most)
	}
	m.named++
	m.archival.add(Record{ID: "passage " + strconv.Itoa(m.named), Time: c.event.time(), Text: text, tokens: tokens})
	return nil
}

func (e *Event) time() time.Time {
	if e.Message != nil {
		return e.Message.Time
	}
	return time.Time{}
}

// messages lists what searches found of what was said, without doubles.
func (c *chain) messages(seen []*dialogue.Message) []*dialogue.Message {
	for i := range c.results {
		for j := range c.results[i].Found {
			if msg := c.results[i].Found[j].message; msg != nil && !slices.Contains(seen, msg) {
				seen = append(seen, msg)
			}
		}
	}
	return seen
}

// pages is how many tokens searches found.
func (c *chain) pages() int {
	n := 0
	for i := range c.results {
		for j := range c.results[i].Found {
			n += c.results[i].Found[j].tokens
		}
	}
	return n
}

var _ memory.System = (*Memory)(nil)
