//go:build !xla || !cgo

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestWithoutXLATrainSaysHowToBuildItIn(t *testing.T) {
	out, err := trained(t, append(quick, "--engine", "xla", "--json")...)
	if err == nil || out != "" {
		t.Fatalf("%v, %q: another engine took XLA's place", err, out)
	}
	for _, want := range []string{"built without XLA", "CGO_ENABLED=1 go run -tags xla ./pkg/cmd/memlab"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
}

// The usual build is pure Go and has nothing of XLA in it.
func TestTheUsualBuildDoesNotLinkXLA(t *testing.T) {
	deps := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", append([]string{"list", "-deps"}, args...)...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	const xla = "github.com/gomlx/go-xla/"
	if found := deps("memlab/..."); strings.Contains(found, xla) {
		t.Error("go-xla is linked without the build tag")
	}
	if found := deps("-tags", "xla", "memlab/pkg/cmd/memlab"); strings.Contains(found, xla) {
		t.Error("go-xla is linked without cgo")
	}
}
