package toy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"

	"memlab/pkg/playbook"
	"memlab/pkg/random"
)

// World has the hidden rules.
type World struct {
	parameters Parameters
	seed       random.Seed
	rules      []int     // the right action of each situation: kind x details + detail
	weight     []float64 // how often each comes up, a share
	sum        []float64 // running sum of weight
	read       map[string]advice
}

// NewWorld draws rules and frequencies.
func NewWorld(p Parameters, seed random.Seed) (*World, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	w := &World{parameters: p, seed: seed, read: map[string]advice{}}
	rule, order := seed.Stream("toy", "rules"), seed.Stream("toy", "frequencies")
	n := p.Kinds * p.Details
	w.rules, w.weight, w.sum = make([]int, n), make([]float64, n), make([]float64, n)
	for i := range w.rules {
		w.rules[i] = rule.IntN(p.Actions)
	}
	total := 0.0
	for place, i := range order.Perm(n) {
		w.weight[i] = math.Pow(float64(place+1), -p.Skew)
		total += w.weight[i]
	}
	sum := 0.0
	for i := range w.weight {
		w.weight[i] /= total
		sum += w.weight[i]
		w.sum[i] = sum
	}
	return w, nil
}

// Tasks draws n tasks, none if n is negative, of one stream; streams of other names are independent.
func (w *World) Tasks(stream string, n int) []playbook.Task {
	r := w.seed.Stream("toy", "tasks", stream)
	tasks := make([]playbook.Task, max(0, n))
	for i := range tasks {
		s := min(sort.SearchFloat64s(w.sum, r.Float64()), len(w.sum)-1)
		name := fmt.Sprintf("%s-%d", stream, i)
		tasks[i] = playbook.Task{
			Name: name, Tokens: w.parameters.Task,
			Text: fmt.Sprintf("Case %s : %s %s.", name, kinds[s/w.parameters.Details], details[s%w.parameters.Details]),
		}
	}
	return tasks
}

// situation is the one that a task is in; an error if the text tells none.
func (w *World) situation(t playbook.Task) (int, error) {
	k, d := mention(t.Text, kinds), mention(t.Text, details)
	if k < 0 || k >= w.parameters.Kinds || d < 0 || d >= w.parameters.Details {
		return 0, fmt.Errorf("toy: task %q: %q is no task of this world", t.Name, t.Text)
	}
	return k*w.parameters.Details + d, nil
}

// Right says whether a task was done right, whatever the feedback said.
func (w *World) Right(t playbook.Trajectory) (bool, error) {
	s, err := w.situation(t.Task)
	if err != nil {
		return false, err
	}
	return t.Answer == actions[w.rules[s]], nil
}

// knowledge is what a generator got out of the lines that it read.
type knowledge struct {
	rules    []stated // by situation
	cases    map[string]stated
	generics map[int]bool
	bare     []int // actions that have lost their condition
}

// stated is what a bullet says to do.
type stated struct {
	said   bool
	action int
	id     string
	net    int // help
}

// better: of two bullets that contradict each other the one with more net help
// counts, of equals the later one.
func (s stated) better(o stated) bool { return !o.said || s.net >= o.net }

func (w *World) understand(line string) advice {
	a, ok := w.read[line]
	if !ok {
		a = understand(line)
		w.read[line] = a
	}
	return a
}

func (w *World) digest(bullets []playbook.Bullet) knowledge {
	c := knowledge{rules: make([]stated, len(w.rules)), cases: map[string]stated{}, generics: map[int]bool{}}
	for _, b := range bullets {
		a := w.understand(b.Text)
		s := stated{true, a.action, b.ID, b.Net()}
		switch {
		case a.instance != "" && a.action >= 0:
			c.cases[a.instance] = s
		case a.kind >= 0 && a.detail >= 0 && a.action >= 0:
			i := a.kind*w.parameters.Details + a.detail
			if a.detail < w.parameters.Details && i < len(c.rules) && s.better(c.rules[i]) {
				c.rules[i] = s
			}
		case a.kind >= 0 && a.action < 0:
			c.generics[a.kind] = true
		case a.kind < 0 && a.action >= 0:
			c.bare = append(c.bare, a.action)
		}
	}
	return c
}

// Accuracy is how often a generator with these bullets is right on new tasks:
//
//	sum over situations of frequency x (a rule: known x [it is right] + (1 - known) x guess; none: guess)
//	guess = astray x share of bare advice that is right + (1 - astray) x (base + generic)
//
// with astray 0 where no advice has lost its condition, and generic 0 where there
// is none for the kind.
func (w *World) Accuracy(bullets []playbook.Bullet) float64 {
	p, c, sum := w.parameters, w.digest(bullets), 0.0
	bare := make([]float64, p.Actions)
	for _, a := range c.bare {
		if a < len(bare) {
			bare[a] += 1 / float64(len(c.bare))
		}
	}
	for i, right := range w.rules {
		guess := p.Base
		if c.generics[i/p.Details] {
			guess += p.Generic
		}
		if len(c.bare) > 0 {
			guess = p.Astray*bare[right] + (1-p.Astray)*guess
		}
		if s := c.rules[i]; s.said {
			follows := 0.0
			if s.action == right {
				follows = 1
			}
			guess = p.Known*follows + (1-p.Known)*guess
		}
		sum += w.weight[i] * guess
	}
	return sum
}

// LineAccuracy is Accuracy of the lines of a sheet.
func (w *World) LineAccuracy(lines []string) float64 {
	bullets := make([]playbook.Bullet, len(lines))
	for i, l := range lines {
		bullets[i] = playbook.Bullet{Text: l}
	}
	return w.Accuracy(bullets)
}

// dice is the generator of one task's draws for one purpose: whatever happened
// before, a task draws the same numbers in every system.
func (w *World) dice(purpose string, task int) *rand.Rand {
	return w.seed.Stream("toy", purpose, strconv.Itoa(task))
}

// other is an action that is not a, drawn evenly.
func (w *World) other(r *rand.Rand, a int) int {
	o := r.IntN(w.parameters.Actions - 1)
	if o >= a {
		o++
	}
	return o
}

func actionOf(answer string) int { return mention(strings.ToLower(answer), actions) }

// Agree says whether two lines give the same advice about the same situation, of
// whatever cases they speak.
func (w *World) Agree(a, b string) bool {
	x, y := w.understand(a), w.understand(b)
	x.instance, y.instance = "", ""
	return x == y
}
