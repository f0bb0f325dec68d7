package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"memlab/pkg/chart"
	"memlab/pkg/prefixcache"
	"memlab/pkg/table"
)

// cacheLine is one capacity in JSON.
type cacheLine struct {
	CapacityBlocks *int     `json:"capacity_blocks"` // null: unlimited
	Blocks         int      `json:"blocks"`
	HitBlocks      int      `json:"hit_blocks"`
	PromptTokens   int      `json:"prompt_tokens"`
	HitTokens      int      `json:"hit_tokens"`
	HitRate        *float64 `json:"hit_rate"` // share of prompt tokens; null: none was served
}

func (r cacheResult) writeJSON(out io.Writer) error {
	lines := make([]cacheLine, len(r.points))
	for i, p := range r.points {
		lines[i] = cacheLine{
			Blocks: p.Blocks, HitBlocks: p.HitBlocks,
			PromptTokens: p.PromptTokens, HitTokens: p.HitTokens,
		}
		if p.PromptTokens > 0 {
			lines[i].HitRate = &p.HitRate
		}
		if p.CapacityBlocks != prefixcache.Unlimited {
			lines[i].CapacityBlocks = &p.CapacityBlocks
		}
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(lines)
}

// title says what was replayed how.
func (r cacheResult) title() string {
	s := fmt.Sprintf("%d requests (%s) through %s, blocks of %d tokens", len(r.trace.Requests), r.trace.Format, r.engineName(), r.block)
	if r.warmup > 0 {
		s += fmt.Sprintf(", the first %d as warm-up", r.warmup)
	}
	return s
}

// engineName is how people write the engine; chart takes it for a proper name.
func (r cacheReplay) engineName() string {
	switch {
	case r.engine == engineLRU:
		return "LRU"
	case r.engine == engineVLLM:
		return "vLLM"
	case r.policy == prefixcache.LRU:
		return "SGLang"
	}
	return "SGLang " + strings.ToUpper(string(r.policy))
}

func (r cacheResult) writeTable(out io.Writer) error {
	columns := []string{"capacity", "blocks", "hit blocks", "prompt tokens", "hit tokens", "hit rate"}
	if r.engine != engineLRU { // which refuses nothing
		columns = append(columns, "refused requests")
	}
	t := table.New(r.title(), columns...)
	for _, p := range r.points {
		rate := "-" // of nothing that was served
		if p.PromptTokens > 0 {
			rate = fmt.Sprintf("%.2f%%", 100*p.HitRate)
		}
		cells := []any{capacityName(p.CapacityBlocks), p.Blocks, p.HitBlocks, p.PromptTokens, p.HitTokens, rate}
		if r.engine != engineLRU {
			cells = append(cells, p.refused)
		}
		if err := t.Add(cells...); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, t.Text())
	return err
}

// writeFigure writes the curve as NAME.csv, NAME.svg and NAME.png.
func (r cacheResult) writeFigure(name string, notes io.Writer) error {
	t := table.New("", "capacity_blocks", "blocks", "hit_blocks", "prompt_tokens", "hit_tokens", "hit_rate")
	for _, p := range r.drawn {
		if err := t.Add(capacityName(p.CapacityBlocks), p.Blocks, p.HitBlocks, p.PromptTokens, p.HitTokens, p.HitRate); err != nil {
			return err
		}
	}
	files, err := writePicture(name, r.figure(), t)
	if err != nil {
		return fmt.Errorf("--figure: %w", err)
	}
	for _, file := range files {
		fmt.Fprintf(notes, "memlab: wrote %s\n", file)
	}
	return nil
}

func (r cacheResult) figure() chart.Figure {
	zero := 0.0
	f := chart.Figure{
		Title:   "Hit rate over capacity",
		X:       chart.Axis{Label: "Capacity", Unit: "blocks", Log: true},
		Y:       chart.Axis{Label: "Hit rate", Unit: "%", Min: &zero},
		Caption: "Share of prompt tokens that were reused.",
	}
	s := chart.Series{Name: r.engineName(), Kind: chart.Line}
	most := 0.0
	for _, p := range r.drawn {
		rate := 100 * p.HitRate
		most = max(most, rate)
		if p.CapacityBlocks == prefixcache.Unlimited {
			f.Marks = append(f.Marks, chart.Mark{Label: "Unlimited", Y: &rate})
			continue
		}
		s.X, s.Y = append(s.X, float64(p.CapacityBlocks)), append(s.Y, rate)
	}
	f.Series = append(f.Series, s)
	if most == 0 {
		whole := 100.0
		f.Y.Max = &whole
	}
	if r.points[0].refused > 0 {
		f.Caption += " Smaller caches cannot hold every request."
	}
	return f
}
