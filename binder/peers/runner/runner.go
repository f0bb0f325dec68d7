// Package runner lets a Go program be measured by binder/bench. It is for programs
// below binder/peers that do the same work as a peer does, and say what came of it.
// Its main type is Bench; Serve answers the harness, one line of JSON for each line
// of standard input. Timing costs two system calls for all repeats of a request
// together. The protocol is our own, see Serve.
package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Work does one repeat, always from the same state, and returns how many units it
// did and what came of them: a number, a string, or a map of those by name, which
// must be the same for everybody who is compared.
type Work func() (ops int, check any, err error)

// Bench is one piece of work.
type Bench struct {
	Name string
	// New prepares the work; neither it nor the first repeat is timed.
	New func() (Work, error)
	// Off, if there is one, is the part of a repeat that the peers are given:
	// its time, of as many repeats, is taken off.
	Off func() (Work, error)
}

// Set is what one program can do.
type Set struct {
	Unit     string // of which Work counts how many it did, such as "step"
	Benches  []Bench
	Versions map[string]string // of libraries, by name
}

// Result is the answer to a request to run.
type Result struct {
	Bench string  `json:"bench"`
	Ops   int     `json:"ops"`    // units, in all repeats together
	CPU   float64 `json:"cpu_s"`  // seconds of the process, user and system
	Wall  float64 `json:"wall_s"` // seconds
	Check any     `json:"check"`
}

type list struct {
	Unit     string            `json:"unit"`
	Benches  []string          `json:"benches"`
	Versions map[string]string `json:"versions"`
}

type failure struct {
	Error string `json:"error"`
}

// Main serves the set to the harness, on standard input and output.
func Main(s Set) {
	if err := s.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Serve answers each line of in by a line of out until in ends. "list" asks what
// there is; "run NAME REPEATS" asks for a Result. An answer with the field "error"
// says what was wrong with the request or the work.
func (s Set) Serve(in io.Reader, out io.Writer) error {
	ready := map[string]works{}
	answers := json.NewEncoder(out)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		answer, err := s.answer(lines.Text(), ready)
		if err != nil {
			answer = failure{err.Error()}
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

// works are a bench's own and what is taken off, nil for nothing.
type works struct{ own, off Work }

func (s Set) answer(line string, ready map[string]works) (any, error) {
	switch words := strings.Fields(line); {
	case len(words) == 1 && words[0] == "list":
		l := list{Unit: s.Unit, Benches: []string{}, Versions: s.Versions}
		for _, b := range s.Benches {
			l.Benches = append(l.Benches, b.Name)
		}
		return l, nil
	case len(words) == 3 && words[0] == "run":
		repeats, err := strconv.Atoi(words[2])
		if err != nil || repeats < 1 {
			return nil, fmt.Errorf("%s repeats: want a whole number of 1 or more", words[2])
		}
		w, ok := ready[words[1]]
		if !ok {
			if w, err = s.prepare(words[1]); err == nil {
				ready[words[1]] = w
			}
		}
		var r Result
		if err == nil {
			r, err = w.measure(repeats)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", words[1], err)
		}
		r.Bench = words[1]
		return r, nil
	default:
		return nil, fmt.Errorf("request %q: want \"list\" or \"run NAME REPEATS\"", line)
	}
}

// prepare makes what belongs to a bench, and warms it up.
func (s Set) prepare(name string) (w works, err error) {
	at := slices.IndexFunc(s.Benches, func(b Bench) bool { return b.Name == name })
	if at < 0 {
		return w, errors.New("no such bench: want one of the list")
	}
	if w.own, err = warm(s.Benches[at].New); err != nil || s.Benches[at].Off == nil {
		return w, err
	}
	w.off, err = warm(s.Benches[at].Off)
	return w, err
}

func warm(prepare func() (Work, error)) (Work, error) {
	work, err := prepare()
	if err == nil {
		_, _, err = work()
	}
	return work, err
}

func (w works) measure(repeats int) (Result, error) {
	r, err := measure(w.own, repeats)
	if err != nil || w.off == nil {
		return r, err
	}
	off, err := measure(w.off, repeats)
	r.CPU, r.Wall = r.CPU-off.CPU, r.Wall-off.Wall
	return r, err
}

func measure(work Work, repeats int) (r Result, err error) {
	runtime.GC() // what others left behind is not this work's
	start, wall := cpuSeconds(), time.Now()
	for range repeats {
		ops, check, err := work()
		if err != nil {
			return r, err
		}
		r.Ops, r.Check = r.Ops+ops, check
	}
	r.CPU, r.Wall = cpuSeconds()-start, time.Since(wall).Seconds()
	return r, nil
}
