package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memlab/pkg/chart"
	"memlab/pkg/costmodel"
	"memlab/pkg/lesson"
	"memlab/pkg/table"
)

// costFlags is what memlab cost is asked.
type costFlags struct {
	model, config, as string
	gpu               string
	context, shared   int
	json              bool
	curve             string
	params            costmodel.Params
	kv                string
}

func costCommand() *cobra.Command {
	f := costFlags{params: costmodel.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "cost (--model NAME | --config FILE) [--gpu NAME] --context TOKENS",
		Short: "What the memory of a context costs: bytes, seconds, throughput",
		Long: `What the memory of a context costs.

Without --gpu: parameters, weights and the KV cache of the context, which no GPU changes.
With --gpu: also the time to first token, the time of an answer when one request runs alone,
and batch, step and throughput when the memory is full of such requests.`,
		Example: `  memlab cost --model llama-3-8b --gpu h100 --context 128000
  memlab cost --config config.json --gpu h200 --tp 8 --context 32000 --json
  memlab cost --model llama-3-8b --gpu h100 --context 1000 --shared 120000
  memlab cost --model llama-3-8b --gpu h100 --context 120000 --curve throughput`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.OutOrStdout()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "a known model, one of: "+strings.Join(costmodel.ModelNames(), ", "))
	flags.StringVar(&f.config, "config", "", "a Hugging Face config.json")
	flags.StringVar(&f.as, "as", "", "with --config: read it as this model_type, for an architecture that has the same shapes")
	flags.StringVar(&f.gpu, "gpu", "", "one of: "+strings.Join(costmodel.GPUNames(), ", "))
	flags.IntVar(&f.context, "context", 0, "private context of each request, in tokens")
	flags.IntVar(&f.shared, "shared", 0, "context that all requests share and that is stored once, in tokens")
	flags.IntVar(&f.params.Question, "question", f.params.Question, "new tokens of each question")
	flags.IntVar(&f.params.Output, "output", f.params.Output, "tokens of each answer")
	flags.IntVar(&f.params.TensorParallel, "tp", f.params.TensorParallel, "GPUs that share the model by tensor parallelism")
	flags.StringVar(&f.kv, "kv", "", "format of the KV cache, for example fp8 (default: the model's)")
	flags.Float64Var(&f.params.ComputeShare, "compute-share", f.params.ComputeShare, "achieved share of the peak FLOP/s")
	flags.Float64Var(&f.params.BandwidthShare, "bandwidth-share", f.params.BandwidthShare, "achieved share of the peak memory bandwidth")
	flags.Float64Var(&f.params.MemoryShare, "memory-share", f.params.MemoryShare, "share of the memory for weights and KV cache")
	flags.Float64Var(&f.params.PricePerGPUHour, "price", 0, "price of one GPU hour, in any currency")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.curve, "curve", "", "write NAME.csv, NAME.svg and NAME.png: throughput from 1k tokens of context to --context")
	if err := cmd.MarkFlagRequired("context"); err != nil {
		panic(err) // the flag is defined above
	}
	cmd.MarkFlagsMutuallyExclusive("model", "config")
	cmd.MarkFlagsOneRequired("model", "config")
	return cmd
}

// cost is what memlab cost prints; the fields from TTFT on need a GPU.
type cost struct {
	Model            string          `json:"model"`
	Parameters       int64           `json:"parameters"`
	ActiveParameters int64           `json:"active_parameters"`
	WeightBytes      costmodel.Bytes `json:"weight_bytes"`
	Context          int             `json:"context_tokens"`
	KV               costmodel.Bytes `json:"kv_bytes"`           // the whole context, not split over GPUs
	KVPerToken       costmodel.Bytes `json:"kv_bytes_per_token"` // of the next token
	KVFixed          costmodel.Bytes `json:"kv_bytes_fixed"`
	Notes            []string        `json:"notes,omitempty"`
	*served
	Warnings []string `json:"warnings,omitempty"`
	LeftOut  []string `json:"left_out,omitempty"`
}

// served is the part of cost that needs a GPU.
type served struct {
	GPU            string `json:"gpu"`
	TensorParallel int    `json:"tensor_parallel"`
	Shared         int    `json:"shared_tokens,omitempty"`
	Question       int    `json:"question_tokens"`
	Output         int    `json:"output_tokens"`

	// One request alone.
	TTFT       costmodel.Seconds `json:"ttft_seconds"`        // nothing cached
	TTFTCached costmodel.Seconds `json:"ttft_cached_seconds"` // the context cached
	Decode     costmodel.Seconds `json:"decode_seconds"`      // the whole output

	// The memory full of such requests.
	Batch                      int                `json:"batch"`
	DecodeStep                 *costmodel.Seconds `json:"decode_step_seconds"` // of the full batch; null when nothing fits
	TokensPerSecond            float64            `json:"tokens_per_second"`
	TokensPerSecondWithPrefill float64            `json:"tokens_per_second_with_prefill"`
	GPUSecondsPerRequest       *float64           `json:"gpu_seconds_per_request"` // null when nothing fits: not free
	MoneyPerRequest            float64            `json:"money_per_request,omitempty"`
	Bound                      costmodel.Bound    `json:"bound"`
}

