package chart_test

import (
	"fmt"

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
		Marks: []chart.Mark{{Label: "weights of the model", Y: new(16.1e9)}},
	}
	for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
		picture, err := figure.Render(lang)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(picture.Alt) // picture.SVG and picture.PNG are the same in lines and colours
	}
	// Output:
	// Figure: KV cache over context length.
	// X axis: Context (tokens), from 0 to 131k.
	// Y axis: KV cache, from 0 B to 20 GB.
	// Line "Llama-3-8B", 3 points: first 0 B at 0, last 16.8 GB at 128k, lowest 0 B at 0, highest 16.8 GB at 128k.
	// Mark at Y = 16.1 GB: weights of the model.
	// 图：KV cache 随上下文长度增长。
	// X 轴：上下文长度（token），从 0 到 131k。
	// Y 轴：KV cache，从 0 B 到 20 GB。
	// 折线“Llama-3-8B”，3 个点：起点 0 处为 0 B，终点 128k 处为 16.8 GB，最低 0 处为 0 B，最高 128k 处为 16.8 GB。
	// 标记线 Y = 16.1 GB：模型权重。
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
