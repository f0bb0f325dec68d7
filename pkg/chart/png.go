package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// Two pixels of the image for one of CSS, at 72 points to the inch.
const pngDPI = 2 * 72

func (d *drawing) png() ([]byte, error) {
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(d.width), vg.Length(d.height)), vgimg.UseDPI(pngDPI), vgimg.UseBackgroundColor(paper))
	d.draw(canvas)
	var out bytes.Buffer
	err := png.Encode(&out, paletted(canvas.Image()))
	return out.Bytes(), err
}

// paletted rounds each channel to four bits and keeps the 256 most frequent
// colours: a third of the bytes of full colour, and of the time to compress
// them. Our own colours have four bits; only the blends at edges are rounded.
func paletted(img image.Image) *image.Paletted {
	b := img.Bounds()
	rgba, ok := img.(*image.RGBA)
	if !ok {
		rgba = image.NewRGBA(b)
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				rgba.Set(x, y, img.At(x, y))
			}
		}
	}
	w, h := b.Dx(), b.Dy()
	keys := make([]uint16, w*h)
	var count [4096]int
	var four [256]uint16
	for v := range four {
		four[v] = uint16((v + 8) / 17)
	}
	for y := range h {
		row := rgba.Pix[y*rgba.Stride:][:4*w]
		for x := range w {
			k := four[row[4*x]]<<8 | four[row[4*x+1]]<<4 | four[row[4*x+2]]
			keys[y*w+x] = k
			count[k]++
		}
	}
	index, palette := choose(&count)
	out := image.NewPaletted(image.Rect(0, 0, w, h), palette)
	for i, k := range keys {
		out.Pix[i] = index[k]
	}
	return out
}

// choose returns the palette of the most frequent colours, and for each colour
// the place of the nearest.
func choose(count *[4096]int) (index [4096]uint8, palette color.Palette) {
	var used []int
	for k, n := range count {
		if n > 0 {
			used = append(used, k)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return count[b] - count[a] })
	for i, k := range used {
		if i < 256 {
			palette = append(palette, rgb(uint16(k)))
			index[k] = uint8(i)
			continue
		}
		index[k] = uint8(palette.Index(rgb(uint16(k))))
	}
	return index, palette
}
