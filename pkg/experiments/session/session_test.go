package session

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

func TestSameSeedSameSessionAnotherSeedAnother(t *testing.T) {
	p := DefaultParameters()
	log := func(seed int) (*Session, serving.Replay) {
		s, err := Run(p, seed, p.Setting())
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Replay(true)
		if err != nil {
			t.Fatal(err)
		}
		return s, r
	}
	a, x := log(1)
	b, y := log(1)
	c, z := log(2)
	if d := cmp.Diff(a.Steps, b.Steps); d != "" || x.Totals != y.Totals || !cmp.Equal(x.Calls, y.Calls) {
		t.Errorf("one seed, two sessions: %s", d)
	}
	if cmp.Equal(a.Steps, c.Steps) || x.Totals == z.Totals {
		t.Error("two seeds, one session")
	}
}

// Shares and layouts see the same conversation: what happens in it does not
// depend on where the working context stands.
func TestSettingsShareTheConversation(t *testing.T) {
	p := DefaultParameters()
	front, _ := figures(t, p, 3, Setting{0.5, queue.Front, 0.65}, false)
	for _, setting := range Grid([]float64{0.1, 0.5}, queue.Layouts(), []float64{0.65}) {
		s, _ := figures(t, p, 3, setting, false)
		if s.Facts != front.Facts || s.Now != front.Now {
			t.Errorf("%+v: %d facts, %d stored at once; want %d, %d", setting, s.Facts, s.Now, front.Facts, front.Now)
		}
		if s.Facts != s.Now+s.OnWarning+s.Lost {
			t.Errorf("%+v: %d facts are not %d + %d + %d", setting, s.Facts, s.Now, s.OnWarning, s.Lost)
		}
	}
	end, _ := figures(t, p, 3, Setting{0.5, queue.End, 0.65}, false)
	if end.Evictions != front.Evictions || end.Flow != front.Flow || len(end.Steps) != len(front.Steps) {
		t.Error("the end layout has another queue")
	}
}

func TestEveryPromptFitsAndEveryStepIsACall(t *testing.T) {
	p := DefaultParameters()
	for _, setting := range Grid([]float64{0.1, 0.75}, queue.Layouts(), []float64{1}) {
		s, err := Run(p, 0, setting)
		if err != nil {
			t.Fatal(err)
		}
		evicted := 0
		for _, step := range s.Steps {
			c := s.Ledger.Call(step.Call)
			if n := c.Prompt.Tokens(); n > p.Window || n != step.State.Prompt || c.Stream != Main || c.Purpose != step.Purpose {
				t.Fatalf("%+v: call of %d tokens, %s %s", step, n, c.Stream, c.Purpose)
			}
			if step.Evicted > 0 {
				evicted++
			}
		}
		if evicted != s.Evictions || s.Ledger.Len() != len(s.Steps)+s.Evictions {
			t.Errorf("%d steps with an eviction, %d evictions, %d calls", evicted, s.Evictions, s.Ledger.Len())
		}
	}
}

// The end layout costs more at 50% and less at 10%, in every conversation.
func TestEndIsWorseAtHalfAndBetterAtATenth(t *testing.T) {
	p := DefaultParameters()
	for seed := range 10 {
		prefill := func(evict float64, layout queue.Layout) int {
			_, f := figures(t, p, seed, Setting{evict, layout, p.StoreNow}, false)
			return f.Totals.Prefilled
		}
		if front, end := prefill(0.5, queue.Front), prefill(0.5, queue.End); end <= front {
			t.Errorf("seed %d, 50%%: end %d, front %d", seed, end, front)
		}
		if front, end := prefill(0.1, queue.Front), prefill(0.1, queue.End); end >= front {
			t.Errorf("seed %d, 10%%: end %d, front %d", seed, end, front)
		}
	}
}

// Cached outputs save the replies that no edit or eviction pushed away, and
// nothing where the working context stands behind them.
func TestCachedOutputsSaveTheReplies(t *testing.T) {
	p := DefaultParameters()
	s, off := figures(t, p, 4, p.Setting(), false)
	_, on := figures(t, p, 4, p.Setting(), true)
	replies := 0
	for _, turn := range talk(p, 4) {
		replies += turn.reply.Tokens
	}
	saved := off.Totals.Prefilled - on.Totals.Prefilled
	if saved < replies*8/10 || saved > replies+p.Call*(p.Turns/5+s.Edits()) {
		t.Errorf("%d tokens saved, the replies have %d", saved, replies)
	}
	if on.WorkingPrefill != off.WorkingPrefill || on.WorkingShare <= off.WorkingShare || off.SummarizerCalls != s.Evictions {
		t.Errorf("off %+v, on %+v", off, on)
	}
	_, off = figures(t, p, 4, Setting{0.5, queue.End, 0.65}, false)
	_, on = figures(t, p, 4, Setting{0.5, queue.End, 0.65}, true)
	if on.Totals != off.Totals {
		t.Errorf("end layout: off %+v, on %+v", off.Totals, on.Totals)
	}
}

