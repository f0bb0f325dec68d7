package nb

import (
	"fmt"
	"os"

	"github.com/schollz/progressbar/v3"

	"memlab/pkg/chart"
)

// A Progress is one line that fills up while a cell works. Its last state is
// all that a stored notebook keeps, and holds no times, so that two runs store
// the same line.
type Progress struct{ bar *progressbar.ProgressBar }

// NewProgress starts a line for total steps.
func NewProgress(label string, total int) *Progress {
	if total <= 0 {
		fail(fmt.Errorf("nb: progress %q of %d steps: want a positive number", label, total))
	}
	if zh, err := chart.Translate(Lang(), label); err == nil {
		label = zh
	}
	return &Progress{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(os.Stdout),
		progressbar.OptionSetDescription(label),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(200e6), // ns: five messages a second are enough for an eye
		progressbar.OptionOnCompletion(func() { fmt.Println() }),
	)}
}

// Add says that n more steps are done.
func (p *Progress) Add(n int) {
	if err := p.bar.Add(n); err != nil {
		fail(fmt.Errorf("nb: progress: %w", err))
	}
}
