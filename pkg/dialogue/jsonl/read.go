package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"memlab/pkg/dialogue"
)

// maxLine bounds one line, so that a file without line ends cannot fill the memory.
const maxLine = 64 << 20

// Read reads dialogues, in the order in which their names come up. Lines that cannot
// be used are in the report; an error means that nothing could be, or that r failed.
func Read(r io.Reader) ([]dialogue.Dialogue, Report, error) {
	c := collector{drafts: map[string]*draft{}}
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		text, err := readLine(in)
		if err != nil && err != io.EOF {
			return nil, c.report, fmt.Errorf("jsonl: line %d: %w", number, err)
		}
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			c.line(number, text)
		}
		if err == io.EOF {
			break
		}
	}
	dialogues := c.finish()
	if len(dialogues) > 0 {
		return dialogues, c.report, nil
	}
	if len(c.report.Bad) > 0 {
		return nil, c.report, fmt.Errorf("jsonl: %w in %d lines: %w", ErrEmpty, c.report.Lines, c.report.Bad[0])
	}
	if c.report.Lines > 0 {
		return nil, c.report, fmt.Errorf("jsonl: %w: the input has no messages", ErrEmpty)
	}
	return nil, c.report, fmt.Errorf("jsonl: %w: the input has no lines with text", ErrEmpty)
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes: want one message or question per line", maxLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// collector puts lines into dialogues.
type collector struct {
	report Report
	names  []string
	drafts map[string]*draft
}

// line reads one line and enters it.
func (c *collector) line(number int, text []byte) {
	c.report.Lines++
	l, unknown, bad := parse(number, text)
	if bad != nil {
		c.bad(*bad)
		return
	}
	for _, field := range unknown {
		c.unknown(field, number)
	}
	if l.message == nil && l.question == nil {
		if l.language != "" { // says something about a dialogue, if nothing in it
			c.draft(l.dialogue).say(l.language)
		}
		c.report.Comments++
		return
	}
	d := c.draft(l.dialogue)
	if bad := d.add(l, number); bad != nil {
		c.bad(*bad)
		return
	}
	d.say(l.language)
	if m := l.message; m != nil {
		count(&c.report.TokensCounted, l.tokensCounted)
		count(&c.report.Untimed, m.Time.IsZero())
		count(&c.report.Unnamed, l.unnamed)
	}
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

func (c *collector) bad(e LineError) {
	c.report.BadLines++
	if len(c.report.Bad) < KeepBad {
		c.report.Bad = append(c.report.Bad, e)
	}
}

func (c *collector) unknown(field string, number int) {
	for i := range c.report.Unknown {
		if u := &c.report.Unknown[i]; u.Field == field {
			u.Lines++
			return
		}
	}
	c.report.Unknown = append(c.report.Unknown, UnknownField{Field: field, Line: number, Lines: 1})
}

// draft is the dialogue of a name.
func (c *collector) draft(name string) *draft {
	d := c.drafts[name]
	if d == nil {
		d = &draft{name: name, messages: map[string]int{}, questions: map[string]int{}}
		c.drafts[name] = d
		c.names = append(c.names, name)
	}
	return d
}

// finish makes the dialogues when all lines are there.
func (c *collector) finish() []dialogue.Dialogue {
	var dialogues []dialogue.Dialogue
	for _, name := range c.names {
		d := c.drafts[name]
		if len(d.lines) == 0 {
			for _, q := range d.asked {
				c.bad(LineError{q.number, "dialogue", fmt.Sprintf("%q has no usable message to ask about", name)})
			}
			continue
		}
		made := dialogue.Dialogue{Name: name, Language: d.spoken(), Messages: d.ordered()}
		c.report.RolesGuessed += d.giveRoles(made.Messages)
		for _, l := range d.asked {
			c.evidence(d, l)
			made.Questions = append(made.Questions, *l.question)
		}
		c.report.Dialogues++
		c.report.Messages += len(made.Messages)
		c.report.Questions += len(made.Questions)
		dialogues = append(dialogues, made)
	}
	return dialogues
}
