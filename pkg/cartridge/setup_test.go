package cartridge

import (
	"testing"

	"memlab/pkg/random"
)

func corpus(t testing.TB, n, d int) *Corpus {
	t.Helper()
	return ok(NewCorpus(n, d, random.Seed(1).Stream("corpus")))
}

// ok is for calls that cannot fail with a test's input.
func ok[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func study(c *Corpus) Study {
	return Study{Model: DefaultModel(), Corpus: c, Distance: DefaultDistance}
}

// accuracy on rephrased questions, each fact twice.
func accuracy(t testing.TB, c *Corpus, r Reader) float64 {
	t.Helper()
	ask := ok(c.Rephrased(2, DefaultDistance, Anyhow, random.Seed(1).Stream("ask")))
	return ok(Score(r, ask, c.V))
}

func with(t testing.TB, z *Cartridge) Reader {
	t.Helper()
	return ok(DefaultModel().With(z))
}
