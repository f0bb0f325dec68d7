// Command step is memlab's side of the comparison of training steps: Trainer with
// one of its engines, on the batches that all peers get. "step data" writes those
// to the folder MEMLAB_BENCH_DATA; "step ENGINE" serves binder/bench.
package main

import (
	"fmt"
	"os"
	"slices"

	"memlab/binder/peers/runner"
)

func main() {
	if err := run(os.Args[1:], os.Getenv("MEMLAB_BENCH_DATA")); err != nil {
		fmt.Fprintln(os.Stderr, "step:", err)
		os.Exit(1)
	}
}

func run(args []string, folder string) error {
	if folder == "" {
		return fmt.Errorf("MEMLAB_BENCH_DATA is empty: want the folder of the batches (binder/bench sets it)")
	}
	if len(args) == 1 && args[0] == "data" {
		for _, s := range sizes {
			if err := s.write(folder); err != nil {
				return err
			}
		}
		return nil
	}
	at := -1
	if len(args) == 1 {
		at = slices.IndexFunc(engines, func(e engine) bool { return e.name == args[0] })
	}
	if at < 0 {
		return fmt.Errorf("arguments %q: want data or the name of an engine of this build", args)
	}
	set := runner.Set{Unit: "step", Versions: engines[at].versions()}
	for _, s := range sizes {
		for _, constant := range []bool{false, true} {
			set.Benches = append(set.Benches, s.bench(folder, constant, engines[at]))
		}
	}
	return set.Serve(os.Stdin, os.Stdout)
}
