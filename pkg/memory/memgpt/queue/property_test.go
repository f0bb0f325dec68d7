package queue

import (
	"errors"
	"math/rand/v2"
	"testing"

	"memlab/pkg/serving"
)

func isFull(err error) bool { return errors.Is(err, ErrFull) }

// Random queues under random policies: nothing is lost or comes twice, the order
// stays, no prompt exceeds the window, an eviction takes whole turns and leaves
// the last one, and takes no more turns than it must.
func TestQueuesLoseNothing(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := small()
		c.Layout = Layouts()[r.IntN(3)]
		c.Summary = 5 * r.IntN(2)
		c.Warn, c.Flush = 0.5, 0.8+0.2*r.Float64()
		share := 0.05 + 0.95*r.Float64()
		c.Evict = Share(share)
		if r.IntN(3) == 0 {
			c.Warn, c.Flush, c.Evict = 0, 0, ToFit(10+r.IntN(41-c.Summary))
		}
		m := manager(t, c)
		var all, gone []Message
		turn := 0
		for range 100 {
			turn += r.IntN(2)
			msg := message(turn, 1+r.IntN(9))
			all = append(all, msg)
			appendAll(t, m, msg)
			before := m.State()
			p, e, err := m.Ready()
			if err != nil {
				running := 0
				for _, msg := range all {
					if msg.Turn == turn {
						running += msg.Tokens()
					}
				}
				if !errors.Is(err, ErrWindow) || before.System+before.Working+c.Summary+running <= c.Window {
					t.Fatalf("seed %d: %v at %+v, the turn has %d", seed, err, before, running)
				}
				break
			}
			checkState(t, m)
			if p.Tokens() > c.Window {
				t.Fatalf("seed %d: prompt of %d tokens", seed, p.Tokens())
			}
			gone = append(gone, e.Messages...)
			if n := len(e.Messages); n > 0 {
				if _, ok := c.Evict.(Share); ok {
					checkShare(t, c, e, m, before)
				} else if e.Tokens-e.Messages[n-1].Tokens()+int(c.Evict.(ToFit)) >= before.Queue {
					t.Fatalf("seed %d: one message less would have fitted", seed)
				}
			}
			now := append(append([]Message{}, gone...), m.Messages()...)
			if len(now) != len(all) {
				t.Fatalf("seed %d: %d messages, want %d", seed, len(now), len(all))
			}
			for i := range now {
				if now[i].Turn != all[i].Turn || now[i].Tokens() != all[i].Tokens() {
					t.Fatalf("seed %d: message %d is another one", seed, i)
				}
			}
		}
	}
}

func checkShare(t *testing.T, c Config, e Eviction, m *Manager, before State) {
	t.Helper()
	if before.Prompt <= c.flushAt() {
		t.Fatalf("evicted at %d tokens, the threshold is %d", before.Prompt, c.flushAt())
	}
	last := e.Messages[len(e.Messages)-1].Turn
	oldest, ok := m.Oldest()
	if !ok || oldest == last {
		t.Fatalf("turn %d was cut, or nothing is left", last)
	}
	without := e.Tokens
	for _, msg := range e.Messages {
		if msg.Turn == last {
			without -= msg.Tokens()
		}
	}
	want := threshold(float64(c.Evict.(Share)), c.Window)
	if without >= want && m.Tokens()+e.Tokens-without <= c.flushAt() {
		t.Fatalf("%d tokens left, %d without turn %d would have done (%d)", e.Tokens, without, last, want)
	}
}

func TestBadConfigurationsNameTheField(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"window_tokens 0":                    func(c *Config) { c.Window = 0 },
		"window_tokens 55: want more than":   func(c *Config) { c.Window = 55 },
		"window_tokens 15":                   func(c *Config) { c.Window = 15 },
		"system: no items":                   func(c *Config) { c.System = nil },
		"tokens -20":                         func(c *Config) { c.System[0].Tokens = -20 },
		"cap_tokens 9: want at least the 10": func(c *Config) { c.Cap = 9 },
		"cap_tokens -1":                      func(c *Config) { c.Cap = -1 },
		"summary_tokens -5":                  func(c *Config) { c.Summary = -5 },
		`layout "middle"`:                    func(c *Config) { c.Layout = "middle" },
		"evict: no policy":                   func(c *Config) { c.Evict = nil },
		"share 0: want more than 0":          func(c *Config) { c.Evict = Share(0) },
		"share 1.2":                          func(c *Config) { c.Evict = Share(1.2) },
		"share NaN":                          func(c *Config) { c.Evict = Share(nan()) },
		"flush 1.1":                          func(c *Config) { c.Flush = 1.1 },
		"flush 0: want":                      func(c *Config) { c.Flush = 0 },
		"warn 0.95: want 0 to flush (0.9)":   func(c *Config) { c.Warn, c.Flush = 0.95, 0.9 },
		"warn -0.1":                          func(c *Config) { c.Warn = -0.1 },
		"flush 0.5: 50 tokens, not above":    func(c *Config) { c.Warn, c.Flush = 0.4, 0.5 },
		"to fit 0 tokens":                    func(c *Config) { c.Warn, c.Flush, c.Evict = 0, 0, ToFit(0) },
		"to fit 46 tokens: want 1 to 45":     func(c *Config) { c.Warn, c.Flush, c.Evict = 0, 0, ToFit(46) },
		"never warns: want 0":                func(c *Config) { c.Evict = ToFit(10) },
	} {
		t.Run(want, func(t *testing.T) {
			c := small()
			change(&c)
			_, err := New(c)
			if !errors.Is(err, ErrConfig) || !contains(err, want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
}

func TestBadInputChangesNothing(t *testing.T) {
	m := manager(t, small())
	appendAll(t, m, message(3, 10))
	if err := m.Insert(entry("a", 0, 5)); err != nil {
		t.Fatal(err)
	}
	before := m.State()
	for want, do := range map[string]func() error{
		"turn 2: want 3 or later":         func() error { return m.Append(message(2, 5)) },
		"message of turn 3: no items":     func() error { return m.Append(Message{Turn: 3}) },
		"tokens -5":                       func() error { return m.Append(message(4, -5)) },
		"tokens 0":                        func() error { return m.Warn(message(4, 0)) },
		"entry 1: the working context":    func() error { return m.Replace(1, entry("a", 1, 5)) },
		"entry -1: the working":           func() error { return m.Delete(-1) },
		"entry \"a\": tokens -1":          func() error { return m.Insert(entry("a", 1, -1)) },
		"kind and name are empty: want o": func() error { return m.Replace(0, serving.Item{Tokens: 3}) },
	} {
		if err := do(); !errors.Is(err, ErrInput) || !contains(err, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if m.State() != before {
		t.Errorf("%+v, was %+v", m.State(), before)
	}
}

// A message that can never fit is an error, not an endless loop.
func TestATurnLargerThanTheWindowIsAnError(t *testing.T) {
	m := manager(t, small())
	appendAll(t, m, message(0, 20), message(1, 90))
	if _, e, err := m.Ready(); !errors.Is(err, ErrWindow) || len(e.Messages) != 1 {
		t.Errorf("%v, evicted %d", err, len(e.Messages))
	}
	c := small()
	c.Warn, c.Flush, c.Evict = 0, 0, ToFit(30)
	m = manager(t, c)
	appendAll(t, m, message(0, 20), message(1, 31))
	if _, _, err := m.Ready(); !errors.Is(err, ErrWindow) || !contains(err, "the last message has 31 tokens") {
		t.Error(err)
	}
}