// The closed forms against means over 40 conversations, within 4 percent: half a
// percent to one of it is the means' own standard error.
func TestClosedForms(t *testing.T) {
	p := DefaultParameters()
	evicts := []float64{0.1, 0.25, 0.5}
	points, err := Sweep(p, 40, false, Grid(evicts, []queue.Layout{queue.Front}, []float64{p.StoreNow}))
	if err != nil {
		t.Fatal(err)
	}
	for i, evict := range evicts {
		e, err := p.Estimate(evict)
		if err != nil {
			t.Fatal(err)
		}
		got := points[i]
		perEviction, _, fresh := meanFigures(t, p, evict, queue.Front)
		_, working, _ := meanFigures(t, p, evict, queue.End)
		for name, x := range map[string][2]float64{
			"calls":         {e.Calls, got.Calls.Mean},
			"edits":         {e.Edits, got.Edits.Mean},
			"evictions":     {e.Evictions, got.Evictions.Mean},
			"mean context":  {e.Context, got.MeanContext.Mean},
			"per edit":      {e.PerEdit, got.WorkingPrefill.Mean / got.Edits.Mean},
			"per eviction":  {e.PerEviction, perEviction},
			"working":       {e.Working, working},
			"new content":   {e.New, fresh},
			"all evictions": {e.PerEviction * e.Evictions, got.EvictPrefill.Mean},
		} {
			if math.Abs(x[0]/x[1]-1) > 0.04 {
				t.Errorf("evict %g: %s: closed form %.4g, simulated %.4g", evict, name, x[0], x[1])
			}
		}
	}
}

func meanFigures(t *testing.T, p Parameters, evict float64, layout queue.Layout) (perEviction, working, fresh float64) {
	const n = 20
	for seed := range n {
		_, f := figures(t, p, seed, Setting{evict, layout, p.StoreNow}, false)
		perEviction += f.PrefillPerEviction / n
		working += f.WorkingRecomputed / n
		for _, l := range f.Exact {
			if l.Kind == serving.NewContent {
				fresh += float64(l.Tokens) / n
			}
		}
	}
	return perEviction, working, fresh
}

// The break-even number of edits tells which layout is cheaper.
func TestBreakEvenEditsTellTheCheaperLayout(t *testing.T) {
	p := DefaultParameters()
	for _, evict := range []float64{0.1, 0.5} {
		e, err := p.Estimate(evict)
		if err != nil {
			t.Fatal(err)
		}
		points, err := Sweep(p, 5, false, Grid([]float64{evict}, []queue.Layout{queue.Front, queue.End}, []float64{p.StoreNow}))
		if err != nil {
			t.Fatal(err)
		}
		frontWins := points[0].Prefilled.Mean < points[1].Prefilled.Mean
		if frontWins != (e.Edits < e.BreakEvenEdits) {
			t.Errorf("evict %g: %.0f edits, break-even at %.0f, front wins: %v", evict, e.Edits, e.BreakEvenEdits, frontWins)
		}
	}
}

func TestBadParametersAreNamed(t *testing.T) {
	for want, change := range map[string]func(*Parameters, *Setting){
		"turns 0":                              func(p *Parameters, _ *Setting) { p.Turns = 0 },
		"p_search 1.2: want 0 to 1":            func(p *Parameters, _ *Setting) { p.Search = 1.2 },
		"p_fact -0.1":                          func(p *Parameters, _ *Setting) { p.Fact = -0.1 },
		"p_store_now NaN":                      func(p *Parameters, _ *Setting) { p.StoreNow = math.NaN() },
		"p_store_now 2":                        func(_ *Parameters, s *Setting) { s.StoreNow = 2 },
		"system_tokens -5":                     func(p *Parameters, _ *Setting) { p.System = -5 },
		"page_tokens -220":                     func(p *Parameters, _ *Setting) { p.Page = -220 },
		"user_tokens -50":                      func(p *Parameters, _ *Setting) { p.User = -50 },
		"reply_tokens +Inf":                    func(p *Parameters, _ *Setting) { p.Reply = math.Inf(1) },
		"spread -1":                            func(p *Parameters, _ *Setting) { p.Spread = -1 },
		"entry_tokens 600: want at most":       func(p *Parameters, _ *Setting) { p.Entry = 600 },
		"edits_per_warning 0":                  func(p *Parameters, _ *Setting) { p.EditsPerWarning = 0 },
		"block_tokens 0":                       func(p *Parameters, _ *Setting) { p.Block = 0 },
		"window_tokens 1500: want more than":   func(p *Parameters, _ *Setting) { p.Window = 1500 },
		"warn 0.9: want 0 to flush":            func(p *Parameters, _ *Setting) { p.Warn, p.Flush = 0.9, 0.8 },
		"share 0: want more than 0":            func(_ *Parameters, s *Setting) { s.Evict = 0 },
		`layout "": want one of`:               func(_ *Parameters, s *Setting) { s.Layout = "" },
		"and only the last turn is left":       func(p *Parameters, _ *Setting) { p.Page = 9000; p.Search = 1 },
		"summary_tokens -1: want 0 or more":    func(p *Parameters, _ *Setting) { p.Summary = -1 },
		"min_message_tokens 0: want 1 or more": func(p *Parameters, _ *Setting) { p.MinMessage = 0 },
	} {
		t.Run(want, func(t *testing.T) {
			p := DefaultParameters()
			s := p.Setting()
			change(&p, &s)
			if _, err := Run(p, 0, s); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	if _, err := Run(DefaultParameters(), -1, DefaultParameters().Setting()); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
	if _, err := Sweep(DefaultParameters(), 0, false, nil); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
	if _, err := DefaultParameters().Estimate(0); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
}