func (f *costFlags) run(out io.Writer) error {
	m, err := f.readModel()
	if err != nil {
		return err
	}
	kv, err := m.KV(f.context)
	if err != nil {
		return err
	}
	c := cost{
		Model: m.Name, Parameters: m.Parameters, ActiveParameters: m.ActiveParameters, WeightBytes: m.WeightBytes,
		Context: f.context, KV: kv.Bytes, KVPerToken: kv.PerToken, KVFixed: kv.Fixed, Notes: m.Notes,
		LeftOut: kv.LeftOut,
	}
	if f.gpu == "" {
		c.warn(kv.Warnings)
		if f.curve != "" || f.shared != 0 || f.params.TensorParallel != 1 {
			return errors.New("--curve, --shared and --tp need --gpu")
		}
		return f.print(out, c)
	}
	g, err := costmodel.GPUByName(f.gpu)
	if err != nil {
		return err
	}
	e, err := costmodel.NewEngine(m, g, f.params)
	if err != nil {
		return err
	}
	if f.curve != "" {
		if f.json || f.shared != 0 {
			return errors.New("--curve writes files and shows private and shared contexts both: leave out --json and --shared")
		}
		return f.writeCurve(out, e)
	}
	if err := c.serve(e, f.context, f.shared); err != nil {
		return err
	}
	return f.print(out, c)
}

func (f *costFlags) readModel() (m costmodel.Model, err error) {
	switch {
	case f.model != "":
		if f.as != "" {
			return m, errors.New("--as goes with --config")
		}
		m, err = costmodel.ModelByName(f.model)
	case f.as != "":
		var r *os.File
		if r, err = os.Open(f.config); err != nil {
			return m, err
		}
		defer r.Close()
		if m, err = costmodel.ReadConfigAs(r, f.as); err != nil {
			err = fmt.Errorf("%s: %w", f.config, err)
		}
	default:
		m, err = costmodel.ReadConfigFile(f.config)
	}
	if err != nil || f.kv == "" {
		return m, err
	}
	d, err := costmodel.ParseDType(f.kv)
	if err != nil {
		return m, fmt.Errorf("--kv: %w", err)
	}
	return m.WithKV(d)
}

// serve adds what the engine makes of requests with that context.
func (c *cost) serve(e *costmodel.Engine, context, shared int) error {
	l := e.Load(context)
	l.Shared = shared
	cold, err := e.Answer(l, false)
	if err != nil {
		return err
	}
	cached, err := e.Answer(l, true)
	if err != nil {
		return err
	}
	full, err := e.Throughput(l, false)
	if err != nil {
		return err
	}
	c.served = &served{
		GPU: e.GPU().Name, TensorParallel: e.Params().TensorParallel,
		Shared: shared, Question: l.Question, Output: l.Output,
		TTFT: cold.TTFT, TTFTCached: cached.TTFT, Decode: cold.Decode,
		Batch:           full.Fit.Batch,
		TokensPerSecond: full.TokensPerSecond, TokensPerSecondWithPrefill: full.TokensPerSecondWithPrefill,
		MoneyPerRequest: full.MoneyPerRequest,
		Bound:           full.Bound,
	}
	if full.Fit.Batch > 0 {
		c.DecodeStep, c.GPUSecondsPerRequest = &full.Step.Time, &full.GPUSecondsPerRequest
	}
	c.warn(e.Notes())
	c.warn(cold.Warnings)
	c.warn(full.Warnings)
	for _, more := range [][]string{cold.LeftOut, full.LeftOut} {
		for _, s := range more {
			c.LeftOut = appendNew(c.LeftOut, s)
		}
	}
	return nil
}

