package chart

import "fmt"

// Render draws the figure in a language. It returns an error that names every
// input that cannot be drawn and every text without a translation; it draws
// nothing in part.
func (f Figure) Render(lang Lang) (Picture, error) {
	if err := lang.check(); err != nil {
		return Picture{}, err
	}
	if err := f.check(); err != nil {
		return Picture{}, err
	}
	face, err := typefaceFor(lang)
	if err != nil {
		return Picture{}, err
	}
	shown, err := f.in(lang, face)
	if err != nil {
		return Picture{}, err
	}
	data, err := f.data()
	if err != nil {
		return Picture{}, fmt.Errorf("chart: figure %q: %w", f.Title, err)
	}
	alt, err := shown.alt(lang)
	if err != nil {
		return Picture{}, err
	}
	d, err := newDrawing(shown, face)
	if err != nil {
		return Picture{}, err
	}
	svg, err := d.svg(lang, shown.Title, alt)
	if err != nil {
		return Picture{}, fmt.Errorf("chart: figure %q: SVG: %w", f.Title, err)
	}
	png, err := d.png()
	if err != nil {
		return Picture{}, fmt.Errorf("chart: figure %q: PNG: %w", f.Title, err)
	}
	return Picture{SVG: svg, PNG: png, Alt: alt, Data: data, Width: d.width, Height: d.height}, nil
}
