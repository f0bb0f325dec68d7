//go:build unix

package cartridge

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"memlab/pkg/random"
)

// BenchmarkStep is one step of a training, by size and kind of target. The time of
// the processor is what counts on a machine that does something else as well.
func BenchmarkStep(b *testing.B) {
	for _, size := range []struct{ facts, slots, batch int }{{512, 64, 64}, {512, 64, 128}, {512, 64, 256}, {2048, 256, 128}} {
		for _, constant := range []bool{true, false} {
			target := "teacher"
			if constant {
				target = "constant"
			}
			b.Run(fmt.Sprintf("facts=%d/slots=%d/batch=%d/%s", size.facts, size.slots, size.batch, target), func(b *testing.B) {
				c := corpus(b, size.facts, 64)
				s := study(c)
				s.ConstantTargets = constant
				trainer := DefaultTrainer(s, b.N, random.Seed(1))
				trainer.Batch = size.batch
				start := ok(FirstTokens(c, size.slots))
				var from time.Duration
				trainer.Checkpoint = func(step int, _ *Cartridge) error {
					if step == 0 { // the lesson has been opened
						b.ResetTimer()
						from = processorTime(b)
					}
					return nil
				}
				ok(trainer.Train(context.Background(), start))
				b.ReportMetric(float64((processorTime(b)-from).Microseconds())/float64(b.N), "cpu-µs/step")
			})
		}
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
