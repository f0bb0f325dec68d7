package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"memlab/pkg/prefixcache"
)

// maxLine bounds one line, so that a file without line ends cannot fill the
// memory.
const maxLine = 256 << 20

type parser struct {
	options Options
	trace   *Trace
	line    int
	ids     []uint64 // arena of block ids: the part of it that is being filled
	chat    *chat
}

// read goes through the lines.
func (p *parser) read(r io.Reader) error {
	in := bufio.NewReaderSize(r, 1<<16)
	var long []byte
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if long = append(long, line...); len(long) > maxLine {
				return fmt.Errorf("trace: line %d is longer than %d bytes: want one request per line", p.line+1, maxLine)
			}
			continue
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("trace: line %d: %w", p.line+1, err)
		}
		p.line++
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(line) > 0 {
			p.one(line)
		}
		long = long[:0]
		if err == io.EOF {
			return nil
		}
	}
}

func (p *parser) one(line []byte) {
	t := p.trace
	t.Lines++
	if t.Format == "" {
		if t.Format = detect(line); t.Format == "" {
			p.bad(unknown(line))
			return
		}
	}
	var r Request
	var problem string
	switch t.Format {
	case Mooncake:
		r, problem = p.mooncake(line)
	case Tokens:
		r, problem = tokenLine(line)
	default:
		if p.chat == nil {
			p.chat = newChat(p.options.Tokenizer)
		}
		r, problem = p.chat.line(line)
	}
	if problem != "" {
		p.bad(problem)
		return
	}
	r.Line = p.line
	t.Requests = append(t.Requests, r)
}

func (p *parser) bad(problem string) {
	p.trace.BadLines++
	if len(p.trace.Bad) < p.options.KeepBad {
		p.trace.Bad = append(p.trace.Bad, LineError{p.line, problem})
	}
}

func (p *parser) finish() (*Trace, error) {
	t := p.trace
	if len(t.Requests) == 0 {
		kind := ErrEmpty
		if t.Format == "" && t.Lines > 0 {
			kind = ErrFormat
		}
		if len(t.Bad) > 0 {
			return nil, fmt.Errorf("trace: %w, lines skipped: %d; %w", kind, t.BadLines, t.Bad[0])
		}
		return nil, fmt.Errorf("trace: %w: the input has no lines", kind)
	}
	switch t.Format {
	case Mooncake:
		t.Block = p.options.Block
	case OpenAI:
		t.Notes = append(t.Notes, p.chat.notes()...)
	}
	if note := backwards(t.Requests); note != "" {
		t.Notes = append(t.Notes, note)
	}
	return t, nil
}

// backwards notes the first request that came before the one above it; a time
// of 0 may be one that was not given.
func backwards(requests []Request) string {
	last := math.Inf(-1)
	for i := range requests {
		now := requests[i].Timestamp
		if now != 0 && now < last {
			return fmt.Sprintf("line %d: timestamp %g comes after %g: requests are kept in the order of the lines, not of their times", requests[i].Line, now, last)
		}
		last = max(last, now)
	}
	return ""
}

// unknown says why a line has no format.
func unknown(line []byte) string {
	switch {
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return "compressed by gzip: want the file unpacked"
	case bytes.IndexByte(line, 0) >= 0:
		return "not text, or text in UTF-16: want lines of JSON in UTF-8"
	}
	return "not a request of a known format: want one JSON value per line with hash_ids, tokens or messages"
}

// reserve begins another part of the arena where the ids of a line of that many bytes may
// not fit: the parts that are full need not move. An id and its comma take two bytes.
func (p *parser) reserve(bytes int) {
	const part = 1 << 15
	if most := min(bytes/2, part); cap(p.ids)-len(p.ids) < most {
		p.ids = make([]uint64, 0, part)
	}
}

// mooncake reads one line of a block trace.
func (p *parser) mooncake(line []byte) (r Request, problem string) {
	input, output := int64(-1), int64(-1)
	var hasInput, hasOutput, hasIDs bool
	p.reserve(len(line))
	start := len(p.ids)
	s := scanner{text: line}
	ok := s.object(func(key []byte) bool {
		switch string(key) {
		case "timestamp":
			return s.once("timestamp") && (s.null() || s.float(&r.Timestamp))
		case "input_length":
			hasInput = true
			return s.once("input_length") && s.integer(&input)
		case "output_length":
			hasOutput = true
			return s.once("output_length") && s.integer(&output)
		case "hash_ids":
			hasIDs = true
			return s.once("hash_ids") && s.ids(&p.ids)
		}
		return s.skip()
	})
	ids := p.ids[start:len(p.ids):len(p.ids)]
	p.ids = p.ids[:start] // given back unless the line is good
	block := p.options.Block
	switch {
	case !ok:
		return r, s.problem()
	case !hasInput:
		return r, "no input_length: want the length of the prompt in tokens"
	case input < 1:
		return r, fmt.Sprintf("input_length %d: want 1 or more", input)
	case input > maxPrompt:
		return r, fmt.Sprintf("input_length %d: want at most %d", input, maxPrompt)
	case !hasOutput:
		return r, "no output_length: want the length of the output in tokens"
	case output < 0:
		return r, fmt.Sprintf("output_length %d: want 0 or more", output)
	case !hasIDs:
		return r, "no hash_ids: want one per block of the prompt"
	case (input-1)/int64(block)+1 != int64(len(ids)):
		return r, fmt.Sprintf("%d hash_ids for input_length %d: want %d of %d tokens each", len(ids), input, (input-1)/int64(block)+1, block)
	case r.Timestamp < 0:
		return r, fmt.Sprintf("timestamp %g: want 0 or more", r.Timestamp)
	}
	p.ids = p.ids[:start+len(ids)]
	r.Request = prefixcache.Request{Blocks: ids, Prompt: int(input)}
	r.OutputTokens = int(output)
	return r, ""
}

// tokenLine reads one line of token ids.
func tokenLine(line []byte) (r Request, problem string) {
	s := scanner{text: line}
	var has bool
	var ok bool
	if line[0] == '[' {
		if rest := bytes.TrimSpace(line[1:]); len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') {
			return r, "a list of requests: want one request per line, without a list around them"
		}
		has = true
		ok = s.tokens(&r.Tokens) && s.end()
	} else {
		ok = s.object(func(key []byte) bool {
			switch string(key) {
			case "tokens", "token_ids", "prompt_token_ids":
				has = true
				return s.once("tokens") && s.tokens(&r.Tokens)
			case "output", "output_token_ids":
				return s.once("output") && (s.null() || s.tokens(&r.Output))
			case "tenant", "cache_salt":
				return s.once("tenant") && (s.null() || s.string(&r.Tenant))
			case "timestamp":
				return s.once("timestamp") && (s.null() || s.float(&r.Timestamp))
			}
			return s.skip()
		})
	}
	switch {
	case !ok:
		return r, s.problem()
	case !has:
		return r, "no tokens: want an array of token ids"
	case len(r.Tokens) == 0:
		return r, "no token in the prompt: want 1 or more"
	case len(r.Tokens) > maxPrompt:
		return r, fmt.Sprintf("%d tokens in the prompt: want at most %d", len(r.Tokens), maxPrompt)
	case r.Timestamp < 0:
		return r, fmt.Sprintf("timestamp %g: want 0 or more", r.Timestamp)
	}
	r.OutputTokens = len(r.Output)
	return r, ""
}
