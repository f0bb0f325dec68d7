package trace

import (
	"bytes"
	"testing"

	"memlab/pkg/prefixcache"
)

func BenchmarkReadMooncake(b *testing.B) {
	data := conversation(b, "the parser")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Read(bytes.NewReader(data), Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/288500, "ns/block")
}

func BenchmarkReplayMooncake(b *testing.B) {
	requests := mooncakeBlocks(b, read(b, conversation(b, "the replay"), Options{}))
	for b.Loop() {
		replay(b, requests, 50000, 0)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/288500, "ns/block")
}

func BenchmarkCurveMooncake(b *testing.B) {
	requests := mooncakeBlocks(b, read(b, conversation(b, "the curve"), Options{}))
	for b.Loop() {
		if _, err := prefixcache.LRUCurve(requests, MooncakeBlock, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/288500, "ns/block")
}
