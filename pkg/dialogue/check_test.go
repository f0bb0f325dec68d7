package dialogue_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
)

func TestMessagesOfImpossibleLengthAreRefused(t *testing.T) {
	for tokens, ok := range map[int]bool{math.MinInt: false, 0: false, 1: true, dialogue.MaxTokens: true, dialogue.MaxTokens + 1: false, math.MaxInt: false} {
		m := dialogue.Message{ID: "a", Role: dialogue.User, Tokens: tokens}
		d := dialogue.Dialogue{Name: "d", Messages: []dialogue.Message{m}}
		for _, err := range []error{m.Check(), d.Check()} {
			if ok != (err == nil) || !ok && (!errors.Is(err, dialogue.ErrDialogue) || !strings.Contains(err.Error(), "want 1 to 1073741824")) {
				t.Errorf("%d tokens: %v", tokens, err)
			}
		}
	}
}
