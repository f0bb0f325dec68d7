//go:build xla && cgo

package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"memlab/pkg/cartridge"
	"memlab/pkg/cartridge/gomlx"
)

func TestTrainOnXLA(t *testing.T) {
	setup := cartridge.Setup{Model: cartridge.DefaultModel(), Candidates: cartridge.NewMatrix(2, 2), Batch: 1, Slots: 1, KeyDim: 2}
	if _, err := gomlx.XLA(setup); errors.Is(err, gomlx.ErrNoPlugin) && os.Getenv("CI") == "" && os.Getenv("PJRT_PLUGIN_LIBRARY_PATH") == "" {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	a, b := trainedJSON(t, append(quick, "--engine", "xla")...), trainedJSON(t, append(quick, "--engine", "hand")...)
	if a.Engine != "xla" || a.Step != 150 || len(a.Methods) != 5 {
		t.Errorf("%+v", a)
	}
	if d := a.Loss/b.Loss - 1; d > 1e-4 || d < -1e-4 {
		t.Errorf("losses %g and %g", a.Loss, b.Loss)
	}
	out, err := trained(t, append(quick, "--engine", "xla")...)
	if err != nil || !strings.Contains(out, "after 150 of 150 steps") {
		t.Errorf("%v:\n%s", err, out)
	}
}
