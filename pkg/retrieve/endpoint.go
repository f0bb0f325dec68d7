package retrieve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// EndpointConfig says where a model computes embeddings, and which.
type EndpointConfig struct {
	URL     string        // http(s)://host/v1, with or without /embeddings at its end
	Model   string        // as the server names it
	Key     string        // sent as bearer token unless empty
	Dim     int           // numbers of each vector; any other answer is an error
	Batch   int           // passages of one request; 0: 64
	Timeout time.Duration // of one request; 0: 30 seconds
	Client  *http.Client  // nil: a plain one
}

// Endpoint is an [Embedder] that asks a server with the embeddings API of
// OpenAI (llama.cpp, Ollama, vLLM and others offer it). It connects to the URL
// that the user gave and nowhere else (a redirection is an error), and does not try again after an error.
// Answers are scaled to length 1.
type Endpoint struct {
	c EndpointConfig
}

// NewEndpoint checks the configuration; it does not call the server: see [Probe].
func NewEndpoint(c EndpointConfig) (*Endpoint, error) {
	if err := checkDim(c.Dim); err != nil {
		return nil, err
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fail(ErrOption, "URL %q: want one like http://127.0.0.1:8080/v1", c.URL)
	}
	if c.Model == "" {
		return nil, fail(ErrOption, "no model for %s: want its name as the server knows it", u.Redacted())
	}
	if c.Batch < 0 || c.Timeout < 0 {
		return nil, fail(ErrOption, "batch %d, timeout %s: want neither negative (0: the default)", c.Batch, c.Timeout)
	}
	if c.Batch == 0 {
		c.Batch = 64
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	client := http.Client{}
	if c.Client != nil {
		client = *c.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.Client = &client
	if u.Path = strings.TrimRight(u.Path, "/"); !strings.HasSuffix(u.Path, "/embeddings") {
		u.Path += "/embeddings"
	}
	c.URL = u.String()
	return &Endpoint{c}, nil
}

// Dim is how many numbers a vector has.
func (e *Endpoint) Dim() int { return e.c.Dim }

// Embed sends the texts in batches, one after the other. All of them are checked
// before the first request; an error of any batch is the error of the call.
func (e *Endpoint) Embed(ctx context.Context, passages ...Passage) ([][]float32, error) {
	for i, p := range passages {
		if strings.TrimSpace(p.Text) == "" {
			return nil, fail(ErrEmpty, "passage %d, id %q, role %q: text %q", i, p.ID, p.Role, p.Text)
		}
	}
	var out [][]float32
	for len(passages) > 0 {
		n := min(e.c.Batch, len(passages))
		vectors, err := e.batch(ctx, passages[:n])
		if err != nil {
			return nil, fmt.Errorf("retrieve: %w: passages %d to %d: %w", ErrEndpoint, len(out), len(out)+n-1, err)
		}
		out = append(out, vectors...)
		passages = passages[n:]
	}
	return out, nil
}

type embeddingRequest struct {
	Model    string   `json:"model"`
	Input    []string `json:"input"`
	Encoding string   `json:"encoding_format"`
}

type embeddingResponse struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

func (e *Endpoint) batch(ctx context.Context, passages []Passage) ([][]float32, error) {
	ask := embeddingRequest{Model: e.c.Model, Encoding: "float"}
	for _, p := range passages {
		ask.Input = append(ask.Input, p.Text)
	}
	var answer embeddingResponse
	if err := e.post(ctx, ask, &answer); err != nil {
		return nil, err
	}
	if len(answer.Data) != len(passages) {
		return nil, fmt.Errorf("%w: %d vectors for %d passages", ErrCount, len(answer.Data), len(passages))
	}
	out := make([][]float32, len(passages))
	for i, d := range answer.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= len(out) || out[at] != nil {
			return nil, fmt.Errorf("%w: index %d twice or outside 0 to %d", ErrCount, at, len(out)-1)
		}
		if len(d.Embedding) != e.c.Dim {
			return nil, fmt.Errorf("%w: passage %q got %d numbers: want %d from model %q", ErrDim, passages[at].ID, len(d.Embedding), e.c.Dim, e.c.Model)
		}
		if err := unit(d.Embedding); err != nil {
			return nil, fmt.Errorf("passage %q: %w", passages[at].ID, err)
		}
		out[at] = d.Embedding
	}
	return out, nil
}

// maxAnswer is room for 2,048 vectors of 3,072 numbers in decimal.
const maxAnswer = 128 << 20

func (e *Endpoint) post(ctx context.Context, ask embeddingRequest, answer *embeddingResponse) error {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(ask); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, e.c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.c.URL, &body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.c.Key)
	}
	resp, err := e.c.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s from %s: %s", resp.Status, req.URL.Redacted(), serverMessage(data))
	}
	if len(data) > maxAnswer {
		return fmt.Errorf("an answer of more than %d bytes: use a smaller batch", maxAnswer)
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("the answer of %s is not the JSON of embeddings (%w): %s", req.URL.Redacted(), err, excerpt(data))
	}
	return nil
}

// serverMessage is what the body of an error says: {"error": {"message": ...}},
// {"error": ...}, {"message": ...}, or the beginning of whatever it is.
func serverMessage(body []byte) string {
	var m struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &m) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var text string
		if json.Unmarshal(m.Error, &inner) == nil && inner.Message != "" {
			return inner.Message
		}
		if json.Unmarshal(m.Error, &text) == nil && text != "" {
			return text
		}
		if m.Message != "" {
			return m.Message
		}
	}
	return excerpt(body)
}

func excerpt(body []byte) string {
	const most = 300
	text := strings.ToValidUTF8(strings.TrimSpace(string(body[:min(most, len(body))])), "")
	if text == "" {
		return "(empty body)"
	}
	return text
}
