package chart

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"regexp"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A browser takes the first family that it has. The Latin ones are as wide as
// the font that placed the text.
const (
	latinFamilies = "'Liberation Sans', Arial, Helvetica, 'Noto Sans', sans-serif"
	cjkFamilies   = "'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC', 'PingFang SC', 'Microsoft YaHei', 'WenQuanYi Micro Hei', sans-serif"
)

var (
	// The root element as vgsvg writes it, with a size in points and nothing
	// for readers who cannot see.
	vgsvgRoot = regexp.MustCompile(`(?s)^.*?<svg [^>]*>\n`)
	// A text as vgsvg writes it, with its style on a second line.
	vgsvgText = regexp.MustCompile(`<text ([^>]*)\n\tstyle="font-size:([0-9.]+)px;([^>]*)>([^<]*)</text>`)
	// The one font name that vgsvg repeats at each text.
	vgsvgFont = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;font-weight:[^;"]*;font-style:[^;"]*;`)
)

func (d *drawing) svg(lang Lang, title, alt string) ([]byte, error) {
	canvas := vgsvg.New(vg.Length(d.width), vg.Length(d.height))
	canvas.SetColor(paper)
	canvas.Fill(vg.Rectangle{Max: vg.Point{X: vg.Length(d.width), Y: vg.Length(d.height)}}.Path())
	d.draw(canvas)
	var raw bytes.Buffer
	if _, err := canvas.WriteTo(&raw); err != nil {
		return nil, err
	}
	root := vgsvgRoot.FindIndex(raw.Bytes())
	if root == nil {
		return nil, fmt.Errorf("vgsvg wrote no root element")
	}
	families, tag := latinFamilies, "en"
	if lang == Chinese {
		families, tag = cjkFamilies, "zh-Hans"
	}
	// The ids follow from the content, so that two figures on a page differ
	// and the same figure keeps its bytes.
	sum := sha256.Sum256([]byte(alt))
	id := hex.EncodeToString(sum[:4])

	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"`+
		` width="%d" height="%d" viewBox="0 0 %d %d" style="max-width:100%%;height:auto"`+
		` role="img" lang="%s" aria-labelledby="t%s d%s" font-family="%s">`+"\n",
		d.width, d.height, d.width, d.height, tag, id, id, families)
	fmt.Fprintf(&out, "<title id=\"t%s\">%s</title>\n<desc id=\"d%s\">%s</desc>\n",
		id, html.EscapeString(title), id, html.EscapeString(alt))
	out.Write(d.fit(vgsvgFont.ReplaceAll(raw.Bytes()[root[1]:], nil)))
	return out.Bytes(), nil
}

// fit tells each text how wide it is, so that a browser without our font
// squeezes its own into the place instead of running into the neighbours.
func (d *drawing) fit(svg []byte) []byte {
	return vgsvgText.ReplaceAllFunc(svg, func(text []byte) []byte {
		part := vgsvgText.FindSubmatch(text)
		size, err := strconv.ParseFloat(string(part[2]), 64)
		if err != nil {
			return text // the pattern admits "1.2.3", vgsvg does not write it
		}
		width := d.face.width(html.UnescapeString(string(part[4])), vg.Length(size))
		return fmt.Appendf(nil, `<text %s textLength="%.4g" lengthAdjust="spacingAndGlyphs" style="font-size:%spx;%s>%s</text>`,
			part[1], float64(width), part[2], part[3], part[4])
	})
}
