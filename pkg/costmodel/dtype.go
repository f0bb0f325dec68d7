package costmodel

import (
	"fmt"
	"strings"
)

// DType is how one number is stored.
type DType string

// The storage formats that the cost model knows.
const (
	FP32 DType = "float32"
	BF16 DType = "bfloat16"
	FP16 DType = "float16"
	FP8  DType = "fp8"
	INT8 DType = "int8"
	INT4 DType = "int4"
)

// Bytes is the size of one number; 0 for an unknown format. Scales and zero
// points of quantized formats are not in it (see Quantization).
func (d DType) Bytes() float64 {
	switch d {
	case FP32:
		return 4
	case BF16, FP16:
		return 2
	case FP8, INT8:
		return 1
	case INT4:
		return 0.5
	}
	return 0
}

// ParseDType reads the spellings of config.json files and serving engines
// ("bfloat16", "torch.bfloat16", "bf16", "fp8_e4m3", ...).
func ParseDType(s string) (DType, error) {
	switch strings.TrimPrefix(strings.ToLower(s), "torch.") {
	case "float32", "fp32", "float":
		return FP32, nil
	case "bfloat16", "bf16":
		return BF16, nil
	case "float16", "fp16", "half":
		return FP16, nil
	case "fp8", "float8", "fp8_e4m3", "fp8_e5m2", "float8_e4m3fn", "float8_e5m2":
		return FP8, nil
	case "int8":
		return INT8, nil
	case "int4":
		return INT4, nil
	}
	return "", fmt.Errorf("costmodel: data type %q: want one of float32, bfloat16, float16, fp8, int8, int4", s)
}
