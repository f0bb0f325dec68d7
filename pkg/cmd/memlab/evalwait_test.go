//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe that nobody writes to can be left with Ctrl-C.
func TestAnInterruptEndsTheWaitForAFile(t *testing.T) {
	const name = "MEMLAB_TEST_PIPE"
	if pipe := os.Getenv(name); pipe != "" { // this is the other process
		_ = run([]string{"eval", "--data", pipe}, os.Stdout, os.Stderr)
		return
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), name+"="+pipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	deadline := time.Now().Add(time.Minute)
	for { // a pipe can be opened for writing as soon as somebody reads it
		writer, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			defer writer.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nobody reads the pipe")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it ended as if nothing had happened")
		}
	case <-time.After(20 * time.Second):
		t.Error("it is still waiting")
	}
}
