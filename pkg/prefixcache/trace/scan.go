package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// scanner reads one line of JSON whose values are mostly integers and arrays of
// them, some three to four times as fast as encoding/json. Its methods return false after
// an error, which problem describes.
type scanner struct {
	text []byte
	at   int
	key  string   // of the object, whose value is read
	seen []string // names that may come once only
	why  string
}

func (s *scanner) fail(format string, args ...any) bool {
	if s.why == "" {
		s.why = fmt.Sprintf(format, args...)
	}
	return false
}

// problem says what is wrong with the line and where.
func (s *scanner) problem() string {
	where := fmt.Sprintf("byte %d: ", s.at+1)
	if s.at >= len(s.text) {
		where = "cut off in the middle: "
	}
	if s.key != "" {
		where = s.key + ", " + where
	}
	return where + s.why
}

// once fails if a name, or another name for the same, comes a second time: which
// of two values is meant, nobody knows.
func (s *scanner) once(name string) bool {
	if slices.Contains(s.seen, name) {
		return s.fail("%s comes twice: want it once", name)
	}
	s.seen = append(s.seen, name)
	return true
}

// next is the next byte that is no white space, 0 at the end.
func (s *scanner) next() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) expect(c byte) bool {
	if s.next() != c {
		return s.fail("want %q", c)
	}
	s.at++
	return true
}

func (s *scanner) end() bool {
	if s.next() != 0 || s.at < len(s.text) {
		return s.fail("want the end of the line")
	}
	return true
}

// object reads a whole line that is an object; value must consume each value.
func (s *scanner) object(value func(key []byte) bool) bool {
	if !s.expect('{') {
		return false
	}
	for first := true; ; first = false {
		switch c := s.next(); {
		case c == '}' && first:
			s.at++
			return s.end()
		case !first && c == '}':
			s.at++
			return s.end()
		case !first && !s.expect(','):
			return false
		}
		s.key = ""
		key, ok := s.quoted()
		if !ok || !s.expect(':') {
			return false
		}
		s.next()
		if s.key = string(key); !value(key) {
			return false
		}
		s.key = ""
	}
}

// quoted reads a string without undoing its escapes.
func (s *scanner) quoted() ([]byte, bool) {
	if !s.expect('"') {
		return nil, false
	}
	start := s.at
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.at++
			return s.text[start : s.at-1], true
		case '\\':
			s.at++
		}
		s.at++
	}
	s.at = len(s.text)
	return nil, s.fail("a string without end")
}

// null reads over a null, which stands for a field that is not there.
func (s *scanner) null() bool {
	s.next()
	if !bytes.HasPrefix(s.text[s.at:], []byte("null")) {
		return false
	}
	s.at += len("null")
	return true
}

func (s *scanner) string(to *string) bool {
	if c := s.next(); c != '"' {
		return s.fail("want text in quotes")
	}
	start := s.at
	if _, ok := s.quoted(); !ok {
		return false
	}
	if err := json.Unmarshal(s.text[start:s.at], to); err != nil {
		s.at = start
		return s.fail("want text in quotes, escaped as JSON has it")
	}
	return true
}

// integer reads an integer of JSON: no fraction, no exponent, no leading zero.
func (s *scanner) integer(to *int64) bool {
	negative := s.next() == '-'
	if negative {
		s.at++
	}
	start, n := s.at, uint64(0)
	for s.at < len(s.text) {
		d := s.text[s.at] - '0'
		if d > 9 {
			break
		}
		if n > (math.MaxInt64-uint64(d))/10 {
			return s.fail("a number too large: want one below 2^63")
		}
		n = n*10 + uint64(d)
		s.at++
	}
	if digits := s.at - start; digits == 0 || digits > 1 && s.text[start] == '0' {
		return s.fail("want an integer")
	}
	if s.at < len(s.text) {
		if c := s.text[s.at]; c == '.' || c == 'e' || c == 'E' {
			return s.fail("want an integer")
		}
	}
	*to = int64(n)
	if negative {
		*to = -*to
	}
	return true
}

func (s *scanner) float(to *float64) bool {
	s.next()
	start := s.at
	for s.at < len(s.text) && bytes.IndexByte([]byte("+-.eE0123456789"), s.text[s.at]) >= 0 {
		s.at++
	}
	f, err := strconv.ParseFloat(string(s.text[start:s.at]), 64)
	if err != nil {
		s.at = min(start, len(s.text)-1)
		return s.fail("want a number")
	}
	*to = f
	return true
}

func (s *scanner) list(one func(int64) bool) bool {
	if c := s.next(); c != '[' {
		return s.fail("want a list of numbers, such as [1, 2]")
	}
	s.at++
	if s.next() == ']' {
		s.at++
		return true
	}
	for {
		var n int64
		if !s.integer(&n) || !one(n) {
			return false
		}
		if s.next() == ']' {
			s.at++
			return true
		}
		if !s.expect(',') {
			return false
		}
	}
}

func (s *scanner) ids(to *[]uint64) bool {
	return s.list(func(n int64) bool {
		if n < 0 {
			return s.fail("hash id %d: want 0 or more", n)
		}
		*to = append(*to, uint64(n))
		return true
	})
}

func (s *scanner) tokens(to *[]int) bool {
	*to = (*to)[:0]
	return s.list(func(n int64) bool {
		if n < 0 {
			return s.fail("token id %d: want 0 or more", n)
		}
		*to = append(*to, int(n))
		return true
	})
}

// skip reads over any value.
func (s *scanner) skip() bool {
	s.next()
	d := json.NewDecoder(bytes.NewReader(s.text[s.at:]))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			s.at = min(s.at+max(0, int(syntax.Offset)-1), len(s.text)-1)
		} else {
			s.at = len(s.text)
		}
		return s.fail("want a value of JSON")
	}
	s.at += int(d.InputOffset())
	return true
}

// detect tells the format of a line, "" if it has none.
func detect(line []byte) Format {
	if line[0] == '[' {
		return Tokens
	}
	format := Format("")
	s := scanner{text: line}
	s.object(func(key []byte) bool {
		switch string(key) {
		case "hash_ids":
			format = Mooncake
		case "tokens", "token_ids", "prompt_token_ids":
			format = Tokens
		case "messages", "body", "request":
			format = OpenAI
		}
		return format == "" && s.skip()
	})
	return format
}
