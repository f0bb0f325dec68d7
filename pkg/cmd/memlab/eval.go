package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/dialogue"
	"memlab/pkg/experiments/world"
	"memlab/pkg/memory"
	"memlab/pkg/table"
)

// evalFlags is what memlab eval is asked.
type evalFlags struct {
	systems   []string
	seeds     int
	questions int
	model     string
	gpu       string
	data      evalDataFlags
}

func evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval --system NAME ... | --data FILE",
		Short: "Compare memory systems on long dialogues",
		Long: `Compare memory systems on long dialogues.

With --system, systems answer questions about the toy's conversations (10 for each seed): values that
hold now, values before them, facts two hops away, and things that nobody said. Every system sees the
same conversations, so that differences are paired by seed. ± is half of the 95% interval over seeds.
A wrong answer is lost in one step: its fact was not taken out of its message (extract), was dropped or
overwritten by another one (merge), was pushed out (keep), was not found, or an older value in its place
(retrieve), or was before the reader (read). With the accuracy the shares add up to 1.
Settings follow a name behind colons; what is not set is calibrated to the lecture:
  ` + strings.Join(world.Describe(), "\n  ") + `

With --questions, a conversation is also priced in GPU seconds: written once and asked that many
questions, each call at full load of the GPU.

` + evalDataHelp,
		Example: `  memlab eval --system mem0g+graph --system rag:128x16 --seeds 20
  memlab eval --system full:alpha=.5 --system mem0:recall=.7 --questions 200 --json
  memlab eval --data locomo10.json --budget 500,1000,2000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.systems, "system", nil, "a system, as "+strings.Join(world.Names(), ", ")+", or with settings; may be given several times")
	wholeVar(flags, &f.seeds, "seeds", "groups of 10 conversations")
	f.seeds = 20
	flags.Lookup("seeds").DefValue = "20"
	wholeVar(flags, &f.questions, "questions", "price a conversation with that many questions")
	flags.StringVar(&f.model, "model", "llama-3-8b", "for --questions: the model that is priced")
	flags.StringVar(&f.gpu, "gpu", "h100", "for --questions: the GPU")
	f.data.add(cmd)
	return cmd
}

func (f *evalFlags) run(cmd *cobra.Command) error {
	out, notes := cmd.OutOrStdout(), cmd.ErrOrStderr()
	changed := cmd.Flags().Changed
	switch {
	case f.data.data != "" && len(f.systems) > 0:
		return errors.New("--system and --data: want one of them: systems play the toy's conversations, --data judges retrieval on a file")
	case f.data.data != "":
		for _, flag := range []string{"seeds", "questions", "model", "gpu"} {
			if changed(flag) {
				return fmt.Errorf("--%s goes with --system, not with --data", flag)
			}
		}
		return evalData(cmd.Context(), out, notes, f.data)
	case len(f.systems) == 0:
		return fmt.Errorf("want --system NAME, one or more of %s, or --data FILE", strings.Join(world.Names(), ", "))
	}
	for _, flag := range []string{"format", "budget", "chunk", "method"} {
		if changed(flag) {
			return fmt.Errorf("--%s goes with --data, not with --system", flag)
		}
	}
	if f.seeds < 1 || f.seeds > world.MaxSeeds {
		return fmt.Errorf("--seeds %d: want 1 to %d", f.seeds, world.MaxSeeds)
	}
	if changed("questions") && f.questions < 1 {
		return fmt.Errorf("--questions %d: want 1 or more", f.questions)
	}
	if !changed("questions") && (changed("model") || changed("gpu")) {
		return errors.New("--model and --gpu price a conversation: want --questions N with them")
	}
	p := world.DefaultParameters()
	settings, err := world.ParseSettings(p, f.systems...)
	if err != nil {
		return fmt.Errorf("--system: %w", err)
	}
	var engine *costmodel.Engine
	if f.questions > 0 {
		if engine, err = engineOf(f.model, f.gpu); err != nil {
			return err
		}
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	bar := progress{notes}.bar("groups", int64(f.seeds))
	found, err := world.Compare(ctx, p, f.seeds, settings, func() { _ = bar.Add(1) })
	if done := bar.Exit(); err == nil {
		err = done
	}
	if err != nil {
		return err
	}
	var bills []world.Bill
	if engine != nil {
		if bills, err = priced(ctx, p, settings, engine); err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
	}
	var warnings []string
	if f.seeds == 1 {
		warnings = append(warnings, "one group of conversations has no interval: want --seeds 2 or more, better 20")
	}
	for _, w := range warnings {
		fmt.Fprintf(notes, "memlab: warning: %s\n", w)
	}
	if f.data.json {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(evalResult{found, bills, f.questions, warnings})
	}
	return f.print(out, found, bills)
}

// interruptible is a context that the first interrupt ends; the second one ends the
// program, as any does while there is no such context.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// evalResult is what --json prints.
type evalResult struct {
	Systems   []world.Comparison `json:"systems"`
	Bills     []world.Bill       `json:"bills,omitempty"`
	Questions int                `json:"questions,omitempty"`
	Warnings  []string           `json:"warnings,omitempty"`
}

func engineOf(model, gpu string) (*costmodel.Engine, error) {
	m, err := costmodel.ModelByName(model)
	if err != nil {
		return nil, fmt.Errorf("--model: %w", err)
	}
	g, err := costmodel.GPUByName(gpu)
	if err != nil {
		return nil, fmt.Errorf("--gpu: %w", err)
	}
	return costmodel.NewEngine(m, g, costmodel.DefaultParams())
}

// priced are the bills without and with a prefix cache, for the conversations of
// seed 0.
func priced(ctx context.Context, p world.Parameters, settings []world.Setting, e *costmodel.Engine) ([]world.Bill, error) {
	g, err := world.NewGroup(p, 0, "en")
	if err != nil {
		return nil, err
	}
	var bills []world.Bill
	for _, s := range settings {
		for _, cached := range []bool{false, true} {
			b, err := g.Bill(ctx, s, e, cached)
			if err != nil {
				return nil, err
			}
			bills = append(bills, b)
		}
	}
	return bills, nil
}

func (f *evalFlags) print(out io.Writer, found []world.Comparison, bills []world.Bill) error {
	t := table.New(fmt.Sprintf("Accuracy over %s of conversations", plural(f.seeds, "group")),
		"system", "current", "previous", "two hops", "never said", "all", "±", "against the first", "tokens/question", "calls/question", "calls to write")
	for i, c := range found {
		against := ""
		if i > 0 {
			against = fmt.Sprintf("%+.3f ± %s", c.Against.Mean, f.half(c.Against))
		}
		row := []any{c.Setting}
		for _, k := range dialogue.Kinds() {
			row = append(row, fmt.Sprintf("%.3f", c.Kinds[k].Mean))
		}
		row = append(row, fmt.Sprintf("%.3f", c.Accuracy.Mean), f.half(c.Accuracy), against,
			fmt.Sprintf("%.0f", c.TokensEach.Mean), fmt.Sprintf("%.2f", c.CallsEach.Mean), fmt.Sprintf("%.0f", c.WriteCalls.Mean))
		if err := t.Add(row...); err != nil {
			return err
		}
	}
	lost := table.New("Share of questions lost in each step (never said not among them)", append([]string{"system"}, stages()...)...)
	for _, c := range found {
		row := []any{c.Setting}
		for _, s := range memory.Stages() {
			row = append(row, fmt.Sprintf("%.3f", c.Lost[s].Mean))
		}
		if err := lost.Add(row...); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(out, "%s\n%s", t.Text(), lost.Text()); err != nil || len(bills) == 0 {
		return err
	}
	cost := table.New(fmt.Sprintf("GPU seconds of one conversation and %d questions, %s on %s", f.questions, f.model, f.gpu),
		"system", "prefix cache", "write", "of it summaries", "first question", "each further", "all")
	for _, b := range bills {
		cache := "no"
		if b.Cached {
			cache = "yes"
		}
		if err := cost.Add(b.Setting, cache, seconds(b.Write), seconds(b.Summary), seconds(b.First), seconds(b.Each), seconds(b.After(float64(f.questions)))); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "\n%s", cost.Text())
	return err
}

func seconds(s float64) string { return fmt.Sprintf("%.3g", s) }

// half is half the width of an interval; one group has none.
func (f *evalFlags) half(m claims.Mean) string {
	if f.seeds < 2 {
		return "–"
	}
	return fmt.Sprintf("%.3f", (m.High-m.Low)/2)
}

func plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}

func stages() []string {
	var names []string
	for _, s := range memory.Stages() {
		names = append(names, string(s))
	}
	return names
}
