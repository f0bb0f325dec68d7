//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestASecondInterruptEndsWhateverIsRunning(t *testing.T) {
	if name := os.Getenv("MEMLAB_TEST_SAVE"); name != "" {
		// Of this the scores alone take longer than the test waits.
		_, _ = trained(t, "--facts", "100000", "--p", "1", "--steps", "1", "--batch", "1", "--engine", "hand", "--save", name)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(exe, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "MEMLAB_TEST_SAVE="+filepath.Join(dir, "z.json"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	late, tick := time.After(20*time.Second), time.NewTicker(100*time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			// The file is begun once interrupts are caught.
			if begun, _ := filepath.Glob(filepath.Join(dir, ".z.json-*")); len(begun) > 0 {
				_ = cmd.Process.Signal(os.Interrupt)
			}
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
				t.Errorf("ended with %v: want the second interrupt to end it", err)
			}
			return
		case <-late:
			_ = cmd.Process.Kill()
			t.Fatal("interrupts do not end it")
		}
	}
}

func TestTrainSavesOnlyWhereAFileBelongs(t *testing.T) {
	in := func(name string) string { return filepath.Join(t.TempDir(), name) }
	pipe, link, target, dangling := in("pipe"), in("link"), in("target.json"), in("dangling")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{link: target, dangling: "nowhere"} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		pipe: "a pipe", dangling: "a link to nothing", "": "the name is empty", in("no/z.json"): "no file can be made in folder",
	} {
		if _, err := trained(t, append(quick, "--engine", "hand", "--save", name)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--save %q: %v: want %q", name, err, want)
		}
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe has become %v, %v", info, err)
	}
	trainedJSON(t, append(quick, "--engine", "hand", "--save", link)...)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v", info, err)
	}
	if info, err := os.Stat(target); err != nil || info.Size() == 0 {
		t.Errorf("behind the link: %v, %v", info, err)
	}
	if _, err := trained(t, append(quick, "--load", "")...); err == nil || !strings.Contains(err.Error(), "--load: the name is empty") {
		t.Error(err)
	}
	if _, err := trained(t, append(quick, "--distance", "1e300")...); err == nil || !strings.Contains(err.Error(), "--distance 1e+300: want 0 to 1e+30") {
		t.Error(err)
	}
}
