package retrieve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// server answers like an embeddings server: the vector of a text is its number
// of bytes and of runes. It records the bodies of the requests.
func server(t *testing.T) (*httptest.Server, *[]string) {
	t.Helper()
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies = append(bodies, string(body))
		var ask embeddingRequest
		if err := json.Unmarshal(body, &ask); err != nil {
			t.Error(err)
		}
		if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Authorization") != "Bearer sesame" {
			t.Errorf("%s %s, %v", r.Method, r.URL, r.Header)
		}
		var data []string
		for i, text := range ask.Input {
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,%d]}`, i, len(text), len([]rune(text))))
		}
		slices.Reverse(data) // the order is that of index, not of the list
		fmt.Fprintf(w, `{"object":"list","data":[%s],"model":"m","usage":{}}`, strings.Join(data, ","))
	}))
	t.Cleanup(s.Close)
	return s, &bodies
}

func endpoint(t *testing.T, c EndpointConfig) *Endpoint {
	t.Helper()
	c.Model = "m"
	if c.Dim == 0 {
		c.Dim = 2
	}
	e, err := NewEndpoint(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEndpointInBatches(t *testing.T) {
	s, bodies := server(t)
	for _, url := range []string{s.URL + "/v1", s.URL + "/v1/", s.URL + "/v1/embeddings"} {
		*bodies = nil
		e := endpoint(t, EndpointConfig{URL: url, Key: "sesame", Batch: 2})
		texts := []string{"a", "bb", "绿茶", "<b>&", "é"}
		for i, v := range embed(t, e, texts...) {
			want := []float32{float32(len(texts[i])), float32(len([]rune(texts[i])))}
			if c := cosine(v, want); c < 0.999999 {
				t.Errorf("%q: %v, want the direction of %v", texts[i], v, want)
			}
		}
		if len(*bodies) != 3 {
			t.Errorf("%d requests for 5 passages in batches of 2", len(*bodies))
		}
		if err := Probe(t.Context(), e); err != nil {
			t.Error(err)
		}
	}
}

// letta#799: \uXXXX costs three times the tokens, and & is no \u0026.
func TestEndpointSendsTextAsItIs(t *testing.T) {
	s, bodies := server(t)
	embed(t, endpoint(t, EndpointConfig{URL: s.URL + "/v1", Key: "sesame"}), "喝绿茶 🍵 <a> & 'b'")
	want := `{"model":"m","input":["喝绿茶 🍵 <a> & 'b'"],"encoding_format":"float"}` + "\n"
	if len(*bodies) != 1 || (*bodies)[0] != want {
		t.Errorf("sent %q, want %q", *bodies, want)
	}
}

func TestEndpointNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		want   error
		says   string
	}{
		{"an error of OpenAI", 401, `{"error":{"message":"bad key","type":"x"}}`, ErrEndpoint, "401 Unauthorized from http://127.0.0.1"},
		{"its message", 401, `{"error":{"message":"bad key","type":"x"}}`, ErrEndpoint, ": bad key"},
		{"an error of Ollama", 404, `{"error":"no such model"}`, ErrEndpoint, ": no such model"},
		{"an error of vLLM", 400, `{"object":"error","message":"too long"}`, ErrEndpoint, ": too long"},
		{"an error that is no JSON", 502, "<h1>gateway</h1>", ErrEndpoint, "<h1>gateway</h1>"},
		{"an error without a body", 500, "", ErrEndpoint, "500 Internal Server Error"},
		{"a long error is cut", 500, strings.Repeat("长", 1000), ErrEndpoint, strings.Repeat("长", 100)},
		{"no JSON", 200, "hello", ErrEndpoint, "not the JSON of embeddings"},
		{"half an answer", 200, `{"data":[{"index":0,`, ErrEndpoint, "not the JSON of embeddings"},
		{"text for numbers", 200, `{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]}`, ErrEndpoint, "not the JSON of embeddings"},
		{"too few vectors", 200, `{"data":[{"index":0,"embedding":[1,0]}]}`, ErrCount, "1 vectors for 2 passages"},
		{"none", 200, `{}`, ErrCount, "0 vectors for 2 passages"},
		{"an index twice", 200, `{"data":[{"index":0,"embedding":[1,0]},{"index":0,"embedding":[1,0]}]}`, ErrCount, "index 0 twice"},
		{"an index outside", 200, `{"data":[{"index":0,"embedding":[1,0]},{"index":2,"embedding":[1,0]}]}`, ErrCount, "index 2"},
		{"an index below", 200, `{"data":[{"index":-1,"embedding":[1,0]},{"index":0,"embedding":[1,0]}]}`, ErrCount, "index -1"},
		{"another dimension", 200, `{"data":[{"index":1,"embedding":[1,0,0]},{"index":0,"embedding":[1,0]}]}`, ErrDim, `passage "1" got 3 numbers: want 2 from model "m"`},
		{"a null vector", 200, `{"data":[{"index":0,"embedding":null},{"index":1,"embedding":[1,0]}]}`, ErrDim, `passage "0" got 0 numbers`},
		{"a zero vector", 200, `{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,0]}]}`, ErrZero, `passage "0"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer s.Close()
			out, err := endpoint(t, EndpointConfig{URL: s.URL + "/v1", Key: "sesame"}).Embed(t.Context(), Passage{ID: "0", Text: "a"}, Passage{ID: "1", Text: "b"})
			if out != nil || !errors.Is(err, c.want) || !errors.Is(err, ErrEndpoint) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, error %v: want %q", out, err, c.says)
			}
			if err != nil && (strings.Contains(err.Error(), "sesame") || len(err.Error()) > 600) {
				t.Errorf("the error holds the key or is too long: %v", err)
			}
		})
	}
}

