package serving

import "fmt"

// Phase says when a memory system pays: when something is written into memory or
// when memory is read.
type Phase string

// The phases.
const (
	Write Phase = "write"
	Read  Phase = "read"
)

// Call is one call of a language model.
type Call struct {
	// Stream names the sequence of calls that this one continues: the prompt
	// is compared with the stream's last one. A system with prompts of several
	// forms gives each form its own stream.
	Stream  string `json:"stream"`
	Phase   Phase  `json:"phase"`
	Purpose string `json:"purpose"` // e.g. "reply", "search", "summarize"
	// Turn is the message, question or task that the call is made for.
	Turn int `json:"turn"`
	// Tenant is the cache's salt: tenants share nothing. "" is the common pool.
	Tenant string `json:"tenant,omitempty"`
	Prompt Prompt `json:"prompt"`
	// Output is what the model generated, as the items that later prompts
	// repeat. It may be empty where it is not followed.
	Output []Item `json:"output,omitempty"`
}

// Embedding is work of an embedding model beside the calls.
type Embedding struct {
	Phase   Phase  `json:"phase"`
	Purpose string `json:"purpose"`
	Turn    int    `json:"turn"`
	Texts   int    `json:"texts"`
	Tokens  int    `json:"tokens,omitempty"`
}

// checkFrame checks all of a call but the items of its prompt.
func (c Call) checkFrame() error {
	if err := checkPhase(c.Phase, c.Turn); err != nil {
		return err
	}
	if err := c.Prompt.checkSegments(); err != nil {
		return err
	}
	return checkOutput(c.Output)
}

func checkOutput(output []Item) error {
	total := 0
	for i := range output {
		if err := output[i].Check(); err != nil {
			return fmt.Errorf("output: item %d: %w", i, err)
		}
		if total += output[i].Tokens; total > maxTokens {
			return bad("output: more than %d tokens", maxTokens)
		}
	}
	return nil
}

func checkPhase(p Phase, turn int) error {
	if p != Write && p != Read {
		return bad("phase %q: want %q or %q", p, Write, Read)
	}
	if turn < 0 {
		return bad("turn %d: want 0 or more", turn)
	}
	return nil
}
