package playbook

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"memlab/pkg/random"
)

// Script is a driver that learns nothing: it makes a stream of bullets, marks and
// removals of given rates, with which the cost of serving a playbook can be
// computed by hand. It plays every role.
type Script struct {
	// Add is the probability that a task adds a bullet, Bullet its length as
	// prompts show it.
	Add    float64 `json:"p_add"`
	Bullet int     `json:"bullet_tokens"`
	// Output is what the generator writes.
	Output int `json:"output_tokens"`
	// Marked is how many bullets a task marks, any of them alike.
	Marked int `json:"marked_bullets"`
	// RemoveEvery so many tasks a share of the bullets goes, any of them alike;
	// 0 is never.
	RemoveEvery int     `json:"remove_every"`
	RemoveShare float64 `json:"remove_share"`
}

// Scripted plays a Script.
type Scripted struct {
	script              Script
	layout              Layout
	add, mark, drop, wr *rand.Rand
	words               []string
	line                strings.Builder
}

// maxScript bounds lengths and counts of a script.
const maxScript = 1 << 20

// NewScripted draws from a seed. Marks and removals draw from their own streams:
// the same seed adds the same bullets under every script and layout.
func NewScripted(s Script, l Layout, seed random.Seed) (*Scripted, error) {
	for _, f := range []struct {
		name string
		got  float64
	}{{"p_add", s.Add}, {"remove_share", s.RemoveShare}} {
		if !(f.got >= 0 && f.got <= 1) {
			return nil, fail(ErrOption, "script: %s %g: want 0 to 1", f.name, f.got)
		}
	}
	x := &Scripted{
		script: s, layout: l, words: words,
		add: seed.Stream("playbook", "add"), mark: seed.Stream("playbook", "mark"),
		drop: seed.Stream("playbook", "remove"), wr: seed.Stream("playbook", "words"),
	}
	if least := x.frame() + 3; s.Bullet < least {
		return nil, fail(ErrOption, "script: bullet_tokens %d: want at least %d in this layout", s.Bullet, least)
	}
	if s.Bullet > maxScript || s.Output > maxScript || s.Marked > maxScript {
		return nil, fail(ErrOption, "script: bullet_tokens %d, output_tokens %d, marked_bullets %d: want at most %d", s.Bullet, s.Output, s.Marked, maxScript)
	}
	if s.Output < 0 || s.Marked < 0 || s.RemoveEvery < 0 {
		return nil, fail(ErrOption, "script: output_tokens %d, marked_bullets %d, remove_every %d: want 0 or more", s.Output, s.Marked, s.RemoveEvery)
	}
	return x, nil
}

// scriptSection is where its bullets stand.
const scriptSection = "STRATEGIES AND HARD RULES"

// frame is what a line has beside the text.
func (x *Scripted) frame() int {
	return EstimateTokens(x.layout.Line(Bullet{ID: slug(scriptSection) + "-00001"}))
}

// Generate marks the bullets that it would have gone by.
func (x *Scripted) Generate(_ context.Context, t Task, bullets []Bullet) (Trajectory, error) {
	used := make([]string, 0, min(x.script.Marked, len(bullets)))
	for _, i := range distinct(x.mark, len(bullets), x.script.Marked) {
		used = append(used, bullets[i].ID)
	}
	return Trajectory{Task: t, Used: used, Tokens: x.script.Output}, nil
}

// Judge knows nothing.
func (x *Scripted) Judge(context.Context, Trajectory) (Feedback, error) { return Feedback{}, nil }

// Reflect calls helpful what was used.
func (x *Scripted) Reflect(_ context.Context, t Trajectory, _ Feedback) (Reflection, error) {
	r := Reflection{Task: t.Task}
	for _, id := range t.Used {
		r.Marks = append(r.Marks, Mark{ID: id, Helpful: true})
	}
	return r, nil
}

// Curate counts the marks, adds a bullet or not, and removes some when it is time.
func (x *Scripted) Curate(_ context.Context, r Reflection, bullets []Bullet) (Delta, error) {
	d := Delta{Task: r.Task.Number}
	for _, m := range r.Marks {
		d.Ops = append(d.Ops, Op{Kind: Count, ID: m.ID, Helpful: 1})
	}
	if x.adds() {
		d.Ops = append(d.Ops, Op{Kind: Add, Section: scriptSection, Text: x.text()})
	}
	if every := x.script.RemoveEvery; every > 0 && (r.Task.Number+1)%every == 0 {
		n := int(math.Round(x.script.RemoveShare * float64(len(bullets))))
		for _, i := range distinct(x.drop, len(bullets), n) {
			d.Ops = append(d.Ops, Op{Kind: Remove, ID: bullets[i].ID})
		}
	}
	return d, nil
}

// Rewrite repeats every line, and adds one where Curate would.
func (x *Scripted) Rewrite(_ context.Context, lines []string, t Trajectory, _ Feedback) (string, error) {
	if x.adds() {
		id := fmt.Sprintf("%s-%05d", slug(scriptSection), len(lines)+1)
		lines = append(lines, x.layout.Line(Bullet{ID: id, Text: x.text()}))
	}
	return OpenTag + "\n" + strings.Join(lines, "\n") + "\n" + CloseTag, nil
}

func (x *Scripted) adds() bool { return x.add.Float64() < x.script.Add }

// text is a row of words of one token each that fills a bullet.
func (x *Scripted) text() string {
	x.line.Reset()
	for i := range x.script.Bullet - x.frame() {
		if i > 0 {
			x.line.WriteByte(' ')
		}
		x.line.WriteString(x.words[x.wr.IntN(len(x.words))])
	}
	return x.line.String()
}

var words = strings.Fields(`read the page ask for next item then log in with user name and key send one more call if list is
long keep note of last id do not use old date sort by time skip when null pass file path show plan test each step stop
when any fail try once more save cost use map join rows drop copy wait lock open port find root type cast safe edge case unit`)

// distinct draws k different numbers below n, all of them if there are fewer.
func distinct(r *rand.Rand, n, k int) []int {
	k = min(k, n)
	out := make([]int, 0, k)
	taken := make(map[int]int, k)
	at := func(i int) int {
		if v, ok := taken[i]; ok {
			return v
		}
		return i
	}
	for i := range k { // Fisher-Yates on a row that is not written out
		j := i + r.IntN(n-i)
		out = append(out, at(j))
		taken[j] = at(i)
	}
	return out
}
