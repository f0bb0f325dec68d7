package lesson

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"memlab/pkg/cartridge"
	"memlab/pkg/chart"
	"memlab/pkg/table"
)

// Section 4: Cartridges, a small trained KV cache. What is trained here takes its
// engine from the caller, so that only who asks for GoMLX links it.

// A Method is a way to answer questions about a document.
type Method struct {
	Name   string
	Tokens float64 // of KV that its memory is as large as
	Reader cartridge.Reader
}

// Untrained are the ways that take no gradient: the document in context whole,
// its first slots alone, and the two matrices.
func Untrained(m cartridge.Model, text *cartridge.Corpus, slots int) ([]Method, error) {
	whole, err := m.Truncated(text, text.Facts())
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	first, err := m.Truncated(text, slots)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	sum, err := cartridge.LinearSum(text)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	squares, err := cartridge.LinearLeastSquares(text)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	return []Method{
		{"Everything in the context", float64(text.Facts()), whole},
		{fmt.Sprintf("The first %d facts", slots), float64(slots), first},
		{"Matrix, associations added up", sum.Tokens(), sum},
		{"Matrix, least squares", squares.Tokens(), squares},
	}, nil
}

// Trained is a cartridge as a method.
func Trained(name string, m cartridge.Model, z *cartridge.Cartridge) (Method, error) {
	r, err := m.With(z)
	if err != nil {
		return Method{}, fmt.Errorf("lesson: %w", err)
	}
	return Method{name, float64(z.Slots()), r}, nil
}

// MethodTable lists how many questions methods answer, in the words of the text
// and as asked.
func MethodTable(text *cartridge.Corpus, ask cartridge.Questions, methods ...Method) (table.Table, error) {
	t := table.New("", "Way to remember", "Tokens of KV", "In the words of the text", "In other words")
	if len(methods) == 0 {
		return t, errors.New("lesson: no methods: want at least one")
	}
	for _, m := range methods {
		original, err := cartridge.Score(m.Reader, text.Original(), text.V)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		other, err := cartridge.Score(m.Reader, ask, text.V)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if err := t.Add(m.Name, m.Tokens, share2(original), share2(other)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// share2 has as many digits as come out on every processor: a training magnifies
// how each of them rounds.
func share2(x float64) string { return fmt.Sprintf("%.2f", x) }

// A Run is a training and what it had reached on its way.
type Run struct {
	Name      string
	Cartridge *cartridge.Cartridge
	// Steps are where the others were measured; Losses are means since the step
	// before, the first is that of the first step.
	Steps           []int
	Losses          []float64
	Original, Other []float64 // shares of questions, in the words of the text and as asked
}

// Train trains from start and looks back at the way. Each time some more steps are
// done it calls done, which may be nil.
func Train(name string, t cartridge.Trainer, start *cartridge.Cartridge, text *cartridge.Corpus, ask cartridge.Questions, done func(steps int)) (Run, error) {
	const looks = 15
	r := Run{Name: name}
	if t.Lesson == nil {
		return r, errors.New("lesson: the trainer has no lesson: want a cartridge.Study")
	}
	if t.Steps < looks {
		return r, fmt.Errorf("lesson: %d steps: want %d or more", t.Steps, looks)
	}
	for i := range looks + 1 {
		r.Steps = append(r.Steps, i*t.Steps/looks)
	}
	t.Snapshots = r.Steps
	before := 0
	t.Progress = func(p cartridge.Progress) {
		if done != nil {
			done(p.Step - before)
		}
		before = p.Step
	}
	trained, err := t.Train(context.Background(), start)
	if err != nil {
		return r, fmt.Errorf("lesson: %w", err)
	}
	r.Cartridge = trained.Cartridge
	model, candidates, _ := t.Lesson.Shape()
	for i, step := range r.Steps {
		losses := trained.Losses[:1]
		if i > 0 {
			losses = trained.Losses[r.Steps[i-1]:step]
		}
		sum := 0.0
		for _, x := range losses {
			sum += x
		}
		r.Losses = append(r.Losses, sum/float64(len(losses)))
		reader, err := model.With(trained.Snapshots[step])
		if err != nil {
			return r, fmt.Errorf("lesson: %w", err)
		}
		for questions, to := range map[*cartridge.Questions]*[]float64{new(text.Original()): &r.Original, &ask: &r.Other} {
			share, err := cartridge.Score(reader, *questions, candidates)
			if err != nil {
				return r, fmt.Errorf("lesson: %w", err)
			}
			*to = append(*to, share)
		}
	}
	return r, nil
}

// hundredth rounds what is drawn, so that a figure has the same data on every
// processor but for a rare last digit.
func hundredth(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Round(100*v) / 100
	}
	return out
}

func floats(x []int) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// LossFigure shows the loss of trainings over their steps.
func LossFigure(runs ...Run) (chart.Figure, error) {
	f := chart.Figure{
		Title:  "Loss over the training",
		X:      chart.Axis{Label: "Steps"},
		Y:      chart.Axis{Label: "KL divergence from the teacher"},
		Height: 300,
	}
	for _, r := range runs {
		f.Series = append(f.Series, chart.Series{Name: r.Name, Kind: chart.Line, X: floats(r.Steps), Y: hundredth(r.Losses)})
	}
	return f, wantRuns(runs)
}

// LearningFigure shows how many questions trainings answer over their steps, in
// the words of the text and in others.
func LearningFigure(runs ...Run) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Right answers over the training",
		X:     chart.Axis{Label: "Steps"},
		Y:     chart.Axis{Label: "Accuracy", Min: new(0.0), Max: new(1.0)},
	}
	for _, r := range runs {
		for _, line := range []struct {
			asked string
			y     []float64
		}{{"in the words of the text", r.Original}, {"in other words", r.Other}} {
			name := line.asked
			if len(runs) > 1 {
				name = r.Name + ", " + line.asked
			}
			f.Series = append(f.Series, chart.Series{Name: name, Kind: chart.Line, X: floats(r.Steps), Y: hundredth(line.y)})
		}
	}
	return f, wantRuns(runs)
}

