package sources

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"memlab/pkg/claims"
	"memlab/pkg/random"
)

func Example() {
	s, err := Find("mem0")
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Identifier(), s.Work, s.Packages, s.Notebooks)
	// Output: arXiv:2504.19413 write [memory/mem0] [03]
}

func all(t *testing.T) []Source {
	t.Helper()
	list, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A number that is quoted has a source, and only one.
func TestEveryQuotedNumberHasItsSource(t *testing.T) {
	results, err := claims.PaperResults()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range all(t) {
		quoted, err := s.Quoted()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range quoted {
			if r.Paper != s.Short {
				t.Errorf("%s (%s) is called %s among the results", s.Short, s.ArXiv, r.Paper)
			}
		}
		n += len(quoted)
	}
	if n != len(results) {
		t.Errorf("%d of %d quoted numbers have a source", n, len(results))
	}
}

// The numbers that the lecture prints in its section 11.
func TestTheLecturesIdentifiers(t *testing.T) {
	for short, want := range map[string]string{
		"Cartridges": "arXiv:2506.06266", "mem0": "arXiv:2504.19413", "MemGPT": "arXiv:2310.08560", "ACE": "arXiv:2510.04618",
	} {
		s, err := Find(short)
		if err != nil || s.Identifier() != want {
			t.Errorf("%s is %s (%v), want %s", short, s.Identifier(), err, want)
		}
	}
	for _, short := range []string{"Lost in the Middle", "LOCOMO", "Prefix-Tuning", "Dynamic Cheatsheet", "GEPA", "Zep", "Sleep-time compute"} {
		if _, err := Find(short); err != nil {
			t.Error(err)
		}
	}
}

// What a source says of the repository is so: the packages are there, and a
// notebook that it names speaks of it.
func TestPackagesAndNotebooksAreThere(t *testing.T) {
	text := map[string]string{}
	files, err := filepath.Glob("../../notebooks/[0-9][0-9]_*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var notebook struct {
			Cells []struct{ Source []string }
		}
		if err := json.Unmarshal(data, &notebook); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range notebook.Cells {
			text[filepath.Base(name)[:2]] += strings.ToLower(strings.Join(c.Source, "") + "\n")
		}
	}
	for _, s := range all(t) {
		for _, p := range s.Packages {
			if info, err := os.Stat(filepath.Join("..", filepath.FromSlash(p))); err != nil || !info.IsDir() {
				t.Errorf("%s: no package pkg/%s", s.Short, p)
			}
		}
		for _, n := range s.Notebooks {
			if text[n] == "" {
				t.Errorf("%s: no notebook %s", s.Short, n)
			} else if !strings.Contains(text[n], strings.ToLower(s.Short)) {
				t.Errorf("%s: notebook %s does not speak of it", s.Short, n)
			}
		}
	}
}

func TestBothLanguagesSayIt(t *testing.T) {
	for _, s := range all(t) {
		for _, text := range []Text{s.Gave, s.Read, s.Look} {
			if text.EN != "" && (strings.ContainsFunc(text.EN, han) || !strings.ContainsFunc(text.ZH, han)) {
				t.Errorf("%s: %q / %q", s.Short, text.EN, text.ZH)
			}
		}
	}
}

func han(r rune) bool { return unicode.Is(unicode.Han, r) }

func TestDatesComeFromTheNumber(t *testing.T) {
	s, err := Find("MemGPT") // 2310: October 2023
	if err != nil || s.Date() < 2023+9./12 || s.Date() > 2023+10./12 {
		t.Errorf("%g, %v", s.Date(), err)
	}
	for _, number := range []string{"2", "abcd.1", "2313.00001"} {
		if by := (Source{ArXiv: number, Year: 2023}).Date(); by != 2023.5 {
			t.Errorf("%s: %g, want the middle of the year", number, by)
		}
	}
	if s, err = Find("Roofline"); err != nil || s.Date() != 2009.5 || s.Address() != "https://doi.org/10.1145/1498765.1498785" {
		t.Errorf("%g, %s, %v", s.Date(), s.Address(), err)
	}
}

