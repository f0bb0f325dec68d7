package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/fullcontext"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/memory/rag"
)

// Setting is a system with its settings, and the reader that answers from it.
type Setting struct {
	Name string
	// System makes a fresh memory for one conversation, recording in a.
	System func(w *toy.World, a *memory.Account) (memory.System, error)
	// Reader is who answers.
	Reader func(w *toy.World) (memory.Reader, error)
}

// kind is a system that a name stands for.
type kind struct {
	name, says string
	build      func(o options) (Setting, error)
}

func kinds() []kind {
	return []kind{
		{"full", "the whole dialogue; alpha (how much a reader overlooks, 0 to 1), window", fullContext},
		{"rag", "rag:SIZExK, K chunks of SIZE tokens; method (vector, bm25, fused)", ragChunks},
		{"mem0", "facts, old ones deleted; recall, noop, add (rates of extraction and mistakes), k", mem0Plain},
		{"mem0g", "facts, old ones invalidated; as mem0, and history (invalid ones read), mixed (1: ranked together)", mem0Graph},
		{"mem0g+graph", "mem0g with one hop along the entities", mem0Hop},
		{"memgpt", "queue, working context, paging; entries, fifo (tokens) or share (of the window, evicted at once), page (messages), pages", memGPT},
	}
}

// Names lists the systems.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Describe says in a line each what the systems are and which settings they take.
func Describe() []string {
	var lines []string
	for _, k := range kinds() {
		lines = append(lines, fmt.Sprintf("%-12s %s", k.name, k.says))
	}
	return lines
}

// ParseSetting reads a system's name with settings behind colons, as "rag:128x16",
// "full:alpha=.5" or "mem0g+graph:recall=.7:noop=0". What is not named is as in
// the parameters.
func ParseSetting(spec string, p Parameters) (Setting, error) {
	name, rest, set := strings.Cut(spec, ":")
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if i < 0 {
		return Setting{}, bad("system %q: want one of %q, with settings behind colons", spec, Names())
	}
	o := options{spec: spec, p: p, given: map[string]string{}}
	if set {
		for _, part := range strings.Split(rest, ":") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				key, value = "", part
			}
			if earlier, twice := o.given[key]; twice {
				if key == "" {
					return Setting{}, bad("system %q: %q, and %q: set twice", spec, earlier, value)
				}
				return Setting{}, bad("system %q: %q is set twice", spec, key)
			}
			o.given[key] = value
		}
	}
	s, err := all[i].build(o)
	if err != nil {
		return Setting{}, err
	}
	for key, value := range o.given {
		if key == "" {
			return Setting{}, bad("system %q: %q: want NAME=VALUE, with the names of: %s", spec, value, all[i].says)
		}
		return Setting{}, bad("system %q: no setting %q: want %s", spec, key, all[i].says)
	}
	s.Name = spec
	return s, nil
}

