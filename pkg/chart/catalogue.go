package chart

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// ErrNoTranslation is returned for a text that zh.json does not hold.
var ErrNoTranslation = errors.New("no Chinese text")

// zhJSON maps each English text of the lab to its Chinese. A key may hold
// placeholders ("Prefill of {n} tokens") that its Chinese repeats, in any
// order. {n} stands for a text with a number in it, any other placeholder for
// whatever can itself be translated.
//
//go:embed zh.json
var zhJSON []byte

type pattern struct {
	key   string
	match *regexp.Regexp
	names []string
	text  string
}

type catalogue struct {
	exact    map[string]string
	patterns []pattern // the most literal first, so that the closest key wins
}

var (
	placeholder       = regexp.MustCompile(`\{[a-z]+\}`)
	quotedPlaceholder = regexp.MustCompile(`\\\{[a-z]+\\\}`)
)

var loadCatalogue = sync.OnceValues(func() (*catalogue, error) { return parseCatalogue(zhJSON) })

func parseCatalogue(data []byte) (*catalogue, error) {
	c := &catalogue{}
	if err := json.Unmarshal(data, &c.exact); err != nil {
		return nil, fmt.Errorf("chart: zh.json: %w", err)
	}
	for key, text := range c.exact {
		names := placeholder.FindAllString(key, -1)
		if len(names) == 0 {
			continue
		}
		match := "^" + quotedPlaceholder.ReplaceAllLiteralString(regexp.QuoteMeta(key), "(.+?)") + "$"
		c.patterns = append(c.patterns, pattern{key, regexp.MustCompile(match), names, text})
	}
	slices.SortFunc(c.patterns, func(a, b pattern) int {
		if n := literal(b.key) - literal(a.key); n != 0 {
			return n
		}
		return strings.Compare(a.key, b.key)
	})
	return c, nil
}

func literal(key string) int { return len(placeholder.ReplaceAllLiteralString(key, "")) }

// Translate returns an English text of the lab in lang, for figures, tables
// and hints alike. English comes back as it is. In Chinese, numbers, units and
// proper names stay as they are (see [Neutral]); any other text that zh.json
// lacks is an error that wraps [ErrNoTranslation] and names it.
func Translate(lang Lang, text string) (string, error) {
	if err := lang.check(); err != nil {
		return "", err
	}
	if lang == English {
		return text, nil
	}
	c, err := loadCatalogue()
	if err != nil {
		return "", err
	}
	if zh, ok := c.lookup(text); ok {
		return zh, nil
	}
	return "", fmt.Errorf("chart: %w for %q: add it to pkg/chart/zh.json and run pkg/chart/font/subset", ErrNoTranslation, text)
}

func (c *catalogue) lookup(text string) (string, bool) {
	if zh, ok := c.exact[text]; ok {
		return zh, true
	}
	if Neutral(text) {
		return text, true
	}
	for _, p := range c.patterns {
		if zh, ok := c.fill(p, text); ok {
			return zh, true
		}
	}
	return "", false
}

func (c *catalogue) fill(p pattern, text string) (string, bool) {
	got := p.match.FindStringSubmatch(text)
	if got == nil {
		return "", false
	}
	var pairs []string
	for i, name := range p.names {
		if got[i+1] == text || name == "{n}" && !strings.ContainsAny(got[i+1], "0123456789") {
			return "", false // the whole text again would never end
		}
		zh, ok := c.lookup(got[i+1])
		if !ok {
			return "", false
		}
		pairs = append(pairs, name, zh)
	}
	return strings.NewReplacer(pairs...).Replace(p.text), true
}
