package claims

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTheLecturesRows(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range rows {
		count[string(r.Kind)]++
		count[string(r.Basis)]++
		if strings.HasPrefix(r.Quantity, "same") {
			t.Errorf("%s: %q cannot be read alone", r.ID, r.Quantity)
		}
	}
	for what, want := range map[string]int{"own": 112, "paper": 28, "derived": 38, "fitted": 62, "predicted": 12} {
		if count[what] != want {
			t.Errorf("%d %s rows, want %d", count[what], what, want)
		}
	}
	if got := Sections(rows); got[0] != "1.2" || got[len(got)-1] != "10.6" || !slices.Contains(got, "10.1") {
		t.Errorf("sections %v", got)
	}
}

func TestInSectionMatchesExactly(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	for section, want := range map[string]int{"1.2": 11, "10.1": 5, "10.4": 3, "4.6": 3} {
		some, err := InSection(rows, section)
		if err != nil || len(some) != want {
			t.Errorf("%s: %d rows, want %d (%v)", section, len(some), want, err)
		}
	}
	for _, unknown := range []string{"1", "10", "1.20", "0.1", "1.2 "} {
		if _, err := InSection(rows, unknown); err == nil || !strings.Contains(err.Error(), "1.2, 2.2, 2.3") {
			t.Errorf("%q: got %v, want an error that lists the sections", unknown, err)
		}
	}
}

const header = "id,section,quantity,unit,lecture,lecture_value,tolerance,kind,judged,basis,note\n"

func TestReadRowsNamesFileAndLine(t *testing.T) {
	good := "a,1.2,q,s,8.8,8.8,0.1,own,abs,fitted,\n"
	if rows, err := ReadRows("c.csv", strings.NewReader(header+good)); err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty file":           {"", "c.csv:1: no line with the names"},
		"other columns":        {"id,section\n", "c.csv:1: columns id,section: want id,section,quantity"},
		"bad value":            {header + good + "b,1.2,q,s,8.8,8.x,0.1,own,abs,fitted,\n", `c.csv:3: "b": lecture_value "8.x": want a number`},
		"infinite value":       {header + "b,1.2,q,s,8.8,Inf,0.1,own,abs,fitted,\n", `c.csv:2: "b": lecture_value "Inf"`},
		"bad tolerance":        {header + "b,1.2,q,s,8.8,8.8,?,own,abs,fitted,\n", `c.csv:2: "b": tolerance "?"`},
		"negative tolerance":   {header + "b,1.2,q,s,8.8,8.8,-1,own,abs,fitted,\n", "c.csv:2: \"b\": tolerance -1: want 0 or more"},
		"unknown judge":        {header + "b,1.2,q,s,8.8,8.8,0.1,own,nearly,fitted,\n", `c.csv:2: "b": judged "nearly": unknown`},
		"unknown kind":         {header + "b,1.2,q,s,8.8,8.8,0.1,ours,abs,fitted,\n", `c.csv:2: "b": kind "ours"`},
		"unknown basis":        {header + "b,1.2,q,s,8.8,8.8,0.1,own,abs,guessed,\n", `c.csv:2: "b": basis "guessed"`},
		"own row quoted":       {header + "b,1.2,q,s,8.8,8.8,0.1,own,quoted,fitted,\n", `c.csv:2: "b": judged "quoted" for kind own`},
		"paper row judged":     {header + "b,1.2,q,s,8.8,8.8,0.1,paper,abs,,\n", `c.csv:2: "b": judged "abs" for kind paper`},
		"paper row with basis": {header + "b,1.2,q,s,8.8,8.8,,paper,quoted,fitted,\n", `c.csv:2: "b": basis "fitted": a quoted number has none`},
		"duplicate id":         {header + good + "b,1.2,q,s,8.8,8.8,0.1,own,abs,fitted,\n" + good, `c.csv:4: id "a" is taken by line 2`},
		"bad section":          {header + "b,one,q,s,8.8,8.8,0.1,own,abs,fitted,\n", `c.csv:2: "b": section "one"`},
		"missing id":           {header + ",1.2,q,s,8.8,8.8,0.1,own,abs,fitted,\n", `c.csv:2: "": id is empty`},
		"too few cells":        {header + good + "b,1.2,q\n", "c.csv:3: wrong number of fields"},
		"open quote":           {header + "b,\"1.2,q\n", "c.csv:2: "},
	} {
		if rows, err := ReadRows("c.csv", strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) || rows != nil {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	_, err := ReadRows("c.csv", strings.NewReader(header+"b,one,q,s,8.8,8.8,0.1,own,abs,fitted,\n"+good+good))
	if err == nil || !strings.Contains(err.Error(), "c.csv:2") || !strings.Contains(err.Error(), "c.csv:4") {
		t.Errorf("two problems: got %v, want both", err)
	}
}

func TestPaperResultsAreTheQuotedNumbers(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	results, err := PaperResults()
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`\d+(\.\d+)?`)
	printed := map[string][]string{}
	for _, p := range results {
		printed[p.ID] = append(printed[p.ID], Number(p.Value))
	}
	for _, r := range rows {
		if r.Kind != Paper {
			if printed[r.ID] != nil {
				t.Errorf("%s: a row of our own has a paper's numbers", r.ID)
			}
			continue
		}
		text := r.Lecture
		if r.ID == "cartridges-lora" {
			text += " 54.7" // printed in what the row says of itself
		}
		if r.ID == "collapse" {
			text = strings.ReplaceAll(text, "@", "")
		}
		var want []string
		for _, n := range number.FindAllString(text, -1) {
			if x, err := finite(n); err == nil {
				want = append(want, Number(x))
			}
		}
		slices.Sort(want)
		got := slices.Sorted(slices.Values(printed[r.ID]))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v in paper_results.csv, %v in claims.csv", r.ID, got, want)
		}
		delete(printed, r.ID)
	}
	for id := range printed {
		t.Errorf("%s: numbers of a paper for no row", id)
	}
}

func TestReadPaperResultsNamesFileAndLine(t *testing.T) {
	const header = "id,item,qualifier,value,unit,paper,arxiv,task,place\n"
	good := "a,gain,,4.5,x,ACE,2510.04618,AppWorld,\n"
	for text, want := range map[string]string{
		header + good + "b,gain,,much,x,ACE,2510.04618,AppWorld,\n":    `p.csv:3: value "much"`,
		header + good + "b,gain,nearly,1,x,ACE,2510.04618,AppWorld,\n": `p.csv:3: qualifier "nearly"`,
		header + good + good:                      `p.csv:3: "gain" of "a" is taken by line 2`,
		header + "b,gain,,1,x,,2510.04618,App,\n": "p.csv:2: paper is empty",
		"id,item\n": "p.csv:1: columns id,item",
		header + good + "b,gain,,1,x,ACE,1,task\n": "p.csv:3: wrong number of fields",
	} {
		if _, err := ReadPaperResults("p.csv", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
