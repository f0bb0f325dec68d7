// Package datasets embeds the data files of memlab, so that a test, the
// command line and a notebook cell find the same bytes wherever they run.
//
// It holds facts only (accelerators, model shapes, the lecture's numbers and what
// was computed for them); reading and checking them is left to the packages that
// use them. Its main values are GPUs, Models and Claims; embedding costs some
// hundred kilobytes of binary at most. Every row and file names its own source.
package datasets

import "embed"

// GPUs is gpus.csv: one accelerator per row, units in the column names
// (GB = 10^9 bytes, GB/s, TFLOP/s dense).
//
//go:embed gpus.csv
var GPUs []byte

// Models holds models/<name>.json: the shape-giving fields of each model's
// config.json, and the published parameter count with its source.
//
//go:embed models/*.json
var Models embed.FS

// Claims is claims.csv: each number that the lecture prints, how closely it has
// to be met and how that is judged.
//
//go:embed claims.csv
var Claims []byte

// ClaimsResults is claims_results.json: what the experiments computed for the
// claims, seed by seed. memlab claims --update writes it.
//
//go:embed claims_results.json
var ClaimsResults []byte

// CartridgeCurves is cartridge_curves.json: sweeps over trainings of cartridges,
// seed by seed. A test of package experiments/cartridge writes it.
//
//go:embed cartridge_curves.json
var CartridgeCurves []byte

// HeldOut is heldout.json: half of the fitted claims predicted from the other half.
// memlab claims --heldout --update writes it.
//
//go:embed heldout.json
var HeldOut []byte

// Sensitivity is sensitivity.json: the claims that turn red when one parameter of
// an experiment moves. memlab claims --sensitivity --update writes it.
//
//go:embed sensitivity.json
var Sensitivity []byte

// PaperResults is paper_results.csv: the numbers that the lecture quotes, one
// in each row, with the paper and, where the lecture names it, the place in it.
//
//go:embed paper_results.csv
var PaperResults []byte

// SampleDialogue is sample_dialogue.jsonl: two invented dialogues, one in English
// and one in Chinese, that show the format of package dialogue/jsonl line by line.
//
//go:embed sample_dialogue.jsonl
var SampleDialogue []byte

// Sources is sources.csv: what this lecture is made from and what each source
// gave it, with identifiers, packages and notebooks, in both languages.
//
//go:embed sources.csv
var Sources []byte
