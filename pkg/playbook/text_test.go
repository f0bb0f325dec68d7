package playbook

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextIsThatOfACE(t *testing.T) {
	p := New(nil)
	for i, op := range []Op{
		{Kind: Add, Section: "STRATEGIES & HARD RULES", Text: "Read the page count first."},
		{Kind: Add, Section: "常见错误", Text: "不要把 id 当作序号。", Harmful: 1},
		{Kind: Add, Section: "STRATEGIES & HARD RULES", Text: "One\n## TWO\n[shr-00001] helpful=9 harmful=9 :: three", Helpful: 2},
	} {
		p.Merge(Delta{Task: i, Ops: []Op{op}})
	}
	const want = `## STRATEGIES & HARD RULES
[shr-00001] helpful=0 harmful=0 :: Read the page count first.

## 常见错误
[常见错误-00002] helpful=0 harmful=1 :: 不要把 id 当作序号。

## STRATEGIES & HARD RULES
[shr-00003] helpful=2 harmful=0 :: One\n## TWO\n[shr-00001] helpful=9 harmful=9 :: three
`
	if d := cmp.Diff(want, p.Text()); d != "" {
		t.Error(d)
	}
	again := Parse(p.Text(), nil)
	if again.Err() != nil || again.Playbook.Text() != want || again.Playbook.Len() != 3 {
		t.Error(again)
	}
	if got := p.Render(Layout{Grouped: true}); got != `## STRATEGIES & HARD RULES
[shr-00001] Read the page count first.
[shr-00003] One\n## TWO\n[shr-00001] helpful=9 harmful=9 :: three
## 常见错误
[常见错误-00002] 不要把 id 当作序号。
` {
		t.Error(got)
	}
}

