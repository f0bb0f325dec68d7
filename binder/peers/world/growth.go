package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"syscall"

	"gonum.org/v1/gonum/stat"

	"memlab/binder/peers/runner"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
)

// vectorBytes is what a search reads of each vector.
const vectorBytes = 4 * 256

// growth prints the cost of a unit in µs for each length, the exponent of growth (the slope
// in logarithms, over all lengths and from the middle on), and in lines below the vectors
// that the unit must touch, in KiB.
func growth(lengths []int) error {
	if len(lengths) < 2 || !slices.IsSorted(lengths) || lengths[0] == lengths[len(lengths)-1] {
		return errors.New("growth: want two or more lengths, rising")
	}
	fmt.Printf("%-24s", "µs of processor time")
	for _, n := range lengths {
		fmt.Printf(" %8dx", n)
	}
	fmt.Printf(" %9s %9s\n", "exponent", "2nd half")
	for i, b := range benches(1) {
		var costs []float64
		for _, n := range lengths {
			us, err := cost(benches(n)[i])
			if err != nil {
				return fmt.Errorf("%s at %dx: %w", b.Name, n, err)
			}
			costs = append(costs, us)
		}
		line(b.Name, lengths, costs)
	}
	fmt.Println("vectors that must be touched, KiB")
	for _, name := range systems {
		var writes, reads []float64
		for _, n := range lengths {
			w, r, err := touched(n, name)
			if err != nil {
				return err
			}
			writes, reads = append(writes, w), append(reads, r)
		}
		line("write/"+name, lengths, writes)
		line("read/"+name, lengths, reads)
	}
	return nil
}

func line(name string, lengths []int, costs []float64) {
	fmt.Printf("%-24s", name)
	var x, y []float64
	for i, c := range costs {
		fmt.Printf(" %9.2f", c)
		x, y = append(x, math.Log(float64(lengths[i]))), append(y, math.Log(c))
	}
	if slices.Contains(costs, 0) {
		fmt.Println()
		return
	}
	half := (len(x) - 1) / 2
	_, all := stat.LinearRegression(x, y, nil, false)
	_, late := stat.LinearRegression(x[half:], y[half:], nil, false)
	fmt.Printf(" %9.2f %9.2f\n", all, late)
}

// cost is the processor time of one unit in µs: the best of some rounds.
func cost(b runner.Bench) (float64, error) {
	work, err := b.New()
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for round := range 9 {
		runtime.GC()
		start, ops := processorTime(), 0
		for took := int64(0); took < 40e6; took = processorTime() - start {
			n, _, err := work()
			if err != nil {
				return 0, err
			}
			if ops += n; round == 0 {
				break // to warm up
			}
		}
		if us := float64(processorTime()-start) / 1e3 / float64(ops); round > 0 {
			best = min(best, us)
		}
	}
	return best, nil
}

// processorTime is in ns, of all threads.
func processorTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of an argument that is a constant
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// touched counts the vectors that exact search reads, in KiB per message written and per
// question asked.
func touched(times int, name string) (write, read float64, err error) {
	l, err := newLife(times)
	if err != nil {
		return 0, 0, err
	}
	account := &memory.Account{}
	s, err := l.newSystem(name, account)
	if err != nil {
		return 0, 0, err
	}
	held, updates := 0.0, 0
	for i := range l.dialogue.Messages {
		if err := s.Write(context.Background(), &l.dialogue.Messages[i]); err != nil {
			return 0, 0, err
		}
		if m, ok := s.(*mem0.Memory); ok {
			if now := account.Phase("write", "update").Calls; now > updates {
				held += float64((now - updates) * len(m.Memories()))
				updates = now
			}
		}
	}
	if err := s.Finish(context.Background()); err != nil {
		return 0, 0, err
	}
	if _, err := l.ask(s); err != nil {
		return 0, 0, err
	}
	asked := float64(len(l.dialogue.Questions))
	switch m := s.(type) {
	case *mem0.Memory:
		searches := asked
		if name != "mem0" {
			for i := range l.dialogue.Questions {
				if l.dialogue.Questions[i].Past {
					searches++
				}
			}
		}
		read = searches / asked * float64(len(m.Memories()))
	default:
		// Each embedded text of the writing is a vector; each of the reading is a search.
		read = float64(account.Phase("write").Embedded) * float64(account.Phase("read").Embedded) / asked
	}
	const kib = vectorBytes / 1024.0
	return held * kib / float64(len(l.dialogue.Messages)), read * kib, nil
}
