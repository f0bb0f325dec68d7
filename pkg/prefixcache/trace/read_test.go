package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/prefixcache"
)

const good = `{"timestamp": 5, "input_length": 700, "output_length": 3, "hash_ids": [7, 8]}`

// Each bad line stands between two good ones, is named, and hurts neither.
func TestBadMooncakeLinesAreNamedAndCounted(t *testing.T) {
	for name, c := range map[string]struct{ line, says string }{
		"a negative length":          {`{"timestamp":1,"input_length":-3,"output_length":1,"hash_ids":[]}`, "input_length -3: want 1 or more"},
		"an empty prompt":            {`{"timestamp":1,"input_length":0,"output_length":1,"hash_ids":[]}`, "input_length 0: want 1 or more"},
		"no input length":            {`{"timestamp":1,"output_length":1,"hash_ids":[1]}`, "no input_length"},
		"no output length":           {`{"timestamp":1,"input_length":1,"hash_ids":[1]}`, "no output_length"},
		"a negative output length":   {`{"timestamp":1,"input_length":1,"output_length":-1,"hash_ids":[1]}`, "output_length -1"},
		"no hash ids":                {`{"timestamp":1,"input_length":1,"output_length":1}`, "no hash_ids"},
		"too few hash ids":           {`{"timestamp":1,"input_length":513,"output_length":1,"hash_ids":[1]}`, "1 hash_ids for input_length 513: want 2 of 512"},
		"too many hash ids":          {`{"timestamp":1,"input_length":512,"output_length":1,"hash_ids":[1,2]}`, "2 hash_ids for input_length 512: want 1 of 512"},
		"a negative hash id":         {`{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":[-1]}`, "hash id -1: want 0 or more"},
		"a length that is text":      {`{"timestamp":1,"input_length":"12","output_length":1,"hash_ids":[1]}`, "byte 31: want an integer"},
		"a length with a fraction":   {`{"timestamp":1,"input_length":1.5,"output_length":1,"hash_ids":[1]}`, "want an integer"},
		"a length beyond all bounds": {`{"timestamp":1,"input_length":99999999999999999999,"output_length":1,"hash_ids":[1]}`, "input_length, byte 49: a number too large: want one below 2^63"},
		"a length just beyond":       {`{"timestamp":1,"input_length":9223372036854775808,"output_length":1,"hash_ids":[1]}`, "a number too large"},
		"a length that wraps":        {`{"timestamp":1,"input_length":40000000000000000000,"output_length":1,"hash_ids":[1]}`, "a number too large"},
		"a length twice":             {`{"timestamp":1,"input_length":1,"input_length":2,"output_length":1,"hash_ids":[1]}`, "input_length comes twice: want it once"},
		"hash ids twice":             {`{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":[1],"hash_ids":[2]}`, "hash_ids comes twice"},
		"hash ids that are null":     {`{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":null}`, "hash_ids, byte 62: want a list of numbers"},
		"an unknown field in pieces": {`{"timestamp":1,"x":nope,"input_length":1,"output_length":1,"hash_ids":[1]}`, "x, byte 21: want a value of JSON"},
		"a prompt of a terabyte":     {`{"timestamp":1,"input_length":1000000000000,"output_length":1,"hash_ids":[1]}`, "input_length 1000000000000: want at most 67108864"},
		"the largest length":         {`{"timestamp":1,"input_length":9223372036854775799,"output_length":1,"hash_ids":[1]}`, "want"},
		"a leading zero":             {`{"timestamp":1,"input_length":01,"output_length":1,"hash_ids":[1]}`, "want an integer"},
		"a negative time":            {`{"timestamp":-1,"input_length":1,"output_length":1,"hash_ids":[1]}`, "timestamp -1"},
		"a cut in a list":            {`{"timestamp":1,"input_length":700,"output_length":3,"hash_ids":[7,`, "cut off in the middle"},
		"a cut in a name":            {`{"timestamp":1,"input_len`, "cut off in the middle"},
		"a cut after a value":        {`{"timestamp":1`, "cut off in the middle"},
		"a comma too many":           {`{"timestamp":1,}`, "want '\"'"},
		"two objects":                {good + good, "want the end of the line"},
		"null":                       {`null`, "want '{'"},
		"no JSON at all":             {`hello`, "want '{'"},
	} {
		tr := read(t, []byte(good+"\n\n"+c.line+"\n"+good), Options{})
		if len(tr.Requests) != 2 || tr.Lines != 3 || tr.BadLines != 1 || len(tr.Bad) != 1 || tr.Bad[0].Line != 3 || !strings.Contains(tr.Bad[0].Problem, c.says) {
			t.Errorf("%s: %d requests, bad %v: want two, and line 3 with %q", name, len(tr.Requests), tr.Bad, c.says)
		}
		if r := tr.Requests[len(tr.Requests)-1]; r.Line != 4 || !slices.Equal(r.Blocks, []uint64{7, 8}) {
			t.Errorf("%s: the line after it became %+v", name, r)
		}
	}
}

