package rollout

import (
	"fmt"
	"math"
	"slices"
)

// Outcome is an iteration under one policy. Times are seconds from its beginning;
// Busy + Idle = Replicas x Iteration. Where several iterations were run, times are
// means over them and counts are sums.
type Outcome struct {
	Iterations int     `json:"iterations"`
	Generation float64 `json:"generation_seconds"` // until the last token that was waited for
	Iteration  float64 `json:"iteration_seconds"`  // with scoring and training
	// Half, Ninety and NinetyNine are when that share of the answers was done.
	Half       float64 `json:"half_seconds"`
	Ninety     float64 `json:"ninety_seconds"`
	NinetyNine float64 `json:"ninety_nine_seconds"`

	Busy float64 `json:"busy_replica_seconds"` // prefill, decode, scoring, training
	Idle float64 `json:"idle_replica_seconds"`
	// Waiting is the part of Idle before Generation: for the slowest.
	Waiting float64 `json:"waiting_replica_seconds"`

	Samples   int `json:"samples"`          // answers trained on
	Trained   int `json:"trained_tokens"`   // their tokens
	Generated int `json:"generated_tokens"` // all tokens
	Thrown    int `json:"thrown_tokens"`    // generated and not trained on
	Stale     int `json:"stale_tokens"`     // trained on, from older weights
	Moved     int `json:"moved_tokens"`     // of KV, sent between replicas
	// Recomputed counts tokens of context prefilled again.
	Recomputed int `json:"recomputed_tokens"`
	AtCap      int `json:"samples_at_cap"` // broken off at the maximum length
	// Peak is the most tokens of context that one replica held at once, the
	// prompt counted with each of its answers.
	Peak int `json:"peak_tokens"`

	Replicas []Span `json:"replicas"`
	// Done lists when each answer was done, in ascending order.
	Done     []float64 `json:"-"`
	Warnings []string  `json:"warnings,omitempty"`
}

// Span is what one replica did in an iteration, in seconds. The rest is idle.
type Span struct {
	Many   float64 `json:"many_seconds"` // generating, until nine tenths of its answers were done
	Few    float64 `json:"few_seconds"`  // generating the last tenth
	Waited float64 `json:"waited_seconds"`
	Learn  float64 `json:"learn_seconds"` // scoring and training
}

// MeanTrained is the mean length of the answers trained on, in tokens.
func (o Outcome) MeanTrained() float64 { return float64(o.Trained) / float64(o.Samples) }

// TokensPerSecond is what the training learns from per second of the iteration.
func (o Outcome) TokensPerSecond() float64 {
	return float64(o.Trained) / (o.Iteration * float64(o.Iterations))
}

// IdleShare is the share of replica seconds without any work.
func (o Outcome) IdleShare() float64 { return o.Idle / (o.Idle + o.Busy) }

// quantiles fills in Done and the times at which shares of the answers were done.
func (o *Outcome) quantiles(done []float64) {
	slices.Sort(done)
	o.Done = done
	o.Half, o.Ninety, o.NinetyNine = quantile(done, 0.5), quantile(done, 0.9), quantile(done, 0.99)
}

func (o *Outcome) warnRoom(s Setup) {
	if s.Room > 0 && o.Peak > s.Room {
		o.Warnings = append(o.Warnings, fmt.Sprintf("a replica held %d tokens of KV, and there is room for %d: an engine would have to preempt; want fewer slots or more replicas", o.Peak, s.Room))
	}
}

// nineTenths is when nine tenths of the jobs of a course were done.
func nineTenths(c course) float64 {
	var done []float64
	for _, t := range c.done {
		if !math.IsNaN(t) {
			done = append(done, t)
		}
	}
	slices.Sort(done)
	return quantile(done, 0.9)
}

// quantile is the first value that the share of sorted values does not exceed,
// 0 of none.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}