func (c *cost) warn(more []costmodel.Warning) {
	for _, w := range more {
		c.Warnings = appendNew(c.Warnings, string(w))
	}
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

func (f *costFlags) print(out io.Writer, c cost) error {
	if f.json {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(c)
	}
	t := table.New("", "", "value", "")
	add := func(what string, value any, remark string) {
		t.Rows = append(t.Rows, []string{what, fmt.Sprint(value), remark})
	}
	add("model", c.Model, "")
	add("parameters", count(c.Parameters), activeRemark(c))
	add("weights", c.WeightBytes, "")
	add("KV cache of the context", c.KV, fmt.Sprintf("%d tokens, %.3g%% of the weights", c.Context, 100*float64(c.KV/c.WeightBytes)))
	add("KV cache of the next token", c.KVPerToken, "")
	if c.KVFixed > 0 {
		add("state of fixed size", c.KVFixed, "included in the KV cache of the context")
	}
	if s := c.served; s != nil {
		add("GPU", fmt.Sprintf("%d x %s", s.TensorParallel, s.GPU), "")
		if s.Shared > 0 {
			add("shared context", fmt.Sprintf("%d tokens", s.Shared), "stored once for all requests")
		}
		add("time to first token", s.TTFT, fmt.Sprintf("alone, nothing cached, with a question of %d tokens", s.Question))
		add("  the context cached", s.TTFTCached, "alone, only the question is prefilled")
		add("decode", s.Decode, fmt.Sprintf("alone, %d tokens of output", s.Output))
		add("requests at once", s.Batch, "what fits beside the weights")
		if s.Batch == 0 {
			add("throughput", "does not fit", "not one such request has room: more or larger GPUs, or a shorter context")
			return f.write(out, t, c)
		}
		add("decode step", *s.DecodeStep, "of the full batch")
		add("throughput", fmt.Sprintf("%.4g tokens/s", s.TokensPerSecond), fmt.Sprintf("decode alone, bound by %s", s.Bound))
		add("  prefill counted", fmt.Sprintf("%.4g tokens/s", s.TokensPerSecondWithPrefill), "")
		add("price of a request", fmt.Sprintf("%.3g GPU s", *s.GPUSecondsPerRequest), "with the memory full, prefill counted")
		if s.MoneyPerRequest > 0 {
			add("  in money", fmt.Sprintf("%.3g", s.MoneyPerRequest), fmt.Sprintf("at %g per GPU hour", f.params.PricePerGPUHour))
		}
	}
	return f.write(out, t, c)
}

// write prints the table and what has to be said beside it.
func (f *costFlags) write(out io.Writer, t table.Table, c cost) error {
	text := t.Text()
	// The names of the columns say nothing that the rows do not.
	text = strings.SplitN(text, "\n", 3)[2]
	var b strings.Builder
	b.WriteString(text)
	for _, list := range []struct {
		name  string
		lines []string
	}{{"warning", c.Warnings}, {"note", c.Notes}} {
		for _, l := range list.lines {
			fmt.Fprintf(&b, "%s: %s\n", list.name, l)
		}
	}
	fmt.Fprintf(&b, "left out: %s\n", strings.Join(c.LeftOut, "; "))
	_, err := io.WriteString(out, b.String())
	return err
}

func activeRemark(c cost) string {
	if c.ActiveParameters == c.Parameters {
		return ""
	}
	return count(c.ActiveParameters) + " of them active for a token"
}

// count writes a number of parameters as people say it.
func count(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.4g billion", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.4g million", float64(n)/1e6)
	default:
		return fmt.Sprint(n)
	}
}

// curvePoints are the contexts of a curve: 1, 2 and 5 in each decade from 1k
// up to the last, which is the one asked for.
func curvePoints(last int) ([]int, error) {
	if last <= 1_000 {
		return nil, fmt.Errorf("--context %d: a curve starts at 1000 tokens, want more", last)
	}
	var points []int
	for decade := 1_000; ; decade *= 10 {
		for _, step := range []int{1, 2, 5} {
			if decade*step >= last {
				return append(points, last), nil
			}
			points = append(points, decade*step)
		}
	}
}

func (f *costFlags) writeCurve(out io.Writer, e *costmodel.Engine) error {
	contexts, err := curvePoints(f.context)
	if err != nil {
		return err
	}
	private := lesson.Private(e)
	shared := lesson.Shared(e, contexts[0])
	figure, err := lesson.ThroughputCurve(e, contexts, private, shared)
	if err != nil {
		return err
	}
	picture, err := figure.Render(chart.English)
	if err != nil {
		return err
	}
	t := table.New("", "context_tokens", "private_batch", "private_tokens_per_second", "shared_batch", "shared_tokens_per_second")
	for _, n := range contexts {
		p, err := e.Throughput(private.Load(n), true)
		if err != nil {
			return err
		}
		s, err := e.Throughput(shared.Load(n), true)
		if err != nil {
			return err
		}
		if err := t.Add(n, p.Fit.Batch, p.TokensPerSecond, s.Fit.Batch, s.TokensPerSecond); err != nil {
			return err
		}
	}
	var csv strings.Builder
	if err := t.WriteCSV(&csv); err != nil {
		return err
	}
	for _, file := range []struct {
		ext  string
		data []byte
	}{{".csv", []byte(csv.String())}, {".svg", picture.SVG}, {".png", picture.PNG}} {
		if err := os.WriteFile(f.curve+file.ext, file.data, 0o644); err != nil {
			return fmt.Errorf("--curve: %w", err)
		}
		fmt.Fprintln(out, f.curve+file.ext)
	}
	return nil
}
