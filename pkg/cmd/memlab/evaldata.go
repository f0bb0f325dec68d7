package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/jsonl"
	"memlab/pkg/dialogue/locomo"
	"memlab/pkg/evidence"
)

// The formats of dialogues.
const (
	formatLOCOMO = "locomo"
	formatJSONL  = "jsonl"
)

var dialogueFormats = []string{formatLOCOMO, formatJSONL}

// evalDataFlags is what memlab eval --data is asked.
type evalDataFlags struct {
	data, format          string
	budget, chunk, method string // lists
	json                  bool
}

// evalDataHelp is the part of the help text that is about --data.
const evalDataHelp = `With --data: which share of the messages that answer a question lies in the text that is
retrieved for it, at a budget of tokens, without a language model. The file is LOCOMO's
(locomo10.json) or memlab's own format, one JSON object per line:
  a message   {"session": 1, "speaker": "Ana", "text": "...", "id": "m1", "time": "2031-03-02 09:10"}
  a question  {"question": "...", "answer": "...", "category": "...", "evidence": ["m1"]}
with "dialogue" in each line when there are several; time, id, answer, category, role and tokens
may be missing. datasets/sample_dialogue.jsonl shows everything. Lines that cannot be used and
evidence that does not exist are counted and named, and the rest is evaluated.
Chunks are consecutive messages of a session, closed at so many tokens (turn: single messages). They
are ranked by hashed words and pieces of words (lexical), by bm25, by both (fused), or by topics
(lsa); the ranked text is cut where the budget ends. Recall is averaged over dialogues, with the
95% interval of that mean; methods are compared within dialogues.`

// add gives a command the flags.
func (f *evalDataFlags) add(cmd *cobra.Command) {
	d := evidence.Defaults()
	flags := cmd.Flags()
	flags.StringVar(&f.data, "data", "", "dialogues with questions: the file")
	flags.StringVar(&f.format, "format", "", "one of: "+list(dialogueFormats)+" (default: told from the first character)")
	flags.StringVar(&f.budget, "budget", joined(d.Budgets, strconv.Itoa), "tokens of retrieved text")
	flags.StringVar(&f.chunk, "chunk", joined(d.Chunks, evidence.ChunkName), "sizes of chunks in tokens, or turn")
	flags.StringVar(&f.method, "method", joined(d.Methods, func(m evidence.Method) string { return string(m) }), "some of: "+list(evidence.Methods()))
	flags.BoolVar(&f.json, "json", false, "print JSON")
}

func joined[T any](values []T, text func(T) string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = text(v)
	}
	return strings.Join(texts, ",")
}

// evalDataResult is what memlab eval --data prints as JSON: what was read, with
// everything that was wrong with it, and the recall.
type evalDataResult struct {
	File   string          `json:"file"`
	Format string          `json:"format"`
	LOCOMO *locomo.Report  `json:"locomo,omitempty"`
	JSONL  *jsonl.Report   `json:"jsonl,omitempty"`
	Recall evidence.Result `json:"recall"`
}

// evalData measures evidence recall on a file of dialogues.
func evalData(ctx context.Context, out, notes io.Writer, f evalDataFlags) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	r := evalDataResult{File: f.data, Format: f.format}
	dialogues, err := r.read()
	if err != nil {
		return err
	}
	r.remarks(notes)
	ctx, stop := interruptible(ctx) // not before the file is read, which may wait for ever
	defer stop()
	if r.Recall, err = evidence.Evaluate(ctx, dialogues, options); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("%s: %w", f.data, err)
	}
	longest := 0
	for _, d := range r.Recall.Dialogues {
		longest = max(longest, d.Tokens)
	}
	if slices.Min(options.Budgets) >= longest {
		r.Recall.Warnings = append(r.Recall.Warnings, fmt.Sprintf(
			"every budget holds a whole dialogue, the longest has %d tokens: recall says only what a method lists at all; want a smaller --budget", longest))
	}
	for _, w := range r.Recall.Warnings {
		fmt.Fprintf(notes, "memlab: warning: %s\n", w)
	}
	if f.json {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	return r.writeTables(out, options)
}

// options judges the flags before anything is read.
func (f *evalDataFlags) options() (o evidence.Options, err error) {
	if f.data == "" {
		return o, errors.New("--data: want the name of a file")
	}
	if f.format != "" && !slices.Contains(dialogueFormats, f.format) {
		return o, fmt.Errorf("--format %s: want one of %s", f.format, list(dialogueFormats))
	}
	for _, text := range strings.Split(f.method, ",") {
		m := evidence.Method(strings.TrimSpace(text))
		if !slices.Contains(evidence.Methods(), m) {
			return o, fmt.Errorf("--method %s: %q: want some of %s", f.method, m, list(evidence.Methods()))
		}
		o.Methods = append(o.Methods, m)
	}
	if o.Budgets, err = sizes("--budget", f.budget, ""); err != nil {
		return o, err
	}
	if o.Chunks, err = sizes("--chunk", f.chunk, evidence.ChunkName(evidence.Turn)); err != nil {
		return o, err
	}
	o.Methods, o.Budgets, o.Chunks = unique(o.Methods), unique(o.Budgets), unique(o.Chunks)
	return o, nil
}

// sizes reads a list of numbers of tokens; none is the word for 0, if there is one.
func sizes(flag, text, none string) ([]int, error) {
	var values []int
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		n, err := strconv.Atoi(part)
		switch {
		case part == none && none != "":
			n = 0
		case err != nil || n < 1:
			want := "numbers of tokens from 1, for example 500,1000"
			if none != "" {
				want = "numbers of tokens from 1 or " + none + ", for example " + none + ",128"
			}
			return nil, fmt.Errorf("%s %s: %q: want %s", flag, text, part, want)
		}
		values = append(values, n)
	}
	return values, nil
}

// unique leaves out what a list repeats.
func unique[T comparable](values []T) []T {
	var kept []T
	for _, v := range values {
		if !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// read reads the file in its format.
func (r *evalDataResult) read() ([]dialogue.Dialogue, error) {
	file, err := os.Open(r.File)
	if err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	} else if info.IsDir() {
		return nil, fmt.Errorf("--data %s: is a folder, want a file", r.File)
	}
	in := bufio.NewReaderSize(file, 1<<16)
	if r.Format == "" {
		r.Format = dialogueFormat(in)
	}
	var dialogues []dialogue.Dialogue
	if r.Format == formatLOCOMO {
		r.LOCOMO = new(locomo.Report)
		dialogues, *r.LOCOMO, err = locomo.Read(in)
	} else {
		r.JSONL = new(jsonl.Report)
		dialogues, *r.JSONL, err = jsonl.Read(in)
	}
	if err != nil {
		return nil, fmt.Errorf("%s, read as %s: %w", r.File, r.Format, err)
	}
	return dialogues, nil
}

// dialogueFormat tells a list from lines of objects.
func dialogueFormat(in *bufio.Reader) string {
	start, _ := in.Peek(512) // a file that is shorter or fails shows when it is read
	start = bytes.TrimSpace(bytes.TrimPrefix(start, []byte("\ufeff")))
	if bytes.HasPrefix(start, []byte("[")) {
		return formatLOCOMO
	}
	return formatJSONL
}