func TestBadSourcesAreNamedWithTheirLines(t *testing.T) {
	const good = `a,b,c,2024,,2310.08560,,,write,hour,1,,,e,z,e,z,,`
	read := func(lines ...string) error {
		_, err := ReadSources("x.csv", strings.NewReader(strings.Join(columns, ",")+"\n"+strings.Join(lines, "\n")+"\n"))
		return err
	}
	if err := read(good); err != nil {
		t.Fatal(err)
	}
	for want, line := range map[string]string{
		`x.csv:3: year "24"`:            `b,b,c,24,,2310.08560,,,write,hour,1,,,e,z,e,z,,`,
		`x.csv:3: arxiv and doi`:        `b,b,c,2024,,,,,write,hour,1,,,e,z,e,z,,`,
		`x.csv:3: arxiv "2313.08560"`:   `b,b,c,2024,,2313.08560,,,write,hour,1,,,e,z,e,z,,`,
		`x.csv:3: doi "abc"`:            `b,b,c,2024,,,abc,,write,hour,1,,,e,z,e,z,,`,
		`x.csv:3: code "javascript:x"`:  `b,b,c,2024,,2310.08560,,javascript:x,write,hour,1,,,e,z,e,z,e,z`,
		`x.csv:3: look_en and look_zh`:  `b,b,c,2024,,2310.08560,,https://a.b/c,write,hour,1,,,e,z,e,z,e,`,
		`x.csv:3: work "sleep"`:         `b,b,c,2024,,2310.08560,,,sleep,hour,1,,,e,z,e,z,,`,
		`x.csv:3: time "year"`:          `b,b,c,2024,,2310.08560,,,write,year,1,,,e,z,e,z,,`,
		`x.csv:3: notebook "3"`:         `b,b,c,2024,,2310.08560,,,write,hour,1,,3,e,z,e,z,,`,
		`x.csv:3: gave_zh is empty`:     `b,b,c,2024,,2310.08560,,,write,hour,1,,,e,,e,z,,`,
		`x.csv:3: short "a" is taken`:   good,
		`x.csv: record on line 3: wron`: `b,b`,
	} {
		if err := read(good, line); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
	if _, err := ReadSources("x.csv", strings.NewReader("a,b\n")); err == nil || !strings.Contains(err.Error(), "x.csv:1: columns a,b") {
		t.Error(err)
	}
	if _, err := ReadSources("x.csv", strings.NewReader("")); err == nil {
		t.Error("an empty file is accepted")
	}
	if _, err := Find("nothing"); err == nil || !strings.Contains(err.Error(), "MemGPT") {
		t.Error(err)
	}
}

func TestTheQuizNamesNoPaperAndRepeatsNoNumber(t *testing.T) {
	for seed := range 20 {
		questions, err := Quiz(random.Seed(seed), 12)
		if err != nil {
			t.Fatal(err)
		}
		seen, from := map[string]bool{}, map[string]bool{}
		for _, q := range questions {
			key := q.ID + q.Item
			if seen[key] || q.From != q.Paper || strings.Contains(q.Task+q.Item, q.From+" ") {
				t.Errorf("seed %d: %+v", seed, q)
			}
			seen[key], from[q.From] = true, true
		}
		if len(from) != 4 {
			t.Errorf("seed %d asks for %d of four sources", seed, len(from))
		}
	}
	a, _ := Quiz(1, 6)
	b, _ := Quiz(1, 6)
	c, _ := Quiz(2, 6)
	if !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Error("the quiz does not follow its seed")
	}
	for _, n := range []int{0, 1000} {
		if _, err := Quiz(1, n); err == nil {
			t.Errorf("%d questions are drawn", n)
		}
	}
}
