package chart_test

import "memlab/pkg/chart"

// The figures that the tests share: one of each kind.

func throughput() chart.Figure {
	contexts := []float64{1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 120e3}
	return chart.Figure{
		Title: "Throughput with private and shared context",
		X:     chart.Axis{Label: "Context per request", Unit: "tokens", Log: true},
		Y:     chart.Axis{Label: "Decode throughput", Unit: "tokens/s", Log: true},
		Series: []chart.Series{
			{
				Name: "private, one for each user", X: contexts,
				Y:    []float64{10700, 5400, 2700, 1340, 670, 330, 165, 100},
				Low:  []float64{9000, 5000, 2500, 1200, 600, 300, 150, 90},
				High: []float64{12000, 6000, 3000, 1500, 700, 360, 180, 110},
			},
			{Name: "shared, one for all", X: contexts, Y: []float64{10900, 10890, 10870, 10830, 10750, 10600, 10300, 9800}},
		},
		Marks: []chart.Mark{
			{Label: "one request fills the GPU", X: new(64e3)},
			{Label: "half of the throughput", Y: new(5350.0)},
			{Label: "16k context", X: new(16e3), Y: new(670.0)},
		},
		Caption: "The whole batch shares H100: each private context takes memory from every other user.",
	}
}

func prefill() chart.Figure {
	return chart.Figure{
		Title: "Prefill: linear layers and attention",
		X:     chart.Axis{Label: "Context", Unit: "tokens", Categories: []string{"1k", "8k", "32k", "128k"}},
		Y:     chart.Axis{Label: "Prefill time", Unit: "s"},
		Series: []chart.Series{
			{Name: "linear part", Kind: chart.StackedBars, Y: []float64{0.02, 0.17, 0.7, 2.8}},
			{Name: "attention part", Kind: chart.StackedBars, Y: []float64{0.0004, 0.024, 0.38, 6}},
		},
		Marks: []chart.Mark{{Label: "target of 1 s", Y: new(1.0)}},
	}
}

func kvBytes() chart.Figure {
	return chart.Figure{
		Title:  "KV cache per token of several models",
		X:      chart.Axis{Label: "Model", Categories: []string{"Llama-3-8B", "Llama-3-70B", "Qwen2.5-7B"}},
		Y:      chart.Axis{Label: "KV cache per token", Unit: "B"},
		Series: []chart.Series{{Kind: chart.Bars, Y: []float64{131072, 327680, 57344}}},
	}
}

func measured() chart.Figure {
	return chart.Figure{
		Title: "Latency",
		X:     chart.Axis{Label: "Batch size"},
		Y:     chart.Axis{Label: "Time per step", Unit: "s"},
		Series: []chart.Series{
			{Name: "measured", Kind: chart.Points, X: []float64{1, 8, 64}, Y: []float64{0.011, 0.012, 0.025}, Low: []float64{0.010, 0.011, 0.02}, High: []float64{0.012, 0.013, 0.03}},
			{Name: "model", X: []float64{1, 64}, Y: []float64{0.01, 0.024}},
		},
		Marks: []chart.Mark{{X: new(32.0)}},
	}
}

var figures = map[string]func() chart.Figure{
	"lines on log axes": throughput,
	"stacked bars":      prefill,
	"bars":              kvBytes,
	"points and a line": measured,
}

var languages = []chart.Lang{chart.English, chart.Chinese}
