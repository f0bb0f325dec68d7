package costmodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"unicode/utf8"
)

// maxConfig is the size beyond which an input is no config.json; the largest
// known one, with a list of modules per layer, is well below 1 MB.
const maxConfig = 16 << 20

// ReadConfig reads the config.json of a Hugging Face model and counts its
// parameters from the shapes. Every problem names its field and what would be
// right; all problems are reported at once. A value that config.json leaves to
// its architecture's definition is taken from there and listed in Model.Notes.
func ReadConfig(r io.Reader) (Model, error) { return ReadConfigAs(r, "") }

// ReadConfigAs reads the config.json of an architecture that ReadConfig does
// not know as if its model_type were another, for the many models whose layers
// have the shapes of, say, "llama". The caller vouches for that.
func ReadConfigAs(r io.Reader, modelType string) (Model, error) {
	values, err := decode(r)
	if err != nil {
		return Model{}, err
	}
	return parse(values, modelType)
}

// ReadConfigFile reads the config.json at path; errors name the file.
func ReadConfigFile(path string) (Model, error) {
	file, err := os.Open(path)
	if err != nil {
		return Model{}, fmt.Errorf("costmodel: %w", err)
	}
	defer func() { _ = file.Close() }() // only read from: nothing can be lost
	m, err := ReadConfig(file)
	if err != nil {
		return Model{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// decode reads one JSON object and nothing else.
func decode(r io.Reader) (map[string]json.RawMessage, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxConfig+1))
	if err != nil {
		return nil, fmt.Errorf("costmodel: config.json: %w", err)
	}
	const want = "a JSON object, the config.json of a Hugging Face model"
	switch {
	case len(data) > maxConfig:
		return nil, &FieldError{Where: "config.json", Field: "input", Problem: fmt.Sprintf("is larger than %d bytes", maxConfig), Want: want, Kind: ErrBadField}
	case utf16(data):
		return nil, &FieldError{Where: "config.json", Field: "input", Problem: "is UTF-16 text", Want: "UTF-8 text", Kind: ErrBadField}
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if len(data) == 0 {
		return nil, &FieldError{Where: "config.json", Field: "input", Problem: "is empty", Want: want, Kind: ErrBadField}
	}
	var value json.RawMessage
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, &FieldError{Where: "config.json", Field: "input", Problem: "is not valid: " + err.Error(), Want: want, Kind: ErrBadField}
	}
	if data[0] != '{' {
		return nil, &FieldError{Where: "config.json", Field: "input", Problem: "is " + jsonKind(data[0]), Want: want, Kind: ErrBadField}
	}
	return object(data, "")
}

// utf16 tells UTF-16 text, with or without its byte order mark, by its first
// character, which in JSON is one of ASCII.
func utf16(data []byte) bool {
	if len(data) < 2 {
		return false
	}
	a, b := data[0], data[1]
	return a == 0xff && b == 0xfe || a == 0xfe && b == 0xff || a == 0 && b == '{' || a == '{' && b == 0
}

// jsonKind names a JSON value by its first byte.
func jsonKind(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// object splits a valid JSON object into its fields. A key that is there twice
// is an error, for which of the two values counts is anyone's guess.
func object(data []byte, in string) (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("costmodel: config.json: %w", err)
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("costmodel: config.json: %w", err)
		}
		key, _ := token.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("costmodel: config.json: %w", err)
		}
		if _, twice := values[key]; twice {
			return nil, &FieldError{Where: "config.json", Field: in + clip([]byte(key)), Problem: "is there twice", Want: "each key once", Kind: ErrBadField}
		}
		values[key] = value
	}
	return values, nil
}

// parse turns the fields into a model.
func parse(values map[string]json.RawMessage, as string) (Model, error) {
	f := &fields{where: "config.json", values: values}
	name := f.name()
	modelType, a, err := f.architecture(as)
	if err != nil {
		return Model{}, err
	}
	if name == "" {
		name = modelType
	}
	f.where = fmt.Sprintf("config.json of %q", clip([]byte(name)))
	f.rename, f.defaults = a.rename, a.defaults

	m := Model{
		Name: name, ModelType: modelType,
		Layers: f.need("the number of decoder layers", "num_hidden_layers"),
		Hidden: f.need("the width of the model", "hidden_size"),
		Vocab:  f.need("the number of rows of the embedding", "vocab_size"),
		DType:  f.dtype(),
	}
	m.KVDType = m.DType
	m.MaxContext, _ = f.intAtLeast(1, "max_position_embeddings", "max_sequence_length", "seq_length", "n_ctx")
	if err := f.err(); err != nil {
		// Nothing that follows means anything without these; say what else
		// is missing before giving up.
		f.need("the number of query heads", "num_attention_heads")
		return Model{}, f.err()
	}

	layers := f.layers(a, &m)
	if err := f.err(); err != nil {
		return Model{}, err
	}
	q := f.quantization(&m)
	f.count(a, &m, layers, q)
	if err := f.err(); err != nil {
		return Model{}, err
	}
	m.Attention = group(layers)
	m.Notes = f.notes
	return m, m.check()
}

