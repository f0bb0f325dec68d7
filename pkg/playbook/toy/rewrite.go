package toy

import (
	"context"
	"math/rand/v2"
	"strings"

	"memlab/pkg/playbook"
)

// Rewrite writes the sheet anew with the lesson of the task, in place of a line
// about the same situation if there is one. A long sheet may come out as a summary
// (see Parameters.Comfort). What is interrupted or beyond the limit of the output
// lacks its end.
func (a *Agent) Rewrite(_ context.Context, lines []string, t playbook.Trajectory, f playbook.Feedback) (string, error) {
	l, err := a.lesson(t, f)
	if err != nil {
		return "", err
	}
	new, placed := a.World.understand(l.Text), false
	for i, line := range lines {
		old := a.World.understand(line)
		if old.kind == new.kind && old.detail == new.detail && old.instance == new.instance {
			lines[i], placed = l.Text, true
			break
		}
	}
	if !placed {
		lines = append(lines, l.Text)
	}
	p, r := a.World.parameters, a.World.dice("rewrite", t.Task.Number)
	length := 0
	for _, line := range lines {
		length += playbook.EstimateTokens(line)
	}
	if hurry := p.Haste * (float64(length)/float64(p.Comfort) - 1); r.Float64() < hurry {
		lines = a.World.summary(r, lines)
	}
	out := playbook.OpenTag + "\n" + strings.Join(lines, "\n") + "\n" + playbook.CloseTag
	if end := r.Float64(); r.Float64() < p.Interrupt {
		out = out[:len(playbook.OpenTag)+int(end*float64(len(out)-len(playbook.OpenTag)))]
	}
	return cutOff(out, p.MaxOutput), nil
}

// summary keeps a few lines, and of each only what to do.
func (w *World) summary(r *rand.Rand, lines []string) []string {
	var out []string
	said := map[string]bool{}
	for _, i := range r.Perm(len(lines)) {
		if len(out) == w.parameters.Summary {
			break
		}
		if a := w.understand(lines[i]).action; a >= 0 && !said[bareText(a)] {
			said[bareText(a)] = true
			out = append(out, bareText(a))
		}
	}
	return out
}

// cutOff ends a text after so many tokens, in words.
func cutOff(text string, limit int) string {
	if limit == 0 || playbook.EstimateTokens(text) <= limit {
		return text
	}
	var out strings.Builder
	tokens := 0
	for word := range strings.SplitAfterSeq(text, " ") {
		if tokens += playbook.EstimateTokens(word); tokens > limit {
			break
		}
		out.WriteString(word)
	}
	return out.String()
}
