package memgpt

import (
	"context"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// Judge decides: it sees the prompt and calls functions. A bad call is no error;
// what is wrong with it comes back as a result.
type Judge interface {
	Step(ctx context.Context, c Context) (Reply, error)
}

// Noticer is a judge that is asked about every message that leaves the queue and
// in which it notices something. The looking is not counted as a call: it happens
// while the model writes its replies anyway. Other judges hear of a full queue by
// warnings only.
type Noticer interface {
	Notices(m *dialogue.Message) bool
}

// Summarizer is a judge that writes the recursive summary. With others it has a
// length and no text.
type Summarizer interface {
	Summarize(ctx context.Context, before string, evicted []*dialogue.Message) (string, error)
}

// Context is the prompt of a call in its parts. The slices are the agent's own:
// a judge must not change or keep them.
type Context struct {
	System  string
	Working []memory.Memory
	// Entries is how many entries the working context can hold.
	Entries int
	Summary string
	Queue   []Line // before the event, as far as it fits
	Event   Event
	Results []Result // of the functions called for this event, the oldest first
	// Left is how many steps may follow this one.
	Left int
}

// Line is what the queue shows.
type Line struct {
	Role string `json:"role"` // user, assistant, function or system
	Text string `json:"text"`
	// Message is set for what somebody said.
	Message *dialogue.Message `json:"message,omitempty"`

	tokens int
}

// Reply is what the model wrote: function calls, carried out in their order.
type Reply struct {
	Calls []FunctionCall `json:"calls"`
}

// Call is a reply of one function call.
func Call(f FunctionCall) Reply { return Reply{Calls: []FunctionCall{f}} }
