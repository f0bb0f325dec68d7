package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"memlab/pkg/chart"
	"memlab/pkg/table"
)

// pictureName checks the NAME that .csv, .svg and .png are added to.
func pictureName(flag, name string) error {
	if name == "" || strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(os.PathSeparator)) {
		return fmt.Errorf("%s %q: want a name, to which .csv, .svg and .png are added", flag, name)
	}
	return nil
}

// writePicture writes a figure and its numbers as NAME.csv, NAME.svg and
// NAME.png, all or none: each first as a file beside it, so that a full disk or
// a folder in the way leaves what was there.
func writePicture(name string, f chart.Figure, t table.Table) (files []string, err error) {
	picture, err := f.Render(chart.English)
	if err != nil {
		return nil, err
	}
	var csv strings.Builder
	if err := t.WriteCSV(&csv); err != nil {
		return nil, err
	}
	const part = ".part"
	var parts []string
	defer func() {
		if err != nil {
			for _, p := range parts {
				_ = os.Remove(p) // the error is already one of writing
			}
			files = nil
		}
	}()
	for _, file := range []struct {
		ext  string
		data []byte
	}{{".csv", []byte(csv.String())}, {".svg", picture.SVG}, {".png", picture.PNG}} {
		path := name + file.ext
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s: is a folder", path)
		}
		files, parts = append(files, path), append(parts, path+part)
		if err := os.WriteFile(path+part, file.data, 0o644); err != nil {
			return nil, fmt.Errorf("%s: %w", path, reason(err))
		}
	}
	for i, path := range files {
		if err := os.Rename(parts[i], path); err != nil {
			parts = append(parts, files[:i]...) // what is there already goes as well
			return nil, fmt.Errorf("%s: %w", path, reason(err))
		}
	}
	return files, nil
}

// reason is the error without the name of the file beside the one that is meant.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
