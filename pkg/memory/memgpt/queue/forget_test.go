package queue_test

import (
	"slices"
	"testing"

	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

func TestForgetTakesMessagesOut(t *testing.T) {
	m, err := queue.New(queue.Config{
		Window: 1000, System: []serving.Item{{Kind: "system", Tokens: 100}}, Summary: 50,
		Flush: 1, Evict: queue.Share(0.5), Layout: queue.Front,
	})
	if err != nil {
		t.Fatal(err)
	}
	add := func(turn int) {
		t.Helper()
		err := m.Append(queue.Message{Turn: turn, Items: []serving.Item{{Kind: "user", Version: turn, Tokens: 100}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := m.Ready(); err != nil {
			t.Fatal(err)
		}
	}
	for turn := range 12 {
		add(turn)
	}
	before := m.Prompt()
	held := m.State()
	odd := func(msg queue.Message) bool { return msg.Turn%2 == 1 }
	n := m.Forget(odd, true)
	after := m.State()
	if n == 0 || after.Messages != held.Messages-n || after.Queue != held.Queue-100*n || after.Evictions != held.Evictions {
		t.Errorf("%d forgotten: %+v, before %+v", n, after, held)
	}
	for _, msg := range m.Messages() {
		if odd(msg) {
			t.Errorf("turn %d is still there", msg.Turn)
		}
	}
	now := m.Prompt()
	if now.Tokens() != after.Prompt || now[1].Items[0].Version == before[1].Items[0].Version {
		t.Errorf("%+v", now)
	}
	if got := before[2].Items[0].Version; before.Tokens() != held.Prompt || !slices.ContainsFunc(m.Messages(), func(q queue.Message) bool { return q.Turn == got || odd(queue.Message{Turn: got}) }) {
		t.Errorf("an earlier prompt changed: %+v", before)
	}
	if n := m.Forget(odd, false); n != 0 || m.State() != after {
		t.Errorf("forgotten twice: %d", n)
	}
	for turn := 12; turn < 40; turn++ {
		add(turn)
	}
	if n := m.Forget(func(queue.Message) bool { return true }, true); n == 0 || m.State().Queue != 0 || m.State().Messages != 0 {
		t.Errorf("%+v", m.State())
	}
	add(40)
}
