package lesson

import (
	"fmt"
	"strings"

	"memlab/pkg/chart"
	"memlab/pkg/experiments/cartridge/stored"
	"memlab/pkg/table"
)

// Section 4, continued: figures of what is stored, for it takes a quarter of an
// hour to compute.

// named is a stored line and what a figure calls it.
type named struct{ line, name string }

// storedFigure draws lines of a stored curve, with their intervals where there are
// several seeds.
func storedFigure(curve string, f chart.Figure, lines ...named) (chart.Figure, error) {
	all, err := stored.Read()
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	c, err := all.Find(curve)
	if err != nil {
		return f, fmt.Errorf("lesson: %w", err)
	}
	for _, l := range lines {
		line, err := c.Line(l.line)
		if err != nil {
			return f, fmt.Errorf("lesson: %w", err)
		}
		s := chart.Series{Name: l.name, Kind: chart.Line, X: c.At}
		var low, high []float64
		s.Y, low, high = line.Mean()
		if f.X.Log && c.At[0] == 0 { // a logarithmic axis has no start
			s.X, s.Y, low, high = s.X[1:], s.Y[1:], low[1:], high[1:]
		}
		if len(c.Seeds) > 1 {
			s.Low, s.High = within(low), within(high)
		}
		f.Series = append(f.Series, s)
	}
	f.Caption = "One seed."
	if n := len(c.Seeds); n > 1 {
		f.Caption = fmt.Sprintf("Means over %d seeds with 95%% intervals.", n)
	}
	return f, nil
}

// within cuts an interval to what a share can be.
func within(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = max(0, min(1, v))
	}
	return out
}

func accuracy() chart.Axis { return chart.Axis{Label: "Accuracy", Min: new(0.0), Max: new(1.0)} }

// shareAxis is for right answers and attention in one figure.
func shareAxis() chart.Axis { return chart.Axis{Label: "Share", Min: new(0.0), Max: new(1.0)} }

func slotAxis() chart.Axis {
	return chart.Axis{Label: "Slots of the cartridge, p", Log: true, Ticks: []float64{4, 8, 16, 32, 64, 128, 256}}
}

// SlotsFigure shows the accuracy of all methods over p.
func SlotsFigure() (chart.Figure, error) {
	return storedFigure("slots", chart.Figure{Title: "Accuracy over the size of the memory", X: slotAxis(), Y: accuracy()},
		named{"icl", "Everything in the context"},
		named{"self_study", "Self-study"},
		named{"memorize_original", "Memorised, words of the text"},
		named{"memorize_rephrased", "Memorised, other words"},
		named{"linear_least_squares", "Matrix, least squares"},
		named{"truncated", "The first p facts"},
	)
}

// LabelsFigure shows self-study over p with the teacher's whole answer and with
// the right one alone.
func LabelsFigure() (chart.Figure, error) {
	return storedFigure("slots", chart.Figure{Title: "The teacher's whole answer, or the right one alone", X: slotAxis(), Y: accuracy(), Height: 320},
		named{"self_study", "Distillation"}, named{"hard_labels", "Hard labels"})
}

// StepsFigure shows trainings on their way: the longer, the better, for one of
// them.
func StepsFigure() (chart.Figure, error) {
	return storedFigure("steps", chart.Figure{Title: "Accuracy over the training", X: chart.Axis{Label: "Steps"}, Y: accuracy()},
		named{"self_study", "Self-study"},
		named{"memorize_original", "Memorised, words of the text"},
		named{"memorize_rephrased", "Memorised, other words"},
	)
}

// StartsFigure shows self-study from three starts.
func StartsFigure() (chart.Figure, error) {
	return storedFigure("steps", chart.Figure{Title: "The same training from three starts", X: chart.Axis{Label: "Steps"}, Y: accuracy()},
		named{"self_study", "KV of the first tokens"},
		named{"random_tokens", "KV of random tokens"},
		named{"random_vectors", "Random vectors"},
	)
}

// CompositionFigure shows how many questions about two documents are answered by
// cartridges that were trained apart.
func CompositionFigure() (chart.Figure, error) {
	return storedFigure("composition", chart.Figure{
		Title: "Two cartridges, trained apart",
		X:     chart.Axis{Label: "Slots of each cartridge, p", Log: true, Ticks: []float64{16, 32, 64, 128}},
		Y:     shareAxis(),
	},
		named{"best", "Right: each alone, own questions"},
		named{"concatenated", "Right: one after the other"},
		named{"only_a", "Right: only A's"},
		named{"truncated", "Right: the first p facts of each"},
		named{"leak", "Attention of A's questions on B's slots"},
	)
}

