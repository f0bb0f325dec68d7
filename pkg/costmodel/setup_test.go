package costmodel

import (
	"math"
	"testing"
)

func model(t testing.TB, name string) Model {
	t.Helper()
	m, err := ModelByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func gpu(t testing.TB, name string) GPU {
	t.Helper()
	g, err := GPUByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// engine is a model on a GPU with the default parameters, changed by f.
func engine(t testing.TB, m Model, gpuName string, change ...func(*Params)) *Engine {
	t.Helper()
	p := DefaultParams()
	for _, f := range change {
		f(&p)
	}
	e, err := NewEngine(m, gpu(t, gpuName), p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// near checks an absolute tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.6g, want %.6g ± %.3g", what, got, want, tolerance)
	}
}

// same checks to twelve digits: equal up to the order of additions.
func same(t testing.TB, what string, got, want float64) {
	t.Helper()
	near(t, what, got, want, 1e-12*math.Abs(want))
}