// ParseSettings reads several.
func ParseSettings(p Parameters, specs ...string) ([]Setting, error) {
	out := make([]Setting, len(specs))
	for i, spec := range specs {
		var err error
		if out[i], err = ParseSetting(spec, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// options are settings by name; what is read is taken out.
type options struct {
	spec  string
	p     Parameters
	given map[string]string
}

// number reads a setting; otherwise is its value if it is not given.
func (o options) number(key string, otherwise float64) (float64, error) {
	text, ok := o.given[key]
	if !ok {
		return otherwise, nil
	}
	delete(o.given, key)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, bad("system %q: %s %q: want a number", o.spec, key, text)
	}
	return x, nil
}

func (o options) count(key string, otherwise int) (int, error) { return o.whole(key, otherwise, 1) }

// whole reads a whole number that is not less than least.
func (o options) whole(key string, otherwise, least int) (int, error) {
	text, ok := o.given[key]
	if !ok {
		return otherwise, nil
	}
	delete(o.given, key)
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		return 0, bad("system %q: %s %q: want a whole number, %d or more", o.spec, key, text, least)
	}
	return n, nil
}

// strict is the reader of every system but full context.
func (o options) strict(w *toy.World) (memory.Reader, error) {
	return memory.NewStrict(o.p.Guess, w.Stream)
}

func fullContext(o options) (s Setting, err error) {
	alpha, err := o.number("alpha", 0)
	if err != nil {
		return s, err
	}
	window, err := o.count("window", o.p.Window)
	if err != nil {
		return s, err
	}
	s.System = func(_ *toy.World, a *memory.Account) (memory.System, error) {
		c := fullcontext.Defaults()
		c.Window, c.Account = window, a
		return fullcontext.New(c)
	}
	s.Reader = func(w *toy.World) (memory.Reader, error) {
		strict, err := memory.NewStrict(o.p.Guess, w.Stream)
		if err != nil {
			return nil, err
		}
		return memory.NewAlpha(strict, alpha, o.p.HalfLength)
	}
	if !(alpha >= 0 && alpha <= 1) {
		return s, bad("system %q: alpha %g: want 0 to 1", o.spec, alpha)
	}
	return s, nil
}

func ragChunks(o options) (s Setting, err error) {
	grid, ok := o.given[""]
	if !ok {
		grid = "128x16"
	}
	delete(o.given, "")
	size, k, ok := strings.Cut(grid, "x")
	chunk, err1 := strconv.Atoi(size)
	count, err2 := strconv.Atoi(k)
	if !ok || err1 != nil || err2 != nil || chunk < 1 || count < 1 {
		return s, bad("system %q: %q: want SIZExK, as 128x16: 16 chunks of 128 tokens", o.spec, grid)
	}
	method := rag.Vector
	if m, ok := o.given["method"]; ok {
		if method = rag.Method(m); !slices.Contains(rag.Methods(), method) {
			return s, bad("system %q: method %q: want one of %q", o.spec, m, rag.Methods())
		}
		delete(o.given, "method")
	}
	s.System = func(w *toy.World, a *memory.Account) (memory.System, error) {
		r := rag.Defaults(w.Embedder())
		r.Chunk, r.K, r.Method, r.Account = chunk, count, method, a
		return rag.New(r)
	}
	s.Reader = o.strict
	return s, nil
}

func mem0Plain(o options) (Setting, error) { return o.mem0(false, false) }
func mem0Graph(o options) (Setting, error) { return o.mem0(true, false) }
func mem0Hop(o options) (Setting, error)   { return o.mem0(true, true) }

func (o options) mem0(graph, hop bool) (s Setting, err error) {
	rates := mem0.Rates{}
	for _, r := range []struct {
		key       string
		otherwise float64
		to        *float64
	}{{"recall", o.p.Recall, &rates.Recall}, {"noop", o.p.NoopError, &rates.NoopError}, {"add", o.p.AddError, &rates.AddError}} {
		if *r.to, err = o.number(r.key, r.otherwise); err != nil {
			return s, err
		}
		if !(*r.to >= 0 && *r.to <= 1) {
			return s, bad("system %q: %s %g: want a probability, 0 to 1", o.spec, r.key, *r.to)
		}
	}
	if rates.NoopError+rates.AddError > 1 {
		return s, bad("system %q: noop %g and add %g: want 1 at most together, for example %s:noop=%g:add=0",
			o.spec, rates.NoopError, rates.AddError, strings.SplitN(o.spec, ":", 2)[0], rates.NoopError)
	}
	standard := mem0.Defaults()
	k, err := o.count("k", standard.K)
	if err != nil {
		return s, err
	}
	history, mixed := standard.KHistory, 0
	if graph {
		if history, err = o.whole("history", history, 0); err != nil {
			return s, err
		}
		if mixed, err = o.whole("mixed", 0, 0); err != nil {
			return s, err
		}
		if mixed > 1 {
			return s, bad("system %q: mixed %d: want 0 or 1", o.spec, mixed)
		}
	}
	s.System = func(w *toy.World, a *memory.Account) (memory.System, error) {
		judge, err := mem0.Rule(rates, w.Stream)
		if err != nil {
			return nil, err
		}
		m := standard
		m.Embedder, m.Judge, m.Account = w.Embedder(), judge, a
		m.Graph, m.Hop, m.K, m.KHistory, m.MixInvalid = graph, hop, k, history, mixed > 0
		m.SummaryEvery, m.SummaryTokens = o.p.SummaryEvery, o.p.SummaryTokens
		m.ExtractTokens -= m.SummaryTokens
		return mem0.New(m)
	}
	s.Reader = o.strict
	return s, nil
}

func memGPT(o options) (s Setting, err error) {
	entries, err := o.count("entries", o.p.Entries)
	if err != nil {
		return s, err
	}
	_, slides := o.given["fifo"]
	fifo, err := o.count("fifo", o.p.FIFO)
	if err != nil {
		return s, err
	}
	_, batches := o.given["share"]
	share, err := o.number("share", 0)
	switch {
	case err != nil:
		return s, err
	case batches && slides:
		return s, bad("system %q: fifo and share: a queue evicts by one of them", o.spec)
	case batches && !(share > 0 && share <= 1):
		return s, bad("system %q: share %g: want more than 0 and at most 1", o.spec, share)
	}
	page, err := o.count("page", o.p.Page)
	if err != nil {
		return s, err
	}
	pages, err := o.count("pages", 1)
	if err != nil {
		return s, err
	}
	s.System = func(w *toy.World, a *memory.Account) (memory.System, error) {
		judge, err := memgpt.NewRuleJudge(memgpt.Rates{Notice: o.p.Notice, MissChange: o.p.MissChange, Pages: pages}, w.Stream)
		if err != nil {
			return nil, err
		}
		m := memgpt.Defaults(w.Embedder(), judge)
		m.Evict = queue.ToFit(fifo)
		if batches {
			m = memgpt.Batch(w.Embedder(), judge, share)
		}
		m.Entries, m.Page, m.Account = entries, page, a
		return memgpt.New(m)
	}
	s.Reader = o.strict
	return s, nil
}
