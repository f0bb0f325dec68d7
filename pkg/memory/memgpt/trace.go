package memgpt

// Trace is what one event made happen.
type Trace struct {
	Kind    Kind   `json:"kind"`
	About   string `json:"about,omitempty"` // id of the message or the question
	Text    string `json:"text,omitempty"`
	Leaving string `json:"leaving,omitempty"` // text of the message that a warning is about
	Turn    int    `json:"turn"`
	Steps   []Step `json:"steps"`
	// Sent are the messages to the user.
	Sent []string `json:"sent,omitempty"`
	// Stopped says that the chain was ended, and by what: StoppedBySteps or
	// StoppedByWindow.
	Stopped string `json:"stopped,omitempty"`
	// Raised are the events that came of this one: messages leaving the queue,
	// a warning.
	Raised []Trace `json:"raised,omitempty"`
}

// Step is one call of the model.
type Step struct {
	Purpose string   `json:"purpose"`
	Prompt  int      `json:"prompt_tokens"`
	Output  int      `json:"output_tokens"`
	Calls   []Result `json:"calls,omitempty"`
}

func (m *Memory) begin(e *Event) *Trace {
	t := &Trace{Kind: e.Kind, About: e.about(), Text: e.said(), Turn: m.turn}
	if e.Kind == Warning && e.Message != nil {
		t.Leaving = e.Message.Text
	}
	return t
}

// finish is the trace of a chain that has ended.
func (c *chain) finish() Trace {
	t := *c.trace
	t.Stopped = c.stopped
	return t
}

// keep keeps a trace, as long as there are not too many.
func (m *Memory) keep(t Trace) {
	if m.KeepTraces == 0 {
		return
	}
	if len(m.kept) == m.KeepTraces {
		copy(m.kept, m.kept[1:])
		m.kept = m.kept[:len(m.kept)-1]
	}
	m.kept = append(m.kept, t)
}

// Failed counts the function calls that failed, those of Raised too.
func (t *Trace) Failed() int {
	n := 0
	for _, s := range t.Steps {
		for i := range s.Calls {
			if !s.Calls[i].OK {
				n++
			}
		}
	}
	for i := range t.Raised {
		n += t.Raised[i].Failed()
	}
	return n
}
