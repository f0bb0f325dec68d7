package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"memlab/pkg/claims"
)

// storedFile is the path of a file of results in the checkout.
type storedFile string

// inModule finds a file, named from the top of the module, in the module that the
// working folder is in.
func inModule(name string) (storedFile, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		file := filepath.Join(folder, filepath.FromSlash(name))
		_, noModule := os.Stat(filepath.Join(folder, "go.mod"))
		_, noFile := os.Stat(file)
		if noModule == nil && noFile == nil {
			return storedFile(file), nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errOutside
		}
		folder = parent
	}
}

func (f storedFile) read(rows []claims.Row) (claims.Results, error) {
	data, err := os.ReadFile(string(f))
	if err != nil {
		return claims.Results{}, err
	}
	return claims.ReadResults(string(f), bytes.NewReader(data), rows)
}

func (f storedFile) writeResults(r claims.Results) error {
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		return err
	}
	return f.write(b.Bytes())
}

// write replaces the file in one step, so that an interruption leaves the old
// one.
func (f storedFile) write(data []byte) error {
	next := string(f) + ".new"
	if err := os.WriteFile(next, data, 0o644); err != nil {
		return fmt.Errorf("--update: %w", err)
	}
	if err := os.Rename(next, string(f)); err != nil {
		return fmt.Errorf("--update: %w", err)
	}
	return nil
}
