package mem0

import "maps"

// Reason says why something that a judge said was not done.
type Reason string

// The reasons.
const (
	Unreadable Reason = "reply that cannot be read"
	Blank      Reason = "fact without words"
	NoSource   Reason = "source that is not in the pair; taken as its first message"
	OutOfRange Reason = "number of a memory that was not shown"
	UnknownOp  Reason = "unknown operation"
	NoDecision Reason = "no decision on a fact"
	Extra      Reason = "second ADD or UPDATE for one fact"
	Restated   Reason = "change of a memory that says the same; kept"
	OtherTopic Reason = "change of a memory about something else; kept"
	Outdated   Reason = "change of a memory by something said before; kept"
)

// Report counts what was not done, by its reason. Nothing else is skipped.
type Report struct {
	Skipped map[Reason]int `json:"skipped,omitempty"`
	// SummariesFailed are refreshes that failed; what they would have read is
	// read by the next one.
	SummariesFailed int `json:"summaries_failed,omitempty"`
}

// Report is what was skipped so far.
func (m *Memory) Report() Report {
	r := m.report
	r.Skipped = maps.Clone(r.Skipped)
	return r
}

func (m *Memory) skip(why Reason) {
	if m.report.Skipped == nil {
		m.report.Skipped = map[Reason]int{}
	}
	m.report.Skipped[why]++
}