func TestEndpointWithoutIndexKeepsTheOrder(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":[{"embedding":[1,0]},{"embedding":[0,1]}]}`)
	}))
	defer s.Close()
	v := embed(t, endpoint(t, EndpointConfig{URL: s.URL}), "a", "b")
	if v[0][0] != 1 || v[1][1] != 1 {
		t.Errorf("%v", v)
	}
}

// The texts go where the user sent them and nowhere else.
func TestEndpointDoesNotFollowARedirection(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the texts went elsewhere")
	}))
	defer elsewhere.Close()
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	_, err := endpoint(t, EndpointConfig{URL: s.URL}).Embed(t.Context(), Passage{Text: "a"})
	if !errors.Is(err, ErrEndpoint) || !strings.Contains(err.Error(), "307") {
		t.Errorf("error %v", err)
	}
}

func TestEndpointGivesUpInTime(t *testing.T) {
	release := make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer s.Close()
	defer close(release)
	_, err := endpoint(t, EndpointConfig{URL: s.URL, Timeout: 20 * time.Millisecond}).Embed(t.Context(), Passage{Text: "a"})
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrEndpoint) {
		t.Errorf("timeout: error %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, stop)
	_, err = endpoint(t, EndpointConfig{URL: s.URL}).Embed(ctx, Passage{Text: "a"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestEndpointChecksAllTextsBeforeItSendsAny(t *testing.T) {
	s, bodies := server(t)
	e := endpoint(t, EndpointConfig{URL: s.URL + "/v1", Key: "sesame", Batch: 1})
	_, err := e.Embed(t.Context(), Passage{ID: "a", Text: "tea"}, Passage{ID: "b", Role: Query, Text: " \n"})
	if !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), `passage 1, id "b", role "query"`) || len(*bodies) != 0 {
		t.Errorf("%d requests, error %v", len(*bodies), err)
	}
	if out, err := e.Embed(t.Context()); err != nil || len(out) != 0 || len(*bodies) != 0 {
		t.Errorf("nothing to embed: %v, %v", out, err)
	}
}

func TestEndpointRefusesNonsense(t *testing.T) {
	good := EndpointConfig{URL: "http://127.0.0.1:1/v1", Model: "m", Dim: 2}
	for name, c := range map[string]struct {
		change func(*EndpointConfig)
		want   error
	}{
		"no URL":             {func(c *EndpointConfig) { c.URL = "" }, ErrOption},
		"no scheme":          {func(c *EndpointConfig) { c.URL = "localhost:8080/v1" }, ErrOption},
		"a file":             {func(c *EndpointConfig) { c.URL = "file:///etc/hosts" }, ErrOption},
		"a broken URL":       {func(c *EndpointConfig) { c.URL = "http://a b/%zz" }, ErrOption},
		"no model":           {func(c *EndpointConfig) { c.Model = "" }, ErrOption},
		"no dimension":       {func(c *EndpointConfig) { c.Dim = 0 }, ErrDim},
		"a negative batch":   {func(c *EndpointConfig) { c.Batch = -1 }, ErrOption},
		"a negative timeout": {func(c *EndpointConfig) { c.Timeout = -1 }, ErrOption},
	} {
		config := good
		c.change(&config)
		if _, err := NewEndpoint(config); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	if _, err := NewEndpoint(good); err != nil {
		t.Error(err)
	}
}
