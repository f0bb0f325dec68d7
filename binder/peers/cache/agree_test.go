package main

import (
	"testing"

	"memlab/binder/peers/cache/workload"
	"memlab/pkg/prefixcache"
)

func TestEverybodyHitsAlike(t *testing.T) {
	for _, hashed := range []bool{false, true} {
		trace := workload.Chats(20_000, 100, hashed)
		list := make([]prefixcache.Request, len(trace.Prompts))
		for i, p := range trace.Prompts {
			list[i] = prefixcache.Request{Blocks: p, Prompt: 512 * len(p)}
		}
		capacities := []int{1, 30, 1000, 5000, workload.Unlimited}
		curve, err := onePass(list, capacities)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range capacities {
			ours, err := trace.Replay(newOurs, n)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := trace.Replay(newPlain, n)
			if err != nil || ours != theirs || curve[i] != ours {
				t.Errorf("capacity %d: %d hits, standard library %d, curve %d (%v)", n, ours, theirs, curve[i], err)
			}
		}
		if curve[0] > curve[2] || curve[2] >= curve[4] {
			t.Errorf("%v hits: a larger cache hits more", curve)
		}
	}
}

func TestBothParsersReadAlike(t *testing.T) {
	t.Setenv("MEMLAB_DATA", "")
	name, file, err := workload.Mooncake()
	if err != nil || name != "mooncake-like" {
		t.Fatalf("%q, %v", name, err)
	}
	ours, err := readOurs(file)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := readJSON(file)
	if err != nil || ours != theirs || ours.Ids < 288_500 {
		t.Errorf("%+v, encoding/json %+v (%v)", ours, theirs, err)
	}
}
