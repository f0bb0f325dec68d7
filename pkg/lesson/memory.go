package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"memlab/pkg/chart"
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/table"
)

// Section 1: what it costs to put everything into the context.

var (
	errNoEngine   = errors.New("lesson: no engine: want one of costmodel.NewEngine")
	errNoContexts = errors.New("lesson: no contexts: want at least one")
)

// checkEngine is what a figure or table needs before it asks the engine.
func checkEngine(e *costmodel.Engine, contexts []int) error {
	switch {
	case e == nil || e.Params().TensorParallel == 0: // a zero Engine computes on no GPU
		return errNoEngine
	case len(contexts) == 0:
		return errNoContexts
	}
	return nil
}

// ContextMemory shows the KV cache of a context over its length for several
// models, with the memory of the GPU as a mark.
func ContextMemory(gpu costmodel.GPU, contexts []int, models ...costmodel.Model) (chart.Figure, error) {
	switch {
	case gpu.Memory <= 0:
		return chart.Figure{}, fmt.Errorf("lesson: GPU %q has no memory: want one of costmodel.GPUByName", gpu.Name)
	case len(contexts) == 0:
		return chart.Figure{}, errNoContexts
	case len(models) == 0:
		return chart.Figure{}, errors.New("lesson: no models: want at least one")
	}
	f := chart.Figure{
		Title: "KV cache over context length",
		X:     chart.Axis{Label: "Context length", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "KV cache", Unit: "B", Log: true},
		Marks: []chart.Mark{{Label: fmt.Sprintf("Memory of one %s", gpu.Title), Y: new(float64(gpu.Memory))}},
	}
	for _, m := range models {
		s := chart.Series{Name: m.Name, Kind: chart.Line}
		for _, n := range contexts {
			kv, err := m.KV(n)
			if err != nil {
				return f, fmt.Errorf("lesson: %w", err)
			}
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, float64(kv.Bytes))
		}
		f.Series = append(f.Series, s)
	}
	return f, nil
}

// MemoryTable lists the KV cache of contexts beside the model's weights.
func MemoryTable(m costmodel.Model, contexts ...int) (table.Table, error) {
	t := table.New("", "Context", "KV cache", "Share of the weights")
	switch {
	case m.WeightBytes <= 0:
		return t, fmt.Errorf("lesson: model %q has no weights: want one of costmodel.ModelByName", m.Name)
	case len(contexts) == 0:
		return t, errNoContexts
	}
	for _, n := range contexts {
		kv, err := m.KV(n)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if err := t.Add(tokens(n), kv.Bytes, fmt.Sprintf("%.3g%%", 100*float64(kv.Bytes/m.WeightBytes))); err != nil {
			return t, err
		}
	}
	return t, nil
}

// PrefillParts shows the time to read a prompt, split into the part that grows
// with its length and the part that grows with its square.
func PrefillParts(e *costmodel.Engine, contexts ...int) (chart.Figure, error) {
	if err := checkEngine(e, contexts); err != nil {
		return chart.Figure{}, err
	}
	linear := chart.Series{Name: "Linear part", Kind: chart.StackedBars}
	attention := chart.Series{Name: "Attention part", Kind: chart.StackedBars}
	f := chart.Figure{
		Title: "Prefill: linear layers and attention",
		X:     chart.Axis{Label: "Context length", Unit: "tokens"},
		Y:     chart.Axis{Label: "Prefill time", Unit: "s"},
	}
	for _, n := range contexts {
		p, err := e.Prefill(0, n)
		if err != nil {
			return f, fmt.Errorf("lesson: %w", err)
		}
		f.X.Categories = append(f.X.Categories, tokens(n))
		linear.Y = append(linear.Y, float64(p.Linear))
		attention.Y = append(attention.Y, float64(p.Attention))
	}
	f.Series = []chart.Series{linear, attention}
	return f, nil
}

