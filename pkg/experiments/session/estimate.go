package session

import "math"

// Estimate is what a pocket calculator says about the front layout, from the
// parameters alone. Every field is a mean over conversations. The forms take the
// steps of the queue as independent and so leave out what ties them together, e.g.
// that a warning's edits come at one time; TestClosedForms holds them against
// the simulation.
type Estimate struct {
	// Calls = turns x (1 + p_search) + edits + warnings.
	Calls float64 `json:"calls"`
	// Warnings: one after each eviction, and one before the first.
	Warnings float64 `json:"warnings"`
	// Edits = at once + warnings x (w + exp(-w)), where w facts wait on average
	// when a warning comes (Poisson) and none still means one digest. This leaves
	// out the limit on edits per warning and the facts that are lost, and so
	// counts too many where most facts are put off.
	AtOnce float64 `json:"edits_at_once"`
	Edits  float64 `json:"edits"`
	// Flow = turns x (user + reply + p_search x (call + page))
	// + edits x call + warnings x warning.
	Flow float64 `json:"flow_tokens"`
	// Evictions = (flow - first room) / removed + 1/2, where the first room is
	// window - system - working context cap.
	Evictions float64 `json:"evictions"`
	// Removed = evict x window + half a turn, as an eviction stops at the end of
	// a turn; but never more than the queue without the running turn.
	Removed float64 `json:"removed_tokens"`
	// Working is the working context's mean length: it grows from the fixed
	// part to its cap with the first edits, then stays.
	Working float64 `json:"working_context_tokens"`
	// Context is the mean prompt: halfway from what an eviction leaves to the
	// window, but for the first ramp, which begins with an empty queue.
	Context float64 `json:"mean_context_tokens"`

	// PerEdit is what an edit makes the next call prefill: the prompt behind the
	// middle of the entries, at any time for edits at once and just above the
	// threshold for those on a warning.
	PerEdit float64 `json:"prefill_per_edit_tokens"`
	// PerEviction is what an eviction makes it prefill: window + what the last
	// message is too long - removed - system - working context.
	PerEviction float64 `json:"prefill_per_eviction_tokens"`
	// New is what flowed in, prefilled once under any layout, and half a block
	// more in each call.
	New float64 `json:"new_content_tokens"`
	// End is what the end layout prefills beside new content and evictions:
	// the working context in each call. BreakEvenEdits = calls x working
	// context / PerEdit: with more edits than that, the end layout is cheaper.
	End            float64 `json:"end_recomputed_tokens"`
	BreakEvenEdits float64 `json:"break_even_edits"`
}

// Estimate gives the closed forms at one eviction share.
func (p Parameters) Estimate(evict float64) (Estimate, error) {
	if err := p.check(); err != nil {
		return Estimate{}, err
	}
	if !(evict > 0 && evict <= 1) {
		return Estimate{}, bad("evict %g: want more than 0 and at most 1", evict)
	}
	turns, window, call := float64(p.Turns), float64(p.Window), float64(p.Call)
	page := call + float64(p.Page)
	e := Estimate{AtOnce: turns * p.Fact * p.StoreNow}
	waiting := turns*p.Fact - e.AtOnce
	variance := p.Spread * p.Spread * (p.User*p.User + p.Reply*p.Reply)
	slots := float64((p.WorkingCap - p.WorkingFixed) / p.Entry)
	room := window - float64(p.System+p.WorkingCap)
	var excess, left float64
	// Edits flow through the queue and bring evictions, which bring warnings,
	// which bring edits: a few rounds settle it.
	for range 20 {
		e.Warnings = e.Evictions + 0.5
		w := waiting / e.Warnings
		e.Edits = e.AtOnce + e.Warnings*(w+math.Exp(-w))
		e.Calls = turns*(1+p.Search) + e.Edits + e.Warnings
		e.Flow = turns*(p.User+p.Reply+p.Search*page) + e.Edits*call + e.Warnings*float64(p.Warning)
		e.Working = float64(p.WorkingCap) - float64(p.WorkingCap-p.WorkingFixed)/2*min(1, slots/e.Edits)

		// What is met at a random point of a row of pieces is longer than
		// average: half of it is E[x^2] / 2 E[x].
		turn := e.Flow / turns
		overshoot := (variance + p.Search*(1-p.Search)*page*page + turn*turn) / (2 * turn)
		message := p.User + p.Reply
		excess = (turns*(variance+message*message+p.Search*page*page) + e.Edits*call*call) / (2 * e.Flow)
		full := window + excess - float64(p.System) - e.Working
		e.Removed = min(evict*window+overshoot, full-float64(p.Summary)-p.User-excess/2)
		left = full - e.Removed
		e.Evictions = max(0, (e.Flow-room)/e.Removed+0.5)
	}
	e.PerEviction = left + float64(p.Block)/2
	low := float64(p.System) + e.Working + left
	ramp := min(1, room/e.Flow)
	e.Context = ramp*(window+float64(p.System+p.WorkingFixed))/2 + (1-ramp)*(low+window)/2
	warned := max(p.Warn*window, low) + p.Reply + float64(p.Warning)
	middle := float64(p.System) + float64(p.WorkingFixed+p.WorkingCap)/2
	e.PerEdit = (e.AtOnce*e.Context+(e.Edits-e.AtOnce)*warned)/e.Edits - middle + float64(p.Block)/2
	e.New = e.Flow + e.Calls*float64(p.Block)/2
	e.End = e.Calls * e.Working
	e.BreakEvenEdits = e.End / e.PerEdit
	return e, nil
}
