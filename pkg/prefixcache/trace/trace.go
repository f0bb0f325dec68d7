package trace

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"memlab/pkg/prefixcache"
)

// Format is the kind of a trace file.
type Format string

// The formats.
const (
	// Mooncake: {"timestamp", "input_length", "output_length", "hash_ids"}.
	Mooncake Format = "mooncake"
	// Tokens: {"tokens": [...]} with optional "output", "tenant" and
	// "timestamp", or the bare array of tokens.
	Tokens Format = "tokens"
	// OpenAI: a chat request with "messages", bare, or as "body" or "request"
	// of a log line beside its "response".
	OpenAI Format = "openai"
)

// Formats are all formats by name.
func Formats() []Format { return []Format{Mooncake, Tokens, OpenAI} }

// MooncakeBlock is the block size of Mooncake's published traces, in tokens.
const MooncakeBlock = 512

// maxPrompt bounds the tokens of one prompt, so that one line with a length of
// 10^12 and one hash id cannot fill the memory.
const maxPrompt = 1 << 26

// Errors that a caller may branch on with errors.Is.
var (
	// ErrFormat: the format is unknown or cannot be told from the content.
	ErrFormat = errors.New("unknown trace format")
	// ErrEmpty: no line could be used.
	ErrEmpty = errors.New("no usable request")
	// ErrOption: an option has an impossible value.
	ErrOption = errors.New("bad option")
)

// Options say how to read. The zero value finds out the format by the content.
type Options struct {
	Format    Format
	Block     int       // tokens per hash id of a Mooncake trace; 0 is MooncakeBlock
	Tokenizer Tokenizer // for chat logs; nil is Approximate
	KeepBad   int       // how many bad lines to keep in Trace.Bad; 0 is 20
}

// Request is one line of a trace.
type Request struct {
	prefixcache.Request
	Line         int     // from 1
	Timestamp    float64 // ms since the trace began, where given
	OutputTokens int
}

// Trace is what could be read.
type Trace struct {
	Format   Format
	Block    int // tokens per block id, 0 for formats of tokens
	Requests []Request
	Lines    int         // that were not blank
	BadLines int         // that could not be used
	Bad      []LineError // the first of these
	Notes    []string    // what was approximated or left out
}

// LineError is one line that could not be used.
type LineError struct {
	Line    int // from 1
	Problem string
}

// Error reads like: line 7: input_length -3: want 1 or more.
func (e LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// Read reads a whole trace. Lines that cannot be used are counted in the
// result; an error means that nothing could be used, or that r failed.
func Read(r io.Reader, o Options) (*Trace, error) {
	if o.Block < 0 {
		return nil, fmt.Errorf("trace: %w: block size %d: want 1 or more", ErrOption, o.Block)
	}
	if o.KeepBad < 0 {
		return nil, fmt.Errorf("trace: %w: %d bad lines to keep: want 1 or more, or 0 for 20", ErrOption, o.KeepBad)
	}
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return nil, fmt.Errorf("trace: %w %q: want one of %v", ErrFormat, string(o.Format), Formats())
	}
	if o.Block == 0 {
		o.Block = MooncakeBlock
	}
	if o.KeepBad == 0 {
		o.KeepBad = 20
	}
	p := parser{options: o, trace: &Trace{Format: o.Format}}
	if err := p.read(r); err != nil {
		return nil, err
	}
	return p.finish()
}

// Blocks are the requests with block ids, for PrefixLRU and LRUCurve. The block
// size of a Mooncake trace is fixed; 0 takes it, or MooncakeBlock for tokens.
// These are the blocks of the prompts; outputs are not kept.
func (t *Trace) Blocks(block int) ([]prefixcache.Request, error) {
	if block == 0 {
		block = MooncakeBlock
		if t.Block != 0 {
			block = t.Block
		}
	}
	list := make([]prefixcache.Request, len(t.Requests))
	if t.Format == Mooncake {
		if block != t.Block {
			return nil, fmt.Errorf("trace: %w: block size %d: the hash ids of this trace stand for %d tokens each", ErrOption, block, t.Block)
		}
		for i := range t.Requests {
			list[i] = t.Requests[i].Request
		}
		return list, nil
	}
	ids, err := prefixcache.NewBlockIDs(block)
	if err != nil {
		return nil, err
	}
	for i := range t.Requests {
		r := t.Requests[i].Request
		r.Blocks = ids.Of(r.Tenant, r.Tokens)
		list[i] = r
	}
	return list, nil
}

// All are the requests with tokens, for BlockHash and Radix, at any block size.
// A hash id h becomes the tokens h*Block, h*Block+1, ..., so equal ids give
// equal tokens and different ids different ones; ids that are too large for that
// are numbered first. The tokens of a Mooncake request are valid until the next
// one; its outputs are not known.
func (t *Trace) All() iter.Seq[prefixcache.Request] {
	return func(yield func(prefixcache.Request) bool) {
		var buffer []int
		number := t.numbers()
		for i := range t.Requests {
			r := t.Requests[i].Request
			if t.Format == Mooncake {
				buffer = t.expand(buffer[:0], r, number)
				r.Tokens = buffer
			}
			if !yield(r) {
				return
			}
		}
	}
}

// numbers maps the hash ids to 0, 1, 2, ... if some times Block overflows, as
// ids of 64 random bits do, and is nil otherwise.
func (t *Trace) numbers() map[uint64]uint64 {
	large, block := false, max(1, t.Block)
	for i := range t.Requests {
		for _, id := range t.Requests[i].Blocks {
			large = large || id > uint64(math.MaxInt/block-1)
		}
	}
	if !large {
		return nil
	}
	number := map[uint64]uint64{}
	for i := range t.Requests {
		for _, id := range t.Requests[i].Blocks {
			if _, ok := number[id]; !ok {
				number[id] = uint64(len(number))
			}
		}
	}
	return number
}

func (t *Trace) expand(tokens []int, r prefixcache.Request, number map[uint64]uint64) []int {
	left := r.Prompt
	for _, id := range r.Blocks {
		if number != nil {
			id = number[id]
		}
		for i := range min(left, t.Block) {
			tokens = append(tokens, int(id)*t.Block+i)
		}
		left -= t.Block
	}
	return tokens
}
