// Command world measures what a message and a question cost in each memory system as
// dialogues grow, embeddings and judges apart. It is started by binder/bench, see package
// runner, with how many times as long as the lecture's a dialogue is; by hand
//
//	go run ./binder/peers/world growth 1 2 4 8 16 32 64
//
// prints a table with the exponents of growth. Its main type is life, a dialogue of many
// toy conversations. What must grow is what an exact search touches; a matrix-vector
// product of gonum is the measure of that.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"memlab/binder/peers/runner"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "world:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("no argument: want a length such as 8x, or growth and lengths")
	}
	if args[0] == "growth" {
		lengths := make([]int, len(args)-1)
		for i, text := range args[1:] {
			var err error
			if lengths[i], err = length(text); err != nil {
				return err
			}
		}
		return growth(lengths)
	}
	times, err := length(args[0])
	if err != nil {
		return err
	}
	runner.Main(runner.Set{Unit: "message or question", Benches: benches(times)})
	return nil
}

func length(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSuffix(text, "x"))
	if err != nil || n < 1 || n > 1024 {
		return 0, fmt.Errorf("length %q: want 1x to 1024x the lecture's", text)
	}
	return n, nil
}
