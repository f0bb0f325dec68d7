package sincethen

// Report is a number of a paper, as the paper gives it: quoted, never computed.
type Report struct {
	ID     string  `json:"id"`
	What   string  `json:"what"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	Source string  `json:"source"`
}

// The reports by their names.
const (
	SleepTokens   = "sleep-tokens"   // times less thinking after sleep
	SleepAverage  = "sleep-average"  // times less cost, several questions on a context
	SleepPrice    = "sleep-price"    // test-time token over sleep-time token
	DropQuality   = "drop-quality"   // compression from which quality falls
	KIVIBits      = "kivi-bits"      // bits of a KV cache that keeps its quality
	ConstantState = "constant-state" // layers of a hybrid that keep all tokens
)

// Values that a default goes by too.
const (
	timesLessThinking = 5
	timesFewerTokens  = 2
	jambaPeriod       = 8
)

// Reports are the numbers of papers that this section goes by, beside those of
// datasets/paper_results.csv.
func Reports() []Report {
	return []Report{
		{SleepTokens, "thinking at test time saved by thinking before, at equal accuracy", timesLessThinking, "×", "Sleep-time Compute, arXiv 2504.13171, abstract"},
		{SleepAverage, "cost per question saved, related questions on one context", 2.5, "×", "Sleep-time Compute, arXiv 2504.13171, abstract"},
		{SleepPrice, "price of a token while somebody waits over one in idle time, assumed there", 10, "×", "Sleep-time Compute, arXiv 2504.13171, §5.3"},
		{DropQuality, "compression beyond which dropping or merging KV loses quality fast", timesFewerTokens, "×", "Cartridges, arXiv 2506.06266, §1"},
		{KIVIBits, "bits per number of a quantised KV cache of about equal quality", 2, "bit", "KIVI, arXiv 2402.02750, abstract"},
		{ConstantState, "layers of Jamba for one that keeps every token", jambaPeriod, "layers", "Jamba, arXiv 2403.19887, §3"},
	}
}

// Quoted is the report of that name.
func Quoted(id string) (Report, error) {
	var known []string
	for _, r := range Reports() {
		if r.ID == id {
			return r, nil
		}
		known = append(known, r.ID)
	}
	return Report{}, bad("no report %q: want one of %q", id, known)
}