// LatencyTable lists what one person alone waits for: the first token with and
// without the context in a prefix cache, and the output after it.
func LatencyTable(e *costmodel.Engine, contexts ...int) (table.Table, error) {
	if err := checkEngine(e, contexts); err != nil {
		return table.Table{}, err
	}
	t := table.New("", "Context", "First token, cold", "First token, cached",
		fmt.Sprintf("%d tokens of output", e.Params().Output), "One step")
	for _, n := range contexts {
		cold, err := e.Answer(e.Load(n), false)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		cached, err := e.Answer(e.Load(n), true)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if err := t.Add(tokens(n), cold.TTFT, cached.TTFT, cold.Decode, cold.Step.Time); err != nil {
			return t, err
		}
	}
	return t, nil
}

// A Sharing is a way to hold contexts whose throughput is compared. That of a
// nil engine has no Load.
type Sharing struct {
	Name string
	Load func(context int) costmodel.Load
}

// Private gives each request a context of its own.
func Private(e *costmodel.Engine) Sharing {
	s := Sharing{Name: "Private context"}
	if e != nil {
		s.Load = e.Load
	}
	return s
}

// Shared gives all requests one context and each the given private rest.
func Shared(e *costmodel.Engine, private int) Sharing {
	s := Sharing{Name: fmt.Sprintf("Shared context, %s private", tokens(private))}
	if e != nil {
		s.Load = func(context int) costmodel.Load {
			l := e.Load(private)
			l.Shared = context
			return l
		}
	}
	return s
}

// ThroughputCurve shows the peak decode throughput of an engine whose memory
// is full, over the length of the context, for each way of holding it.
func ThroughputCurve(e *costmodel.Engine, contexts []int, ways ...Sharing) (chart.Figure, error) {
	if err := checkEngine(e, contexts); err != nil {
		return chart.Figure{}, err
	}
	f := chart.Figure{
		Title: "Throughput of a full GPU",
		X:     chart.Axis{Label: "Context length", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "Decode throughput", Unit: "tokens/s", Log: true},
	}
	for _, w := range ways {
		if w.Load == nil {
			return f, fmt.Errorf("lesson: %q has no Load: want Private or Shared of an engine", w.Name)
		}
		s := chart.Series{Name: w.Name, Kind: chart.Line}
		for _, n := range contexts {
			t, err := e.Throughput(w.Load(n), true)
			if err != nil {
				return f, fmt.Errorf("lesson: %w", err)
			}
			if t.Fit.Batch == 0 {
				continue // no request fits, and a logarithmic axis has no 0
			}
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, t.TokensPerSecond)
		}
		if len(s.X) == 0 {
			return f, fmt.Errorf("lesson: %q: not one request fits beside %s on %d x %s at any of these contexts: want more or larger GPUs, or shorter contexts",
				w.Name, e.Model().Name, e.Params().TensorParallel, e.GPU().Title)
		}
		f.Series = append(f.Series, s)
	}
	return f, nil
}

