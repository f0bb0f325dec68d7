package costmodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"memlab/datasets"
)

// Published is what the makers of a model say of its size.
type Published struct {
	Parameters       float64 `json:"_published_parameters"`
	ActiveParameters float64 `json:"_published_active_parameters"` // 0: dense or not stated
	Source           string  `json:"_source"`
	Remark           string  `json:"_remark"` // how the makers count, where it differs
	HuggingFace      string  `json:"_hugging_face"`
}

// ModelNames lists the models of datasets/models in alphabetical order.
func ModelNames() []string {
	entries, err := datasets.Models.ReadDir("models")
	if err != nil { // the folder is embedded at compile time
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// ModelByName reads one of datasets/models by its file name ("llama-3-8b") or
// its Hugging Face name; case, spaces, "_" and "-" do not matter. An unknown name
// gives an error that lists the known ones.
func ModelByName(name string) (Model, error) {
	data, err := modelFile(name)
	if err != nil {
		return Model{}, err
	}
	return ReadConfig(bytes.NewReader(data))
}

// PublishedByName gives the published size of a model of datasets/models.
func PublishedByName(name string) (Published, error) {
	data, err := modelFile(name)
	if err != nil {
		return Published{}, err
	}
	var p Published
	if err := json.Unmarshal(data, &p); err != nil {
		return Published{}, fmt.Errorf("costmodel: models/%s.json: %w", name, err)
	}
	return p, nil
}

// modelFile finds the file by its name first, which needs no parsing of others.
func modelFile(name string) ([]byte, error) {
	names := ModelNames()
	for _, n := range names {
		if plainName(n) == plainName(name) {
			return datasets.Models.ReadFile(path.Join("models", n+".json"))
		}
	}
	for _, n := range names {
		data, err := datasets.Models.ReadFile(path.Join("models", n+".json"))
		if err != nil {
			return nil, fmt.Errorf("costmodel: %w", err)
		}
		var p Published
		if json.Unmarshal(data, &p) == nil && p.HuggingFace != "" &&
			(strings.EqualFold(p.HuggingFace, name) || strings.EqualFold(path.Base(p.HuggingFace), name)) {
			return data, nil
		}
	}
	return nil, unknownName("model", name, names)
}

// plainName makes "Llama 3 8B", "llama-3-8b" and "LLAMA_3_8B" equal.
func plainName(s string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "", ".", "").Replace(strings.ToLower(s))
}

func unknownName(kind, name string, known []string) error {
	best, distance := "", len(name)
	for _, k := range known {
		if d := editDistance(plainName(name), plainName(k)); d < distance {
			best, distance = k, d
		}
	}
	hint := ""
	if best != "" && distance <= max(2, len(best)/2) {
		hint = fmt.Sprintf("; did you mean %q?", best)
	}
	return fmt.Errorf("costmodel: %w: %s %q; known are %s%s", ErrUnknownName, kind, clip([]byte(name)), strings.Join(known, ", "), hint)
}

// editDistance is Levenshtein's, on bytes; names longer than any known one are
// cut, since their distance no longer matters.
func editDistance(a, b string) int {
	a = a[:min(len(a), 100)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
