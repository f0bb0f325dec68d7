package playbook

import (
	"strconv"
	"strings"

	"memlab/pkg/serving"
)

// Segment is the name of the playbook's part of a prompt.
const Segment = "playbook"

// Layout says how prompts show the bullets. The zero value is the one that a
// prefix cache likes best: in the order of arrival, without counters, so that
// the text only grows.
type Layout struct {
	// Counters writes the counts beside each bullet, as ACE's code does; every
	// mark then changes the prompt in the middle.
	Counters bool `json:"counters"`
	// Grouped gathers the bullets under the headings of their sections, as
	// ACE's code does; a new bullet then goes in the middle. Otherwise the
	// beginning of the identity tells the section.
	Grouped bool `json:"grouped"`
}

// Line is a bullet as prompts show it.
func (l Layout) Line(b Bullet) string {
	if l.Counters {
		return line(b)
	}
	return "[" + b.ID + "] " + escape(b.Text)
}

// Render is the playbook as text. The items are its lines, one each.
func (p *Playbook) Render(l Layout) string {
	var s strings.Builder
	p.each(l, func(section string, i int) {
		if i < 0 {
			s.WriteString(heading(section))
		} else {
			s.WriteString(l.Line(p.slots[i].Bullet))
		}
		s.WriteByte('\n')
	})
	return s.String()
}

// Prompt is the playbook as a segment of a prompt, for the cache.
func (p *Playbook) Prompt(l Layout) serving.Segment {
	items := make([]serving.Item, 0, p.Len())
	p.each(l, func(section string, i int) {
		if i < 0 {
			items = append(items, serving.Item{Kind: "heading", Name: section, Tokens: p.tokens(heading(section))})
		} else {
			items = append(items, p.item(i, l))
		}
	})
	return serving.Segment{Name: Segment, Items: items}
}

// Tokens is the length of the playbook in prompts.
func (p *Playbook) Tokens(l Layout) int {
	n := 0
	p.each(l, func(section string, i int) {
		if i < 0 {
			n += p.tokens(heading(section))
		} else {
			n += p.item(i, l).Tokens
		}
	})
	return n
}

// each runs over the lines: headings with slot -1, bullets with their slot.
func (p *Playbook) each(l Layout, yield func(section string, slot int)) {
	if !l.Grouped {
		for i := range p.slots {
			if p.slots[i].live {
				yield("", i)
			}
		}
		return
	}
	var sections []string
	in := map[string][]int{}
	for i := range p.slots {
		if s := &p.slots[i]; s.live {
			if in[s.Section] == nil {
				sections = append(sections, s.Section)
			}
			in[s.Section] = append(in[s.Section], i)
		}
	}
	for _, section := range sections {
		yield(section, -1)
		for _, i := range in[section] {
			yield(section, i)
		}
	}
}

// item is a bullet of a prompt. Its version is a hash of the line, so that equal
// text is equal content, whatever its history.
func (p *Playbook) item(i int, l Layout) serving.Item {
	s := &p.slots[i]
	it := &s.items[0]
	if l.Counters {
		it = &s.items[1]
	}
	if it.Tokens == 0 {
		text := l.Line(s.Bullet)
		*it = serving.Item{Kind: "bullet", Name: s.ID, Version: version(text), Tokens: p.tokens(text)}
	}
	return *it
}

// tokens is at least 1: no line is for free.
func (p *Playbook) tokens(text string) int {
	if p.count == nil {
		return max(1, EstimateTokens(text))
	}
	return max(1, p.count(text))
}

// version is FNV-1a of a text, positive.
func version(text string) int {
	h := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return int(h >> 2)
}

func heading(section string) string { return "## " + escape(section) }

// line is a bullet in the text form of ACE.
func line(b Bullet) string {
	return "[" + b.ID + "] helpful=" + strconv.Itoa(b.Helpful) + " harmful=" + strconv.Itoa(b.Harmful) + " :: " + escape(b.Text)
}
