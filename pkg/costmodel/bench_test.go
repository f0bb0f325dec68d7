package costmodel

import "testing"

func BenchmarkEvaluate(b *testing.B) {
	for _, name := range []string{"llama-3.1-8b", "gemma-3-27b", "qwen3-next-80b-a3b"} {
		b.Run(name, func(b *testing.B) {
			e := engine(b, model(b, name), "mi300x")
			l := Load{Shared: 1000, Context: 100000, Question: 50, Output: 200}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Evaluate(l); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadConfig(b *testing.B) {
	for b.Loop() {
		if _, err := ModelByName("deepseek-v3"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	for name, e := range propertyEngines(t) {
		l := Load{Context: 2000, Question: 50, Output: 200}
		if n := testing.AllocsPerRun(100, func() {
			if _, err := e.Evaluate(l); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %g allocations per evaluation", name, n)
		}
	}
}
