package queue

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"memlab/pkg/serving"
)

// small is a window of 100 tokens: 20 of system, 10 to 30 of working context, a
// summary of 5. It warns above 70 and evicts half above 100.
func small() Config {
	return Config{
		Window: 100, System: []serving.Item{{Kind: "system", Tokens: 20}}, Fixed: []serving.Item{{Kind: "persona", Tokens: 10}},
		Cap: 30, Summary: 5, Warn: 0.7, Flush: 1, Evict: Share(0.5), Layout: Front,
	}
}

func manager(t *testing.T, c Config) *Manager {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func message(turn, tokens int) Message {
	return Message{Turn: turn, Items: []serving.Item{{Kind: "message", Name: strconv.Itoa(turn), Tokens: tokens}}}
}

func entry(name string, version, tokens int) serving.Item {
	return serving.Item{Kind: "entry", Name: name, Version: version, Tokens: tokens}
}

func appendAll(t *testing.T, m *Manager, messages ...Message) {
	t.Helper()
	for _, msg := range messages {
		if err := m.Append(msg); err != nil {
			t.Fatal(err)
		}
	}
}

func ready(t *testing.T, m *Manager) (serving.Prompt, Eviction) {
	t.Helper()
	p, e, err := m.Ready()
	if err != nil {
		t.Fatal(err)
	}
	checkState(t, m)
	return p, e
}

// checkState holds the manager's sums against its lists.
func checkState(t *testing.T, m *Manager) {
	t.Helper()
	s, p := m.State(), m.Prompt()
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	queued, items := 0, 0
	for _, msg := range m.Messages() {
		queued += msg.Tokens()
		items += len(msg.Items)
	}
	held := 0
	for _, seg := range p {
		if seg.Name == FIFO {
			held = len(seg.Items)
		}
	}
	if p.Tokens() != s.Prompt || m.Tokens() != s.Prompt || s.Prompt != s.System+s.Working+s.Summary+s.Queue || queued != s.Queue || items != held {
		t.Fatalf("%+v: prompt %d, queue %d of %d items, %d in the prompt", s, p.Tokens(), queued, items, held)
	}
	if m.Room() < 0 {
		t.Fatalf("room %d", m.Room())
	}
}

// Worked by hand: 20 + 10 tokens, then turns of 15. The fifth makes 105: above
// 100, so turns leave until 50 tokens are out, which is four turns of 15, the last
// of them for its first 5. The summary takes 5: 30 + 5 + 15.
func TestEvictionWorkedByHand(t *testing.T) {
	m := manager(t, small())
	var pressure []bool
	for turn := range 4 {
		appendAll(t, m, message(turn, 10), message(turn, 5))
		if _, e := ready(t, m); len(e.Messages) > 0 {
			t.Fatalf("turn %d: evicted %+v", turn, e)
		}
		pressure = append(pressure, m.Pressure())
	}
	if want := []bool{false, false, true, true}; !slices.Equal(pressure, want) {
		t.Errorf("pressure %v, want %v: prompts are 45, 60, 75, 90", pressure, want)
	}
	if err := m.Warn(Message{Turn: 3, Items: []serving.Item{{Kind: "warning", Tokens: 1}}}); err != nil {
		t.Fatal(err)
	}
	if m.Pressure() {
		t.Error("it warns twice before an eviction")
	}
	appendAll(t, m, message(4, 10), message(4, 5))
	p, e := ready(t, m)
	if e.Tokens != 61 || len(e.Messages) != 9 || e.Before != nil || serving.Tokens(e.After) != 5 {
		t.Errorf("evicted %+v: want the four turns with the warning, 61 tokens", e)
	}
	if s := m.State(); s.Prompt != 50 || s.Queue != 15 || s.Oldest != 4 || s.Warned || s.Evictions != 1 {
		t.Errorf("%+v", s)
	}
	var names []string
	for _, seg := range p {
		names = append(names, seg.Name)
	}
	if want := []string{System, Working, Summary, FIFO}; !slices.Equal(names, want) {
		t.Errorf("segments %q", names)
	}
	appendAll(t, m, message(5, 60))
	if _, e := ready(t, m); e.Before[0].Version != 1 || e.After[0].Version != 2 || e.Tokens != 15 {
		t.Errorf("the second eviction: %+v; want the running turn kept and the summary written again", e)
	}
}

func TestExactlyAtTheThresholdNothingHappens(t *testing.T) {
	m := manager(t, small())
	appendAll(t, m, message(0, 10), message(1, 30))
	if m.Tokens() != 70 || m.Pressure() {
		t.Error("a warning at exactly 70%")
	}
	appendAll(t, m, message(2, 30))
	if _, e := ready(t, m); m.Tokens() != 100 || len(e.Messages) > 0 {
		t.Error("an eviction at exactly 100%")
	}
	appendAll(t, m, message(3, 1))
	if _, e := ready(t, m); len(e.Messages) == 0 {
		t.Error("no eviction above 100%")
	}
}

// A share of a hundredth is one token, which does not make room: more turns leave
// until the prompt is below the threshold, the new summary included.
func TestASmallShareStillMakesRoom(t *testing.T) {
	c := small()
	c.Evict = Share(0.01)
	m := manager(t, c)
	appendAll(t, m, message(0, 1), message(1, 30), message(2, 41))
	if _, e := ready(t, m); e.Tokens != 31 || m.Tokens() != 76 {
		t.Errorf("%d tokens left, the prompt has %d: want 31 and 76", e.Tokens, m.Tokens())
	}
}

func TestToFitSlides(t *testing.T) {
	c := small()
	c.Warn, c.Flush, c.Evict, c.Summary = 0, 0, ToFit(30), 0
	m := manager(t, c)
	var left []int
	for turn := range 8 {
		appendAll(t, m, message(turn, 8))
		_, e := ready(t, m)
		for _, msg := range e.Messages {
			left = append(left, msg.Turn)
		}
		if m.State().Queue > 30 || m.Pressure() {
			t.Fatalf("%+v", m.State())
		}
	}
	if want := []int{0, 1, 2, 3, 4}; !slices.Equal(left, want) {
		t.Errorf("left %v, want %v: three messages of 8 fit into 30", left, want)
	}
}

// Sums of lengths near the largest int would wrap and let such a queue through.
func TestLengthsBeyondAllBoundsAreErrors(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"cap_tokens 9223372036854775807":     func(c *Config) { c.Cap = math.MaxInt },
		"summary_tokens 9223372036854775807": func(c *Config) { c.Summary = math.MaxInt },
		"window_tokens 9223372036854775807":  func(c *Config) { c.Window = math.MaxInt },
		"window_tokens 1073741825: want 1":   func(c *Config) { c.Window = 1<<30 + 1 },
	} {
		c := small()
		change(&c)
		if _, err := New(c); !errors.Is(err, ErrConfig) || !contains(err, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestATurnBelowZeroIsAnError(t *testing.T) {
	m := manager(t, small())
	if err := m.Append(message(-1, 5)); !errors.Is(err, ErrInput) || !contains(err, "turn -1: want 0 or more") {
		t.Error(err)
	}
	if s := m.State(); s.Messages != 0 || s.Queue != 0 {
		t.Errorf("%+v after an error", s)
	}
}

func TestAnEmptyManagerIsAnError(t *testing.T) {
	var m Manager
	if _, _, err := m.Ready(); !errors.Is(err, ErrConfig) || !contains(err, "want one of New") {
		t.Error(err)
	}
}

// A caller who fills one slice again and again changes nothing that is queued.
func TestTheQueueKeepsItsOwnItems(t *testing.T) {
	c := small()
	m := manager(t, c)
	before := m.Tokens()
	c.System[0].Tokens, c.Fixed[0].Tokens = 1, 1
	items := []serving.Item{{Kind: "message", Tokens: 40}}
	for turn := range 2 {
		items[0].Name = strconv.Itoa(turn)
		appendAll(t, m, Message{Turn: turn, Items: items})
	}
	items[0].Tokens = 1
	_, e := ready(t, m) // 110 of 100 tokens: the first turn leaves
	if e.Tokens != 40 || e.Messages[0].Items[0].Name != "0" || m.Tokens() != before+40+5 {
		t.Errorf("%+v left, %d tokens stay", e, m.Tokens())
	}
}
