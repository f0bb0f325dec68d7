package costmodel

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"memlab/datasets"
)

// GPU is what a roofline needs of an accelerator. All figures are the
// vendor's, without sparsity; the prefixes are powers of ten.
type GPU struct {
	Name      string  `json:"name"`
	Title     string  `json:"title"`
	Memory    Bytes   `json:"memory_bytes"` // 80 GB of an H100 are 80e9
	Bandwidth float64 `json:"bandwidth_bytes_per_s"`
	BF16      float64 `json:"bf16_flop_per_s"`
	FP8       float64 `json:"fp8_flop_per_s,omitempty"` // 0: no FP8 matrix units
	Source    string  `json:"source"`

	aliases []string
}

// String names the GPU with its three figures.
func (g GPU) String() string {
	return fmt.Sprintf("%s (%s, %.3g TB/s, %.4g TFLOP/s BF16)", g.Title, g.Memory, g.Bandwidth/1e12, g.BF16/1e12)
}

var loadGPUs = sync.OnceValues(func() ([]GPU, error) { return parseGPUs(datasets.GPUs) })

// parseGPUs reads a table with the columns of datasets/gpus.csv.
func parseGPUs(data []byte) ([]GPU, error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("costmodel: gpus.csv: %w", err)
	}
	const header = "name,title,aliases,memory_gb,bandwidth_gb_per_s,bf16_tflops,fp8_tflops,source"
	if len(rows) < 2 || strings.Join(rows[0], ",") != header {
		return nil, fmt.Errorf("costmodel: gpus.csv: want the header %s and at least one row", header)
	}
	var gpus []GPU
	for i, row := range rows[1:] {
		g := GPU{Name: row[0], Title: row[1], aliases: strings.Fields(row[2]), Source: row[7]}
		for _, c := range []struct {
			column int
			unit   float64
			to     *float64
			may    bool // be empty
		}{{3, 1e9, (*float64)(&g.Memory), false}, {4, 1e9, &g.Bandwidth, false}, {5, 1e12, &g.BF16, false}, {6, 1e12, &g.FP8, true}} {
			if row[c.column] == "" && c.may {
				continue
			}
			v, err := strconv.ParseFloat(row[c.column], 64)
			if err != nil || !(v > 0) || math.IsInf(v, 0) {
				return nil, badArgument(fmt.Sprintf("gpus.csv line %d", i+2), rows[0][c.column], fmt.Sprintf("%q", row[c.column]), "a positive number")
			}
			*c.to = v * c.unit
		}
		if g.Source == "" {
			return nil, badArgument(fmt.Sprintf("gpus.csv line %d", i+2), "source", "is empty", "where the numbers come from")
		}
		gpus = append(gpus, g)
	}
	return gpus, nil
}

// GPUs lists the accelerators of datasets/gpus.csv in its order.
func GPUs() ([]GPU, error) {
	gpus, err := loadGPUs()
	return append([]GPU(nil), gpus...), err
}

// GPUNames lists the names that GPUByName knows.
func GPUNames() []string {
	gpus, _ := loadGPUs() // the embedded table is covered by a test
	names := make([]string, len(gpus))
	for i, g := range gpus {
		names[i] = g.Name
	}
	return names
}

// GPUByName finds an accelerator; case, spaces, "_" and "-" do not matter, and
// "h100" means the SXM version. An unknown name gives an error that lists the
// known ones.
func GPUByName(name string) (GPU, error) {
	gpus, err := loadGPUs()
	if err != nil {
		return GPU{}, err
	}
	for _, g := range gpus {
		for _, n := range append([]string{g.Name, g.Title}, g.aliases...) {
			if plainName(n) == plainName(name) {
				return g, nil
			}
		}
	}
	return GPU{}, unknownName("GPU", name, GPUNames())
}

func (g GPU) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"memory", float64(g.Memory)}, {"bandwidth", g.Bandwidth}, {"bf16", g.BF16}} {
		if !(f.value > 0) || math.IsInf(f.value, 0) {
			return badArgument(fmt.Sprintf("GPU %q", g.Name), f.name, f.value, "a positive number; take one from GPUByName")
		}
	}
	if !(g.FP8 >= 0) || math.IsInf(g.FP8, 0) {
		return badArgument(fmt.Sprintf("GPU %q", g.Name), "fp8", g.FP8, "a positive number, or 0 for none")
	}
	return nil
}
