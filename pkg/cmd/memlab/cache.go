package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"memlab/pkg/prefixcache"
	"memlab/pkg/prefixcache/trace"
)

// The engines of memlab cache.
const (
	engineLRU    = "lru"
	engineVLLM   = "vllm"
	engineSGLang = "sglang"
)

var engines = []string{engineLRU, engineVLLM, engineSGLang}

// tokenBlock is the block size for traces of tokens: vLLM's default. Block
// hashes bring their own.
const tokenBlock = 16

// cacheFlags is what memlab cache is asked.
type cacheFlags struct {
	trace, format  string
	engine, policy string
	capacity       string
	block          int
	blockGiven     bool
	figureGiven    bool
	warmup         float64
	json           bool
	figure         string

	capacities capacities
}

func cacheCommand() *cobra.Command {
	var f cacheFlags
	cmd := &cobra.Command{
		Use:   "cache --trace FILE --capacity BLOCKS,...|unlimited|curve [--engine NAME] [--figure NAME]",
		Short: "What a prefix cache reuses of a trace: hits at one capacity, at several, or the curve",
		Long: `What a prefix cache reuses of a trace: hits at one capacity, at several, or the curve.

A trace holds one JSON value per line, of one of these formats:
  mooncake  block hashes: {"input_length": 700, "output_length": 3, "hash_ids": [7, 8], "timestamp": 5}
  tokens    token ids: {"tokens": [1, 2, 3], "output": [4, 5], "tenant": "a", "timestamp": 5}, of which
            all but tokens may be left out, or the bare array [1, 2, 3]
  openai    chat requests: {"messages": [...]}, bare or as "body" or "request" of a log line beside its
            "response"; their tokens are approximated
Requests are served in the order of the lines. Lines that cannot be used are skipped, counted and
named. Engine lru knows blocks only, as Mooncake's simulator does; vllm and sglang are the prefix
caches of vLLM 0.33.0 and SGLang 0.5.23, serving one request after another. They refuse a request
that is larger than the cache; it is counted apart, and not in the hit rate. The hit rate is a share
of prompt tokens, not of requests, and "-" (in JSON null) when none was served. A capacity is a number
of blocks: 5859 blocks of 512 tokens hold three million tokens. With curve: capacities of 1, 2 and 5
in each decade up to the distinct blocks of the trace, and unlimited.`,
		Example: `  memlab cache --trace conversation_trace.jsonl --capacity 1000,5859,unlimited
  memlab cache --trace conversation_trace.jsonl --capacity curve --warmup 0.5 --figure hits
  memlab cache --trace chat.jsonl --engine sglang --policy lfu --block 1 --capacity 20000 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var missing []string
			for _, name := range []string{"trace", "capacity"} {
				if !cmd.Flags().Changed(name) {
					missing = append(missing, "--"+name)
				}
			}
			if len(missing) > 0 {
				return fmt.Errorf("missing: %s; for example memlab cache --trace conversation_trace.jsonl --capacity curve", strings.Join(missing, ", and "))
			}
			f.blockGiven, f.figureGiven = cmd.Flags().Changed("block"), cmd.Flags().Changed("figure")
			return f.run(cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.trace, "trace", "", "the file")
	flags.StringVar(&f.format, "format", "", "one of: "+list(trace.Formats())+" (default: told from the first line)")
	flags.StringVar(&f.engine, "engine", "", "one of: "+list(engines)+" (default: lru for block hashes, vllm for tokens)")
	flags.StringVar(&f.policy, "policy", string(prefixcache.LRU), "what sglang evicts first, one of: "+list(prefixcache.Policies()))
	flags.StringVar(&f.capacity, "capacity", "", "numbers of blocks, unlimited, or curve")
	wholeVar(flags, &f.block, "block", fmt.Sprintf("tokens per block or page (default: %d for block hashes, %d for tokens)", trace.MooncakeBlock, tokenBlock))
	fractionVar(flags, &f.warmup, "warmup", "share of the requests that are served before the counting starts")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.figure, "figure", "", "with --capacity curve: write NAME.csv, NAME.svg and NAME.png")
	return cmd
}

func (f *cacheFlags) run(out, notes io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	show := progress{notes}
	tr, err := f.read(show)
	if err != nil {
		return err
	}
	if f.engine == "" {
		f.engine = engineVLLM
		if tr.Format == trace.Mooncake {
			f.engine = engineLRU
		}
	}
	if err := f.checkEngine(); err != nil {
		return err
	}
	switch {
	case f.blockGiven:
	case tr.Format == trace.Mooncake:
		f.block = tr.Block
	default:
		f.block = tokenBlock
	}
	skipped(notes, f.trace, tr)
	if f.warmup > 0 && f.warmupRequests(len(tr.Requests)) == 0 {
		fmt.Fprintf(notes, "memlab: note: --warmup %g of %d requests is less than one: all are counted\n", f.warmup, len(tr.Requests))
	}
	r := cacheReplay{
		trace: tr, engine: f.engine, policy: prefixcache.Policy(f.policy), block: f.block,
		warmup: f.warmupRequests(len(tr.Requests)), progress: show,
	}
	result, err := r.run(f.capacities)
	if err != nil {
		return f.named(tr, err)
	}
	if err := result.remarks(notes); err != nil {
		return f.named(tr, err)
	}
	if f.figureGiven {
		if err := result.writeFigure(f.figure, notes); err != nil {
			return err
		}
	}
	if f.json {
		return result.writeJSON(out)
	}
	return result.writeTable(out)
}

// check judges the flags before anything is read.
func (f *cacheFlags) check() (err error) {
	if f.capacities, err = parseCapacities(f.capacity); err != nil {
		return err
	}
	switch {
	case f.trace == "":
		return errors.New(`--trace "": want the name of a file`)
	case f.format != "" && !slices.Contains(trace.Formats(), trace.Format(f.format)):
		return fmt.Errorf("--format %s: want one of %s", f.format, list(trace.Formats()))
	case f.engine != "" && !slices.Contains(engines, f.engine):
		return fmt.Errorf("--engine %s: want one of %s", f.engine, list(engines))
	case !slices.Contains(prefixcache.Policies(), prefixcache.Policy(f.policy)):
		return fmt.Errorf("--policy %s: want one of %s", f.policy, list(prefixcache.Policies()))
	case f.blockGiven && f.block < 1:
		return fmt.Errorf("--block %d: want 1 token or more", f.block)
	case math.IsNaN(f.warmup) || f.warmup < 0 || f.warmup >= 1:
		return fmt.Errorf("--warmup %g: want a share from 0 to less than 1, as the rest is counted", f.warmup)
	case f.figureGiven && !f.capacities.curve:
		return errors.New("--figure draws the curve: want --capacity curve")
	case f.figureGiven:
		if err := pictureName("--figure", f.figure); err != nil {
			return err
		}
	}
	return f.checkEngine()
}

// checkEngine judges what depends on the engine, which may be known only when
// the trace is read.
func (f *cacheFlags) checkEngine() error {
	if f.engine != "" && f.engine != engineSGLang && f.policy != string(prefixcache.LRU) {
		return fmt.Errorf("--policy %s: engine %s evicts by lru only, other policies are for --engine %s", f.policy, f.engine, engineSGLang)
	}
	return nil
}

// warmupRequests is the share in whole requests, rounded down but for what
// binary fractions lose.
func (f *cacheFlags) warmupRequests(n int) int {
	return min(n-1, int(f.warmup*float64(n)+1e-9))
}

func (f *cacheFlags) read(show progress) (*trace.Trace, error) {
	file, err := os.Open(f.trace)
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("--trace %s: is a folder, want a file of one JSON value per line", f.trace)
	}
	size := info.Size()
	if !info.Mode().IsRegular() {
		size = -1 // a pipe: nobody knows
	}
	bar := show.bar("reading", size, progressbar.OptionShowBytes(true))
	tr, err := trace.Read(io.TeeReader(file, bar), trace.Options{Format: trace.Format(f.format), Block: f.block})
	if done := bar.Exit(); err == nil {
		err = done
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.trace, err)
	}
	return tr, nil
}

// named gives an error about a request the line that the request came from.
func (f *cacheFlags) named(tr *trace.Trace, err error) error {
	var bad *prefixcache.RequestError
	if errors.As(err, &bad) && bad.Index < len(tr.Requests) {
		return fmt.Errorf("%s: line %d: %w", f.trace, tr.Requests[bad.Index].Line, bad.Err)
	}
	return err
}

// skipped names the lines that could not be used, and what was approximated.
func skipped(notes io.Writer, name string, tr *trace.Trace) {
	if tr.BadLines > 0 {
		fmt.Fprintf(notes, "memlab: %s: %d of %d lines skipped\n", name, tr.BadLines, tr.Lines)
		for _, b := range tr.Bad {
			fmt.Fprintf(notes, "  line %d: %s\n", b.Line, b.Problem)
		}
		if more := tr.BadLines - len(tr.Bad); more > 0 {
			fmt.Fprintf(notes, "  and %d more\n", more)
		}
	}
	for _, n := range tr.Notes {
		fmt.Fprintf(notes, "memlab: note: %s\n", n)
	}
}

// list writes names for a message.
func list[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}
