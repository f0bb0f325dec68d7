package browser

import (
	"fmt"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// What a notebook's outputs are called in JupyterLab's page. GoNB reports what
// went wrong in a cell on stderr, where a lesson writes nothing.
const (
	ErrorOutput = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error'], " +
		".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
	StdoutText = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stdout']"
	Picture    = ".jp-OutputArea-output svg, .jp-OutputArea-output img"
)

// Page is one notebook in a browser, with every host that it has asked for.
type Page struct {
	*rod.Page
	lab     *Lab
	browser *rod.Browser
	profile string

	mu       sync.Mutex
	requests []string // addresses beyond 127.0.0.1
}

// Open starts Chromium on the lab's notebook. Nothing but this machine can be
// looked up, and what is asked for all the same is recorded.
func Open(lab *Lab) (*Page, error) {
	chromium, err := Chromium()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "memlab-chromium-")
	if err != nil {
		return nil, fmt.Errorf("browser: %w", err)
	}
	start := launcher.New().Bin(chromium).Leakless(false).NoSandbox(true).UserDataDir(profile).
		Set("disable-gpu").Set("disable-quic").Set("no-first-run").Set("disable-background-networking").
		Set("disable-component-update").Set("disable-sync").
		Set("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
	control, err := start.Launch()
	if err != nil {
		os.RemoveAll(profile)
		return nil, fmt.Errorf("browser: %s does not start: %w", chromium, err)
	}
	p := &Page{lab: lab, profile: profile, browser: rod.New().ControlURL(control)}
	if err := p.open(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Page) open() error {
	if err := p.browser.Connect(); err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	page, err := p.browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	p.Page = page
	go page.EachEvent(func(e *proto.NetworkRequestWillBeSent) { p.record(e.Request.URL) },
		func(e *proto.NetworkWebSocketCreated) { p.record(e.URL) })()
	if err := (proto.NetworkEnable{}).Call(page); err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	if err := page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 1400, Height: 1800, DeviceScaleFactor: 1}); err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	// reset: not the layout that an earlier visitor has left.
	if err := page.Navigate(p.lab.URL + "&reset"); err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	if err := p.until(time.Minute, "a notebook with code cells", func() (bool, error) { return p.has(".jp-CodeCell"), nil }); err != nil {
		return err
	}
	// The kernel answers no history request, so idle is never seen before the first run; a connection is.
	if err := p.until(time.Minute, "a connected kernel", p.lab.kernelConnected); err != nil {
		return err
	}
	time.Sleep(time.Second / 2)
	return nil
}

func (p *Page) record(address string) {
	u, err := url.Parse(address)
	if err == nil && (u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" || u.Hostname() == "127.0.0.1") {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, address)
}

// Strangers returns the addresses beyond this machine that the page has asked
// for.
func (p *Page) Strangers() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.requests...)
}

// RunAll chooses Run All Cells in the menu and waits until all cells of code
// have a number, failed or not, or are folded, and the kernel is idle.
func (p *Page) RunAll(cells int, limit time.Duration) error {
	run, err := p.Timeout(10*time.Second).ElementR("li.lm-MenuBar-item", "^Run$")
	if err != nil {
		return fmt.Errorf("browser: no menu Run: %w", err)
	}
	if err := run.Click(proto.InputMouseButtonLeft, 1); err != nil {
		return fmt.Errorf("browser: menu Run: %w", err)
	}
	all, err := p.Timeout(10 * time.Second).Element("li.lm-Menu-item[data-command='runmenu:run-all']")
	if err != nil {
		return fmt.Errorf("browser: no Run All Cells: %w", err)
	}
	if err := all.Click(proto.InputMouseButtonLeft, 1); err != nil {
		return fmt.Errorf("browser: Run All Cells: %w", err)
	}
	seen := 0 // a moment of rest between two cells is not the end
	return p.until(limit, "every cell run and an idle kernel", func() (bool, error) {
		done, err := p.Eval(`cells => {
			const code = [...document.querySelectorAll('.jp-CodeCell')]
			// A folded cell shows no number.
			const run = e => e.querySelector('.jp-InputCollapser + .jp-Placeholder, .jp-Cell-inputWrapper .jp-Placeholder') !== null ||
				/^\[\d+\]:?$/.test(e.querySelector('.jp-InputPrompt')?.innerText.trim() ?? '')
			return code.length === cells && code.every(run) &&
				document.querySelector('.jp-Notebook-ExecutionIndicator[data-status=idle]') !== null
		}`, cells)
		if err != nil {
			return false, fmt.Errorf("browser: %w", err)
		}
		if seen++; !done.Value.Bool() {
			seen = 0
		}
		return seen == 3, nil
	})
}

// Pictures returns how many outputs are pictures that have a size on the page.
func (p *Page) Pictures() (int, error) {
	n, err := p.Eval(`s => [...document.querySelectorAll(s)].filter(e => {
		const box = e.getBoundingClientRect()
		return box.width > 50 && box.height > 50 && (e.naturalWidth ?? 1) > 0
	}).length`, Picture)
	if err != nil {
		return 0, fmt.Errorf("browser: %w", err)
	}
	return n.Value.Int(), nil
}

// Count returns how many elements match selector.
func (p *Page) Count(selector string) int {
	found, err := p.Elements(selector)
	if err != nil {
		return 0
	}
	return len(found)
}

// Texts returns the text of the elements that match selector.
func (p *Page) Texts(selector string) (string, error) {
	text, err := p.Eval(`s => [...document.querySelectorAll(s)].map(e => e.innerText).join("\n")`, selector)
	if err != nil {
		return "", fmt.Errorf("browser: %w", err)
	}
	return text.Value.Str(), nil
}

func (p *Page) has(selector string) bool { return p.Count(selector) > 0 }

func (p *Page) until(limit time.Duration, what string, done func() (bool, error)) error {
	for end := time.Now().Add(limit); ; time.Sleep(200 * time.Millisecond) {
		ok, err := done()
		if ok {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("browser: waited %v for %s in vain (%v)", limit, what, err)
		}
	}
}

// Close ends Chromium and removes its profile.
func (p *Page) Close() {
	p.browser.Close()
	os.RemoveAll(p.profile)
}
