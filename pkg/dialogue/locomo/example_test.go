package locomo_test

import (
	"fmt"
	"os"

	"memlab/pkg/dialogue/locomo"
)

func ExampleRead() {
	file, err := os.Open("testdata/small.json") // or locomo10.json
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	dialogues, report, err := locomo.Read(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := dialogues[0].Questions[1]
	fmt.Println(report.Turns, "turns,", report.Questions, "questions")
	fmt.Println(q.Kind, q.Text, q.Answer, q.Needs[0].Messages)
	fmt.Println(report.BrokenEvidence, "of", report.Evidence, "evidence ids are broken, the first in", report.Irregularities[6])
	// Output:
	// 6 turns, 7 questions
	// temporal When did the kiln crack? 2 March 2031 [D2:1]
	// 6 of 8 evidence ids are broken, the first in lab-1 q2: several evidence ids "D2:1; D10:1": taken as 2 ids
}
