package chart

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// cjkOTF holds the characters of zh.json and no others; font/subset makes it.
//
//go:embed font/cjk.otf
var cjkOTF []byte

// A typeface sets the text of one language. English uses gonum's Liberation
// Sans; Chinese uses one font for Latin and Chinese, so that mixed text sits
// on one line and in one weight.
type typeface struct {
	font  font.Font
	cache *font.Cache
}

var cjk = sync.OnceValues(func() (*typeface, error) {
	parsed, err := opentype.Parse(cjkOTF)
	if err != nil {
		return nil, fmt.Errorf("chart: font/cjk.otf: %w", err)
	}
	return newTypeface(font.Face{Font: font.Font{Typeface: "CJK"}, Face: parsed}), nil
})

var latin = sync.OnceValues(func() (*typeface, error) {
	want := font.Font{Typeface: "Liberation", Variant: "Sans"}
	for _, face := range liberation.Collection() {
		if face.Font == want {
			return newTypeface(face), nil
		}
	}
	return nil, fmt.Errorf("chart: gonum's fonts have no %s", want.Name())
})

func newTypeface(face font.Face) *typeface {
	return &typeface{font: face.Font, cache: font.NewCache(font.Collection{face})}
}

func typefaceFor(lang Lang) (*typeface, error) {
	if lang == Chinese {
		return cjk()
	}
	return latin()
}

func (t *typeface) face(size vg.Length) font.Face { return t.cache.Lookup(t.font, size) }

func (t *typeface) width(s string, size vg.Length) vg.Length {
	face := t.face(size)
	widest := vg.Length(0)
	for line := range strings.SplitSeq(s, "\n") {
		widest = max(widest, face.Width(line))
	}
	return widest
}

func (t *typeface) handler() text.Handler { return text.Plain{Fonts: t.cache} }

// missing lists the characters of s that the font cannot draw.
func (t *typeface) missing(s string) []rune {
	var (
		buf  sfnt.Buffer
		out  []rune
		face = t.face(12)
	)
	for _, r := range s {
		if i, err := face.Face.GlyphIndex(&buf, r); err != nil || i == 0 {
			out = append(out, r)
		}
	}
	return out
}
