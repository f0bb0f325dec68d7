package memgpt_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/memory/memgpt/queue"
)

// agent is one whose model replies what it is told to: figure 4 of the paper.
func agent(calls ...[2]string) *memgpt.Memory {
	var j memgpt.ScriptedJudge
	for _, c := range calls {
		j.Replies = append(j.Replies, memgpt.Call(memgpt.FunctionCall{Name: c[0], Arguments: []byte(c[1])}))
	}
	o := memgpt.Defaults(nil, &j)
	o.Recall, o.Archival = memgpt.BySubstring, memgpt.ByWords
	m, err := memgpt.New(o)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func hear(m *memgpt.Memory, id, text string) memgpt.Trace {
	t, err := m.Handle(context.Background(), memgpt.Event{Kind: memgpt.Message, Message: &dialogue.Message{
		ID: id, Time: time.Date(2026, 2, 14, 20, 0, 0, 0, time.UTC), Role: dialogue.User, Text: text, Tokens: 12,
	}})
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// The user breaks up. The model edits its working context; its first try has the
// wrong text, and the error tells it so.
func Example() {
	m := agent(
		[2]string{memgpt.WorkingAppend, `{"text":"Boyfriend named James","request_heartbeat":true}`},
		[2]string{memgpt.SendMessage, `{"message":"Have a lovely evening!"}`},
		[2]string{memgpt.WorkingReplace, `{"old":"Boyfriend called James","new":"Ex-boyfriend named James"}`},
		[2]string{memgpt.WorkingReplace, `{"old":"Boyfriend named James","new":"Ex-boyfriend named James","request_heartbeat":true}`},
		[2]string{memgpt.SendMessage, `{"message":"I am sorry to hear that."}`},
	)
	hear(m, "m1", "I am going out with my boyfriend James.")
	t := hear(m, "m2", "James and I broke up.")
	fmt.Print(t.Render("en"))
	fmt.Println(m.Working()[0].Text)
	// Output:
	// turn 2: message m2
	//   “James and I broke up.”
	//   step 1, memory: 1104 tokens read, 30 written
	//     → working_context.replace {"old":"Boyfriend called James","new":"Ex-boyfriend named James"}
	//     ← {"status":"Failed","message":"Error: working_context.replace: text \"Boyfriend called James\" is not in the working context"}
	//   step 2, memory: 1144 tokens read, 30 written
	//     → working_context.replace {"old":"Boyfriend named James","new":"Ex-boyfriend named James","request_heartbeat":true}
	//     ← {"status":"OK"}
	//   step 3, reply: 1184 tokens read, 20 written
	//     → send_message {"message":"I am sorry to hear that."}
	// Ex-boyfriend named James
}

// 同一个过程，中文。
func ExampleTrace_Render() {
	m := agent(
		[2]string{memgpt.RecallSearch, `{"query":"男友"}`},
		[2]string{memgpt.RecallSearch, `{"query":"男友","page":1}`},
		[2]string{memgpt.SendMessage, `{"message":"他叫詹姆斯。"}`},
	)
	if err := m.Write(context.Background(), &dialogue.Message{ID: "m1", Role: dialogue.User, Text: "我男友叫詹姆斯。", Tokens: 10}); err != nil {
		log.Fatal(err)
	}
	t := hear(m, "m2", "我跟你说过谁？")
	fmt.Print(t.Render("zh"))
	// Output:
	// 第 2 轮：消息 m2
	//   “我跟你说过谁？”
	//   第 1 步，检索：读入 1022 token，生成 30 token
	//     → recall_storage.search {"query":"男友"}
	//     ← 第 0 页，共 1 页，从 0 数起：
	//       m1 我男友叫詹姆斯。
	//   第 2 步，检索：读入 1072 token，生成 30 token
	//     → recall_storage.search {"query":"男友","page":1}
	//     ← {"status":"Failed","message":"Error: no such page: page 1: there is 1 page, number 0"}
	//   第 3 步，回复：读入 1112 token，生成 20 token
	//     → send_message {"message":"他叫詹姆斯。"}
}

// A full queue: the model is warned and saves what matters before half of the
// window leaves.
func ExampleMemory_Handle() {
	save := memgpt.FunctionCall{Name: memgpt.WorkingAppend, Arguments: []byte(`{"text":"Allergic to nuts"}`)}
	reply := memgpt.FunctionCall{Name: memgpt.SendMessage, Arguments: []byte(`{"message":"Noted."}`)}
	j := &memgpt.ScriptedJudge{Last: &memgpt.Reply{Calls: []memgpt.FunctionCall{reply}}}
	o := memgpt.Defaults(nil, j)
	o.Recall, o.Archival = memgpt.BySubstring, memgpt.ByWords
	o.Window, o.System, o.Entries, o.Summary = 800, 200, 5, 50
	o.Evict, o.Warn, o.Flush = queue.Share(0.5), 0.7, 1
	m, err := memgpt.New(o)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 8 {
		if i == 3 {
			j.Replies = []memgpt.Reply{{Calls: []memgpt.FunctionCall{reply}}, {Calls: []memgpt.FunctionCall{save}}}
		}
		t, err := m.Handle(context.Background(), memgpt.Event{Kind: memgpt.Message, Message: &dialogue.Message{
			ID: fmt.Sprint("m", i), Role: dialogue.User, Text: "I am allergic to nuts. " + strings.Repeat("And so on. ", i), Tokens: 100,
		}})
		if err != nil {
			log.Fatal(err)
		}
		s := m.State()
		fmt.Printf("%s: %d of %d tokens, %d entries, %d evictions", t.About, s.Prompt, s.Window, s.Entries, s.Evictions)
		for _, r := range t.Raised {
			fmt.Printf("; %s", r.Kind)
		}
		fmt.Println()
	}
	// Output:
	// m0: 320 of 800 tokens, 0 entries, 0 evictions
	// m1: 440 of 800 tokens, 0 entries, 0 evictions
	// m2: 560 of 800 tokens, 0 entries, 0 evictions
	// m3: 760 of 800 tokens, 1 entries, 0 evictions; warning
	// m4: 390 of 800 tokens, 1 entries, 1 evictions
	// m5: 510 of 800 tokens, 1 entries, 1 evictions
	// m6: 670 of 800 tokens, 1 entries, 1 evictions; warning
	// m7: 790 of 800 tokens, 1 entries, 1 evictions
}
