package lesson_test

import (
	"testing"

	"memlab/pkg/chart"
	"memlab/pkg/table"
)

// A gallery collects what a section shows, to draw all of it in both languages.
type gallery struct {
	t       *testing.T
	figures []chart.Figure
	tables  []table.Table
}

func (g *gallery) figure(f chart.Figure, err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
	g.figures = append(g.figures, f)
}

func (g *gallery) table(x table.Table, err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
	g.tables = append(g.tables, x)
}

// inBothLanguages draws the figures and translates the tables.
func (g *gallery) inBothLanguages() {
	g.t.Helper()
	for _, lang := range []chart.Lang{chart.English, chart.Chinese} {
		for _, f := range g.figures {
			if _, err := f.Render(lang); err != nil {
				g.t.Errorf("%s: %v", lang, err)
			}
		}
		for _, x := range g.tables {
			if _, err := x.Translate(func(s string) (string, error) { return chart.Translate(lang, s) }); err != nil {
				g.t.Errorf("%s: %q: %v", lang, x.Columns, err)
			}
		}
	}
}
