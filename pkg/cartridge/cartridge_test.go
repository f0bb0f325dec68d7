package cartridge

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/random"
)

func TestStartsAreWhatTheySay(t *testing.T) {
	c := corpus(t, 30, 64)
	first := ok(FirstTokens(c, 4))
	if !slices.Equal(first.K.Data, c.K.Data[:4*64]) || !slices.Equal(first.V.Data, c.V.Data[:4*64]) {
		t.Error("first tokens are others")
	}
	first.K.Data[0]++
	if c.K.Data[0] == first.K.Data[0] {
		t.Error("the cartridge shares the document's storage")
	}
	tokens := ok(RandomTokens(c, 10, random.Seed(1).Stream("init")))
	at := -1
	for i := range 10 {
		for at++; at < 30 && !slices.Equal(c.K.Row(at), tokens.K.Row(i)); at++ {
		}
		if at == 30 || !slices.Equal(c.V.Row(at), tokens.V.Row(i)) {
			t.Fatalf("slot %d is no fact, or not in the order of the document", i)
		}
	}
	long := ok(RandomVectors(c, 20, false, random.Seed(1).Stream("init")))
	short := ok(RandomVectors(c, 20, true, random.Seed(1).Stream("init")))
	for i := range 20 {
		a, b := dot(long.K.Row(i), long.K.Row(i)), dot(short.K.Row(i), short.K.Row(i))
		if a < 30 || a > 120 || math.Abs(float64(b)-1) > 1e-5 {
			t.Errorf("slot %d: squared lengths %g and %g", i, a, b)
		}
	}
}

func TestImpossibleCartridgesAreErrors(t *testing.T) {
	c := corpus(t, 8, 4)
	rng := random.Seed(1).Stream("init")
	z := ok(FirstTokens(c, 4))
	nan := z.Clone()
	nan.K.Data[5] = float32(math.NaN())
	uneven := z.Clone()
	uneven.V = uneven.V.Slice(0, 3)
	other := ok(FirstTokens(corpus(t, 8, 5), 4))
	for name, do := range map[string]func() error{
		"p = 0":           func() error { _, err := FirstTokens(c, 0); return err },
		"p above N":       func() error { _, err := FirstTokens(c, 9); return err },
		"negative p":      func() error { _, err := RandomTokens(c, -1, rng); return err },
		"vectors above N": func() error { _, err := RandomVectors(c, 9, false, rng); return err },
		"frozen above p":  func() error { _, err := z.Freeze(5); return err },
		"negative frozen": func() error { _, err := z.Freeze(-1); return err },
		"NaN in keys":     nan.Check,
		"uneven":          uneven.Check,
		"nil":             (*Cartridge)(nil).Check,
		"nothing":         func() error { _, err := Concat(); return err },
		"other widths":    func() error { _, err := Concat(z, other); return err },
		"NaN part":        func() error { _, err := Concat(z, nan); return err },
		"NaN read":        func() error { _, err := DefaultModel().With(nan); return err },
		"other slots":     func() error { return z.Fits(5, 4, 4) },
		"other keys":      func() error { return z.Fits(4, 5, 4) },
		"other values":    func() error { return z.Fits(4, 4, 5) },
	} {
		if err := do(); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := FirstTokens(c, 9); err.Error() != "cartridge: bad input: p = 9 slots for 8 facts: want 1 to 8" {
		t.Error(err)
	}
}

func TestConcatKeepsLeadingFrozenSlots(t *testing.T) {
	z := ok(FirstTokens(corpus(t, 8, 4), 4))
	for _, c := range []struct{ a, b, want int }{{0, 0, 0}, {1, 1, 1}, {4, 1, 5}, {0, 4, 0}, {4, 4, 8}} {
		a := ok(z.Freeze(c.a))
		b := ok(z.Freeze(c.b))
		both := ok(Concat(a, b))
		if both.Frozen != c.want || both.Slots() != 8 {
			t.Errorf("%d and %d frozen of 4: %d of %d, want %d of 8", c.a, c.b, both.Frozen, both.Slots(), c.want)
		}
	}
}

func TestSavedCartridgesComeBack(t *testing.T) {
	c := corpus(t, 8, 4)
	c.V = corpus(t, 8, 6).V
	for _, frozen := range []int{0, 1, 3} {
		z := ok(FirstTokens(c, 3))
		z.K.Data[0], z.V.Data[1] = math.SmallestNonzeroFloat32, -math.MaxFloat32
		z.Frozen = frozen
		var b bytes.Buffer
		if err := z.Save(&b); err != nil {
			t.Fatal(err)
		}
		got := ok(Load("memory", &b))
		if got.Frozen != frozen || got.Fits(3, 4, 6) != nil || !slices.Equal(got.K.Data, z.K.Data) || !slices.Equal(got.V.Data, z.V.Data) {
			t.Errorf("%d frozen: %+v came back as %+v", frozen, z, got)
		}
	}
	z := &Cartridge{K: NewMatrix(1, 1), V: NewMatrix(1, 1)}
	z.K.Data[0] = float32(math.NaN())
	if err := z.Save(&bytes.Buffer{}); !errors.Is(err, ErrInput) {
		t.Errorf("NaN saved: %v", err)
	}
}

func TestBrokenFilesAreErrorsThatNameThem(t *testing.T) {
	for name, text := range map[string]string{
		"empty":         ``,
		"cut":           `{"format":"memlab cartridge 1","slots":1,"key_dim":1,`,
		"other format":  `{"format":"memlab cartridge 9","slots":1,"key_dim":1,"value_dim":1,"keys":[1],"values":[1]}`,
		"no slots":      `{"format":"memlab cartridge 1","slots":0,"key_dim":1,"value_dim":1,"keys":[],"values":[]}`,
		"fewer numbers": `{"format":"memlab cartridge 1","slots":2,"key_dim":1,"value_dim":1,"keys":[1],"values":[1,2]}`,
		"frozen":        `{"format":"memlab cartridge 1","slots":1,"key_dim":1,"value_dim":1,"frozen":2,"keys":[1],"values":[1]}`,
		"too large":     `{"format":"memlab cartridge 1","slots":1,"key_dim":1,"value_dim":1,"keys":[1e39],"values":[1]}`,
		"negative":      `{"format":"memlab cartridge 1","slots":-1,"key_dim":-1,"value_dim":1,"keys":[1],"values":[1]}`,
		"overflow":      `{"format":"memlab cartridge 1","slots":8589934592,"key_dim":2147483648,"value_dim":2147483648,"keys":[],"values":[]}`,
	} {
		z, err := Load("a.json", strings.NewReader(text))
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "a.json") {
			t.Errorf("%s: %v, %v", name, z, err)
		}
	}
}
