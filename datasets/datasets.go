// Package datasets embeds the data files of memlab, so that a test, the
// command line and a notebook cell find the same bytes wherever they run.
//
// It holds facts only (accelerators, model shapes); reading and checking them
// is left to the packages that use them. Its main values are GPUs and Models;
// embedding costs some tens of kilobytes of binary. Every row and file names
// its own source.
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
