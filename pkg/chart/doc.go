// Package chart draws the lab's figures: one look, in English and Chinese.
// It is for result structs that a notebook shows, a class page prints and a
// test compares: [Figure.Render] turns one [Figure] into an SVG, a PNG, a text
// alternative for those who cannot see it, and the canonical JSON of its data.
// The main type is [Figure]; its text is English, and [Translate] looks it up
// in the catalogue zh.json, where every label of the lab has its Chinese.
// A render costs some 30 ms of processor time, nine tenths of it the PNG, its
// drawing and its compression; the same figure gives the same bytes every time.
// The drawing is gonum.org/v1/plot's; the colours are those of Okabe and Ito
// ("Color Universal Design", 2008), darkened until text in them is legible on
// white, and no series is told apart by its colour alone.
package chart
