package costmodel

import (
	"encoding/json"
	"fmt"
	"strings"
)

// quantization is how the matrices of the layers are stored. Embedding, output
// head, routers, norms and biases keep the model's dtype in every format here.
type quantization struct {
	bits        float64 // per parameter, scales and zero points included
	expertsOnly bool
	skip        skipList
}

// quantization reads quantization_config; nil means none. The bits per
// parameter follow the file formats: a 16-bit scale and a zero point per group
// for AWQ and GPTQ, an 8-bit scale per 32 for MXFP4 (OCP Microscaling 1.0) and
// per 16 for NVFP4, a 32-bit scale per block for FP8.
func (f *fields) quantization(m *Model) *quantization {
	name, raw := f.raw("quantization_config", "compression_config")
	if raw == nil {
		return nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil || values == nil {
		f.problem(ErrBadField, name, clip(raw), "an object with quant_method")
		return nil
	}
	g := &fields{where: name + " of " + f.where, values: values}
	q := g.format(m)
	f.problems = append(f.problems, g.problems...)
	f.notes = append(f.notes, g.notes...)
	return q
}

func (f *fields) format(m *Model) *quantization {
	method := strings.ToLower(f.text("quant_method"))
	q := &quantization{skip: newSkipList(f, "modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules", "llm_int8_skip_modules")}
	switch method {
	case "awq", "gptq":
		bits := f.bits("bits", "w_bit")
		q.bits = bits + f.perGroup(16+bits, "group_size", "q_group_size")
		m.Quantization = fmt.Sprintf("%s %g bit", method, bits)
	case "fp8", "fbgemm_fp8":
		q.bits = 8
		if block := f.ints("weight_block_size"); len(block) == 2 && block[0] > 0 && block[1] > 0 {
			q.bits += 32 / (float64(block[0]) * float64(block[1]))
		}
		m.Quantization, m.FP8Compute = "fp8", true
	case "mxfp4":
		q.bits, q.expertsOnly = 4.25, true
		m.Quantization = "mxfp4"
	case "bitsandbytes":
		switch {
		case f.truth(false, "load_in_4bit", "_load_in_4bit"):
			q.bits = 4.5 // a 32-bit scale per 64
			if f.truth(false, "bnb_4bit_use_double_quant") {
				q.bits = 4.127 // 8-bit scales and a 32-bit one per 256 of them
			}
		case f.truth(false, "load_in_8bit", "_load_in_8bit"):
			q.bits = 8
		default:
			f.problem(ErrMissingField, "load_in_4bit", "is missing", "load_in_4bit or load_in_8bit true")
		}
		m.Quantization = fmt.Sprintf("bitsandbytes %g bit", float64(int(q.bits)))
	case "compressed-tensors", "modelopt":
		f.groups(m, q, method)
	case "":
		f.problem(ErrMissingField, "quant_method", "is missing", quantMethods)
	default:
		f.problem(ErrBadField, "quant_method", fmt.Sprintf("%q", clip([]byte(method))), quantMethods)
	}
	f.kvScheme(m)
	return q
}

const quantMethods = "one of awq, gptq, fp8, fbgemm_fp8, mxfp4, bitsandbytes, compressed-tensors, modelopt"

func (f *fields) bits(names ...string) float64 {
	v := f.need("bits per weight", names...)
	if v > 16 {
		f.problem(ErrBadField, names[0], fmt.Sprint(v), "bits per weight from 1 to 16")
	}
	return float64(v)
}

// perGroup is the overhead in bits per weight of one scale (and zero point)
// for each group; -1 means one per column, which is negligible.
func (f *fields) perGroup(overhead float64, names ...string) float64 {
	size, ok := f.intAtLeast(-1, names...)
	switch {
	case !ok && !f.has(names...):
		f.problem(ErrMissingField, names[0], "is missing", "weights per scale, or -1 for one scale per column")
		return 0
	case size == 0:
		f.problem(ErrBadField, names[0], "0", "weights per scale, or -1 for one scale per column")
		return 0
	case size < 0:
		return 0
	}
	return overhead / float64(size)
}

// groups reads the config_groups of compressed-tensors and ModelOpt.
func (f *fields) groups(m *Model, q *quantization, method string) {
	type scheme struct {
		Bits  *float64 `json:"num_bits"`
		Type  string   `json:"type"`
		Group *float64 `json:"group_size"`
	}
	if algo := strings.ToUpper(f.text("quant_algo")); algo != "" && !f.has("config_groups") {
		switch algo {
		case "FP8":
			q.bits, m.FP8Compute = 8, true
		case "NVFP4":
			q.bits = 4.5
		default:
			f.problem(ErrBadField, "quant_algo", fmt.Sprintf("%q", clip([]byte(algo))), "FP8 or NVFP4")
		}
		m.Quantization = "modelopt " + strings.ToLower(algo)
		return
	}
	_, raw := f.raw("config_groups")
	var groups map[string]struct {
		Weights     *scheme `json:"weights"`
		Activations *scheme `json:"input_activations"`
	}
	if err := json.Unmarshal(raw, &groups); err != nil || len(groups) != 1 {
		f.problem(ErrBadField, "config_groups", fmt.Sprintf("has %d groups", len(groups)), "exactly one group with weights; mixed precision is not read")
		return
	}
	for _, s := range groups {
		w := s.Weights
		if w == nil || w.Bits == nil || !(*w.Bits >= 1 && *w.Bits <= 16) {
			f.problem(ErrBadField, "config_groups", "has no weights with num_bits", "weights.num_bits from 1 to 16")
			return
		}
		q.bits = *w.Bits
		if w.Group != nil && *w.Group >= 1 {
			scale := 16.0
			if w.Type == "float" {
				scale = 8
			}
			q.bits += scale / *w.Group
		}
		m.FP8Compute = *w.Bits == 8 && w.Type == "float" && s.Activations != nil
		m.Quantization = fmt.Sprintf("%s %g bit", method, *w.Bits)
	}
}

// kvScheme reads the format of the KV cache where a quantized model fixes it.
func (f *fields) kvScheme(m *Model) {
	var scheme struct {
		Bits float64 `json:"num_bits"`
	}
	_, raw := f.raw("kv_cache_scheme")
	algo := strings.ToUpper(f.text("kv_cache_quant_algo"))
	if raw != nil && json.Unmarshal(raw, &scheme) == nil && scheme.Bits == 8 || algo == "FP8" {
		m.KVDType = FP8
		f.note("the KV cache is stored in fp8, as quantization_config says")
	}
}