// JointFigure shows joint training after composition.
func JointFigure() (chart.Figure, error) {
	return storedFigure("joint", chart.Figure{Title: "Joint training of both documents", X: chart.Axis{Label: "Steps of joint training"}, Y: shareAxis()},
		named{"from_parts", "Right, from the two cartridges"},
		named{"from_tokens", "Right, from the first tokens"},
		named{"leak", "Attention of A's questions on B's slots"},
	)
}

// LongFigure shows training on a document of four windows.
func LongFigure() (chart.Figure, error) {
	return storedFigure("long", chart.Figure{Title: "A document of four windows", X: chart.Axis{Label: "Steps"}, Y: accuracy(), Height: 320},
		named{"chunked", "Cartridge, teachers that see one window"},
		named{"icl", "The first window in the context"},
	)
}

// SharpnessFigure shows self-study under frozen models of other sharpness: how
// steep attention is ("beta"), or how steep the answer is ("gamma").
func SharpnessFigure(factor string) (chart.Figure, error) {
	f := chart.Figure{Y: accuracy(), Height: 320}
	switch factor {
	case "beta":
		f.Title = "Sharpness of attention"
		f.X = chart.Axis{Label: "Factor of the attention logits, β", Log: true, Ticks: []float64{5, 10, 20, 40}}
	case "gamma":
		f.Title = "Sharpness of the answer"
		f.X = chart.Axis{Label: "Factor of the answer's logits, γ", Log: true, Ticks: []float64{2.5, 5, 10, 20}}
	default:
		return f, fmt.Errorf("lesson: factor %q: want beta or gamma", factor)
	}
	return storedFigure(factor, f, named{"icl", "Everything in the context"}, named{"accuracy", "Self-study"})
}

// DistanceFigure shows trainings over how far the questions are from the text.
func DistanceFigure() (chart.Figure, error) {
	return storedFigure("distance", chart.Figure{
		Title: "Questions ever further from the text",
		X:     chart.Axis{Label: "Rephrasing distance of the questions"}, Y: accuracy(),
	},
		named{"icl", "Everything in the context"},
		named{"self_study", "Self-study at distance 0.3"},
		named{"matched", "Self-study at the distance that is asked"},
		named{"memorize", "Memorised"},
	)
}

// LowRankFigure shows the cartridge beside a change of the model of as many
// parameters: about the document trained on, and about another one that is in the
// context.
func LowRankFigure() (chart.Figure, error) {
	return storedFigure("low rank", chart.Figure{
		Title: "KV or a low-rank change of the model",
		X:     chart.Axis{Label: "Slots, or rank", Log: true, Ticks: []float64{8, 16, 32, 64}}, Y: accuracy(),
	},
		named{"kv", "KV, its document"},
		named{"low_rank", "Low rank, its document"},
		named{"kv_outside", "KV, another document in the context"},
		named{"low_rank_outside", "Low rank, another document in the context"},
	)
}

// KindsTable lists trainings on one kind of questions, on all five, and on
// questions that vary everything at once.
func KindsTable() (table.Table, error) {
	t := table.New("", "Trained on questions", "Asked as trained", "Asked as the other kinds", "Asked as users ask")
	all, err := stored.Read()
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	c, err := all.Find("kinds")
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	columns := make([][]string, 3)
	for i, name := range []string{"own", "others", "anyhow"} {
		l, err := c.Line(name)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		mean, low, high := l.Mean()
		for j, x := range mean {
			text := fmt.Sprintf("%.2f\u00a0±\u00a0%.2f", x, (high[j]-low[j])/2)
			if name == "others" && x == 0 {
				text = "–" // there are none
			}
			columns[i] = append(columns[i], text)
		}
	}
	for j, label := range c.Labels {
		switch {
		case strings.Contains(label, ", "):
			label = "of all five kinds"
		case label == "anyhow":
			label, columns[1][j] = "that vary everything at once", "–"
		default:
			label = "of one kind: " + label
		}
		if err := t.Add(label, columns[0][j], columns[1][j], columns[2][j]); err != nil {
			return t, err
		}
	}
	return t, nil
}
