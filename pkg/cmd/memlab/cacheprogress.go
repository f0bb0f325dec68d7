package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
)

// progress is where the bars of a long run are drawn: on a terminal only, so
// that a log or a pipe holds nothing but notes.
type progress struct{ to io.Writer }

// bar starts a bar for total steps; -1 is a number that nobody knows. It is
// wiped when it ends.
func (p progress) bar(label string, total int64, more ...progressbar.Option) *progressbar.ProgressBar {
	options := append([]progressbar.Option{
		progressbar.OptionSetWriter(p.to),
		progressbar.OptionSetVisibility(isTerminal(p.to)),
		progressbar.OptionSetDescription(label),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100e6), // ns
		progressbar.OptionClearOnFinish(),
	}, more...)
	return progressbar.NewOptions64(total, options...)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
