package table_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/table"
)

func ExampleTable_Text() {
	t := table.New("KV cache of 128,000 tokens", "model", "GB")
	t.Add("llama-3-8b", "16.8")
	t.Add("deepseek-v3", "9.0")
	fmt.Print(t.Text())
	t.WriteCSV(os.Stdout)
	// Output:
	// KV cache of 128,000 tokens
	// model          GB
	// -----------  ----
	// llama-3-8b   16.8
	// deepseek-v3   9.0
	// model,GB
	// llama-3-8b,16.8
	// deepseek-v3,9.0
}

func TestChineseColumnsLineUp(t *testing.T) {
	tab := table.New("", "项目", "值")
	tab.Add("显存", "16.8 GB")
	tab.Add("prefill", "8.8 s")
	want := "项目          值\n-------  -------\n显存     16.8 GB\nprefill    8.8 s\n"
	if diff := cmp.Diff(want, tab.Text()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestHTMLEscapesCells(t *testing.T) {
	tab := table.New("a < b", "c")
	tab.Add("<script>alert(1)</script>")
	if got := tab.HTML(); strings.Contains(got, "<script>") || !strings.Contains(got, "a &lt; b") {
		t.Errorf("not escaped: %s", got)
	}
}

func TestMoreCellsThanColumnsAreAnError(t *testing.T) {
	tab := table.New("", "only one")
	if err := tab.Add(1, 2); err == nil || !strings.Contains(err.Error(), "2 cells for 1 columns") {
		t.Errorf("got %v", err)
	}
}

func TestShortRowsAreFilled(t *testing.T) {
	tab := table.Table{Columns: []string{"a", "b"}, Rows: [][]string{{"x"}}}
	if got, want := tab.Text(), "a  b\n-  -\nx\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestQuotedColumnsStayAsTheyAre(t *testing.T) {
	tab := table.New("", "Who", "Text")
	tab.Quoted = []string{"Text"}
	if err := tab.Add("who", "somebody's words"); err != nil {
		t.Fatal(err)
	}
	got, err := tab.Translate(func(s string) (string, error) { return strings.ToUpper(s), nil })
	if err != nil || got.Rows[0][0] != "WHO" || got.Rows[0][1] != "somebody's words" || got.Columns[1] != "TEXT" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestALinkCanBeClickedAndIsTextElsewhere(t *testing.T) {
	tab := table.New("", "Source", "Year")
	if err := tab.Add(table.Link{Text: "a < b", Address: `https://arxiv.org/abs/2310.08560?x="1"&y=2`}, 2023); err != nil {
		t.Fatal(err)
	}
	if err := tab.Add("plain", table.Link{Text: "2024", Address: "zh/12_next.ipynb"}); err != nil {
		t.Fatal(err)
	}
	translated, err := tab.Translate(func(s string) (string, error) { return strings.ToUpper(s), nil })
	if err != nil {
		t.Fatal(err)
	}
	got := translated.HTML()
	for _, want := range []string{`<a href="https://arxiv.org/abs/2310.08560?x=&#34;1&#34;&amp;y=2">A &lt; B</a>`, `>PLAIN<`, `<a href="zh/12_next.ipynb">2024</a>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if want := "Source  Year\n------  ----\na < b   2023\nplain   2024\n"; tab.Text() != want {
		t.Errorf("text %q, want %q", tab.Text(), want)
	}
}

func TestAddressesThatLeadElsewhereAreRefused(t *testing.T) {
	for _, address := range []string{"javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//host/x", "/etc/x", "https:///x", "https://user@host/x", "", "a b", "file:///x", "java\tscript:alert(1)", `\\host\x`, `\/host/x`, `https:\\host`} {
		tab := table.New("", "c")
		if err := tab.Add(table.Link{Text: "click", Address: address}); err == nil || len(tab.Rows) > 0 {
			t.Errorf("%q is accepted: %v", address, tab.Rows)
		}
		tab = table.Table{Columns: []string{"c"}, Rows: [][]string{{"click"}}, Links: []table.CellLink{{Address: address}}}
		if got := tab.HTML(); strings.Contains(got, "<a") {
			t.Errorf("%q becomes %s", address, got)
		}
	}
}

func TestACellTooManyIsTranslatedIntoNone(t *testing.T) {
	tab := table.Table{Columns: []string{"c"}, Rows: [][]string{{"a", "b"}}}
	got, err := tab.Translate(func(s string) (string, error) { return strings.ToUpper(s), nil })
	if err != nil || len(got.Rows) != 1 || got.Rows[0][0] != "A" || got.Text() != "C\n-\nA\n" {
		t.Errorf("%q, %v", got.Rows, err)
	}
}

func TestTranslateReachesEveryTextAndReportsTheFirstMissing(t *testing.T) {
	words := map[string]string{"Title": "标题", "name": "名字", "row": "行"}
	tr := func(s string) (string, error) {
		if zh, ok := words[s]; ok {
			return zh, nil
		}
		return s, errors.New("no Chinese for " + s)
	}
	tab := table.New("Title", "name", "12.5")
	tab.Add("row", "3")
	got, err := tab.Translate(tr)
	if err != nil {
		t.Fatal(err)
	}
	want := table.Table{Title: "标题", Columns: []string{"名字", "12.5"}, Rows: [][]string{{"行", "3"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	tab.Add("unknown")
	if _, err := tab.Translate(tr); err == nil || !strings.Contains(err.Error(), "unknown") {
		t.Errorf("got %v, want the missing text named", err)
	}
}
