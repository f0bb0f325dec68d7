package rollout

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// stepByStep is run without closed forms, heaps and events: one decode step
// after the other, over the list of what is being decoded.
func stepByStep(s Speed, slots int, jobs []job, keep int, until float64) course {
	c := course{done: make([]float64, len(jobs)), generated: make([]int, len(jobs))}
	for i := range c.done {
		c.done[i] = math.NaN()
	}
	kept := map[int]int{}
	unwanted := func(j int) bool { return keep > 0 && kept[jobs[j].group] >= keep }
	var active []int
	next, clock := 0, 0.0
	for clock < until {
		for next < len(jobs) && len(active) < slots && jobs[next].at <= clock {
			if !unwanted(next) {
				clock += jobs[next].prefill
				c.busy += jobs[next].prefill
				c.end = clock
				active = append(active, next)
			}
			next++
		}
		context := 0
		for _, j := range active {
			context += jobs[j].have + c.generated[j]
		}
		c.peak = max(c.peak, context)
		if clock >= until {
			break
		}
		if len(active) == 0 {
			if next == len(jobs) {
				break
			}
			clock = jobs[next].at
			continue
		}
		took := s.Step(len(active), context)
		clock += took
		c.busy += took
		c.end = clock
		c.peak = max(c.peak, context+len(active))
		for _, j := range active {
			c.generated[j]++
			if c.generated[j] == jobs[j].left && !unwanted(j) {
				c.done[j] = clock
				kept[jobs[j].group]++
			}
		}
		active = slices.DeleteFunc(active, func(j int) bool { return c.generated[j] == jobs[j].left || unwanted(j) })
	}
	return c
}

// dyadic draws seconds that a float64 adds up without rounding, so that two
// orders of the same additions agree to the last bit.
func dyadic(most int) *rapid.Generator[float64] {
	return rapid.Map(rapid.IntRange(0, most), func(n int) float64 { return float64(n) / 1024 })
}

func anySpeed(t *rapid.T) Speed {
	return Speed{
		Sequence: dyadic(64).Draw(t, "sequence"), Attention: dyadic(8).Draw(t, "attention"),
		Weights: dyadic(1024).Draw(t, "weights"), KV: dyadic(8).Draw(t, "kv"), Fixed: dyadic(16).Draw(t, "fixed") + 1./1024,
	}
}

func anyJobs(t *rapid.T) []job {
	jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) job {
		return job{
			group: rapid.IntRange(0, 3).Draw(t, "group"), at: dyadic(8000).Draw(t, "at"),
			have: rapid.IntRange(0, 30).Draw(t, "have"), left: rapid.IntRange(1, 40).Draw(t, "left"),
			prefill: dyadic(300).Draw(t, "prefill"),
		}
	}), 0, 12).Draw(t, "jobs")
	slices.SortStableFunc(jobs, func(a, b job) int { return int((a.at - b.at) * 1024) })
	return jobs
}

func TestEventsAgreeWithSingleSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, jobs := anySpeed(t), anyJobs(t)
		slots, keep := rapid.IntRange(1, 6).Draw(t, "slots"), rapid.IntRange(0, 3).Draw(t, "keep")
		until := math.Inf(1)
		if rapid.Bool().Draw(t, "stopped") {
			until = dyadic(40_000).Draw(t, "until")
		}
		got, want := run(s, slots, jobs, keep, until), stepByStep(s, slots, jobs, keep, until)
		for j := range jobs {
			if got.done[j] != want.done[j] && !(math.IsNaN(got.done[j]) && math.IsNaN(want.done[j])) || got.generated[j] != want.generated[j] {
				t.Fatalf("job %d: done %g, %d tokens; step by step %g, %d", j, got.done[j], got.generated[j], want.done[j], want.generated[j])
			}
		}
		if got.end != want.end || got.busy != want.busy || got.peak != want.peak {
			t.Fatalf("end %g busy %g peak %d; step by step %g %g %d", got.end, got.busy, got.peak, want.end, want.busy, want.peak)
		}
	})
}

func TestStepsAreTheSumOfSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySpeed(t)
		batch, context, n := rapid.IntRange(1, 9).Draw(t, "batch"), rapid.IntRange(0, 500).Draw(t, "context"), rapid.IntRange(1, 400).Draw(t, "n")
		want := 0.0
		for i := range n {
			want += s.Step(batch, context+i*batch)
		}
		if got := s.steps(batch, context, n); got != want {
			t.Fatalf("%g, one by one %g", got, want)
		}
	})
}

// By hand: weights take 4 s a step, a token of KV 1 s. One job with 2 tokens
// of prompt and one without, of 3 and 1 tokens: 4+2, then 4+3, then 4+4.
func TestAReplicaByHand(t *testing.T) {
	c := run(Speed{Weights: 4, KV: 1}, 2, []job{{have: 2, left: 3}, {left: 1}}, 0, math.Inf(1))
	if want := []float64{6 + 7 + 8, 6}; !slices.Equal(c.done, want) || c.end != 21 || c.peak != 5 {
		t.Errorf("done %v, end %g, peak %d: want %v, 21, 5", c.done, c.end, c.peak, want)
	}
}

func BenchmarkSamples(b *testing.B) {
	s := DefaultLengths()
	lengths, err := s.Draw(0, 1000, 8)
	if err != nil {
		b.Fatal(err)
	}
	setup := Setup{Prompts: 1000, Samples: 8, Replicas: 32, Slots: 256, PromptTokens: 500, Lengths: s, Speed: Speed{Weights: 6e-3, KV: 5e-8, Sequence: 2e-5, Attention: 7e-10}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Wait(setup, lengths); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*8000/b.Elapsed().Seconds(), "samples/s")
}

func BenchmarkDraw(b *testing.B) {
	for b.Loop() {
		if _, err := DefaultLengths().Draw(0, 1000, 8); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*8000/b.Elapsed().Seconds(), "samples/s")
}
