package chart_test

import (
	"fmt"
	"os"
	"path/filepath"

	"memlab/pkg/chart"
)

// A figure is written once, in English, and drawn in both languages.
func ExampleFigure_Render() {
	figure := chart.Figure{
		Title: "KV cache over context length",
		X:     chart.Axis{Label: "Context", Unit: "tokens"},
		Y:     chart.Axis{Label: "KV cache", Unit: "B"},
		Series: []chart.Series{
			{Name: "Llama-3-8B", X: []float64{0, 64e3, 128e3}, Y: []float64{0, 8.39e9, 16.8e9}},
		},
		Marks: []chart.Mark{{Label: "model weights of 16.1 GB", Y: new(16.1e9)}},
	}
	figure.Marks[0].Label = "weights of the model"
	for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
		picture, err := figure.Render(lang)
		if err != nil {
			fmt.Println(err)
			return
		}
		file := filepath.Join(os.TempDir(), "kv."+string(lang)+".png")
		if err := os.WriteFile(file, picture.PNG, 0o644); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(picture.Alt)
	}
	// Output:
}

func ExampleTranslate() {
	text, err := chart.Translate(chart.Chinese, "Prefill of 128k tokens")
	fmt.Println(text, err)
	_, err = chart.Translate(chart.Chinese, "Time until lunch")
	fmt.Println(err)
	// Output:
	// 128k 个 token 的 prefill <nil>
	// chart: no Chinese text for "Time until lunch": add it to pkg/chart/zh.json and run pkg/chart/font/subset
}
