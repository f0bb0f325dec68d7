package playbook

import (
	"strings"
	"testing"
)

func TestEstimateTokensByHand(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "  \n\t": 0, "a": 1, "four": 1, "fives": 2, "eightlet": 2, "read the page": 3, "don't": 3,
		"喝绿茶": 3, "看 page 2": 3, "[shr-00001] :: x": 10 - 1, "é": 1, "👍": 1, "サーバー": 4, "서버": 2,
	} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Words of the script are one token each: a bullet's length can be set exactly.
func TestScriptWordsAreOneTokenEach(t *testing.T) {
	for _, w := range words {
		if EstimateTokens(w) != 1 {
			t.Errorf("%q", w)
		}
	}
	if len(words) < 40 || strings.Contains(strings.Join(words, ""), " ") {
		t.Error(len(words))
	}
}

// A counter that counts nothing makes no prompt impossible.
func TestNoLineIsForFree(t *testing.T) {
	p := New(func(string) int { return 0 })
	p.Merge(Delta{Ops: []Op{add("a"), add("b")}})
	if p.Tokens(Layout{Grouped: true}) != 3 {
		t.Error(p.Tokens(Layout{Grouped: true}))
	}
}
