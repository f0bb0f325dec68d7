package chart

import (
	"image/color"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
)

// write draws one line of text with its baseline at pt; align 0 puts the left
// end there, 0.5 the middle, 1 the right end.
func (t *typeface) write(c vg.Canvas, s string, size vg.Length, clr color.Color, pt vg.Point, align float64) {
	if s == "" {
		return
	}
	c.SetColor(clr)
	pt.X -= t.width(s, size) * vg.Length(align)
	c.FillString(t.face(size), pt, s)
}

// writeLines draws lines downwards, the first with its baseline at pt.
func (t *typeface) writeLines(c vg.Canvas, lines []string, size vg.Length, clr color.Color, pt vg.Point) {
	for _, line := range lines {
		t.write(c, line, size, clr, pt, 0)
		pt.Y -= size * leading
	}
}

// box is the room that a line takes with its baseline at pt.
func (t *typeface) box(s string, size vg.Length, pt vg.Point, align float64) vg.Rectangle {
	w := t.width(s, size)
	left := pt.X - w*vg.Length(align)
	return vg.Rectangle{
		Min: vg.Point{X: left - 2, Y: pt.Y - size*0.28},
		Max: vg.Point{X: left + w + 2, Y: pt.Y + size*0.9},
	}
}

// wrap breaks text into lines no wider than width: at spaces, and around
// Chinese characters, but never before closing punctuation. A single piece that
// is wider is broken after a hyphen, or else where it must be.
func (t *typeface) wrap(s string, size, width vg.Length) []string {
	var lines []string
	line := ""
	for _, piece := range pieces(s) {
		if t.width(strings.TrimRight(line+piece, " "), size) <= width {
			line += piece
			continue
		}
		if line != "" {
			lines = append(lines, strings.TrimRight(line, " "))
		}
		line = piece
		for line != "" && t.width(strings.TrimRight(line, " "), size) > width {
			cut := t.cut(line, size, width)
			lines = append(lines, line[:cut])
			line = line[cut:]
		}
	}
	return append(lines, strings.TrimRight(line, " "))
}

// cut finds where to break a piece that is too wide.
func (t *typeface) cut(s string, size, width vg.Length) int {
	_, first := utf8.DecodeRuneInString(s)
	last, hyphen := first, 0
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		if i > 0 && t.width(s[:end], size) > width {
			break
		}
		last = end
		if (r == '-' || r == '/') && end < len(s) {
			hyphen = end
		}
	}
	if hyphen > 0 {
		return hyphen
	}
	return last
}

// pieces are the parts of a text between which a line may break.
func pieces(s string) []string {
	var out []string
	start := 0
	var before rune
	for i, r := range s {
		afterSpace := before == ' ' && r != ' '
		aroundHan := i > 0 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Han, before) || closing(before)) && !closing(r) && r != ' ' && !opening(before)
		if i > start && (afterSpace || aroundHan) {
			out = append(out, s[start:i])
			start = i
		}
		before = r
	}
	return append(out, s[start:])
}

func closing(r rune) bool {
	return strings.ContainsRune("，。、；：？！）》」】％", r) && r != 0
}
func opening(r rune) bool { return strings.ContainsRune("（《「【", r) && r != 0 }
