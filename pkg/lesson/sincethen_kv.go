package lesson

import (
	"errors"
	"fmt"
	"strings"

	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/cartridge/stored"
	"memlab/pkg/experiments/sincethen"
	"memlab/pkg/table"
)

// Section 7, continued: memory in the architecture, and the continuum of smaller KV.

// StateTable lists what models keep of a context: which layers keep every token, what
// grows, what is fixed, and the whole for some lengths.
func StateTable(contexts []int, models ...costmodel.Model) (table.Table, error) {
	columns := []string{"Model", "Layers that keep every token", "Grows per token", "Fixed"}
	for _, n := range contexts {
		columns = append(columns, "At "+tokens(n)+" tokens")
	}
	t := table.New("", columns...)
	switch {
	case len(contexts) == 0:
		return t, errNoContexts
	case len(models) == 0:
		return t, errors.New("lesson: no models: want at least one")
	}
	for _, m := range models {
		row := []any{m.Name, fmt.Sprintf("%d / %d", sincethen.EveryToken(m), m.Layers)}
		for i, n := range contexts {
			kv, err := m.KV(n)
			if err != nil {
				return t, fmt.Errorf("lesson: %w", err)
			}
			if i == 0 {
				row = append(row, unbroken(m.KVBytesPerToken(contexts[len(contexts)-1])), unbroken(kv.Fixed))
			}
			row = append(row, unbroken(kv.Bytes))
		}
		if err := t.Add(row...); err != nil {
			return t, err
		}
	}
	return t, nil
}

// unbroken keeps a number and its unit on one line of a narrow column.
func unbroken(x fmt.Stringer) string { return strings.ReplaceAll(x.String(), " ", "\u00a0") }

// StepFigure shows the time of one decode step of a batch over the length of the
// context, for several engines.
func StepFigure(batch int, contexts []int, engines ...*costmodel.Engine) (chart.Figure, error) {
	f := chart.Figure{
		Title: fmt.Sprintf("One decode step, %d requests at once", batch),
		X:     chart.Axis{Label: "Context length", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "One step", Unit: "s", Log: true},
	}
	if len(engines) == 0 {
		return f, errNoEngine
	}
	for _, e := range engines {
		if err := checkEngine(e, contexts); err != nil {
			return f, err
		}
		s := chart.Series{Name: e.Model().Name, Kind: chart.Line}
		for _, n := range contexts {
			step, err := e.DecodeStep(batch, n)
			if err != nil {
				return f, fmt.Errorf("lesson: %w", err)
			}
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, float64(step.Time))
		}
		f.Series = append(f.Series, s)
	}
	return f, nil
}

// kindNames are the ways to make a KV cache smaller.
var kindNames = map[sincethen.Kind]string{
	sincethen.BuiltIn: "Trained into the model", sincethen.Quantise: "Fewer bits", sincethen.Drop: "Tokens dropped",
	sincethen.Merge: "Tokens merged", sincethen.Write: "Notes in words", sincethen.Train: "Cartridge", sincethen.LowRank: "Low rank",
}

// SmallerFigure shows how much smaller a KV cache gets over the work that it takes for each
// document. What is trained into the model takes none, and has a line of its own.
func SmallerFigure(e *costmodel.Engine, c sincethen.Compression) (chart.Figure, error) {
	f := chart.Figure{
		Title: "A smaller KV cache, from hardly any work to much",
		X:     chart.Axis{Label: "Work for one document beside its prefill", Unit: "s", Log: true},
		Y:     chart.Axis{Label: "KV cache, times smaller", Unit: "×", Log: true},
	}
	found, err := sincethen.Methods(e, c)
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	prefill, err := e.Prefill(0, c.Document)
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	f.Marks = append(f.Marks, chart.Mark{Label: "The prefill itself", X: new(float64(prefill.Time) * float64(e.Params().TensorParallel))})
	at := map[string]int{}
	for _, m := range found {
		if m.Kind == sincethen.BuiltIn {
			f.Marks = append(f.Marks, chart.Mark{Label: m.Name, Y: new(m.Factor)})
			continue
		}
		name := kindNames[m.Kind]
		if m.Kind == sincethen.Drop || m.Kind == sincethen.Merge { // the same place, up to a microsecond
			name = "Fewer tokens"
		}
		i, ok := at[name]
		if !ok {
			i = len(f.Series)
			at[name] = i
			f.Series = append(f.Series, chart.Series{Name: name, Kind: chart.Points})
		}
		f.Series[i].X, f.Series[i].Y = append(f.Series[i].X, m.GPUSeconds), append(f.Series[i].Y, m.Factor)
	}
	return f, nil
}

// SmallerTable lists the same with what is left for one token of the document.
func SmallerTable(e *costmodel.Engine, c sincethen.Compression) (table.Table, error) {
	t := table.New("", "Way", "How", "Times smaller", "KV per token of the document", "GPU time for one document")
	found, err := sincethen.Methods(e, c)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, m := range found {
		seconds := m.GPUSeconds
		work := costmodel.Seconds(seconds).String()
		switch {
		case seconds == 0:
			work = "–" // and the column stays one of numbers
		case seconds >= 1000:
			work = thousands(int(seconds+0.5)) + " s"
		}
		if err := t.Add(kindNames[m.Kind], m.Name, fmt.Sprintf("%.3g×", m.Factor), m.Bytes, work); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ShrinkFigure shows what the toy's document still answers when it is made smaller
// without training, beside trained cartridges (stored, for they take minutes).
func ShrinkFigure(seeds int) (chart.Figure, error) {
	f := chart.Figure{
		Title: "The toy's document made smaller",
		X:     chart.Axis{Label: "Times smaller", Unit: "×", Log: true, Ticks: []float64{2, 4, 8, 16, 32}},
		Y:     accuracy(),
	}
	found, err := sincethen.Shrink(seeds)
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	at := map[sincethen.Kind]int{}
	for _, s := range found {
		i, ok := at[s.Kind]
		if !ok {
			i = len(f.Series)
			at[s.Kind] = i
			f.Series = append(f.Series, chart.Series{Name: kindNames[s.Kind], Kind: chart.Line})
		}
		addPoint(&f.Series[i], s.Factor, s.Accuracy)
	}
	trained, err := trainedOverSize()
	if err != nil {
		return f, err
	}
	f.Series = append(f.Series, trained)
	return f, nil
}

// trainedOverSize is the stored curve of self-study over how many times smaller the
// cartridge is than its document of 512 facts.
func trainedOverSize() (chart.Series, error) {
	s := chart.Series{Name: "Cartridge, self-study", Kind: chart.Line}
	all, err := stored.Read()
	if err != nil {
		return s, fmt.Errorf("lesson: %w", err)
	}
	c, err := all.Find("slots")
	if err != nil {
		return s, fmt.Errorf("lesson: %w", err)
	}
	line, err := c.Line("self_study")
	if err != nil {
		return s, fmt.Errorf("lesson: %w", err)
	}
	mean, low, high := line.Mean()
	low, high = within(low), within(high)
	for i := len(c.At) - 1; i >= 0; i-- {
		factor := sincethen.ToyFacts / c.At[i]
		if factor < 2 || factor > 32 {
			continue
		}
		s.X, s.Y = append(s.X, factor), append(s.Y, mean[i])
		if len(c.Seeds) > 1 {
			s.Low, s.High = append(s.Low, low[i]), append(s.High, high[i])
		}
	}
	return s, nil
}
