package chart_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/chart"
)

func render(t *testing.T, f chart.Figure, lang chart.Lang) chart.Picture {
	t.Helper()
	p, err := f.Render(lang)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// each runs a test on every figure in every language.
func each(t *testing.T, test func(t *testing.T, f func() chart.Figure, lang chart.Lang)) {
	for name, f := range figures {
		for _, lang := range languages {
			t.Run(fmt.Sprintf("%s in %s", name, lang), func(t *testing.T) { test(t, f, lang) })
		}
	}
}

func TestSameFigureSameBytes(t *testing.T) {
	each(t, func(t *testing.T, f func() chart.Figure, lang chart.Lang) {
		if diff := cmp.Diff(render(t, f(), lang), render(t, f(), lang)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRenderLeavesItsInputAlone(t *testing.T) {
	for name, f := range figures {
		figure := f()
		render(t, figure, chart.Chinese)
		if diff := cmp.Diff(f(), figure); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// elements counts the elements of an SVG and collects the text of each kind.
func elements(t *testing.T, svg []byte) (root xml.StartElement, text map[string][]string) {
	t.Helper()
	text = map[string][]string{}
	dec := xml.NewDecoder(bytes.NewReader(svg))
	var open []string
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return root, text
		}
		if err != nil {
			t.Fatalf("SVG is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == 0 {
				root = token.Copy()
			}
			open = append(open, token.Name.Local)
			text[token.Name.Local] = append(text[token.Name.Local], "")
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all := text[open[len(open)-1]]
				all[len(all)-1] += string(token)
			}
		}
	}
}

func TestSVGIsAccessibleAndScales(t *testing.T) {
	each(t, func(t *testing.T, f func() chart.Figure, lang chart.Lang) {
		p := render(t, f(), lang)
		root, text := elements(t, p.SVG)
		attr := map[string]string{}
		for _, a := range root.Attr {
			attr[a.Name.Local] = a.Value
		}
		want := map[string]string{
			"role":    "img",
			"viewBox": fmt.Sprintf("0 0 %d %d", p.Width, p.Height),
			"width":   "720",
			"style":   "max-width:100%;height:auto",
		}
		for name, value := range want {
			if attr[name] != value {
				t.Errorf("attribute %s is %q, want %q", name, attr[name], value)
			}
		}
		title, err := chart.Translate(lang, f().Title)
		if err != nil {
			t.Fatal(err)
		}
		if got := text["title"]; len(got) != 1 || got[0] != title {
			t.Errorf("title is %q, want %q", got, title)
		}
		if got := text["desc"]; len(got) != 1 || got[0] != p.Alt {
			t.Errorf("desc is %q, want the text alternative", got)
		}
		label, _ := chart.Translate(lang, f().Y.Label)
		if !strings.Contains(strings.Join(text["text"], "\n"), label) {
			t.Errorf("no text shows the label of the Y axis %q", label)
		}
		if len(text["path"]) < 10 {
			t.Errorf("%d paths: want a drawing", len(text["path"]))
		}
		if bytes.Contains(p.SVG, []byte("font-variant")) {
			t.Error("a text names a font of its own: a browser would take it before the families of the root")
		}
		if n, m := bytes.Count(p.SVG, []byte("<text ")), bytes.Count(p.SVG, []byte(" textLength=")); n != m {
			t.Errorf("%d texts, but %d with a width", n, m)
		}
	})
}

func TestPNGShowsTheFigure(t *testing.T) {
	each(t, func(t *testing.T, f func() chart.Figure, lang chart.Lang) {
		p := render(t, f(), lang)
		img, err := png.Decode(bytes.NewReader(p.PNG))
		if err != nil {
			t.Fatal(err)
		}
		size := img.Bounds().Size()
		if size.X != 2*p.Width || size.Y != 2*p.Height {
			t.Errorf("size is %v, want twice %d x %d", size, p.Width, p.Height)
		}
		if len(p.PNG) > 60_000 {
			t.Errorf("%d bytes: want at most 60,000", len(p.PNG))
		}
		dark, coloured := 0, 0
		for y := range size.Y {
			for x := range size.X {
				r, g, b, a := img.At(x, y).RGBA()
				if a != 0xFFFF {
					t.Fatalf("pixel %d,%d is transparent: a dark theme would shine through", x, y)
				}
				if max(r, g, b) < 0x6000 {
					dark++
				}
				if max(r, g, b)-min(r, g, b) > 0x4000 {
					coloured++
				}
			}
		}
		if dark < 1000 || coloured < 500 {
			t.Errorf("%d dark and %d coloured pixels: want text and data", dark, coloured)
		}
	})
}

func TestAltNamesWhatThereIsToSee(t *testing.T) {
	wants := map[chart.Lang][]string{
		chart.English: {
			"Figure: Throughput with private and shared context.",
			"X axis: Context per request (tokens), logarithmic, from ",
			`Line "private, one for each user", 8 points: first 10.7k at 1k, last 100 at 120k, lowest 100 at 120k, highest 10.7k at 1k.`,
			"Mark at X = 64k: one request fills the GPU.",
			"Mark at the point 670 at 16k: 16k context.",
			"The whole batch shares H100",
		},
		chart.Chinese: {
			"图：私有与共享上下文下的吞吐。",
			"X 轴：每个请求的上下文（token），对数刻度，从 ",
			"折线“私有：每人一份”，8 个点：起点 1k 处为 10.7k，终点 120k 处为 100，",
			"标记线 X = 64k：一个请求就占满 GPU。",
		},
	}
	for lang, parts := range wants {
		alt := render(t, throughput(), lang).Alt
		for _, part := range parts {
			if !strings.Contains(alt, part) {
				t.Errorf("in %s: no %q in:\n%s", lang, part, alt)
			}
		}
	}
}

func TestAltOfStacksGivesPartsAndWhole(t *testing.T) {
	alt := render(t, prefill(), chart.English).Alt
	for _, part := range []string{
		`Stacked bars "attention part" - 1k: 400 µs; 8k: 24 ms; 32k: 380 ms; 128k: 6 s.`,
		"Whole stacks - 1k: 20.4 ms; 8k: 194 ms; 32k: 1.08 s; 128k: 8.8 s. The lowest is 20.4 ms at 1k, the highest 8.8 s at 128k.",
	} {
		if !strings.Contains(alt, part) {
			t.Errorf("no %q in:\n%s", part, alt)
		}
	}
}

func TestDataFollowsTheValuesAndNotTheLanguage(t *testing.T) {
	data := func(f chart.Figure, lang chart.Lang) string { return string(render(t, f, lang).Data) }
	before := data(throughput(), chart.English)
	if !json.Valid([]byte(before)) {
		t.Fatalf("not JSON: %s", before)
	}
	if zh := data(throughput(), chart.Chinese); zh != before {
		t.Errorf("the language changes the data:\n%s\n%s", before, zh)
	}
	noise := throughput()
	noise.Series[0].Y[3] *= 1 + 1e-9
	if data(noise, chart.English) != before {
		t.Error("a change in the tenth digit changes the data")
	}
	changes := map[string]func(*chart.Figure){
		"a value":       func(f *chart.Figure) { f.Series[0].Y[3] *= 1.0001 },
		"an X":          func(f *chart.Figure) { f.Series[1].X = append([]float64{1001}, f.Series[1].X[1:]...) },
		"a bound":       func(f *chart.Figure) { f.Series[0].High[7] = 111 },
		"a mark":        func(f *chart.Figure) { f.Marks[0].X = new(65e3) },
		"a name":        func(f *chart.Figure) { f.Series[1].Name = "shared" },
		"the scale":     func(f *chart.Figure) { f.X.Log = false },
		"a kind":        func(f *chart.Figure) { f.Series[1].Kind = chart.Points },
		"a series less": func(f *chart.Figure) { f.Series = f.Series[:1] },
	}
	for name, change := range changes {
		f := throughput()
		change(&f)
		if data(f, chart.English) == before {
			t.Errorf("%s changes, the data does not", name)
		}
	}
}

// Enough for the shapes that once went wrong; a thousand take a minute.
const randomFigures = 60

// Whatever passes the checks must be drawn: random figures with the ranges
// and shapes that a lesson will not think of.
func TestNoFigurePanics(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	scales := []float64{0, 1e-30, 1e-9, 1, 1e3, 1e12, 1e60}
	drawn := 0
	for i := range randomFigures {
		f := chart.Figure{
			Title: strings.Repeat("Throughput ", 1+r.IntN(12)),
			X:     chart.Axis{Label: "Context", Unit: []string{"", "tokens", "s"}[r.IntN(3)], Log: r.IntN(3) == 0},
			Y:     chart.Axis{Label: "Time", Unit: []string{"", "B", "s", "%", "GiB"}[r.IntN(5)], Log: r.IntN(3) == 0},
			Width: []int{0, 320, 900}[r.IntN(3)],
		}
		n := 1 + r.IntN(9)
		kind := chart.Kind(r.IntN(4))
		if kind == chart.Bars || kind == chart.StackedBars || r.IntN(4) == 0 {
			f.X = chart.Axis{Label: "Model"}
			for range n {
				f.X.Categories = append(f.X.Categories, strings.Repeat("Llama-3-70B-", 1+r.IntN(6)))
			}
		}
		if kind == chart.StackedBars {
			f.Y.Log = false
		}
		scale, offset := scales[r.IntN(len(scales))], scales[r.IntN(len(scales))]
		for k := range 1 + r.IntN(8) {
			s := chart.Series{Name: fmt.Sprint("s", k, strings.Repeat(" long", r.IntN(20))), Kind: kind}
			for range n {
				y := offset + scale*r.Float64()
				s.Y = append(s.Y, y)
				if f.X.Categories == nil {
					s.X = append(s.X, offset+scale*r.NormFloat64())
				}
				if k == 0 && kind != chart.StackedBars {
					s.Low, s.High = append(s.Low, y), append(s.High, y*1.5)
				}
			}
			f.Series = append(f.Series, s)
		}
		f.Marks = []chart.Mark{{Label: strings.Repeat("a long mark ", r.IntN(9)), Y: new(offset + scale/2)}}
		if _, err := f.Render(chart.English); err == nil {
			drawn++
		} else if !strings.Contains(err.Error(), "want") {
			t.Errorf("figure %d: the error does not say what is wanted: %v", i, err)
		}
	}
	if drawn < 20 {
		t.Errorf("%d drawn: the test draws too little", drawn)
	}
}

func TestValuesOfOneSizeKeepTheirTicksApart(t *testing.T) {
	f := measured()
	f.Series = []chart.Series{{X: []float64{1, 2}, Y: []float64{5, math.Nextafter(5, 6)}}}
	svg := string(render(t, f, chart.English).SVG)
	if n := strings.Count(svg, ">5 s<"); n != 1 {
		t.Errorf("%d ticks say 5 s, want 1", n)
	}
}

func BenchmarkRender(b *testing.B) {
	for _, name := range []string{"lines on log axes", "stacked bars"} {
		for _, lang := range languages {
			b.Run(fmt.Sprintf("%s/%s", name, lang), func(b *testing.B) {
				f := figures[name]()
				for b.Loop() {
					if _, err := f.Render(lang); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
