package main

import (
	"bufio"
	"bytes"
	"encoding/json"

	"memlab/binder/peers/cache/workload"
	"memlab/binder/peers/runner"
	"memlab/pkg/prefixcache/trace"
)

// parsed is what must be the same, however a trace was read.
type parsed struct {
	Requests int    `json:"requests"`
	Ids      int    `json:"ids"`
	Sum      uint64 `json:"sum"`
	Tokens   int    `json:"tokens"` // of prompts and outputs
}

func (p *parsed) add(ids []uint64, input, output int) {
	p.Requests++
	p.Ids += len(ids)
	p.Tokens += input + output
	for _, id := range ids {
		p.Sum += id
	}
}

// parsing compares reading a Mooncake trace; one unit is a block id.
func parsing(read func(file []byte) (parsed, error)) ([]runner.Bench, error) {
	name, file, err := workload.Mooncake()
	return []runner.Bench{{Name: "cache/parse/" + name, New: func() (runner.Work, error) {
		return func() (int, any, error) {
			p, err := read(file)
			return p.Ids, p, err
		}, nil
	}}}, err
}

func readOurs(file []byte) (p parsed, err error) {
	t, err := trace.Read(bytes.NewReader(file), trace.Options{})
	if err != nil {
		return p, err
	}
	for i := range t.Requests {
		r := &t.Requests[i]
		p.add(r.Blocks, r.Prompt, r.OutputTokens)
	}
	return p, nil
}

// readJSON keeps the requests too, as a program would that goes on with them.
func readJSON(file []byte) (p parsed, err error) {
	type request struct {
		Timestamp float64  `json:"timestamp"`
		Input     int      `json:"input_length"`
		Output    int      `json:"output_length"`
		IDs       []uint64 `json:"hash_ids"`
	}
	var all []request
	lines := bufio.NewScanner(bytes.NewReader(file))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return p, err
		}
		all = append(all, r)
	}
	for i := range all {
		p.add(all[i].IDs, all[i].Input, all[i].Output)
	}
	return p, lines.Err()
}
