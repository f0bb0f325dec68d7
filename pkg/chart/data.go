package chart

import (
	"encoding/json"
	"strconv"
)

// Data keeps six significant digits: more than any eye or figure resolves,
// fewer than processors disagree about.
const dataDigits = 6

type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if n == 0 {
		n = 0 // not -0
	}
	return []byte(strconv.FormatFloat(float64(n), 'g', dataDigits, 64)), nil
}

type axisData struct {
	Label      string   `json:"label"`
	Unit       string   `json:"unit,omitempty"`
	Log        bool     `json:"log,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

type seriesData struct {
	Name string   `json:"name"`
	Kind string   `json:"kind"`
	X    []number `json:"x,omitempty"`
	Y    []number `json:"y"`
	Low  []number `json:"low,omitempty"`
	High []number `json:"high,omitempty"`
}

type markData struct {
	Label string  `json:"label"`
	X     *number `json:"x,omitempty"`
	Y     *number `json:"y,omitempty"`
}

type figureData struct {
	Title  string       `json:"title"`
	X      axisData     `json:"x"`
	Y      axisData     `json:"y"`
	Series []seriesData `json:"series"`
	Marks  []markData   `json:"marks,omitempty"`
}

func (f Figure) data() (json.RawMessage, error) {
	d := figureData{
		Title: f.Title,
		X:     axisData{f.X.Label, f.X.Unit, f.X.Log, f.X.Categories},
		Y:     axisData{f.Y.Label, f.Y.Unit, f.Y.Log, nil},
	}
	for _, s := range f.Series {
		d.Series = append(d.Series, seriesData{s.Name, s.Kind.String(),
			numbers(s.X), numbers(s.Y), numbers(s.Low), numbers(s.High)})
	}
	for _, m := range f.Marks {
		d.Marks = append(d.Marks, markData{m.Label, pointer(m.X), pointer(m.Y)})
	}
	return json.Marshal(d)
}

func numbers(values []float64) []number {
	var out []number
	for _, v := range values {
		out = append(out, number(v))
	}
	return out
}

func pointer(v *float64) *number {
	if v == nil {
		return nil
	}
	return new(number(*v))
}
