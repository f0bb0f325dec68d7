// Package browser drives the lab as a student does: it starts binder/lab,
// opens a notebook in a real Chromium, runs all cells and looks at what came
// out. It is for binder/test alone. The main types are Lab, a running
// JupyterLab, and Page, one notebook in it. One notebook takes some ten
// seconds, most of it JupyterLab's own start.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Lab is a JupyterLab that binder/lab has started.
type Lab struct {
	URL string // with the token, opens the notebook that was named
	cmd *exec.Cmd
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+/lab\S*\?token=[0-9a-f]+`)

// Start runs binder/lab in the checkout root on the notebook and waits until
// it prints its address.
func Start(ctx context.Context, root, notebook string) (*Lab, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(root, "binder", "lab"), "--no-browser", notebook)
	cmd.Dir = root
	// A group of its own, so that Close ends JupyterLab and its kernels too.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, fmt.Errorf("browser: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("browser: %w", err)
	}
	lab := &Lab{cmd: cmd}
	lines := bufio.NewScanner(stderr)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		if lab.URL = address.FindString(lines.Text()); lab.URL != "" {
			go func() { // or JupyterLab would block on a full pipe
				for lines.Scan() {
				}
			}()
			return lab, nil
		}
	}
	lab.Close()
	return nil, fmt.Errorf("browser: binder/lab %s ended without an address: %s", notebook, strings.Join(said, "\n"))
}

// Close ends the kernels, JupyterLab and everything that it started.
func (l *Lab) Close() {
	var kernels []struct {
		ID string `json:"id"`
	}
	if l.URL != "" && l.api(http.MethodGet, "/api/kernels", &kernels) == nil {
		for _, k := range kernels {
			l.api(http.MethodDelete, "/api/kernels/"+k.ID, nil)
		}
	}
	syscall.Kill(-l.cmd.Process.Pid, syscall.SIGTERM)
	done := make(chan struct{})
	go func() { l.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(30 * time.Second): // JupyterLab takes some seconds to end its kernels
		syscall.Kill(-l.cmd.Process.Pid, syscall.SIGKILL)
		<-done
	}
}

// api calls JupyterLab's REST interface.
func (l *Lab) api(method, path string, into any) error {
	u, err := url.Parse(l.URL)
	if err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	req, err := http.NewRequest(method, "http://"+u.Host+path, nil)
	if err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	req.Header.Set("Authorization", "token "+u.Query().Get("token"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("browser: %s %s: %s", method, path, resp.Status)
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		return fmt.Errorf("browser: %s %s: %w", method, path, err)
	}
	return nil
}

// kernelConnected says whether a page has connected to a kernel.
func (l *Lab) kernelConnected() (bool, error) {
	var sessions []struct {
		Kernel struct {
			Connections int `json:"connections"`
		} `json:"kernel"`
	}
	if err := l.api(http.MethodGet, "/api/sessions", &sessions); err != nil {
		return false, err
	}
	for _, s := range sessions {
		if s.Kernel.Connections > 0 {
			return true, nil
		}
	}
	return false, nil
}

// Chromium returns the path of a Chromium or Chrome, or an error that says
// how to get one.
func Chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
	if _, err := os.Stat(mac); err == nil {
		return mac, nil
	}
	return "", fmt.Errorf("browser: Chromium is missing: install it (Debian: apt install chromium)")
}
