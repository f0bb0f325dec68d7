// Command memlab is the lab's command line: it prices the context of a
// language model. It is for engineers who want a number without a notebook;
// go run ./pkg/cmd/memlab --help lists what it can do. Each command reads its
// flags, calls one package and prints a table, or JSON with --json. A run
// costs the start of a process.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "memlab:", err)
		os.Exit(1)
	}
}

// run is main with everything passed in, so that a test can call it.
func run(args []string, stdout, stderr io.Writer) error {
	root := &cobra.Command{
		Use:           "memlab",
		Short:         "Price and compare the memory of language models",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(costCommand(), claimsCommand(), cacheCommand(), evalCommand(), trainCommand(), exercisesCommand())
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return root.Execute()
}
