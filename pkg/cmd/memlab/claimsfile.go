package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"memlab/pkg/claims"
)

// storedFile is the path of the results in the checkout.
type storedFile string

// resultsFile finds the results of the module that the working folder is in.
func resultsFile() (storedFile, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		file := filepath.Join(folder, filepath.FromSlash(claims.ResultsFile))
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

// write replaces the file in one step, so that an interruption leaves the old
// one.
func (f storedFile) write(r claims.Results) error {
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		return err
	}
	next := string(f) + ".new"
	if err := os.WriteFile(next, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("--update: %w", err)
	}
	if err := os.Rename(next, string(f)); err != nil {
		return fmt.Errorf("--update: %w", err)
	}
	return nil
}
