package costmodel

import (
	"errors"
	"strings"
	"testing"
)

func TestNamesAreFoundHoweverTheyAreWritten(t *testing.T) {
	for _, n := range []string{"llama-3-8b", "Llama-3-8B", "llama 3 8b", "meta-llama/Meta-Llama-3-8B", "Meta-Llama-3-8B"} {
		if m := must(ModelByName(n))(t); m.Name != "Llama-3-8B" {
			t.Errorf("%q is %q", n, m.Name)
		}
	}
	for n, want := range map[string]string{"h100": "h100", "H100": "h100", "h100-sxm": "h100", "H100 PCIe": "h100-pcie", "RTX 4090": "rtx4090", "NVIDIA L4": "l4", "a100-80gb": "a100-80"} {
		if g := must(GPUByName(n))(t); g.Name != want {
			t.Errorf("%q is %q, want %q", n, g.Name, want)
		}
	}
}

func TestUnknownNamesListTheKnownOnes(t *testing.T) {
	_, err := ModelByName("lama-3-8b")
	if !errors.Is(err, ErrUnknownName) || !strings.Contains(err.Error(), `did you mean "llama-3-8b"`) || !strings.Contains(err.Error(), "deepseek-v3") {
		t.Errorf("got %v", err)
	}
	_, err = GPUByName("a100")
	if !errors.Is(err, ErrUnknownName) || !strings.Contains(err.Error(), "a100-40") || !strings.Contains(err.Error(), "mi300x") {
		t.Errorf("got %v", err)
	}
	for _, n := range []string{"", strings.Repeat("x", 1<<20), "\xff"} {
		if _, err := ModelByName(n); !errors.Is(err, ErrUnknownName) || len(err.Error()) > 2000 {
			t.Errorf("%.10q: got an error of %d bytes", n, len(err.Error()))
		}
	}
}

func TestGPUTable(t *testing.T) {
	gpus := must(GPUs())(t)
	if len(gpus) != len(GPUNames()) || len(gpus) < 12 {
		t.Fatalf("%d GPUs", len(gpus))
	}
	h := gpu(t, "h100")
	if h.Memory != 80e9 || h.Bandwidth != 3.35e12 || h.BF16 != 989e12 || h.FP8 != 1979e12 {
		t.Errorf("H100 is %+v: want 80e9 B, 3.35e12 B/s, 989e12 and 1979e12 FLOP/s", h)
	}
	for _, g := range gpus {
		// Dense FP8 is twice dense BF16 wherever there is FP8: a row with a
		// sparse figure in one column would be off by two.
		if g.FP8 != 0 && (g.FP8/g.BF16 < 1.95 || g.FP8/g.BF16 > 2.05) {
			t.Errorf("%s: FP8 / BF16 is %.2f", g.Name, g.FP8/g.BF16)
		}
		if g.Source == "" {
			t.Errorf("%s has no source", g.Name)
		}
	}
}

func TestThingsPrintThemselves(t *testing.T) {
	if got, want := gpu(t, "h100").String(), "NVIDIA H100 SXM (80.0 GB, 3.35 TB/s, 989 TFLOP/s BF16)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var err error = Warning("too long")
	if err.Error() != "too long" {
		t.Errorf("got %q", err)
	}
	for spelling, want := range map[string]DType{"torch.bfloat16": BF16, "BF16": BF16, "half": FP16, "fp8_e4m3": FP8, "float": FP32, "int4": INT4, "int8": INT8} {
		if d := must(ParseDType(spelling))(t); d != want || d.Bytes() == 0 {
			t.Errorf("%q is %q", spelling, d)
		}
	}
}

func TestBrokenGPUTables(t *testing.T) {
	header := "name,title,aliases,memory_gb,bandwidth_gb_per_s,bf16_tflops,fp8_tflops,source\n"
	for name, table := range map[string]string{
		"empty": "", "no rows": header, "another header": "a,b\n1,2\n",
		"negative memory": header + "x,X,,-80,1,1,,s\n", "NaN": header + "x,X,,80,NaN,1,,s\n",
		"no bandwidth": header + "x,X,,80,,1,,s\n", "no source": header + "x,X,,80,1,1,,\n",
	} {
		if _, err := parseGPUs([]byte(table)); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestUnits(t *testing.T) {
	for want, got := range map[string]string{
		"16.8 GB": Bytes(16.777e9).String(), "131 kB": Bytes(131072).String(), "80.0 GB": Bytes(80e9).String(),
		"1.00 GB": Bytes(999.96e6).String(), "0 B": Bytes(0).String(), "512 B": Bytes(512).String(), "-1.50 MB": Bytes(-1.5e6).String(),
		"8.81 s": Seconds(8.81).String(), "6.70 ms": Seconds(0.0067).String(), "45.0 µs": Seconds(45e-6).String(), "14400 s": Seconds(14400).String(),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
