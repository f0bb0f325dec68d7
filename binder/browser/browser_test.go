package browser_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"memlab/binder/browser"
)

// notebook is what the test wants to know of a notebook's file.
type notebook struct {
	Cells []struct {
		CellType string `json:"cell_type"`
		Outputs  []struct {
			OutputType string                     `json:"output_type"`
			Name       string                     `json:"name"`
			Text       []string                   `json:"text"`
			Data       map[string]json.RawMessage `json:"data"`
		} `json:"outputs"`
	} `json:"cells"`
}

func (n notebook) codeCells() (count int) {
	for _, c := range n.Cells {
		if c.CellType == "code" {
			count++
		}
	}
	return count
}

func (n notebook) figures() (count int) {
	for _, c := range n.Cells {
		for _, o := range c.Outputs {
			if _, ok := o.Data["image/png"]; ok {
				count++
			}
		}
	}
	return count
}

func (n notebook) stdout() (lines []string) {
	for _, c := range n.Cells {
		for _, o := range c.Outputs {
			if o.OutputType == "stream" && o.Name == "stdout" {
				lines = append(lines, strings.Split(strings.Join(o.Text, ""), "\n")...)
			}
		}
	}
	return lines
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run opens a copy of the file under the given path below a folder of its own
// in notebooks (a run changes the file), runs all cells and returns the page.
func run(t *testing.T, file, as string) (notebook, *browser.Page) {
	t.Helper()
	if os.Getenv("MEMLAB_BROWSER") == "" {
		t.Skip("MEMLAB_BROWSER is not set: binder/test sets it when it drives JupyterLab")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var n notebook
	if err := json.Unmarshal(data, &n); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	dir, err := os.MkdirTemp(filepath.Join(root(t), "notebooks"), "run-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	copied := filepath.Join(dir, as)
	if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, data, 0o644); err != nil {
		t.Fatal(err)
	}
	// Not t.Context(): it ends before the clean-up, which would kill JupyterLab before it has ended its kernels.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	lab, err := browser.Start(ctx, root(t), copied)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(lab.Close)
	page, err := browser.Open(lab)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(page.Close)
	if err := page.RunAll(n.codeCells(), 8*time.Minute); err != nil {
		t.Error(err)
	}
	if shots := os.Getenv("MEMLAB_SCREENSHOTS"); shots != "" {
		screenshot(t, page, filepath.Join(shots, strings.ReplaceAll(as, "/", "-")+".png"))
	}
	return n, page
}

// screenshot stores the whole notebook as a picture, for a person to look at.
func screenshot(t *testing.T, page *browser.Page, file string) {
	t.Helper()
	height, err := page.Eval(`() => 200 + [...document.querySelectorAll('.jp-Notebook .jp-Cell')].reduce((sum, e) => sum + e.offsetHeight + 10, 0)`)
	if err != nil {
		t.Fatal(err)
	}
	page.MustSetViewport(1400, height.Value.Int(), 1, false)
	time.Sleep(2 * time.Second) // JupyterLab lays the page out anew
	page.MustEval(`() => { for (const e of document.querySelectorAll('.jp-WindowedPanel-outer')) e.scrollTop = 0 }`)
	picture, err := page.Screenshot(false, &proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestANotebookRunsInJupyterLab(t *testing.T) {
	patterns := []string{"00_*", "01_*", "zh/01_*"}
	if os.Getenv("MEMLAB_BROWSER") == "all" {
		patterns = []string{"[0-9]*", "zh/[0-9]*"}
	}
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob("../../notebooks/" + pattern + ".ipynb")
		if err != nil || len(found) == 0 {
			t.Fatalf("no notebooks %s (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		name, _ := filepath.Rel("../../notebooks", file)
		t.Run(name, func(t *testing.T) {
			n, page := run(t, file, name)
			if e, _ := page.Texts(browser.ErrorOutput); e != "" {
				t.Errorf("a cell failed: %s", e)
			}
			text, err := page.Texts(browser.StdoutText)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range n.stdout() {
				if !strings.Contains(text, line) {
					t.Errorf("the page lacks the line %q; it has:\n%s", line, text)
				}
			}
			pictures, err := page.Pictures()
			if err != nil {
				t.Fatal(err)
			}
			if want := n.figures(); pictures < want {
				t.Errorf("%d pictures on the page, want %d", pictures, want)
			}
			if strangers := page.Strangers(); len(strangers) > 0 {
				t.Errorf("requests beyond 127.0.0.1: %q", strangers)
			}
		})
	}
}

// A check that cannot fail proves nothing: this notebook has a cell that
// panics and a picture from elsewhere, and both must be seen.
func TestTheBrowserSeesWhatIsWrong(t *testing.T) {
	_, page := run(t, "testdata/wrong.ipynb", "wrong.ipynb")
	if e, _ := page.Texts(browser.ErrorOutput); !strings.Contains(e, "on purpose") {
		t.Errorf("the panic does not show as an error: %q", e)
	}
	if len(page.Strangers()) == 0 {
		t.Error("the request to example.org was not recorded")
	}
}