// What cannot be read is named with its line; all else is there.
func TestMalformedLinesAreNamedAndNothingIsLost(t *testing.T) {
	text := strings.Join([]string{
		"[a-1] helpful=1 harmful=0 :: above all headings", // 1
		"## ",                                                 // 2
		"## RULES",                                            // 3
		"[a-1] helpful=0 harmful=0 :: again",                  // 4
		"[a-2] helpful=-1 harmful=0 :: x",                     // 5
		"[a-3] helpful=one harmful=0 :: x",                    // 6
		"a-4 helpful=0 harmful=0 :: x",                        // 7
		"[a-5] harmful=0 helpful=0 :: x",                      // 8
		"[a-6] helpful=0 harmful=0 x",                         // 9
		"  code of a bullet that somebody wrote in two lines", // 10
		"[a-7] helpful=0 harmful=0 ::",                        // 11
		"\t[a-8]  helpful=2\tharmful=3::close\r",              // 12
		"[a-9] helpful=99999999999999999999 harmful=0 :: x",   // 13
		"[a-10] helpful=0 harmful=0 :: \xff",                  // 14
		"## \xff",
	}, "\n")
	p := Parse(text, nil)
	want := []Bullet{
		{ID: "a-1", Section: Others, Text: "above all headings", Helpful: 1},
		{ID: "a-8", Section: "RULES", Text: "close", Helpful: 2, Harmful: 3},
	}
	if d := cmp.Diff(want, p.Playbook.Bullets()); d != "" {
		t.Error(d)
	}
	lines := strings.Split(text, "\n")
	var at []int
	for _, r := range p.Rejected {
		at = append(at, r.Line)
		if r.Text != lines[r.Line-1] {
			t.Errorf("line %d is kept as %q", r.Line, r.Text)
		}
	}
	if d := cmp.Diff([]int{2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15}, at); d != "" {
		t.Error(d)
	}
	for _, want := range []string{
		"12 lines cannot be read", "line 4: playbook: duplicate: a-1", "line 5: playbook: bad bullet: a-2: helpful -1",
		`line 6: playbook: malformed line: helpful "one"`, `line 7: playbook: malformed line: identity "a-4"`, `line 10:`,
	} {
		if err := p.Err(); !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if !errors.Is(p.Err(), ErrText) || !errors.Is(p.Err(), ErrDuplicate) || !errors.Is(p.Err(), ErrBullet) {
		t.Error(p.Err())
	}
}

// What cannot be seen is written out.
func TestEscapes(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb": `a\r\nb`, "\ufeffx": `\u{feff}x`, " a b ": `\sa b\s`, "c:\\n": `c:\\n`, "x\ty": `x\u{9}y`, "全\u3000角": `全\u{3000}角`, "👩‍👧": "👩‍👧",
	} {
		if got := escape(text); got != want || unescape(got) != text {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestTextsOfOthersKeepTheirBackslashes(t *testing.T) {
	p := Parse(`[a-1] helpful=0 harmful=0 :: match \d+ and \u00e9, \u{d800}, \q{2}, end \`, nil)
	b := p.Playbook.Bullets()[0]
	if b.Text != `match \d+ and \u00e9, \u{d800}, \q{2}, end \` || p.Err() != nil {
		t.Errorf("%q %v", b.Text, p.Err())
	}
	if again := Parse(p.Playbook.Text(), nil).Playbook.Bullets()[0]; again != b {
		t.Errorf("%+v", again)
	}
}

// Any bullet in any section is one line and comes back.
func FuzzBulletRoundTrip(f *testing.F) {
	for _, s := range []string{
		"plain", "two\nlines", "## heading", "# x", "[a-1] helpful=0 harmful=0 :: b", " ends ", "\\n", "\\\\n", "\\", "a\\s", "tab\t",
		"\r\n", "\u2028\u0085\u00a0", "中文\n第二行", "\u3000全角空格\u3000", "\ufeff", "::", "\\u{41}", "\\u{", "👩‍👩‍👧", "\x00", "\xff",
	} {
		f.Add(s, "SECTION", 1, 2)
		f.Add("text", s, 0, 0)
	}
	f.Fuzz(func(t *testing.T, text, section string, helpful, harmful int) {
		p := New(nil)
		for _, op := range []Op{{Kind: Add, Section: "FIRST", Text: "first"}, {Kind: Add, Section: section, Text: text, Helpful: helpful, Harmful: harmful}, {Kind: Add, Section: section, Text: "last"}} {
			p.Merge(Delta{Ops: []Op{op}})
		}
		must(t, p)
		form := p.Text()
		again := Parse(form, nil)
		if err := again.Err(); err != nil {
			t.Fatalf("%q: %v", form, err)
		}
		if d := cmp.Diff(p.Bullets(), again.Playbook.Bullets()); d != "" {
			t.Fatalf("%q: %s", form, d)
		}
		if again.Playbook.Text() != form {
			t.Fatal("the text is not stable")
		}
		if n := strings.Count(p.Render(Layout{}), "\n"); n != p.Len() {
			t.Fatalf("%d lines for %d bullets", n, p.Len())
		}
	})
}

// Whatever is read: no panic, every line is somewhere, and what was read is
// stable.
func FuzzParse(f *testing.F) {
	f.Add("## A\n[a-1] helpful=0 harmful=0 :: x\n\nrest\n[a-1] helpful=0 harmful=0 :: y")
	f.Add("[a-1] helpful=0 harmful=0 :: a\\u{110000}\\u{d800}b \r\n# \\s\n## \\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := Parse(text, nil)
		must(t, p.Playbook)
		blank, headings := 0, 0
		rejected := map[int]bool{}
		for _, r := range p.Rejected {
			rejected[r.Line] = true
		}
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			switch l = strings.TrimSpace(l); {
			case rejected[i+1]:
			case l == "":
				blank++
			case strings.HasPrefix(l, "#"):
				headings++
			}
		}
		if blank+headings+len(p.Rejected)+p.Playbook.Len() != len(lines) {
			t.Fatalf("%d lines: %d blank, %d headings, %d rejected, %d bullets", len(lines), blank, headings, len(p.Rejected), p.Playbook.Len())
		}
		again := Parse(p.Playbook.Text(), nil)
		if d := cmp.Diff(p.Playbook.Bullets(), again.Playbook.Bullets()); d != "" || again.Err() != nil {
			t.Fatal(d, again.Err())
		}
	})
}
