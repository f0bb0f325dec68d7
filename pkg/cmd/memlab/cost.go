package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

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

	given func(flag string) bool
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.given = cmd.Flags().Changed
			return f.run(cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "a known model, one of: "+strings.Join(costmodel.ModelNames(), ", "))
	flags.StringVar(&f.config, "config", "", "a Hugging Face config.json")
	flags.StringVar(&f.as, "as", "", "with --config: read it as this model_type, for an architecture that has the same shapes")
	flags.StringVar(&f.gpu, "gpu", "", "one of: "+strings.Join(costmodel.GPUNames(), ", "))
	wholeVar(flags, &f.context, "context", "private context of each request, in tokens")
	wholeVar(flags, &f.shared, "shared", "context that all requests share and that is stored once, in tokens")
	wholeVar(flags, &f.params.Question, "question", "new tokens of each question")
	wholeVar(flags, &f.params.Output, "output", "tokens of each answer")
	wholeVar(flags, &f.params.TensorParallel, "tp", "GPUs that share the model by tensor parallelism")
	flags.StringVar(&f.kv, "kv", "", "format of the KV cache, for example fp8 (default: the model's)")
	fractionVar(flags, &f.params.ComputeShare, "compute-share", "achieved share of the peak FLOP/s")
	fractionVar(flags, &f.params.BandwidthShare, "bandwidth-share", "achieved share of the peak memory bandwidth")
	fractionVar(flags, &f.params.MemoryShare, "memory-share", "share of the memory for weights and KV cache")
	fractionVar(flags, &f.params.PricePerGPUHour, "price", "price of one GPU hour, in any currency")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.curve, "curve", "", "write NAME.csv, NAME.svg and NAME.png: throughput from 1k tokens of context to --context")
	cmd.MarkFlagsMutuallyExclusive("model", "config")
	return cmd
}

// forGPU are the flags that change nothing without a GPU.
var forGPU = []string{"shared", "question", "output", "tp", "compute-share", "bandwidth-share", "memory-share", "price", "curve"}

// notWithCurve are the flags that a curve has no use for.
var notWithCurve = []string{"json", "shared", "price"}

// check judges the flags before anything is read.
func (f *costFlags) check() error {
	var missing []string
	if !f.given("model") && !f.given("config") {
		missing = append(missing, "--model or --config")
	}
	if !f.given("context") {
		missing = append(missing, "--context")
	}
	switch {
	case len(missing) > 0:
		return fmt.Errorf("missing: %s; for example memlab cost --model llama-3-8b --context 128000", strings.Join(missing, ", and "))
	case f.given("as") && !f.given("config"):
		return errors.New("--as goes with --config")
	case f.given("config") && f.config == "":
		return errors.New(`--config "": want the name of a config.json`)
	}
	if list := f.those(forGPU); list != "" && !f.given("gpu") {
		return fmt.Errorf("%s: without a GPU this changes nothing: want --gpu NAME as well", list)
	}
	if !f.given("curve") {
		return nil
	}
	if list := f.those(notWithCurve); list != "" {
		return fmt.Errorf("--curve writes files, shows private and shared contexts both, and no price: leave out %s", list)
	}
	return pictureName("--curve", f.curve)
}

// those are the flags of a list that were given.
func (f *costFlags) those(flags []string) string {
	var list []string
	for _, name := range flags {
		if f.given(name) {
			list = append(list, "--"+name)
		}
	}
	return strings.Join(list, ", ")
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

	// One request alone; null when not even one fits.
	TTFT       *costmodel.Seconds `json:"ttft_seconds"`        // nothing cached
	TTFTCached *costmodel.Seconds `json:"ttft_cached_seconds"` // the context cached
	Decode     *costmodel.Seconds `json:"decode_seconds"`      // the whole output

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
	if err := f.check(); err != nil {
		return err
	}
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
	if !f.given("gpu") {
		c.warn(kv.Warnings)
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
	if f.given("curve") {
		return f.writeCurve(out, e)
	}
	if err := c.serve(e, f.context, f.shared); err != nil {
		return err
	}
	return f.print(out, c)
}

func (f *costFlags) readModel() (m costmodel.Model, err error) {
	switch {
	case f.given("model"):
		m, err = costmodel.ModelByName(f.model)
	case f.given("as"):
		var r *os.File
		if r, err = os.Open(f.config); err != nil {
			return m, fmt.Errorf("--config: %w", err)
		}
		defer r.Close()
		if m, err = costmodel.ReadConfigAs(r, f.as); err != nil {
			err = fmt.Errorf("%s: %w", f.config, err)
		}
	default:
		m, err = costmodel.ReadConfigFile(f.config)
	}
	if err != nil || !f.given("kv") {
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
		Batch:           full.Fit.Batch,
		TokensPerSecond: full.TokensPerSecond, TokensPerSecondWithPrefill: full.TokensPerSecondWithPrefill,
		MoneyPerRequest: full.MoneyPerRequest,
		Bound:           full.Bound,
	}
	if full.Fit.Batch > 0 {
		c.TTFT, c.TTFTCached, c.Decode = &cold.TTFT, &cached.TTFT, &cold.Decode
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
		if s.Batch == 0 {
			add("requests at once", s.Batch, "what fits beside the weights")
			add("time and throughput", "does not fit", "not one such request has room: more or larger GPUs, or a shorter context")
			return f.write(out, t, c)
		}
		add("time to first token", *s.TTFT, fmt.Sprintf("alone, nothing cached, with a question of %d tokens", s.Question))
		add("  the context cached", *s.TTFTCached, "alone, only the question is prefilled")
		add("decode", *s.Decode, fmt.Sprintf("alone, %d tokens of output", s.Output))
		add("requests at once", s.Batch, "what fits beside the weights")
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
		return fmt.Errorf("--curve: %w", err)
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
	files, err := writePicture(f.curve, figure, t)
	if err != nil {
		return fmt.Errorf("--curve: %w", err)
	}
	for _, file := range files {
		if _, err := fmt.Fprintln(out, file); err != nil {
			return err
		}
	}
	return nil
}
