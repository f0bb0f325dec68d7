package session

import (
	"fmt"

	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// The streams of the ledger: the model that talks, and the calls that summarize
// what is evicted, which the lecture's figures leave out.
const (
	Main       = "main"
	Summarizer = "summarizer"
)

// Session is one session with the ledger of all its calls.
type Session struct {
	Parameters Parameters `json:"parameters"`
	Setting    Setting    `json:"setting"`
	Seed       int        `json:"seed"`

	Facts     int `json:"facts"`
	Now       int `json:"edits_at_once"`
	OnWarning int `json:"edits_on_warning"` // of facts
	Digests   int `json:"digests"`          // edits on a warning without a pending fact
	Lost      int `json:"facts_lost"`       // evicted before they were stored, or pending at the end
	Warnings  int `json:"warnings"`
	Evictions int `json:"evictions"`
	// Flow is all tokens that entered the queue.
	Flow int `json:"flow_tokens"`

	Ledger *serving.Ledger `json:"-"`
	Steps  []Step          `json:"steps"` // one for each call of the main stream
}

// Edits are those of the working context.
func (s *Session) Edits() int { return s.Now + s.OnWarning + s.Digests }

// Step is the state of the queue at a call of the main stream.
type Step struct {
	Call    int         `json:"call"` // in the ledger
	Turn    int         `json:"turn"`
	Purpose string      `json:"purpose"`
	Evicted int         `json:"evicted_tokens"` // just before the call
	State   queue.State `json:"state"`
}

// Run plays one session. The same parameters and seed give the same
// conversation under every setting.
func Run(p Parameters, seed int, s Setting) (*Session, error) {
	turns, err := draw(p, seed)
	if err != nil {
		return nil, err
	}
	return play(p, seed, s, turns)
}

// draw checks the parameters and draws the conversation.
func draw(p Parameters, seed int) ([]turn, error) {
	if seed < 0 {
		return nil, bad("seed %d: want 0 or more", seed)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return talk(p, seed), nil
}

func play(p Parameters, seed int, s Setting, turns []turn) (*Session, error) {
	if !(s.StoreNow >= 0 && s.StoreNow <= 1) {
		return nil, bad("p_store_now %g: want 0 to 1", s.StoreNow)
	}
	q, err := queue.New(queue.Config{
		Window:  p.Window,
		System:  []serving.Item{{Kind: "system", Tokens: p.System}},
		Fixed:   []serving.Item{{Kind: "persona", Tokens: p.WorkingFixed}},
		Cap:     p.WorkingCap,
		Summary: p.Summary,
		Warn:    p.Warn,
		Flush:   p.Flush,
		Evict:   queue.Share(s.Evict),
		Layout:  s.Layout,
	})
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	r := runner{
		Session: &Session{Parameters: p, Setting: s, Seed: seed, Ledger: &serving.Ledger{}, Steps: make([]Step, 0, 2*p.Turns)},
		queue:   q,
	}
	for i, t := range turns {
		r.turn = i
		if err := r.play(t); err != nil {
			return nil, fmt.Errorf("session: turn %d: %w", i, err)
		}
	}
	r.Lost += len(r.pending)
	return r.Session, r.flush()
}
