package lesson

import (
	"context"
	"errors"
	"fmt"
	"math"

	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/sincethen"
	"memlab/pkg/experiments/world"
	"memlab/pkg/table"
)

// Section 7: since then. Products, idle time, and the table of all.

// productNames are what the toy's systems stand for as the lecture tells it
// (spring 2026).
var productNames = map[string]string{
	"full": "none", "memgpt": "Letta", "mem0": "mem0", "mem0g+graph": "Zep (idea)",
}

// ProductTable lists the systems that became products in the columns that a product
// moves: who remembers what was, what writing costs, and how long it makes somebody
// wait who waits for it.
func ProductTable(p world.Parameters, e *costmodel.Engine, seeds int) (table.Table, error) {
	t := table.New("", "In the toy", "Product", "Current value", "Previous value", "Calls to write", "Writing, GPU time", "Writing a pair, waited for", "Tokens per question", "A question, GPU time")
	found, err := sincethen.Products(context.Background(), p, e, seeds)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, f := range found {
		err := t.Add(settingName(f.Setting), productNames[f.Setting], share(f.Current), share(f.Previous), fmt.Sprintf("%.0f", f.WriteCalls.Mean),
			costmodel.Seconds(f.Write), f.Wait, thousands(int(f.ReadTokens.Mean+0.5)), costmodel.Seconds(f.Each))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// ReportedTable lists numbers of papers that this section goes by.
func ReportedTable(ids ...string) (table.Table, error) {
	t := table.New("", "Quoted", "Reported", "Source")
	if len(ids) == 0 {
		return t, errors.New("lesson: no names of reports: want at least one of sincethen.Reports")
	}
	for _, id := range ids {
		r, err := sincethen.Quoted(id)
		if err != nil {
			return t, fmt.Errorf("lesson: %w", err)
		}
		if err := t.Add(r.What, fmt.Sprintf("%g %s", r.Value, r.Unit), r.Source); err != nil {
			return t, err
		}
	}
	return t, nil
}

// sleeps are the bills of one sleep at several prices of idle time.
func sleeps(e *costmodel.Engine, s sincethen.Sleep, prices []float64) ([]sincethen.SleepBill, error) {
	if len(prices) == 0 {
		return nil, errors.New("lesson: no prices of idle time: want at least one")
	}
	var out []sincethen.SleepBill
	for _, p := range prices {
		s.Price = p
		b, err := s.Bill(e)
		if err != nil {
			return nil, fmt.Errorf("lesson: %w", err)
		}
		out = append(out, b)
	}
	return out, nil
}

// SleepTable lists what thinking before the question costs and saves, for prices of
// an idle GPU second over a busy one.
func SleepTable(e *costmodel.Engine, s sincethen.Sleep, prices ...float64) (table.Table, error) {
	t := table.New("", "Price of an idle GPU second", "The night", "A question, without", "A question, after it", "Pays back after", "Cheaper at 10 questions", "Wait, without", "Wait, after it")
	found, err := sleeps(e, s, prices)
	if err != nil {
		return t, err
	}
	for _, b := range found {
		pays := "never"
		if b.Pays {
			pays = fmt.Sprintf("%.1f", b.Questions)
		}
		err := t.Add(price(b.Spec.Price), costmodel.Seconds(b.Night), costmodel.Seconds(b.Awake), costmodel.Seconds(b.After), pays,
			fmt.Sprintf("%.1f×", b.Saving(10)), b.WaitAwake, b.WaitAfter)
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// price writes a ratio as 1, 1/3 or 2.5.
func price(x float64) string {
	if whole := math.Round(1 / x); x > 0 && x < 1 && math.Abs(whole*x-1) < 1e-9 {
		return fmt.Sprintf("1/%.0f", whole)
	}
	return fmt.Sprintf("%.3g", x)
}

// SleepFigure shows the cost of a question over how many share one night, for prices of
// idle time.
func SleepFigure(e *costmodel.Engine, s sincethen.Sleep, prices []float64, questions ...float64) (chart.Figure, error) {
	f := chart.Figure{
		Title: "Thinking before the question comes",
		X:     chart.Axis{Label: "Questions that share one night", Log: true, Ticks: questions},
		Y:     chart.Axis{Label: "GPU time per question, the night included", Unit: "s", Log: true},
	}
	if len(questions) < 2 {
		return f, fmt.Errorf("lesson: %d numbers of questions: want two or more", len(questions))
	}
	found, err := sleeps(e, s, prices)
	if err != nil {
		return f, err
	}
	for _, b := range found {
		name := "Idle time at " + price(b.Spec.Price) + " of the price"
		if b.Spec.Price == 1 {
			name = "Idle time at the full price"
		}
		line := chart.Series{Name: name, Kind: chart.Line}
		for _, q := range questions {
			if !(q >= 1) {
				return f, fmt.Errorf("lesson: questions %g: want 1 or more", q)
			}
			line.X, line.Y = append(line.X, q), append(line.Y, b.Average(q))
		}
		f.Series = append(f.Series, line)
	}
	f.Marks = []chart.Mark{{Label: "Thinking when asked", Y: new(found[0].Awake)}}
	return f, nil
}

// ChangeTable lists what each development changes against what it takes the place of:
// after over before.
func ChangeTable(p world.Parameters, e *costmodel.Engine, s sincethen.Sleep, c sincethen.Compression) (table.Table, error) {
	t := table.New("", "Development", "Against", "Write", "Read", "GPU memory", "What changes in the context")
	found, err := sincethen.Changes(context.Background(), p, e, s, c)
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	for _, x := range found {
		write := ratio(x.Write)
		if x.WriteTokens {
			write += " (tokens)"
		}
		if err := t.Add(x.Name, x.Against, write, ratio(x.Read), ratio(x.Memory), x.Changes); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ratio writes after over before: ×1.13, ×1,638 or ×1/243.
func ratio(x float64) string {
	switch {
	case x >= 9.995:
		return "×" + thousands(int(math.Round(x)))
	case x >= 0.1:
		return fmt.Sprintf("×%.2f", x)
	}
	return fmt.Sprintf("×1/%.0f", 1/x)
}
