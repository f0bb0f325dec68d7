// Package nb is the bridge between a lesson and its notebook: it shows
// figures, tables and progress, and checks exercises, in the language of the
// notebook's folder. It is for cells only, and the one package that knows the
// GoNB kernel; outside a notebook everything is printed as text. Its main
// calls are Show, Table, Printf, NewProgress and Check. A call costs a
// message to the kernel, and Show a render of its figure besides. The messages
// are those of Jupyter's protocol, section "display_data".
//
// A cell is a program of its own, so a mistake ends it: where a package would
// return an error, nb prints it and exits with status 1, and the cell fails.
package nb

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"memlab/pkg/chart"
	"memlab/pkg/table"
)

// MIMEFigure names the data of a figure in its output, by which two runs of a
// notebook are compared. Jupyter does not show it.
const MIMEFigure = "application/vnd.memlab.figure+json"

// Lang returns the language of the notebook: Chinese in a folder zh, else
// English.
func Lang() chart.Lang {
	dir := filepath.ToSlash(os.Getenv(protocol.GONB_DIR_ENV))
	if slices.Contains(strings.Split(dir, "/"), "zh") {
		return chart.Chinese
	}
	return chart.English
}

// Must returns v, and ends the cell with a clear line when err is not nil.
func Must[T any](v T, err error) T {
	if err != nil {
		fail(err)
	}
	return v
}

// Printf prints a line of results as fmt.Printf does, followed by a newline
// where format lacks it. In Chinese, a sentence that chart's catalogue knows
// is printed in Chinese; one of the reader's own stays as it is.
func Printf(format string, args ...any) {
	text := strings.TrimSuffix(fmt.Sprintf(format, args...), "\n")
	if zh, err := chart.Translate(Lang(), text); err == nil {
		text = zh
	}
	fmt.Println(text)
}

// Show displays a figure: SVG, PNG and a text alternative in one output.
func Show(f chart.Figure) {
	p := Must(f.Render(Lang()))
	if !gonbui.IsNotebook {
		fmt.Println(p.Alt)
		return
	}
	display(&protocol.DisplayData{
		Data: map[protocol.MIMEType]any{
			protocol.MIMEImageSVG:  string(p.SVG),
			protocol.MIMEImagePNG:  p.PNG,
			protocol.MIMETextPlain: p.Alt,
			MIMEFigure:             string(p.Data),
		},
		// The picture has more pixels than it is wide on the page.
		Metadata: map[string]any{
			string(protocol.MIMEImagePNG): map[string]int{"width": p.Width, "height": p.Height},
		},
	})
}

// Table displays a table, as HTML with a text alternative.
func Table(t table.Table) {
	t = Must(t.Translate(func(s string) (string, error) { return chart.Translate(Lang(), s) }))
	if !gonbui.IsNotebook {
		fmt.Print(t.Text())
		return
	}
	display(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML:  t.HTML(),
		protocol.MIMETextPlain: t.Text(),
	}})
}

// display sends one output and waits until the kernel has it, so that outputs
// keep the order of the calls.
func display(data *protocol.DisplayData) {
	gonbui.SendData(data)
	gonbui.Sync()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Assert holds the text to its word: it ends the cell with a clear line unless
// ok, which the sentence what has stated.
func Assert(ok bool, what string) {
	if !ok {
		fail(fmt.Errorf("nb: this does not hold: %s", what))
	}
}