func wantRuns(runs []Run) error {
	if len(runs) == 0 {
		return errors.New("lesson: no trainings: want at least one of Train")
	}
	return nil
}

// sourceNames are the sources of a gradient as the table shows them.
var sourceNames = map[string]string{
	cartridge.LiteralLoops: "Derivation, loop by loop", cartridge.CentralDifferences: "Central differences",
	cartridge.HandWritten: "Written by hand", "GoMLX": "GoMLX", "GoMLX, plain": "GoMLX, as on paper",
}

// GradientTable lists the pairs of sources of a gradient, how far apart they may
// be, and whether they are closer in every parameter.
func GradientTable(c cartridge.GradientCheck) (table.Table, error) {
	t := table.New("", "One source", "Another source", "May differ by", "Agree")
	for _, p := range c.Pairs {
		agree := "yes"
		if !p.OK() {
			agree = "no"
		}
		if err := t.Add(sourceName(p.A), sourceName(p.B), fmt.Sprintf("%.0e", p.Tolerance), agree); err != nil {
			return t, err
		}
	}
	if len(c.Pairs) == 0 {
		return t, errors.New("lesson: no pairs of gradients: want those of cartridge.CheckGradient")
	}
	return t, nil
}

func sourceName(name string) string {
	if n, ok := sourceNames[name]; ok {
		return n
	}
	return name
}

// ServedFacts says which facts each slot serves: those whose question in the words of
// the text looks at it more than at any other.
func ServedFacts(m cartridge.Model, text *cartridge.Corpus, z *cartridge.Cartridge) ([][]int, error) {
	s, err := m.Attention(text.K, z.K)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	out := make([][]int, s.Cols)
	for fact := range s.Rows {
		row := s.Row(fact)
		best := 0
		for i, x := range row {
			if x > row[best] {
				best = i
			}
		}
		out[best] = append(out[best], fact)
	}
	return out, nil
}

// ServedFigure shows over the slots of a cartridge that started with the first
// facts how many facts each serves.
func ServedFigure(m cartridge.Model, text *cartridge.Corpus, z *cartridge.Cartridge) (chart.Figure, error) {
	f := chart.Figure{
		Title:  "What the slots serve",
		X:      chart.Axis{Label: "Facts that a slot serves"},
		Y:      chart.Axis{Label: "Slots"},
		Height: 300,
	}
	served, err := ServedFacts(m, text, z)
	if err != nil {
		return f, err
	}
	most := 0
	for _, facts := range served {
		most = max(most, len(facts))
	}
	const width = 3
	y := make([]float64, most/width+1)
	for _, facts := range served {
		y[len(facts)/width]++
	}
	for i := range y {
		f.X.Categories = append(f.X.Categories, fmt.Sprintf("%d–%d", width*i, width*i+width-1))
	}
	f.Series = []chart.Series{{Kind: chart.Bars, Y: y}}
	return f, nil
}

// SlotTable lists what has become of the first slots of a cartridge that started
// with the first facts: how many facts each serves, whether its own is among them,
// how long its key is, and how much it still looks like the one it started from.
func SlotTable(m cartridge.Model, text *cartridge.Corpus, z *cartridge.Cartridge, slots int) (table.Table, error) {
	t := table.New("", "Slot", "Facts it serves", "Its first fact among them", "Length of its key", "Cosine with its start")
	served, err := ServedFacts(m, text, z)
	if err != nil {
		return t, err
	}
	if slots < 1 || slots > len(served) || len(served) > text.Facts() {
		return t, fmt.Errorf("lesson: %d slots of a cartridge of %d, a document of %d facts: want 1 to %d, and no more than facts", slots, len(served), text.Facts(), len(served))
	}
	for i := range slots {
		own := "no"
		if slices.Contains(served[i], i) {
			own = "yes"
		}
		key, first := z.K.Row(i), text.K.Row(i)
		length := math.Sqrt(dot(key, key))
		cosine := dot(key, first) / (length * math.Sqrt(dot(first, first)))
		if err := t.Add(i+1, len(served[i]), own, fmt.Sprintf("%.1f", length), fmt.Sprintf("%.1f", cosine)); err != nil {
			return t, err
		}
	}
	return t, nil
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