// ThroughputTable lists, for private contexts and then for one shared context
// beside the shortest private one, how many requests fit and what comes out.
func ThroughputTable(e *costmodel.Engine, shared int, contexts ...int) (table.Table, error) {
	if err := checkEngine(e, contexts); err != nil {
		return table.Table{}, err
	}
	t := table.New("", "Private context", "Shared context", "Requests at once", "One step", "Bound by", "Tokens per second", "Against the first row")
	first := -1.0
	add := func(l costmodel.Load) error {
		r, err := e.Throughput(l, true)
		if err != nil {
			return fmt.Errorf("lesson: %w", err)
		}
		if first < 0 {
			first = r.TokensPerSecond
		}
		if r.Fit.Batch == 0 { // what does not fit takes no time and has no share
			return t.Add(tokens(l.Context), tokens(l.Shared), 0, "-", "-", 0, "-")
		}
		against := "-"
		if first > 0 {
			against = fraction(r.TokensPerSecond / first)
		}
		return t.Add(tokens(l.Context), tokens(l.Shared), thousands(r.Fit.Batch), r.Step.Time, r.Step.Bound,
			thousands(int(r.TokensPerSecond)), against)
	}
	for _, n := range contexts {
		if err := add(e.Load(n)); err != nil {
			return t, err
		}
	}
	// The lecture's "almost unaffected" depends on what stays private: both readings are shown.
	for _, private := range []int{contexts[0], 0} {
		l := e.Load(private)
		l.Shared = shared
		if err := add(l); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ThroughputDrop is the peak throughput with one length of private context
// over that with another.
func ThroughputDrop(e *costmodel.Engine, from, to int) (float64, error) {
	if err := checkEngine(e, []int{from, to}); err != nil {
		return 0, err
	}
	var rates [2]float64
	for i, n := range []int{from, to} {
		r, err := e.Throughput(e.Load(n), true)
		if err != nil {
			return 0, fmt.Errorf("lesson: %w", err)
		}
		if r.Fit.Batch == 0 {
			return 0, fmt.Errorf("lesson: not one request with %d tokens of context fits beside %s on %d x %s: want more or larger GPUs",
				n, e.Model().Name, e.Params().TensorParallel, e.GPU().Title)
		}
		rates[i] = r.TokensPerSecond
	}
	return rates[0] / rates[1], nil
}

// FourWays is the table that the lecture fills section by section: what each
// way of remembering pays when it writes and when it reads, and which part of
// the context it changes.
func FourWays() table.Table {
	t := table.New("", "Way to remember", "Paid when writing", "Paid when reading", "What changes in the context", "Section")
	t.Rows = [][]string{
		{"Everything in the context", "nothing", "memory, waiting, throughput", "it only grows", "§1"},
		{"Outside, fetched when needed (MemGPT, mem0)", "calls of the LLM per message", "a search, a few hundred to a few thousand tokens", "the retrieved part, at each question", "§2, §3"},
		{"Trained into a small KV cache (Cartridges)", "hours of GPU per corpus", "a KV cache dozens of times smaller", "nothing, until it is trained again", "§4"},
		{"A playbook that evolves (ACE)", "calls of the LLM per task", "the whole playbook", "a few lines at its end", "§5"},
	}
	return t
}

// tokens writes a number of tokens as people say it: 250, 1k, 128k, 1M.
func tokens(n int) string {
	switch {
	case n >= 1_000_000 && n%100_000 == 0:
		return strconv.FormatFloat(float64(n)/1e6, 'g', -1, 64) + "M"
	case n >= 1_000 && n%100 == 0:
		return strconv.FormatFloat(float64(n)/1e3, 'g', -1, 64) + "k"
	default:
		return strconv.Itoa(n)
	}
}

// fraction writes a share as people compare rates: 1, 1/107, or 3.3.
func fraction(share float64) string {
	if share >= 1 {
		return fmt.Sprintf("%.3g", share)
	}
	return fmt.Sprintf("1/%.3g", 1/share)
}

// thousands separates the thousands by a comma.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// A Measured is a drop of throughput that somebody has measured.
type Measured struct {
	Name     string
	From, To int     // tokens of private context
	Drop     float64 // throughput at From over that at To
}

// CartridgesSGLang is the drop of peak throughput that the Cartridges paper
// reports for SGLang; the number is that of datasets/paper_results.csv.
func CartridgesSGLang() (Measured, error) {
	const id = "throughput-drop-cartridges-paper"
	results, err := claims.PaperResults()
	if err != nil {
		return Measured{}, fmt.Errorf("lesson: %w", err)
	}
	for _, r := range results {
		if r.ID == id {
			return Measured{Name: fmt.Sprintf("Measured in SGLang: %g × less", r.Value), From: 1_000, To: 120_000, Drop: r.Value}, nil
		}
	}
	return Measured{}, fmt.Errorf("lesson: no paper result %q in datasets/paper_results.csv", id)
}

// WithMeasured adds a measured drop to a throughput curve, as the point where
// the first line would end if it fell as the measurement does. A figure whose
// first line has no point at From, and a drop that is not above 0, add nothing.
func WithMeasured(f chart.Figure, m Measured) chart.Figure {
	if len(f.Series) == 0 || !(m.Drop > 0) {
		return f
	}
	line := f.Series[0]
	for i, x := range line.X {
		if x == float64(m.From) && i < len(line.Y) {
			at := line.Y[i] / m.Drop
			f.Marks = append(f.Marks, chart.Mark{Label: m.Name, X: new(float64(m.To)), Y: new(at)})
			if f.Y.Log && f.Y.Min == nil { // room for the label below the line, which ends near the mark
				lowest := at
				for _, s := range f.Series {
					lowest = slices.Min(append(slices.Clone(s.Y), lowest))
				}
				f.Y.Min = new(lowest / 3)
			}
		}
	}
	return f
}
