package memory

import (
	"slices"
	"time"

	"memlab/pkg/dialogue"
)

// attribute finds the step in which a wrong answer was lost. For each fact that
// the answer needs: if it is before the reader, it was not lost. If some message's
// statement of it is held by the system, retrieval missed it, and what it found
// instead was stale or nothing. Else it was lost where the statement that came
// furthest was lost. Of several missing facts the one lost earliest counts. If all
// were before the reader, the reader is to blame.
func attribute(q *dialogue.Question, m *Material, s System, times map[string]time.Time) Fate {
	worst := Fate{Lost: ReadOver}
	facts := seenIn(m, nil)
	for i := range q.Needs {
		n := &q.Needs[i]
		if present(facts, n.Fact) {
			continue
		}
		f := lost(n, s)
		if f.Lost == Held {
			f.Lost = RetrieveAbsent
			if stale(facts, n, times) {
				f.Lost = RetrieveStale
			}
		}
		if order(f.Lost) < order(worst.Lost) {
			worst = f
		}
	}
	return worst
}

func order(s Stage) int { return slices.Index(Stages(), s) }

// lost is where the statement of a fact that came furthest was lost.
func lost(n *dialogue.Need, s System) Fate {
	best := Fate{Lost: Extract}
	for i, id := range n.Messages {
		f := s.Fate(id, n.Fact)
		if f.Lost == Held {
			return f
		}
		if i == 0 || order(f.Lost) > order(best.Lost) {
			best = f
		}
	}
	return best
}

func present(facts []seen, f dialogue.Fact) bool {
	return slices.ContainsFunc(facts, func(s seen) bool { return s.fact.Same(f) })
}

// stale reports whether there is an older value of the fact's key.
func stale(facts []seen, n *dialogue.Need, times map[string]time.Time) bool {
	since := times[n.Messages[0]]
	for _, id := range n.Messages {
		if times[id].Before(since) {
			since = times[id]
		}
	}
	return slices.ContainsFunc(facts, func(s seen) bool {
		return s.fact.Key() == n.Fact.Key() && !s.fact.Same(n.Fact) && s.time.Before(since)
	})
}
