package jsonl_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"memlab/datasets"
	"memlab/pkg/dialogue/jsonl"
)

func ExampleRead() {
	dialogues, report, err := jsonl.Read(bytes.NewReader(datasets.SampleDialogue))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Messages, "messages and", report.Questions, "questions in", report.Lines, "lines")
	for _, d := range dialogues {
		q := d.Questions[0]
		fmt.Println(d.Name, d.Language, q.Kind, q.Text, q.Answer, q.Needs[0].Messages)
	}
	// Output:
	// 24 messages and 12 questions in 38 lines
	// lighthouse en current On which day is the oil delivered now? Thursday [h10]
	// 茶馆 zh current 现在茶叶每月几号到货？ 二十号 [c10]
}

func ExampleWrite() {
	dialogues, report, err := jsonl.Read(strings.NewReader(`
{"session": 1, "speaker": "Ana", "text": "The bridge is closed."}
{"session": 1, "speaker": "Ben", "text": "Since wh
{"question": "What is closed?", "answer": "the bridge", "evidence": ["L2", "L9"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Bad[0])
	fmt.Println(report.Broken[0].ID, "in line", report.Broken[0].Line, "does not exist")
	if err := jsonl.Write(os.Stdout, dialogues); err != nil {
		fmt.Println(err)
	}
	// Output:
	// jsonl: line 3: cut off in the middle: want one whole JSON object
	// L9 in line 4 does not exist
	// {"language":"en","session":1,"id":"L2","role":"user","speaker":"Ana","text":"The bridge is closed.","tokens":6}
	// {"id":"L4","question":"What is closed?","answer":"the bridge","category":"uncategorised","evidence":["L2"]}
}
