package workload

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// block is the number of tokens of a Mooncake block, and size and chats give Chats
// about the shape of its conversation trace: 12,000 prompts of 23 or 24 blocks.
const (
	block = 512
	size  = 288_500
	chats = 800
)

// Mooncake is Mooncake's conversation trace as a file, from the folder that MEMLAB_DATA
// names, and its name; without that folder it is a made-up one of its form.
func Mooncake() (name string, file []byte, err error) {
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		return "mooncake-like", like(), nil
	}
	file, err = os.ReadFile(filepath.Join(dir, "mooncake", "conversation_trace.jsonl"))
	return "mooncake", file, err
}

// like writes a trace in Mooncake's format. More of its blocks are hit than of the
// original's, as its chats go on for longer.
func like() []byte {
	var b bytes.Buffer
	for i, ids := range Chats(size, chats, false).Prompts {
		// The last block is partial, as in the original.
		fmt.Fprintf(&b, `{"timestamp": %d, "input_length": %d, "output_length": %d, "hash_ids": [`, 300*i, len(ids)*block-i%block, 10+i%700)
		for k, id := range ids {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprint(&b, id)
		}
		b.WriteString("]}\n")
	}
	return b.Bytes()
}
