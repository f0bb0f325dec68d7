package playbook

import (
	"context"
	"fmt"
	"strings"

	"memlab/pkg/serving"
)

// The tags that a rewritten cheatsheet stands between.
const (
	OpenTag  = "<cheatsheet>"
	CloseTag = "</cheatsheet>"
)

// SheetSegment is the name of the sheet's part of a prompt.
const SheetSegment = "cheatsheet"

// ReadSheet takes the sheet out of what the model wrote. A sheet that is not
// closed was cut off at the limit of the output, and is ErrTruncated: to accept
// what there is would lose the rest without a sign.
func ReadSheet(output string) ([]string, error) {
	_, body, opened := strings.Cut(output, OpenTag)
	end := strings.LastIndex(body, CloseTag)
	switch {
	case !opened:
		return nil, fail(ErrTruncated, "no %s in an answer of %d bytes", OpenTag, len(output))
	case end < 0:
		return nil, fail(ErrTruncated, "no %s after %d bytes of the sheet: want the whole sheet, or a higher limit of the output", CloseTag, len(body))
	}
	return sheetLines(body[:end]), nil
}

func sheetLines(body string) []string {
	var lines []string
	for l := range strings.SplitSeq(body, "\n") {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// SheetLoop is the loop of Dynamic Cheatsheet: after each task the curator writes
// the whole sheet anew.
type SheetLoop struct {
	Generator Generator
	Judge     Judge
	Rewriter  Rewriter
	// AcceptTruncated takes a sheet without an end for what it is, as the
	// published code does. It is there to show what that costs.
	AcceptTruncated bool
	Count           Counter // nil: EstimateTokens
	Calls           Calls
	Ledger          *serving.Ledger

	lines  []string
	tokens map[string]int // of the lines
	tasks  int
}

// SheetStep is what became of one task.
type SheetStep struct {
	Trajectory Trajectory `json:"trajectory"`
	Feedback   Feedback   `json:"feedback"`
	// Lines and Tokens are the sheet's before the task, NewTokens after it.
	Lines     int `json:"lines"`
	Tokens    int `json:"sheet_tokens"`
	NewTokens int `json:"new_sheet_tokens"`
	// Written is what the curator wrote, accepted or not, without the tags.
	Written   int   `json:"written_tokens"`
	Truncated error `json:"-"`       // the rewrite was not complete
	Refused   bool  `json:"refused"` // and the sheet stayed as it was
}

// Lines is the sheet.
func (l *SheetLoop) Lines() []string { return append([]string(nil), l.lines...) }

// Set replaces the sheet.
func (l *SheetLoop) Set(lines []string) { l.lines = append([]string(nil), lines...) }

// Online does each task once.
func (l *SheetLoop) Online(ctx context.Context, tasks []Task) ([]SheetStep, error) {
	steps := make([]SheetStep, 0, len(tasks))
	for _, t := range tasks {
		s, err := l.Step(ctx, t)
		if err != nil {
			return steps, err
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// Step does a task and lets the sheet be written anew.
func (l *SheetLoop) Step(ctx context.Context, t Task) (SheetStep, error) {
	if l.Generator == nil || l.Judge == nil || l.Rewriter == nil || l.Calls.System < 1 {
		return SheetStep{}, fail(ErrOption, "sheet loop: want a generator, a judge, a rewriter and system_tokens of 1 or more (%d)", l.Calls.System)
	}
	t.Number = l.tasks
	s, err := l.step(ctx, t)
	if err != nil {
		return s, fmt.Errorf("playbook: task %d: %w", t.Number, err)
	}
	l.tasks++
	return s, nil
}

func (l *SheetLoop) step(ctx context.Context, t Task) (s SheetStep, err error) {
	s.Lines, s.Tokens = len(l.lines), l.length(l.lines)
	if s.Trajectory, err = l.Generator.Generate(ctx, t, sheetBullets(l.lines)); err != nil {
		return s, err
	}
	if s.Feedback, err = l.Judge.Judge(ctx, s.Trajectory); err != nil {
		return s, err
	}
	if err := notNegative(t.Tokens, s.Trajectory.Tokens, s.Feedback.Tokens); err != nil {
		return s, err
	}
	output, err := l.Rewriter.Rewrite(ctx, l.Lines(), s.Trajectory, s.Feedback)
	if err != nil {
		return s, err
	}
	var lines []string
	if lines, s.Truncated = ReadSheet(output); s.Truncated != nil {
		_, body, _ := strings.Cut(output, OpenTag)
		lines = sheetLines(body)
		s.Refused = !l.AcceptTruncated
	}
	s.Written = l.length(lines)
	if err := l.enter(t, s); err != nil {
		return s, err
	}
	if !s.Refused {
		l.lines = lines
	}
	s.NewTokens = l.length(l.lines)
	return s, nil
}

// sheetBullets are the lines as a generator reads them: without identities.
func sheetBullets(lines []string) []Bullet {
	out := make([]Bullet, len(lines))
	for i, l := range lines {
		out[i] = Bullet{Text: l}
	}
	return out
}

func (l *SheetLoop) enter(t Task, s SheetStep) error {
	if l.Ledger == nil {
		return nil
	}
	c := calls{l.Ledger, l.Calls, t}
	sheet := serving.Segment{Name: SheetSegment}
	if s.Tokens > 0 {
		// One text as a whole: nobody can tell which lines a model will repeat.
		sheet.Items = []serving.Item{{Kind: "sheet", Version: t.Number, Tokens: s.Tokens}}
	}
	prompt := c.prompt(Generating, sheet, c.task())
	if l.Calls.Inline {
		return c.add(Generating, serving.Read, prompt, s.Trajectory.Tokens, s.Written)
	}
	if err := c.add(Generating, serving.Read, prompt, s.Trajectory.Tokens); err != nil {
		return err
	}
	prompt = c.prompt(Curating, sheet, c.task(), c.own("trajectory", s.Trajectory.Tokens+s.Feedback.Tokens))
	return c.add(Curating, serving.Write, prompt, s.Written)
}

func (l *SheetLoop) length(lines []string) int {
	if l.tokens == nil {
		l.tokens = map[string]int{}
	}
	n := 0
	for _, s := range lines {
		k, ok := l.tokens[s]
		if !ok {
			count := l.Count
			if count == nil {
				count = EstimateTokens
			}
			k = max(1, count(s))
			l.tokens[s] = k
		}
		n += k
	}
	return n
}