func TestACutLastLine(t *testing.T) {
	tr := read(t, []byte(good+"\n"+good[:40]), Options{})
	if len(tr.Requests) != 1 || tr.BadLines != 1 || tr.Bad[0].Error() != `line 2: cut off in the middle: a string without end` {
		t.Errorf("%d requests, bad %v", len(tr.Requests), tr.Bad)
	}
}

func TestOtherFieldsAndSpacesDoNotMatter(t *testing.T) {
	line := "\ufeff" + `  { "hash_ids" : [ 7 , 8 ] , "x\"y" : {"a": [1, "}"]}, "output_length": 3, "z": null, "input_length":700 ,"timestamp":1.5e3} ` + "\r\n"
	tr := read(t, []byte(line), Options{})
	r := tr.Requests[0]
	if tr.BadLines != 0 || r.Prompt != 700 || r.OutputTokens != 3 || r.Timestamp != 1500 || !slices.Equal(r.Blocks, []uint64{7, 8}) {
		t.Errorf("%+v, bad %v", r, tr.Bad)
	}
}

func TestOnlySomeBadLinesAreKept(t *testing.T) {
	tr := read(t, []byte(good+strings.Repeat("\n{}", 100)), Options{KeepBad: 7})
	if tr.BadLines != 100 || len(tr.Bad) != 7 {
		t.Errorf("%d bad lines, %d kept: want 100 and 7", tr.BadLines, len(tr.Bad))
	}
}

func TestFormatsAreToldByContent(t *testing.T) {
	for text, want := range map[string]Format{
		good: Mooncake,
		`{"input_length":1,"output_length":1,"hash_ids":[1]}`: Mooncake,
		`[1,2,3]`:                         Tokens,
		`{"tenant":"a","tokens":[1,2,3]}`: Tokens,
		`{"prompt_token_ids":[1]}`:        Tokens,
		`{"model":"m","messages":[{"role":"user","content":"hi"}]}`:                 OpenAI,
		`{"custom_id":"1","body":{"messages":[{"role":"user","content":"hi"}]}}`:    OpenAI,
		`{"request":{"messages":[{"role":"user","content":"hi"}]},"response":null}`: OpenAI,
		"# a comment\n" + good: Mooncake,
	} {
		tr := read(t, []byte(text), Options{})
		if tr.Format != want || len(tr.Requests) != 1 {
			t.Errorf("%s: format %q with %d requests, want %q", text, tr.Format, len(tr.Requests), want)
		}
	}
}

func TestNothingUsableIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		options Options
		want    error
		says    string
	}{
		"an empty file":         {"", Options{}, ErrEmpty, "no lines"},
		"a byte order mark":     {"\ufeff \n", Options{}, ErrEmpty, "no lines"},
		"blank lines":           {"\n \n", Options{}, ErrEmpty, "no lines"},
		"some other JSON":       {`{"a":1}`, Options{}, ErrFormat, "line 1: not a request of a known format"},
		"only bad lines":        {`{"hash_ids":[1]}`, Options{}, ErrEmpty, "line 1: no input_length"},
		"the wrong format":      {good, Options{Format: Tokens}, ErrEmpty, "line 1: no tokens"},
		"a format nobody knows": {good, Options{Format: "csv"}, ErrFormat, "csv"},
		"a block below zero":    {good, Options{Block: -1}, ErrOption, "block size -1"},
		"another block size":    {good, Options{Block: 16}, ErrEmpty, "want 44 of 16 tokens"},
	} {
		_, err := Read(strings.NewReader(c.text), c.options)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %v with %q", name, err, c.want, c.says)
		}
	}
	if _, err := Read(&broken{}, Options{}); !errors.Is(err, errBroken) {
		t.Errorf("a broken reader: error %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, errBroken }

func TestTokenLines(t *testing.T) {
	text := `[1,2,3]
{"tokens":[4,5],"output":[6],"tenant":"a","timestamp":2.5}
{"token_ids":[]}
{"tokens":[1,-2]}
[1,2
{"tokens":{"a":1}}
`
	tr := read(t, []byte(text), Options{})
	if len(tr.Requests) != 2 || tr.BadLines != 4 {
		t.Fatalf("%d requests, bad %v", len(tr.Requests), tr.Bad)
	}
	r := tr.Requests[1]
	if !slices.Equal(r.Tokens, []int{4, 5}) || !slices.Equal(r.Output, []int{6}) || r.Tenant != "a" || r.Timestamp != 2.5 || r.OutputTokens != 1 || r.Line != 2 {
		t.Errorf("%+v", r)
	}
	list, err := tr.Blocks(2)
	if err != nil {
		t.Fatal(err)
	}
	if len(list[0].Blocks) != 2 || len(list[1].Blocks) != 1 {
		t.Errorf("3 and 2 tokens make %d and %d blocks of 2", len(list[0].Blocks), len(list[1].Blocks))
	}
}

// The same requests as hash ids and as tokens hit the same in an LRU, and the
// engines take both.
func TestHashIDsBecomeTokens(t *testing.T) {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, `{"timestamp":%d,"input_length":%d,"output_length":9,"hash_ids":[0,%d,%d]}`+"\n", i, 25+i%2, 1+i%2, 3+i%4)
	}
	tr := read(t, []byte(b.String()), Options{Block: 10})
	ids, err := prefixcache.NewBlockIDs(10)
	if err != nil {
		t.Fatal(err)
	}
	var again []prefixcache.Request
	seen := map[int]bool{}
	for r := range tr.All() {
		for _, token := range r.Tokens {
			seen[token] = true
		}
		if len(r.Tokens) != r.Prompt {
			t.Errorf("%d tokens for a prompt of %d", len(r.Tokens), r.Prompt)
		}
		again = append(again, prefixcache.Request{Blocks: ids.Of("", r.Tokens), Prompt: len(r.Tokens)})
	}
	// Ids 0 to 2 are full blocks, 3 to 6 hold the last 5 or 6 tokens.
	if want := 3*10 + 2*5 + 2*6; len(seen) != want {
		t.Errorf("%d different tokens, want %d", len(seen), want)
	}
	for _, capacity := range []int{1, 2, 4, 8} {
		lru := func(list []prefixcache.Request) prefixcache.Stats {
			c, err := prefixcache.NewPrefixLRU(capacity, 10)
			if err != nil {
				t.Fatal(err)
			}
			s, err := prefixcache.Replay(c, slices.Values(list), 0)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		if a, b := lru(mooncakeBlocks(t, tr)), lru(again); a != b {
			t.Errorf("capacity %d: %+v by ids, %+v by tokens", capacity, a, b)
		}
	}
	c, err := prefixcache.NewBlockHash(prefixcache.Unlimited, 5)
	if err != nil {
		t.Fatal(err)
	}
	s, err := prefixcache.Replay(c, tr.All(), 0)
	// The second shares one hash id, the next two share two; the last two are
	// known whole, but for the last token.
	if err != nil || s.Requests != 6 || s.HitTokens != 10+20+20+20+25 {
		t.Errorf("%+v, error %v", s, err)
	}
	if _, err := tr.Blocks(16); !errors.Is(err, ErrOption) {
		t.Errorf("hash ids at another block size: error %v, want ErrOption", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(good)
	f.Add(`[1,2]`)
	f.Add(`{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range append(Formats(), "") {
			tr, err := Read(strings.NewReader(text), Options{Format: format, Block: 3})
			if err != nil {
				continue
			}
			if len(tr.Requests)+tr.BadLines != tr.Lines {
				t.Errorf("%d requests and %d bad of %d lines", len(tr.Requests), tr.BadLines, tr.Lines)
			}
			for i, r := range tr.Requests {
				if r.PromptTokens() < 1 || tr.Format == Mooncake && (r.PromptTokens()+2)/3 != len(r.Blocks) {
					t.Errorf("request %d: %+v", i, r)
				}
			}
		}
	})
}

// One hash id for a prompt of 10^12 tokens would fill the memory with tokens.
func TestALargeBlockDoesNotMakeALargePrompt(t *testing.T) {
	text := `{"timestamp":1,"input_length":1000000000000,"output_length":1,"hash_ids":[1]}`
	if _, err := Read(strings.NewReader(text), Options{Block: 1e12}); !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), "want at most") {
		t.Errorf("error %v, want ErrEmpty", err)
	}
}

// Ids of 64 random bits are the rule in logs of a server: 2^55 + 1 times 512 is
// 512 again in 64 bits.
func TestLargeHashIDsStayDifferent(t *testing.T) {
	line := func(id uint64) string {
		return fmt.Sprintf(`{"timestamp":1,"input_length":600,"output_length":1,"hash_ids":[%d,%d]}`+"\n", id, id+1)
	}
	tr := read(t, []byte(line(1)+line(1<<55+1)+line(1<<63-2)+line(1)), Options{})
	if len(tr.Requests) != 4 {
		t.Fatalf("bad %v", tr.Bad)
	}
	ids, err := prefixcache.NewBlockIDs(512)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for r := range tr.All() {
		if slices.Min(r.Tokens) < 0 {
			t.Errorf("a token below 0 in %v...", r.Tokens[:2])
		}
		got = append(got, ids.Of("", r.Tokens)...)
	}
	if want := []uint64{0, 1, 2, 3, 4, 5, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("blocks %v, want %v", got, want)
	}
}

func TestErrorsNameThePackageOnce(t *testing.T) {
	_, err := Read(strings.NewReader("{}\n{}\n"), Options{})
	want := "trace: unknown trace format, lines skipped: 2; line 1: not a request of a known format: want one JSON value per line with hash_ids, tokens or messages"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestBadTokenLinesAreNamed(t *testing.T) {
	for line, says := range map[string]string{
		`{"tokens":[1,2],"tokens":[3]}`:     "tokens comes twice",
		`{"tokens":[1,2],"token_ids":[3]}`:  "tokens comes twice",
		`{"tokens":[1.5]}`:                  "tokens, byte 13: want an integer",
		`{"tokens":null}`:                   "tokens, byte 11: want a list of numbers",
		`{"tokens":[1],"tenant":5}`:         "tenant, byte 24: want text in quotes",
		`{"tokens":[1],"tenant":"\q"}`:      "tenant, byte 24: want text in quotes",
		`{"tokens":[1],"timestamp":"noon"}`: "timestamp, byte 27: want a number",
		`{"tokens":[1],"timestamp":-5}`:     "timestamp -5: want 0 or more",
		`[{"tokens":[1]}]`:                  "a list of requests: want one request per line",
		`[[1,2],[3]]`:                       "a list of requests: want one request per line",
		`[1,2`:                              "cut off in the middle",
	} {
		tr := read(t, []byte("[1]\n"+line), Options{})
		if len(tr.Requests) != 1 || len(tr.Bad) != 1 || !strings.Contains(tr.Bad[0].Problem, says) {
			t.Errorf("%s: %d requests, bad %v: want %q", line, len(tr.Requests), tr.Bad, says)
		}
	}
	tr := read(t, []byte(`{"tokens":[1],"output":null,"tenant":null,"timestamp":null}`), Options{})
	if r := tr.Requests[0]; len(r.Tokens) != 1 || r.Output != nil || r.Tenant != "" || r.Timestamp != 0 {
		t.Errorf("null is not as if the field were not there: %+v", r)
	}
}

func TestFilesThatAreNoTextAreToldSo(t *testing.T) {
	for text, says := range map[string]string{
		"\x1f\x8b\x08\x00":        "line 1: compressed by gzip: want the file unpacked",
		"\xff\xfe[\x001\x00]\x00": "line 1: not text, or text in UTF-16: want lines of JSON in UTF-8",
		"\x7fELF\x02\x01\x00\n\n": "line 1: not text",
		"\x00":                    "line 1: not text",
	} {
		if _, err := Read(strings.NewReader(text), Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

func TestTimesThatGoBackAreNoted(t *testing.T) {
	lines := func(times ...string) string {
		var b strings.Builder
		for _, at := range times {
			fmt.Fprintf(&b, `{"tokens":[1],"timestamp":%s}`+"\n", at)
		}
		return b.String()
	}
	tr := read(t, []byte(lines("1", "5", "3", "2")), Options{})
	if len(tr.Notes) != 1 || !strings.Contains(tr.Notes[0], "line 3: timestamp 3 comes after 5") {
		t.Errorf("notes %q", tr.Notes)
	}
	if tr := read(t, []byte(lines("1", "5", "null", "5", "7.5")), Options{}); len(tr.Notes) != 0 {
		t.Errorf("a time that is not given is noted: %q", tr.Notes)
	}
}

func TestReadRefusesToKeepLessThanNothing(t *testing.T) {
	if _, err := Read(strings.NewReader("{}"), Options{KeepBad: -1}); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), "-1 bad lines") {
		t.Error(err)
	}
}