// name is what the file calls the model, without characters that could steer a
// terminal.
func (f *fields) name() string {
	name := f.text("_name", "_name_or_path", "name_or_path")
	clean := printable(name)
	if clean != name {
		f.note("the name of the model had %d control characters, which are left out", utf8.RuneCountInString(name)-utf8.RuneCountInString(clean))
	}
	return clean
}

// architecture finds the model type, descending into the text part of a
// multimodal model, whose fields then win over the outer ones.
func (f *fields) architecture(as string) (string, arch, error) {
	modelType := f.text("model_type")
	for _, nest := range []string{"thinker_config", "text_config", "llm_config", "language_config"} {
		_, raw := f.raw(nest)
		if raw == nil {
			continue
		}
		if raw[0] != '{' {
			f.problem(ErrBadField, nest, clip(raw), "a JSON object with the fields of the language model")
			return "", arch{}, f.err()
		}
		inner, err := object(raw, nest+".")
		if err != nil {
			return "", arch{}, err
		}
		merged := maps.Clone(f.values)
		delete(merged, "model_type")
		maps.Copy(merged, inner)
		// Transformers writes the dtype of the whole model outside only.
		for _, k := range []string{"torch_dtype", "dtype", "quantization_config", "tie_word_embeddings"} {
			if string(merged[k]) == "null" && f.values[k] != nil {
				merged[k] = f.values[k]
			}
		}
		outer := modelType
		f.values = merged
		if inner := f.text("model_type"); inner != "" {
			modelType = inner
		}
		f.note("%s: only the language model of %s is counted, not its other towers", nest, quoteOr(outer, "the multimodal model"))
	}
	if as != "" {
		f.note("read as %q instead of %s, as the caller asked", as, quoteOr(modelType, "an unnamed architecture"))
		modelType = as
	}
	if modelType == "" {
		modelType = fromClass(f.texts("architectures"))
	}
	if err := f.err(); err != nil {
		return "", arch{}, err
	}
	if modelType == "" {
		f.problem(ErrMissingField, "model_type", "is missing", "one of "+strings.Join(Architectures(), ", "))
		f.missing()
		return "", arch{}, f.err()
	}
	a, ok := lookupArch(modelType)
	if !ok {
		f.problem(ErrUnknownArchitecture, "model_type", fmt.Sprintf("%q is not known", clip([]byte(modelType))),
			fmt.Sprintf("one of %s; or read it with ReadConfigAs (--as on the command line) as the one whose layers have the same shapes", strings.Join(Architectures(), ", ")))
		f.missing()
		return "", arch{}, f.err()
	}
	return modelType, a, nil
}

// missing reports, for an unknown architecture, which of the fields that any
// model needs are not there either.
func (f *fields) missing() {
	for _, n := range []string{"num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "vocab_size"} {
		if !f.has(n) {
			f.problem(ErrMissingField, n, "is missing", "a positive integer")
		}
	}
}

// fromClass maps ["LlamaForCausalLM"] to "llama" for old files without model_type.
func fromClass(classes []string) string {
	if len(classes) == 0 {
		return ""
	}
	class := strings.ToLower(classes[0])
	for _, end := range []string{"forcausallm", "lmheadmodel", "forconditionalgeneration"} {
		class = strings.TrimSuffix(class, end)
	}
	for n := range archs {
		if strings.ReplaceAll(n, "_", "") == class {
			return n
		}
	}
	return classes[0]
}

func quoteOr(s, absent string) string {
	if s == "" {
		return absent
	}
	return fmt.Sprintf("%q", s)
}

// dtype reads the storage format of the unquantized weights.
func (f *fields) dtype() DType {
	s := f.text("torch_dtype", "dtype")
	if s == "" && f.has("quantization_config") {
		f.note("torch_dtype absent in a quantized model: bfloat16 for what is not quantized and for the KV cache")
		return BF16
	}
	if s == "" || s == "auto" {
		f.problem(ErrMissingField, "torch_dtype", "is missing", `the format of weights and KV cache, e.g. "bfloat16" (also read from "dtype")`)
		return BF16
	}
	d, err := ParseDType(s)
	if err != nil {
		f.problem(ErrBadField, "torch_dtype", fmt.Sprintf("%q", clip([]byte(s))), "one of float32, bfloat16, float16, fp8, int8, int4")
		return BF16
	}
	if d == FP32 {
		f.note("torch_dtype is float32, and priced so; most engines serve such a model in 16 bits (WithWeights, WithKV)")
	}
	return d
}
