package serving

import (
	"strconv"
	"testing"
)

// A queue of a hundred messages that grows by two for each call and is cut in
// half when it has two hundred.
func benchLedger(b *testing.B, calls int) *Ledger {
	b.Helper()
	system := Segment{"system", Plain, []Item{item("system", "", 0, 1000)}}
	queue := Segment{Name: "queue", Kind: Queue}
	var l Ledger
	for i := range calls {
		queue.Items = append(queue.Items, item("user", strconv.Itoa(i), 0, 50), item("reply", strconv.Itoa(i), 0, 60))
		if len(queue.Items) > 200 {
			queue.Items = queue.Items[100:]
		}
		if err := l.Add(Call{Phase: Read, Turn: i, Prompt: Prompt{system, queue}}); err != nil {
			b.Fatal(err)
		}
	}
	return &l
}

func BenchmarkAdd(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		benchLedger(b, 1000)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/call")
}

func BenchmarkReplay(b *testing.B) {
	l := benchLedger(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Replay(Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/call")
}
