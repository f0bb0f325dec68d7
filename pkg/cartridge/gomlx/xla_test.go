//go:build xla && cgo

package gomlx

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/cartridge"
)

// needsPlugin skips a test where no plugin is, but not in CI and not if one is named.
func needsPlugin(t *testing.T) {
	t.Helper()
	_, err := xlaBackend()
	if errors.Is(err, ErrNoPlugin) && os.Getenv("CI") == "" && os.Getenv(pluginPath) == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestXLAGradientAgreesInEveryParameter(t *testing.T) {
	needsPlugin(t)
	small := cartridge.SmallProblem()
	hard, one := small, small
	hard.Objective = cartridge.HardLabels
	one.Batch, one.Slots = 1, 1
	for name, p := range map[string]cartridge.Problem{"small": small, "hard labels": hard, "one slot": one} {
		c := ok(cartridge.CheckGradient(p, cartridge.GradientSource{Name: "XLA", New: XLA}))
		if err := c.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(c.Pairs) != 6 {
			t.Errorf("%s: %d pairs of four sources", name, len(c.Pairs))
		}
	}
	wrong := func(s cartridge.Setup) (cartridge.Engine, error) {
		s.Model.Gamma *= 1.001
		return XLA(s)
	}
	if c := ok(cartridge.CheckGradient(small, cartridge.GradientSource{Name: "wrong", New: wrong})); c.Err() == nil {
		t.Error("another gamma is not found")
	}
}

// With an epsilon far above the gradient, and without memory, a step of Adam goes
// down by the gradient itself: so the one inside the loop is compared, in every
// parameter.
func TestXLAGradientInsideALoopAgreesInEveryParameter(t *testing.T) {
	needsPlugin(t)
	s, c := lesson(64)
	start := ok(ok(cartridge.FirstTokens(c, 16)).Freeze(2))
	gradient := func(e cartridge.NewEngine) (keys, values []float32) {
		tr := cartridge.DefaultTrainer(s, 1, 1)
		tr.Batch, tr.Engine, tr.Rate = 32, e, 1e6
		tr.Adam = cartridge.Adam{Epsilon: 1e6}
		z := ok(tr.Train(context.Background(), start)).Cartridge
		minus := func(a, b cartridge.Matrix) []float32 {
			d := slices.Clone(a.Data)
			for i, x := range b.Data {
				d[i] -= x
			}
			return d
		}
		return minus(start.K, z.K), minus(start.V, z.V)
	}
	aK, aV := gradient(cartridge.ByHand)
	bK, bV := gradient(XLA)
	for what, pair := range map[string][2][]float32{"keys": {aK, bK}, "values": {aV, bV}} {
		top, apart := 0.0, 0.0
		for i, x := range pair[0] {
			top = math.Max(top, math.Abs(float64(x)))
			apart = math.Max(apart, math.Abs(float64(x)-float64(pair[1][i])))
		}
		// A parameter is near 1, so that the difference of two has lost 1e-7.
		if limit := cartridge.ToleranceFloat32*top + 1.2e-7; top == 0 || !(apart <= limit) {
			t.Errorf("%s: apart by %g of %g: want at most %g", what, apart, top, limit)
		}
		for i := range 2 * 64 {
			if pair[1][i] != 0 {
				t.Fatalf("%s: a frozen slot has moved", what)
			}
		}
	}
}

// Five digits after 200 steps, whatever cuts the calls of 16 steps short.
func TestXLALossesAsByHand(t *testing.T) {
	needsPlugin(t)
	s, c := lesson(256)
	train := func(e cartridge.NewEngine, steps int, snapshots ...int) *cartridge.Result {
		tr := cartridge.DefaultTrainer(s, steps, 1)
		tr.Batch, tr.Engine, tr.Snapshots = 64, e, snapshots
		return ok(tr.Train(context.Background(), ok(cartridge.FirstTokens(c, 32))))
	}
	want, got := train(cartridge.ByHand, 200), train(XLA, 200, 7, 50, 200)
	for i, loss := range got.Losses {
		if math.Abs(loss-want.Losses[i]) > 5e-6*want.Losses[i] {
			t.Fatalf("step %d: loss %g, by hand %g", i+1, loss, want.Losses[i])
		}
	}
	for _, step := range []int{7, 50} {
		if !slices.Equal(got.Snapshots[step].K.Data, train(XLA, step).Cartridge.K.Data) {
			t.Errorf("the snapshot of step %d is not what a training of as many steps gives", step)
		}
	}
	if !slices.Equal(got.Snapshots[200].V.Data, got.Cartridge.V.Data) {
		t.Error("the last snapshot is not the last cartridge")
	}
}

func TestXLADivergenceIsSeen(t *testing.T) {
	needsPlugin(t)
	s, c := lesson(32)
	tr := cartridge.DefaultTrainer(s, 50, 1)
	tr.Engine, tr.Batch, tr.Rate = XLA, 8, 1e38
	r, err := tr.Train(context.Background(), ok(cartridge.FirstTokens(c, 4)))
	if !errors.Is(err, cartridge.ErrDiverged) || r.Cartridge.Check() != nil {
		t.Error(err)
	}
}

func TestXLAStepsRejectWhatDoesNotFit(t *testing.T) {
	needsPlugin(t)
	s, c := lesson(16)
	z := ok(cartridge.FirstTokens(c, 4))
	e := ok(XLA(cartridge.Setup{Model: s.Model, Candidates: c.V, Batch: 2, Slots: 4, KeyDim: 64})).(*stepping)
	defer e.Close()
	for name, n := range map[string]int{"none": 0, "too many": stepsPerCall + 1, "other shapes": 1} {
		batches := make([]*cartridge.Batch, n)
		for i := range batches {
			batches[i] = &cartridge.Batch{}
		}
		if _, err := e.Steps(z, batches, make([]cartridge.Update, n)); !errors.Is(err, cartridge.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each in a process of its own, since a plugin stays once it is loaded.
func TestXLASaysWhichPluginIsMissing(t *testing.T) {
	if os.Getenv("MEMLAB_TEST_XLA") != "" {
		_, c := lesson(16)
		_, err := XLA(cartridge.Setup{Model: cartridge.DefaultModel(), Candidates: c.V, Batch: 2, Slots: 5, KeyDim: 64})
		t.Fatalf("MESSAGE %v, no plugin: %t", err, errors.Is(err, ErrNoPlugin))
	}
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken")
	if err := errors.Join(
		os.Mkdir(broken, 0o755),
		os.WriteFile(filepath.Join(broken, "pjrt_c_api_cpu_plugin.so"), []byte("no library"), 0o644),
	); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		filepath.Join(dir, "nowhere"): {"nowhere: there is no such folder", "pjrt_installer@latest -autoinstall", "no plugin: true"},
		dir:                           {pluginPath + "=" + dir, "pjrt_c_api_cpu_plugin.so", "no plugin: true"},
		filepath.Join(broken, "pjrt_c_api_cpu_plugin.so"): {"is a file: want its folder"},
		broken: {pluginPath + "=" + broken, "cannot be loaded", "no plugin: true"},
		"":     {"is installed", "pjrt_installer@latest -autoinstall", "no plugin: true"},
	} {
		if everybodys, _ := filepath.Glob("/usr/local/lib/go*/*pjrt*"); path == "" && len(everybodys) > 0 {
			continue // this machine has one for all its users
		}
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		// Without a home, what is installed there is not found.
		cmd.Env = append(os.Environ(), "MEMLAB_TEST_XLA=1", pluginPath+"="+path, "HOME="+dir, "LD_LIBRARY_PATH=")
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("%q: no error", path)
		}
		for _, part := range want {
			if !strings.Contains(string(out), part) {
				t.Errorf("%q: no %q in:\n%s", path, part, out)
			}
		}
		t.Logf("%q:\n%s", path, out)
	}
}
